// Colour: an even, colour-blind-safe ramp for numbers (viridis), a qualitative palette for names (after Okabe and Ito).
import { NODE } from "./protocol.js";

const VIRIDIS = [
  [68, 1, 84], [71, 24, 106], [72, 46, 124], [65, 68, 135], [57, 86, 140], [49, 104, 142], [42, 120, 142], [35, 137, 142],
  [31, 154, 138], [45, 170, 129], [68, 186, 113], [108, 205, 90], [154, 216, 60], [204, 225, 42], [253, 231, 37],
];
/** The end of the ramp that would vanish on the background is left out. */
const SPAN = { light: [0, 0.955], dark: [0.17, 1] };
const NAMES = {
  light: ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#b8470b", "#7a6bd0", "#8f8b12", "#5a3d2b", "#1b7f8c"],
  dark: ["#4aa3df", "#f2b134", "#2fc49a", "#e296c3", "#8fd0f5", "#f0814a", "#a79bf0", "#cfca4d", "#c09a83", "#5fc6d3"],
};
export const STEPS = 64;
/** Colour index of a node without a value, and of a name beyond the palette. */
export const NONE = STEPS;
const FIRST_NAME = STEPS + 1;

/** A colour of the ramp at 0..1. */
export function ramp(/** @type {number} */ t, /** @type {"light"|"dark"} */ theme = "light") {
  const [low, high] = SPAN[theme];
  const at = (low + (high - low) * Math.min(1, Math.max(0, t))) * (VIRIDIS.length - 1);
  const i = Math.min(VIRIDIS.length - 2, Math.floor(at));
  const mix = VIRIDIS[i].map((c, j) => Math.round(c + (VIRIDIS[i + 1][j] - c) * (at - i)));
  return `rgb(${mix.join(",")})`;
}

/** All colours by colour index. @returns {string[]} */
export function palette(/** @type {"light"|"dark"} */ theme, none = "#9aa3ad") {
  return [...Array.from({ length: STEPS }, (_, i) => ramp(i / (STEPS - 1), theme)), none, ...NAMES[theme]];
}

/**
 * A colour index for every row, and what the legend says about it.
 * @typedef {{kind: "ramp", label: string, left: number, right: number, clipped: boolean, unit: string, decimals: number, missing: boolean}} RampLegend
 * @typedef {{kind: "names", label: string, entries: {name: string, index: number, count: number}[], missing: boolean}} NamesLegend
 * @returns {{index: Uint8Array, legend: RampLegend|NamesLegend}}
 */
export function colouring(/** @type {import("./store.js").Store} */ store, colour, visible, metric) {
  const { nodes } = store;
  const names = { operator: ["op", "operator"], model: ["model", "model"], island: ["island", "island"], run: ["run", "run"] }[colour];
  if (names) return byName(store, nodes.get(names[0]), names[1], visible);
  if (colour === "cost") return byNumber(nodes, nodes.get("cost"), visible, { label: "cost", unit: "$" });
  if (colour === "generation") return byNumber(nodes, nodes.get("generation"), visible, { label: "generation", whole: true });
  const { name = "", lower = false } = metric ?? {};
  return byNumber(nodes, nodes.get(`m:${name}`), visible, { label: name ? `${name} ${lower ? "↓" : "↑"}` : "no metric", lower, valid: true });
}

function byNumber(nodes, values, visible, { label, lower = false, unit = "", whole = false, valid = false }) {
  const flags = nodes.get("flags");
  const counts = (row) => visible[row] && !(flags[row] & NODE.ghost) && !(valid && flags[row] & NODE.invalid) && Math.abs(values[row]) < Infinity && !(whole && values[row] < 0);
  const { low, high, clipped } = domain(nodes.count, values, counts, lower || !valid);
  const index = new Uint8Array(nodes.count).fill(NONE);
  const span = high - low;
  let missing = false;
  for (let row = 0; row < nodes.count; row++) {
    if (!counts(row)) {
      missing ||= !!visible[row] && !(flags[row] & (NODE.ghost | NODE.invalid));
      continue;
    }
    const t = span > 0 ? Math.min(1, Math.max(0, (values[row] - low) / span)) : 0.5;
    index[row] = Math.round((lower ? 1 - t : t) * (STEPS - 1));
  }
  const [left, right] = lower ? [high, low] : [low, high];
  return { index, legend: { kind: /** @type {const} */ ("ramp"), label, left, right, clipped, unit, whole, missing } };
}

/**
 * Lowest and highest value. A few very bad ones would leave one colour for all the others: on that side the ramp
 * begins no further out than the whisker of a box plot. `top` says that high values are the bad ones.
 */
export function domain(count, values, counts, top) {
  const known = [];
  for (let row = 0; row < count; row++) if (counts(row)) known.push(values[row]);
  const sorted = Float64Array.from(known).sort();
  const n = sorted.length;
  if (!n) return { low: NaN, high: NaN, clipped: false };
  const at = (q) => {
    const i = Math.floor(q * (n - 1));
    return sorted[i] + ((sorted[i + 1] ?? sorted[i]) - sorted[i]) * (q * (n - 1) - i);
  };
  const reach = 1.5 * (at(0.75) - at(0.25));
  const fence = top ? at(0.75) + reach : at(0.25) - reach;
  const [low, high] = [sorted[0], sorted[n - 1]];
  const clipped = reach > 0 && (top ? high > fence : low < fence);
  return { low: clipped && !top ? fence : low, high: clipped && top ? fence : high, clipped };
}

function byName(store, values, list, visible) {
  const { nodes } = store;
  const flags = nodes.get("flags");
  const known = NAMES.light.length;
  const index = new Uint8Array(nodes.count).fill(NONE);
  const counts = new Map();
  let missing = false;
  for (let row = 0; row < nodes.count; row++) {
    if (!visible[row] || flags[row] & NODE.ghost) continue;
    const value = values[row] ?? -1;
    if (value < 0) missing = true;
    else {
      if (value < known) index[row] = FIRST_NAME + value;
      counts.set(value, (counts.get(value) ?? 0) + 1);
    }
  }
  const entries = [...counts].sort((a, b) => a[0] - b[0]).map(([value, count]) => ({ name: store.category(list, value), index: value < known ? FIRST_NAME + value : NONE, count }));
  return { index, legend: { kind: /** @type {const} */ ("names"), label: list, entries, missing } };
}
