// Fitness as the search went on: every valid score, the best so far, the middle of each generation.
import { UNFIT } from "./order.js";

/**
 * @typedef {import("./order.js").Evaluated} Evaluated
 * @typedef {{key: number, x: number[], y: number[], rows: number[], end: number}} Line the steps of the best so far: a value holds until the next one, the last until `end`
 */

/**
 * The scores that count: finite, of individuals that are valid and not rejected.
 * @returns {{rows: Int32Array, x: Float64Array, y: Float64Array, unfit: number}}
 */
export function points(/** @type {Evaluated} */ { rows, x }, /** @type {ArrayLike<number>} */ score, /** @type {ArrayLike<number>} */ flags) {
  const found = { rows: new Int32Array(rows.length), x: new Float64Array(rows.length), y: new Float64Array(rows.length) };
  let n = 0;
  for (let i = 0; i < rows.length; i++) {
    const value = score[rows[i]];
    if (flags[rows[i]] & UNFIT || !(Math.abs(value) < Infinity)) continue;
    found.rows[n] = rows[i];
    found.x[n] = x[i];
    found.y[n++] = value;
  }
  return { rows: found.rows.subarray(0, n), x: found.x.subarray(0, n), y: found.y.subarray(0, n), unfit: rows.length - n };
}

/**
 * The best so far of each group (a run, an island), as steps. Within a generation the order is that of evaluation, and one step is kept.
 * @param {{rows: Int32Array, x: Float64Array, y: Float64Array}} found in order of evaluation
 * @param {ArrayLike<number>} group by row
 * @returns {Line[]} in the order in which the groups began
 */
export function bestSoFar({ rows, x, y }, group, /** @type {boolean} */ lower) {
  /** @type {Map<number, Line>} */
  const lines = new Map();
  // By generation the axis may run back and forth (steady state, islands out of step): the best so far is that of its generations.
  let backwards = false;
  for (let i = 1; i < x.length && !backwards; i++) backwards = x[i] < x[i - 1] && group[rows[i]] === group[rows[i - 1]];
  const order = backwards ? Int32Array.from(rows, (_, i) => i).sort((a, b) => x[a] - x[b] || a - b) : null;
  for (let k = 0; k < rows.length; k++) {
    const i = order ? order[k] : k;
    const key = group[rows[i]] ?? -1;
    let line = lines.get(key);
    if (!line) lines.set(key, (line = { key, x: [], y: [], rows: [], end: x[i] }));
    if (x[i] > line.end) line.end = x[i];
    const last = line.y.length - 1;
    if (last >= 0 && !(lower ? y[i] < line.y[last] : y[i] > line.y[last])) continue;
    const at = last >= 0 && line.x[last] === x[i] ? last : last + 1;
    line.x[at] = x[i];
    line.y[at] = y[i];
    line.rows[at] = rows[i];
  }
  return [...lines.values()];
}

/**
 * The median score of each generation, at the mean place of its individuals on the axis, in the order of the axis.
 * @returns {{x: number[], y: number[]}}
 */
export function medians({ rows, x, y }, /** @type {ArrayLike<number>} */ generation) {
  let most = -1;
  for (let i = 0; i < rows.length; i++) if (generation[rows[i]] > most) most = generation[rows[i]];
  const start = new Int32Array(most + 2);
  const sum = new Float64Array(most + 1);
  for (let i = 0; i < rows.length; i++) {
    const g = generation[rows[i]];
    if (!(g >= 0)) continue;
    start[g + 1]++;
    sum[g] += x[i];
  }
  for (let g = 0; g <= most; g++) start[g + 1] += start[g];
  const fill = start.slice();
  const values = new Float64Array(start[most + 1] ?? 0);
  for (let i = 0; i < rows.length; i++) if (generation[rows[i]] >= 0) values[fill[generation[rows[i]]]++] = y[i];
  const found = [];
  for (let g = 0; g <= most; g++) {
    const n = start[g + 1] - start[g];
    if (!n) continue;
    const part = values.subarray(start[g], start[g + 1]).sort();
    found.push([sum[g] / n, n % 2 ? part[n >> 1] : (part[n / 2 - 1] + part[n / 2]) / 2]);
  }
  found.sort((a, b) => a[0] - b[0]);
  return { x: found.map((p) => p[0]), y: found.map((p) => p[1]) };
}

/**
 * A range of values for the axis. A few that are far worse than the others would flatten the rest: on the bad side it ends at the whisker of a
 * box plot, and `beyond` counts what lies outside. `log` leaves out what is not above 0.
 */
export function valueRange(/** @type {Float64Array} */ y, /** @type {boolean} */ lower, log = false) {
  const kept = log ? y.filter((value) => value > 0) : y;
  const n = kept.length;
  if (!n) return { low: NaN, high: NaN, beyond: 0, lost: y.length };
  let [low, high] = [Infinity, -Infinity];
  for (let i = 0; i < n; i++) {
    if (kept[i] < low) low = kept[i];
    if (kept[i] > high) high = kept[i];
  }
  let beyond = 0;
  // For the quartiles every so-manieth value is enough; what lies beyond is counted among all.
  const stride = Math.max(1, Math.floor(n / 10_000));
  const sorted = Float64Array.from({ length: Math.ceil(n / stride) }, (_, i) => kept[i * stride]).sort();
  const at = (/** @type {number} */ q) => sorted[Math.floor(q * (sorted.length - 1))];
  const reach = 3 * (at(0.75) - at(0.25));
  if (n >= 20 && reach > 0 && !log) {
    if (lower && high > at(0.75) + reach) high = at(0.75) + reach;
    if (!lower && low < at(0.25) - reach) low = at(0.25) - reach;
    for (let i = 0; i < n; i++) if (kept[i] < low || kept[i] > high) beyond++;
  }
  return { low, high, beyond, lost: y.length - n };
}
