// Colour: an even, colour-blind-safe ramp for numbers (viridis), a qualitative palette for names (after Okabe and Ito).
import { longer } from "../data/growth.js";
import { isPlain, numbersOf } from "../lineage/numbers.js";
import { NODE } from "../data/protocol.js";
import { scaleOf } from "./scale.js";
import { directed } from "../words/format.js";

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
/** Colour index of a node without a value. */
export const NONE = STEPS;
const FIRST_NAME = STEPS + 1;
/** Colour index of the names beyond the palette, which share one colour. */
export const OTHER = FIRST_NAME + NAMES.light.length;
const OTHERS = { light: "#6b7280", dark: "#9aa4b2" };

/** Colour index of the n-th name of a category. */
export const nameIndex = (/** @type {number} */ n) => (n < 0 ? NONE : Math.min(OTHER, FIRST_NAME + n));

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
  return [...Array.from({ length: STEPS }, (_, i) => ramp(i / (STEPS - 1), theme)), none, ...NAMES[theme], OTHERS[theme]];
}

/** Colourings by name: the node column, and the category that names its values. */
const BY_NAME = { operator: ["op", "operator"], model: ["model", "model"], island: ["island", "island"], agent: ["agent", "agent"], run: ["run", "run"] };

/**
 * A colour index for every row, and what the legend says about it.
 * @typedef {{kind: "ramp", label: string, left: number, right: number, clipped: boolean, outside: number, unit: string, whole: boolean, missing: boolean,
 *   scale: "linear"|"log"|"rank", refused: string, ends: [string, string]|null}} RampLegend
 * @typedef {{kind: "names", label: string, entries: {name: string, text: string, index: number, count: number}[], missing: boolean}} NamesLegend
 * @returns {{index: Uint8Array, legend: RampLegend|NamesLegend, column: string, shade: (value: number, flags: number) => number,
 *   ramp?: {at: (value: number) => number, of: (t: number) => number}}}
 *   `shade`: the colour index of a value of `column`; `ramp`: where on the ramp a value is, 0 to 1 from the left, and the value there
 */
export function colouring(/** @type {import("../data/store.js").Store} */ store, colour, visible, metric) {
  const { nodes, view } = store;
  if (BY_NAME[colour]) return byName(store, BY_NAME[colour][0], BY_NAME[colour][1], visible);
  const plain = isPlain(colour);
  const { name = "", lower = false } = (!plain && metric) || {};
  const numbers = numbersOf(nodes, plain ? colour : `metric:${name}`, visible);
  const label = plain ? numbers.label : name ? directed(metric) : "no metric";
  return byNumber(nodes, visible, numbers, label, lower, view.scale === "log" && colour === "age" ? "linear" : view.scale ?? "linear");
}

/**
 * The same with the rows that are new or changed, on the scale and with the legend as they were; null where that cannot be.
 * @param {ReturnType<typeof colouring>} held
 * @param {import("../data/growth.js").Grown} grown
 */
export function colouredMore({ nodes }, held, visible, grown) {
  const { column, shade } = held;
  if (!column) return null;
  const values = nodes.get(column);
  const flags = nodes.get("flags");
  const index = longer(held.index, nodes.count);
  const paint = (/** @type {number} */ row) => (index[row] = visible[row] ? shade(values[row], flags[row]) : NONE);
  for (const row of grown.rows) paint(row);
  for (let row = grown.nodes; row < nodes.count; row++) paint(row);
  return { ...held, index };
}

/** How a legend names a scale. */
const SCALES = { linear: "", log: ", log", rank: ", by rank" };

function byNumber(nodes, visible, { values, column, unit, whole, valid, ends, holds }, label, lower, scale) {
  const { count } = nodes;
  const flags = nodes.get("flags");
  const index = new Uint8Array(count).fill(NONE);
  // First the values that count and their rows, then the scale over them, then a colour for each.
  const known = new Float64Array(count);
  const rows = new Int32Array(count);
  let n = 0;
  let missing = false;
  for (let row = 0; row < count; row++) {
    if (!visible[row]) continue;
    const value = values[row];
    if (!holds(value, flags[row])) missing ||= !(flags[row] & (NODE.ghost | NODE.invalid));
    else {
      known[n] = value;
      rows[n++] = row;
    }
  }
  // What has an end that is worth knowing (the first, the newest) is shown to its ends.
  const on = scaleOf(scale, known.subarray(0, n), lower || !valid, !whole);
  const turned = (/** @type {number} */ t) => (lower ? 1 - t : t);
  const at = (/** @type {number} */ value) => (turned(on.at(value)) * (STEPS - 1) + 0.5) | 0;
  for (let i = 0; i < n; i++) index[rows[i]] = at(values[rows[i]]);
  const [left, right] = lower ? [on.high, on.low] : [on.low, on.high];
  const shade = (/** @type {number} */ value, /** @type {number} */ f) => (holds(value, f) ? at(value) : NONE);
  const ramp = { at: (/** @type {number} */ value) => turned(on.at(value)), of: (/** @type {number} */ t) => on.of(turned(t)) };
  return { index, column, shade, ramp, legend: { kind: /** @type {const} */ ("ramp"), label: label + (on.refused ? `, ${on.refused}` : SCALES[on.kind]), left, right, clipped: on.clipped, outside: on.outside, unit, whole, missing, scale: on.kind, refused: on.refused, ends } };
}

function byName(store, column, list, visible) {
  const { nodes } = store;
  const values = nodes.get(column);
  const flags = nodes.get("flags");
  const index = new Uint8Array(nodes.count).fill(NONE);
  const counts = /** @type {number[]} */ ([]);
  let missing = false;
  for (let row = 0; row < nodes.count; row++) {
    if (!visible[row] || flags[row] & NODE.ghost) continue;
    const value = values[row] ?? -1;
    if (value < 0) missing = true;
    else {
      index[row] = nameIndex(value);
      counts[value] = (counts[value] ?? 0) + 1;
    }
  }
  const entries = counts.flatMap((count, value) => {
    const name = store.category(list, value);
    return [{ name, text: (list === "run" && store.runs[value]?.name) || name, index: nameIndex(value), count }];
  });
  const shade = (/** @type {number} */ value, /** @type {number} */ f) => (f & NODE.ghost ? NONE : nameIndex(value ?? -1));
  return { index, column, shade, legend: { kind: /** @type {const} */ ("names"), label: list, entries, missing } };
}
