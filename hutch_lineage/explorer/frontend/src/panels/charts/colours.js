// The colours of a chart, read from the style sheet: a canvas cannot read CSS variables by itself.
import { palette, STEPS } from "../../colour.js";

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
  const found = /** @type {any} */ ({ names: palette(theme).slice(STEPS + 1), font: getComputedStyle(element).fontFamily || "sans-serif" });
  for (const name of NAMES) {
    probe.style.color = `var(--hl-${name})`;
    found[name] = getComputedStyle(probe).color;
  }
  probe.remove();
  return found;
}

/** A colour made pale. */
export const pale = (/** @type {string} */ colour, /** @type {number} */ share) => {
  const parts = colour.match(/[\d.]+/g) ?? [];
  if (colour.startsWith("#")) return `${colour}${Math.round(share * 255).toString(16).padStart(2, "0")}`;
  return colour.startsWith("color(srgb") ? `color(srgb ${parts.slice(0, 3).join(" ")} / ${share})` : `rgb(${parts.slice(0, 3).join(" ")} / ${share})`;
};
