// What part of the population descends from which seed, over the generations or over time.
import { EDGE, NODE } from "../../protocol.js";
import { population } from "./population.js";

/** More groups than this are joined to wider ones. */
const MOST_GROUPS = 400;
const WINDOWS = 60;

/**
 * The definition of `LineageGraph.seed_shares`. A known individual without parents is a seed and descends wholly from itself. Any other is the
 * mean of its parents, each counted once. The individuals of a cycle share one mixture, the mean of what leads into the cycle from outside.
 * Where nothing known is at the beginning (a parent never seen, a closed cycle), the origin is unknown.
 *
 * @param {import("../../store.js").Store} store
 * @param {{top?: number, visible?: Uint8Array, windows?: number}} [wanted] `windows` groups by time instead of by generation
 * @returns {{by: "generation"|"time"|"order", width: number, at: number[], size: number[], seeds: number[], shares: Float64Array[], others: Float64Array, unknown: Float64Array}}
 *   by group: `shares[i][g]` is the part of `seeds[i]`; parts add up to 1
 */
export function seedShares(store, { top = 8, visible = population(store), windows } = {}) {
  const { nodes } = store;
  const flow = descent(store);
  const total = totals(flow, visible, nodes.get("flags"));
  const seeds = [];
  for (let unit = 0; unit < flow.count; unit++) if (flow.seed[unit] >= 0 && total[unit] > 0) seeds.push(unit);
  seeds.sort((a, b) => total[b] - total[a] || flow.seed[a] - flow.seed[b]);
  const shown = seeds.slice(0, top);
  const parts = shown.map((unit) => carried(flow, (u) => +(u === unit)));
  const unknown = carried(flow, (u) => +(flow.seed[u] < 0 && flow.begins[u] === 1));

  const groups = grouped(store, visible, windows);
  const sums = (/** @type {Float64Array} */ part) => {
    const sum = new Float64Array(groups.size.length);
    for (let i = 0; i < groups.rows.length; i++) sum[groups.of[i]] += part[flow.unit[groups.rows[i]]];
    return sum.map((value, g) => value / groups.size[g]);
  };
  const shares = parts.map(sums);
  const lost = sums(unknown);
  const others = lost.map((value, g) => Math.max(0, 1 - value - shares.reduce((sum, share) => sum + share[g], 0)));
  return { by: groups.by, width: groups.width, at: groups.at, size: groups.size, seeds: shown.map((unit) => flow.seed[unit]), shares, others, unknown: lost };
}

/** Units of descent (an individual, or a whole cycle), in an order in which parents come first, with their parents. */
function descent(store) {
  const { nodes, edges } = store;
  const n = nodes.count;
  const [src, dst, loops] = ["src", "dst", "flags"].map((name) => edges.get(name));
  const flags = nodes.get("flags");
  // A cycle is one unit.
  const unit = Int32Array.from({ length: n }, (_, row) => row);
  const root = (/** @type {number} */ row) => {
    while (unit[row] !== row) row = unit[row] = unit[unit[row]];
    return row;
  };
  let knots = false;
  for (let e = 0; e < edges.count; e++) {
    if (!(loops[e] & EDGE.cycle) || src[e] === dst[e]) continue;
    knots = true;
    const [a, b] = [root(src[e]), root(dst[e])];
    if (a !== b) unit[Math.max(a, b)] = Math.min(a, b);
  }
  const large = new Uint8Array(n);
  if (knots) for (let row = 0; row < n; row++) if ((unit[row] = root(row)) !== row) large[unit[row]] = 1;

  const degree = new Int32Array(n);
  const start = new Int32Array(n + 1);
  const inner = (/** @type {number} */ e) => unit[src[e]] === unit[dst[e]];
  for (let e = 0; e < edges.count; e++) {
    if (inner(e)) continue;
    degree[unit[dst[e]]]++;
    start[unit[src[e]] + 1]++;
  }
  for (let u = 0; u < n; u++) start[u + 1] += start[u];
  const children = new Int32Array(start[n]);
  const fill = start.slice();
  for (let e = 0; e < edges.count; e++) if (!inner(e)) children[fill[unit[src[e]]]++] = unit[dst[e]];

  const seed = new Int32Array(n).fill(-1);
  const begins = new Uint8Array(n);
  const order = new Int32Array(n);
  const waiting = degree.slice();
  let end = 0;
  for (let u = 0; u < n; u++) {
    if (unit[u] !== u || degree[u]) continue;
    begins[u] = 1;
    if (!large[u] && !(flags[u] & NODE.ghost)) seed[u] = u;
    order[end++] = u;
  }
  for (let i = 0; i < end; i++) for (let c = start[order[i]]; c < start[order[i] + 1]; c++) if (!--waiting[children[c]]) order[end++] = children[c];
  return { count: n, unit, order: order.subarray(0, end), start, children, degree, seed, begins };
}

