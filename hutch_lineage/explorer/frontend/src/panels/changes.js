// What changed in an individual: the operator's own diff where it gave one, else a line diff of the genomes.
import { lineDiff, looksUnified, readUnified } from "../diff.js";

/** Genomes longer than this together are not compared without being asked. */
const MAX_TEXT = 400_000;

/**
 * @param {import("../store.js").Store} store
 * @param {number} row
 * @param {string} [wanted] "operator" or the row of a parent; the best there is when left out
 * @returns {{lines: import("../diff.js").Line[]|null, parent: number, source: string, ready: string, missing: number[]}}
 */
export function changesOf(store, row, wanted = "") {
  const parents = store.links.parents(row).filter((p) => p !== row);
  const detail = store.details.get(row);
  const text = diffText(detail);
  const first = parents[0] ?? -1;
  if (text && (!wanted || wanted === "operator")) return { lines: read(text), parent: first, source: "operator", ready: "operator", missing: [] };
  const parent = wanted && wanted !== "operator" ? +wanted : first;
  const none = { lines: null, parent, source: String(parent), ready: "", missing: /** @type {number[]} */ ([]) };
  if (parent < 0 || !detail) return none;
  if (detail.genome == null) return { ...none, ready: "no genome" };
  const other = store.detail(parent);
  if (!other) return { ...none, missing: [parent] };
  if (other.genome == null) return { ...none, ready: "no genome" };
  if (detail.genome.length + other.genome.length > MAX_TEXT) return { ...none, ready: "too long" };
  return { lines: memo(other.genome, detail.genome), parent, source: String(parent), ready: `genome ${parent}`, missing: [] };
}

/** The diff an individual came with: its own or that of its newest operator. */
export const diffText = (/** @type {any} */ detail) => detail?.diff || detail?.operators?.findLast?.((o) => o.diff)?.diff || null;

const read = (text) => (looksUnified(text) ? readUnified(text) : text.split("\n").map((line) => ({ kind: /** @type {const} */ ("same"), text: line })));

let held = { before: "", after: "", lines: /** @type {import("../diff.js").Line[]} */ ([]) };

function memo(before, after) {
  if (held.before !== before || held.after !== after) held = { before, after, lines: lineDiff(before, after) };
  return held.lines;
}
