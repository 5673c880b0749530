// What part of the population descends from which seed, over the generations or over time.
import { EDGE, NODE } from "../../data/protocol.js";
import { population } from "./population.js";

/** More groups than this are joined to wider ones. */
const MOST_GROUPS = 400;
const WINDOWS = 60;

/**
 * The definition of `LineageGraph.seed_shares`. A known individual without parents is a seed and descends wholly from itself. Any other is the
 * mean of its parents, each counted once. The individuals of a cycle share one mixture, the mean of what leads into the cycle from outside.
 * Where nothing known is at the beginning (a parent never seen, a closed cycle), the origin is unknown.
 *
 * @param {import("../../data/store.js").Store} store
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
  seeds.sort((a, b) => total[b] - total[a] || a - b);
  const shown = seeds.slice(0, top);
  const width = shown.length + 1;
  const parts = carried(flow, shown);
  const groups = grouped(store, visible, windows);
  const sums = summed(parts, width, flow.unit, groups.rows, groups.of, groups.size.length);
  const column = (/** @type {number} */ k) => Float64Array.from(groups.size, (size, g) => sums[g * width + k] / size);
  const shares = shown.map((_, k) => column(k));
  const unknown = column(shown.length);
  const others = unknown.map((value, g) => Math.max(0, 1 - value - shares.reduce((sum, share) => sum + share[g], 0)));
  return { by: groups.by, width: groups.width, at: groups.at, size: groups.size, seeds: shown, shares, others, unknown };
}

/** The parts of all rows of each group, added up. */
function summed(parts, /** @type {number} */ width, unit, rows, of, /** @type {number} */ groups) {
  const sums = new Float64Array(groups * width);
  const n = rows.length;
  for (let i = 0; i < n; i++) {
    const from = unit[rows[i]] * width;
    const to = of[i] * width;
    for (let k = 0; k < width; k++) sums[to + k] += parts[from + k];
  }
  return sums;
}

/** Units of descent (an individual, or a whole cycle), in an order in which parents come first, with their parents. */
function descent(store) {
  const { nodes, edges } = store;
  const n = nodes.count;
  const m = edges.count;
  const [src, dst, loops] = ["src", "dst", "flags"].map((name) => edges.get(name));
  const flags = nodes.get("flags");
  const { unit, large } = units(n, m, src, dst, loops);

  const degree = new Int32Array(n);
  const start = new Int32Array(n + 1);
  for (let e = 0; e < m; e++) {
    const above = unit[src[e]];
    const below = unit[dst[e]];
    if (above === below) continue;
    degree[below]++;
    start[above + 1]++;
  }
  for (let u = 0; u < n; u++) start[u + 1] += start[u];
  const children = new Int32Array(start[n]);
  const fill = start.slice();
  for (let e = 0; e < m; e++) {
    const above = unit[src[e]];
    const below = unit[dst[e]];
    if (above !== below) children[fill[above]++] = below;
  }
  const seed = new Int32Array(n).fill(-1);
  const order = new Int32Array(n);
  const waiting = degree.slice();
  let end = 0;
  for (let u = 0; u < n; u++) {
    if (unit[u] !== u || degree[u]) continue;
    if (!large[u] && !(flags[u] & NODE.ghost)) seed[u] = u;
    order[end++] = u;
  }
  for (let i = 0; i < end; i++) {
    const last = start[order[i] + 1];
    for (let c = start[order[i]]; c < last; c++) {
      const child = children[c];
      if (--waiting[child] === 0) order[end++] = child;
    }
  }
  return { count: n, unit, order: order.subarray(0, end), start, children, degree, seed };
}

/** The unit of each row: itself, or the first row of its cycle; and which units are cycles. */
function units(n, m, src, dst, loops) {
  const unit = new Int32Array(n);
  const large = new Uint8Array(n);
  for (let row = 0; row < n; row++) unit[row] = row;
  const root = (/** @type {number} */ row) => {
    while (unit[row] !== row) row = unit[row] = unit[unit[row]];
    return row;
  };
  let knots = false;
  for (let e = 0; e < m; e++) {
    if (!(loops[e] & EDGE.cycle) || src[e] === dst[e]) continue;
    knots = true;
    const [a, b] = [root(src[e]), root(dst[e])];
    if (a !== b) unit[Math.max(a, b)] = Math.min(a, b);
  }
  if (knots) for (let row = 0; row < n; row++) if ((unit[row] = root(row)) !== row) large[unit[row]] = 1;
  return { unit, large };
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

/** For each unit, side by side, what part of it comes from each of the seeds, and last what part from where nothing known is. */
function carried({ count, order, start, children, degree, seed }, /** @type {number[]} */ seeds) {
  const width = seeds.length + 1;
  const parts = new Float32Array(count * width);
  seeds.forEach((u, k) => (parts[u * width + k] = 1));
  for (let i = 0; i < order.length; i++) {
    const u = order[i];
    if (!degree[u] && seed[u] < 0) parts[u * width + seeds.length] = 1;
    for (let c = start[u]; c < start[u + 1]; c++) {
      const to = children[c] * width;
      const weight = 1 / degree[children[c]];
      for (let k = 0, from = u * width; k < width; k++) parts[to + k] += weight * parts[from + k];
    }
  }
  return parts;
}

/** The rows that count, and which group each is in: by generation where all have one, else by time, else by the order in which they came. */
function grouped(store, visible, windows) {
  const { nodes } = store;
  const [flags, generation, time] = ["flags", "generation", "time"].map((name) => nodes.get(name));
  const all = new Int32Array(nodes.count);
  let n = 0;
  let [bred, timed] = [windows === undefined, true];
  for (let row = 0; row < nodes.count; row++) {
    if (!visible[row] || flags[row] & NODE.ghost) continue;
    all[n++] = row;
    if (!(generation[row] >= 0)) bred = false;
    if (!(time[row] > 0)) timed = false;
  }
  const rows = all.subarray(0, n);
  const by = bred ? "generation" : timed ? "time" : "order";
  const value = bred ? generation : timed ? time : all;
  let [low, high] = [Infinity, -Infinity];
  for (let i = 0; i < n; i++) {
    const at = value === all ? rows[i] : value[rows[i]];
    if (at < low) low = at;
    if (at > high) high = at;
  }
  const count = bred ? Math.min(MOST_GROUPS, high - low + 1) : (windows ?? WINDOWS);
  const width = bred ? Math.ceil((high - low + 1) / MOST_GROUPS) : (high - low) / count || 1;
  const of = new Int32Array(n);
  const sizes = new Int32Array(n ? count : 0);
  for (let i = 0; i < n; i++) {
    const at = value === all ? rows[i] : value[rows[i]];
    sizes[(of[i] = Math.min(count - 1, Math.floor((at - low) / width)))]++;
  }
  // Groups that nobody is in are left out.
  const number = new Int32Array(sizes.length);
  const at = /** @type {number[]} */ ([]);
  const size = /** @type {number[]} */ ([]);
  for (let g = 0; g < sizes.length; g++) {
    if (!sizes[g]) continue;
    number[g] = at.push(by === "time" ? g * width : low + g * width) - 1;
    size.push(sizes[g]);
  }
  for (let i = 0; i < n; i++) of[i] = number[of[i]];
  return { by: /** @type {"generation"|"time"|"order"} */ (by), width, rows, of, at, size };
}
