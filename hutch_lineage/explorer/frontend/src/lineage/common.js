// What two individuals have in common: their shared ancestors, the most recent of them, and the lines from there.
import { NODE } from "../data/protocol.js";
import { byBirth } from "./births.js";
import { ancestors, costOf, countOf } from "./lineage.js";

/**
 * The rows of a set that is closed upwards (with a row, all its ancestors), in birth order: parents before children, otherwise as
 * they were born. In such a set the order is that of the whole graph, as Python has it.
 * @param {import("../data/store.js").Store} store
 * @param {Uint8Array} mask
 * @returns {number[]}
 */
function birthOrder(store, mask) {
  const { links } = store;
  const rows = [];
  for (let row = 0; row < mask.length; row++) if (mask[row]) rows.push(row);
  rows.sort(byBirth(store));
  const rank = new Int32Array(mask.length);
  rows.forEach((row, at) => (rank[row] = at));
  const waiting = new Int32Array(mask.length);
  let early = false;
  for (const row of rows) {
    for (const parent of links.parents(row)) {
      if (parent === row) continue;
      waiting[row]++;
      if (rank[parent] > rank[row]) early = true;
    }
  }
  return early ? kahn(links, mask, rows, rank, waiting) : rows;
}

/** Where times contradict the edges. Where cycles leave nothing to take, the smallest of what is left is taken. */
function kahn(links, mask, ranked, rank, waiting) {
  const heap = new Heap();
  for (const row of ranked) if (!waiting[row]) heap.push(rank[row]);
  const placed = new Uint8Array(mask.length);
  const order = [];
  let smallest = 0;
  while (order.length < ranked.length) {
    while (!heap.size && placed[ranked[smallest]]) smallest++;
    const row = ranked[heap.size ? heap.pop() : smallest];
    placed[row] = 1;
    order.push(row);
    for (const child of links.children(row)) {
      if (child === row || !mask[child]) continue;
      if (--waiting[child] === 0 && !placed[child]) heap.push(rank[child]);
    }
  }
  return order;
}

/** A binary heap of numbers, the least first. */
class Heap {
  /** @type {number[]} */
  items = [];

  get size() {
    return this.items.length;
  }

  push(/** @type {number} */ value) {
    const { items } = this;
    let at = items.push(value) - 1;
    for (let up = (at - 1) >> 1; at > 0 && items[up] > value; up = (at - 1) >> 1) {
      items[at] = items[up];
      at = up;
    }
    items[at] = value;
  }

  pop() {
    const { items } = this;
    const least = items[0];
    const value = /** @type {number} */ (items.pop());
    if (!items.length) return least;
    let at = 0;
    for (let down = 1; down < items.length; down = 2 * at + 1) {
      if (down + 1 < items.length && items[down + 1] < items[down]) down++;
      if (items[down] >= value) break;
      items[at] = items[down];
      at = down;
    }
    items[at] = value;
    return least;
  }
}

/**
 * A shortest line of rows from `row` up to `above`, `above` first; null where it is not above. Of several the one through the best
 * parents.
 */
export function lineTo(/** @type {import("../data/links.js").Links} */ links, /** @type {number} */ row, /** @type {number} */ above, /** @type {ArrayLike<number>} */ score, /** @type {boolean} */ lower) {
  const merit = (/** @type {number} */ r) => (Number.isNaN(score[r] ?? NaN) ? -Infinity : (lower ? -1 : 1) * score[r]);
  /** @type {Map<number, number>} child on the way down, by row */
  const below = new Map([[row, -1]]);
  const queue = [row];
  for (const current of queue) {
    if (current === above) break;
    for (const parent of links.parents(current).sort((a, b) => merit(b) - merit(a) || 0)) {
      if (below.has(parent)) continue;
      below.set(parent, current);
      queue.push(parent);
    }
  }
  if (!below.has(above)) return null;
  const line = [];
  for (let at = above; at >= 0; at = /** @type {number} */ (below.get(at))) line.push(at);
  return line;
}

/**
 * Two nodes compared, as `LineageGraph.compare` does.
 * @param {import("../data/store.js").Store} store
 */
export function compareTwo(store, /** @type {number} */ a, /** @type {number} */ b) {
  const { links, nodes, operators, scene } = store;
  const [aboveA, aboveB] = [ancestors(links, nodes.count, a), ancestors(links, nodes.count, b)];
  const both = new Uint8Array(nodes.count);
  for (let row = 0; row < both.length; row++) both[row] = aboveA[row] & aboveB[row];
  const shared = birthOrder(store, both);
  const mrca = shared.length ? shared[shared.length - 1] : -1;
  const child = operators.get("child");
  const cost = (mask) => costOf(operators, (o) => mask[child[o]] === 1);
  const line = (row) => (mrca < 0 ? null : lineTo(links, row, mrca, scene.score, scene.lower));
  return {
    a, b, mrca, shared: shared.length, seen: shared.filter((row) => !store.flag(row, NODE.ghost)).length,
    lineA: line(a), lineB: line(b),
    onlyA: countOf(aboveA) - shared.length, onlyB: countOf(aboveB) - shared.length,
    costA: cost(aboveA), costB: cost(aboveB), costShared: cost(both),
  };
}
