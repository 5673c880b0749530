// Questions to the lineage, answered in the browser. Nothing recurses; cycles end where they close.

import { NODE } from "../data/protocol.js";

/** @typedef {import("../data/links.js").Links} Links */

/** What keeps an individual from being the best. */
const UNFIT = NODE.ghost | NODE.invalid | NODE.rejected;

/** @returns {Uint8Array} a mark for every row reached, `row` included */
function reach(/** @type {number} */ count, /** @type {number} */ row, head, next, end, mask = new Uint8Array(count)) {
  const stack = [row];
  mask[row] = 1;
  while (stack.length) {
    for (let e = head[stack.pop()] ?? -1; e >= 0; e = next[e]) {
      if (mask[end[e]]) continue;
      mask[end[e]] = 1;
      stack.push(end[e]);
    }
  }
  return mask;
}

/** Marks a node and all its ancestors. */
export const ancestors = (/** @type {Links} */ links, count, row) => reach(count, row, links.inHead, links.inNext, links.src);

/** Marks a node and all its descendants; in a mask that holds those of others, if one is given. */
export const descendants = (/** @type {Links} */ links, count, row, /** @type {Uint8Array|undefined} */ mask = undefined) => reach(count, row, links.outHead, links.outNext, links.dst, mask);

/** How many rows a mask marks. */
export function countOf(/** @type {Uint8Array} */ mask) {
  let n = 0;
  for (let i = 0; i < mask.length; i++) n += mask[i];
  return n;
}

/**
 * The row with the best score: seen, valid, not rejected, and among `visible`. The first born where several are equal; -1 for none.
 * @param {{count: number, score: ArrayLike<number>, flags: ArrayLike<number>, visible: Uint8Array, lower: boolean, byBirth: (a: number, b: number) => number}} given
 */
export function best(given) {
  let row = -1;
  for (let i = 0; i < given.count; i++) row = better(given, i, row);
  return row;
}

/** The better of two rows, the first born where they are equal; `held` may be -1. */
export function better({ score, flags, visible, lower, byBirth }, /** @type {number} */ row, /** @type {number} */ held) {
  const value = score[row];
  if (!visible[row] || !(Math.abs(value) < Infinity) || flags[row] & UNFIT) return held;
  const than = score[held];
  return held < 0 || (lower ? value < than : value > than) || (value === than && byBirth(row, held) < 0) ? row : held;
}

/**
 * From a seed to `row`: at each step back the parent with the best score; equal or unknown scores go to the first parent.
 * @returns {{rows: number[], edges: number[]}} seed first; `edges[i]` leads to `rows[i + 1]`
 */
export function pathTo(/** @type {Links} */ links, row, /** @type {ArrayLike<number>} */ score, lower) {
  const rows = [row];
  const edges = [];
  const seen = new Set(rows);
  for (let at = row; ; ) {
    let step = -1;
    let top = NaN;
    for (const edge of links.edgesIn(at)) {
      const parent = links.src[edge];
      if (seen.has(parent)) continue;
      const value = score[parent] ?? NaN;
      if (step < 0 || (Number.isNaN(top) ? !Number.isNaN(value) : lower ? value < top : value > top)) {
        step = edge;
        top = value;
      }
    }
    if (step < 0) break;
    at = links.src[step];
    seen.add(at);
    rows.push(at);
    edges.push(step);
  }
  return { rows: rows.reverse(), edges: edges.reverse() };
}

/**
 * Gain of a node on its best parent: positive is better, whatever the metric's direction. NaN when either score is unknown.
 * @returns {{gain: number, parent: number}}
 */
export function gainOnParents(/** @type {Links} */ links, row, score, lower) {
  let parent = -1;
  for (const p of links.parents(row)) {
    const value = score[p];
    if (p === row || Number.isNaN(value) || value === undefined) continue;
    if (parent < 0 || (lower ? value < score[parent] : value > score[parent])) parent = p;
  }
  if (parent < 0) return { gain: NaN, parent };
  return { gain: (lower ? -1 : 1) * (score[row] - score[parent]), parent };
}

/**
 * The first row of the event that an operator's row belongs to. One event may name several children; each keeps a row of its own, next
 * to the others, but the money was spent once.
 * @param {import("../data/columns.js").Table} operators
 * @returns {(row: number) => number}
 */
export function eventOf(operators) {
  const [time, cost, id] = ["time", "cost", "id"].map((name) => operators.get(name));
  const same = (/** @type {number} */ a, /** @type {number} */ b) => Object.is(time[a], time[b]) && Object.is(cost[a], cost[b]) && id.at(a) === id.at(b);
  return (row) => {
    while (row > 0 && same(row, row - 1)) row--;
    return row;
  };
}

/**
 * Money and tokens of the operators for which `wanted(operator row)` holds, or of those in an ascending list; each operator counts once.
 * Unknown costs count as none.
 * @param {import("../data/columns.js").Table} operators
 */
export function costOf(operators, /** @type {((row: number) => boolean)|number[]} */ wanted) {
  const cost = operators.get("cost");
  const tin = operators.get("tokens_in");
  const tout = operators.get("tokens_out");
  const sum = { operators: 0, cost: 0, tokensIn: 0, tokensOut: 0, unpriced: 0 };
  const first = eventOf(operators);
  let last = -1;
  const listed = typeof wanted === "function" ? null : wanted;
  for (let i = 0, n = listed?.length ?? operators.count; i < n; i++) {
    const row = listed ? listed[i] : i;
    if (typeof wanted === "function" && !wanted(row)) continue;
    const event = first(row);
    if (event === last) continue;
    last = event;
    sum.operators++;
    if (Number.isNaN(cost[row] ?? NaN)) sum.unpriced++;
    else sum.cost += cost[row];
    sum.tokensIn += tin[row] || 0;
    sum.tokensOut += tout[row] || 0;
  }
  return sum;
}
