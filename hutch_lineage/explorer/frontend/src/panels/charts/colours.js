// The colours of a chart, read from the style sheet: a canvas cannot read CSS variables by itself.
import { OTHER, palette, STEPS } from "../../picture/colour.js";

const NAMES = ["bg", "panel", "line", "ink", "mute", "faint", "accent", "warm", "good", "bad"];

/**
 * @param {HTMLElement} element in the page
 * @param {"light"|"dark"} theme
 * @returns {Record<string, string> & {names: string[], font: string}}
 */
export function coloursOf(element, theme) {
  const probe = document.createElement("i");
  probe.style.display = "none";
  element.append(probe);
  const found = /** @type {any} */ ({ names: palette(theme).slice(STEPS + 1, OTHER), font: getComputedStyle(element).fontFamily || "sans-serif" });
  for (const name of NAMES) {
    probe.style.color = `var(--hl-${name})`;
    found[name] = getComputedStyle(probe).color;
  }
  probe.remove();
  return found;
}

/** Red, green and blue, 0 to 255, of a colour as style sheets write it. */
function channels(/** @type {string} */ colour) {
  if (colour.startsWith("#")) return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  const parts = (colour.replace(/^color\(srgb/, "").match(/[\d.]+/g) ?? ["0", "0", "0"]).slice(0, 3).map(Number);
  return colour.startsWith("color(") ? parts.map((part) => part * 255) : parts;
}

/** A colour that lets what is below shine through. */
export const pale = (/** @type {string} */ colour, /** @type {number} */ share) => `rgb(${channels(colour).map(Math.round).join(" ")} / ${share})`;

/** A colour as it looks when laid thinly on paper. */
export function mixed(/** @type {string} */ colour, /** @type {string} */ paper, /** @type {number} */ share) {
  const below = channels(paper);
  return `rgb(${channels(colour).map((value, i) => Math.round(value * share + below[i] * (1 - share))).join(" ")})`;
}