/** For each unit, how many individuals (in parts) descend from it: what flows back from the children to the parents. */
function totals({ count, unit, order, start, children, degree }, visible, flags) {
  const total = new Float64Array(count);
  for (let row = 0; row < count; row++) if (visible[row] && !(flags[row] & NODE.ghost)) total[unit[row]]++;
  for (let i = order.length - 1; i >= 0; i--) {
    const u = order[i];
    for (let c = start[u]; c < start[u + 1]; c++) total[u] += total[children[c]] / degree[children[c]];
  }
  return total;
}

/** For each unit, what part of it comes from where `given` is 1. */
function carried({ count, order, start, children, degree, begins }, given) {
  const part = new Float64Array(count);
  for (let i = 0; i < order.length; i++) {
    const u = order[i];
    if (begins[u]) part[u] = given(u);
    if (!part[u]) continue;
    for (let c = start[u]; c < start[u + 1]; c++) part[children[c]] += part[u] / degree[children[c]];
  }
  return part;
}

/** The rows that count, and which group each is in: by generation where all have one, else by time, else by the order in which they came. */
function grouped(store, visible, windows) {
  const { nodes } = store;
  const [flags, generation, time] = ["flags", "generation", "time"].map((name) => nodes.get(name));
  const rows = [];
  for (let row = 0; row < nodes.count; row++) if (visible[row] && !(flags[row] & NODE.ghost)) rows.push(row);
  const all = (/** @type {(row: number) => boolean} */ holds) => rows.every(holds);
  const by = windows === undefined && all((row) => generation[row] >= 0) ? "generation" : all((row) => time[row] > 0) ? "time" : "order";
  const value = by === "generation" ? (row) => generation[row] : by === "time" ? (row) => time[row] : (row) => row;
  let [low, high] = [Infinity, -Infinity];
  for (const row of rows) {
    low = Math.min(low, value(row));
    high = Math.max(high, value(row));
  }
  const width = by === "generation" ? Math.max(1, Math.ceil((high - low + 1) / MOST_GROUPS)) : (high - low) / (windows ?? WINDOWS) || 1;
  const last = by === "generation" ? Infinity : (windows ?? WINDOWS) - 1;
  const place = (/** @type {number} */ row) => Math.min(last, Math.floor((value(row) - low) / width));
  const counts = /** @type {number[]} */ ([]);
  for (const row of rows) counts[place(row)] = (counts[place(row)] ?? 0) + 1;
  const number = /** @type {number[]} */ ([]);
  const at = /** @type {number[]} */ ([]);
  const size = /** @type {number[]} */ ([]);
  counts.forEach((count, g) => {
    number[g] = at.push(by === "generation" ? low + g * width : by === "time" ? g * width : low + g * width) - 1;
    size.push(count);
  });
  return { by: /** @type {"generation"|"time"|"order"} */ (by), width, rows, of: rows.map((row) => number[place(row)]), at, size };
}
