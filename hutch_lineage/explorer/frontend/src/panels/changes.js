// What changed in an individual: the operator's own diff where it gave one, else a line diff of the genomes.
import { lineDiff, looksUnified, readUnified } from "../words/diff.js";

/** Genomes longer than this together are not compared. */
const MAX_TEXT = 420_000;

/**
 * @param {import("../data/store.js").Store} store
 * @param {number} row
 * @param {string} [wanted] "operator" or the row to compare with; the best there is when left out
 * @param {{whitespace?: boolean}} [options] see lineDiff
 * @returns {{lines: import("../words/diff.js").Line[]|null, other: number, source: string, ready: string, missing: number[]}}
 *   `missing` are rows whose details have been asked for
 */
export function changesOf(store, row, wanted = "", { whitespace = true } = {}) {
  const first = store.links.parents(row).find((p) => p !== row) ?? -1;
  const detail = store.details.get(row);
  const text = diffText(detail);
  if (text && (!wanted || wanted === "operator")) return { lines: read(text), other: first, source: "operator", ready: "operator", missing: [] };
  const other = wanted && wanted !== "operator" ? +wanted : first;
  const none = { lines: null, other, source: String(other), ready: "", missing: /** @type {number[]} */ ([]) };
  if (other < 0 || !detail) return none;
  if (detail.genome == null) return { ...none, ready: "no genome" };
  const against = store.detail(other);
  if (!against) return { ...none, missing: [other] };
  if (against.genome == null) return { ...none, ready: "no other genome" };
  if (detail.genome.length + against.genome.length > MAX_TEXT) return { ...none, ready: "too long" };
  return { lines: memo(against.genome, detail.genome, whitespace), other, source: String(other), ready: `genome ${other} ${whitespace}`, missing: [] };
}

/** The diff an individual came with: its own or that of its newest operator. */
export const diffText = (/** @type {any} */ detail) => detail?.diff || detail?.operators?.findLast?.((o) => o.diff)?.diff || null;

const read = (text) => (looksUnified(text) ? readUnified(text) : text.split("\n").map((line) => ({ kind: /** @type {const} */ ("same"), text: line })));

let held = { before: "", after: "", whitespace: true, lines: /** @type {import("../words/diff.js").Line[]} */ ([]) };

function memo(before, after, whitespace) {
  if (held.before !== before || held.after !== after || held.whitespace !== whitespace) held = { before, after, whitespace, lines: lineDiff(before, after, { whitespace }) };
  return held.lines;
}
