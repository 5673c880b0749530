// Individuals as large as what they cost, or as they have descendants: areas are true to the values, within bounds.
import { NODE } from "../data/protocol.js";
import { quantiles } from "./scale.js";

/** Radius of the smallest and the largest, as a share of the usual one. */
const LEAST = 0.55;
const MOST = 2.6;

/**
 * A factor on the radius by row; area is in proportion to the value, and the 95th percentile has the largest.
 * @param {import("../data/store.js").Store} store
 * @param {Uint8Array} visible
 * @returns {{factor: Float32Array, label: string, high: number, unit: string}|null} null when all are to be of one size
 */
export function sizesOf(store, /** @type {string} */ size, visible) {
  const { nodes } = store;
  if (!size) return null;
  const descendants = size === "descendants";
  const values = descendants ? descendantsOf(store) : nodes.get(size);
  const factor = new Float32Array(nodes.count).fill(1);
  const known = new Float64Array(nodes.count);
  let n = 0;
  for (let row = 0; row < nodes.count; row++) if (visible[row] && values[row] > 0) known[n++] = values[row];
  const label = descendants ? "descendants by first parent" : size;
  if (!n) return { factor, label, high: NaN, unit: "" };
  const [high] = quantiles(known.subarray(0, n), [0.95]);
  const flags = nodes.get("flags");
  for (let row = 0; row < nodes.count; row++) {
    if (flags[row] & NODE.ghost) continue;
    const share = Math.sqrt(Math.max(0, values[row] || 0) / high) * MOST;
    factor[row] = Math.min(MOST, Math.max(LEAST, share));
  }
  return { factor, label, high, unit: size === "cost" ? "$" : "" };
}

/**
 * How many descend from each row, by way of first parents: exact for that tree, in one pass over it. Counting over all parents
 * would need every pair of nodes. Rows that are their own ancestors count what hangs beside the cycle.
 */
export function descendantsOf({ nodes, edges }) {
  const { count } = nodes;
  const parent = new Int32Array(count).fill(-1);
  const src = edges.get("src");
  const dst = edges.get("dst");
  const order = edges.get("order");
  for (let e = 0; e < edges.count; e++) if (order[e] === 0 && src[e] !== dst[e]) parent[dst[e]] = src[e];
  const waiting = new Int32Array(count);
  for (let row = 0; row < count; row++) if (parent[row] >= 0) waiting[parent[row]]++;
  const total = new Float64Array(count);
  const ready = new Int32Array(count);
  let end = 0;
  for (let row = 0; row < count; row++) if (!waiting[row]) ready[end++] = row;
  for (let i = 0; i < end; i++) {
    const up = parent[ready[i]];
    if (up < 0) continue;
    total[up] += total[ready[i]] + 1;
    if (!--waiting[up]) ready[end++] = up;
  }
  return total;
}
