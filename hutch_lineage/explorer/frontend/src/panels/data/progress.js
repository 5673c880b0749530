// Fitness as the search went on: every valid score, the best so far, the middle of each generation.

/**
 * @typedef {import("./order.js").Points} Points
 * @typedef {{key: number, x: number[], y: number[], rows: number[], end: number}} Line the steps of the best so far: a value holds until the next one, the last until `end`
 */

/**
 * The best so far of each group (a run, an island), as steps. Within a generation the order is that of evaluation, and one step is kept. The
 * lines of what has settled are kept from one call to the next.
 */
export class BestSoFar {
  constructor() {
    this.key = "";
    /** Of what the lines are. @type {object|null} */
    this.held = null;
    this.#begin();
  }

  #begin() {
    this.done = 0;
    this.lines = /** @type {Line[]} */ ([]);
  }

  /**
   * @param {Points} found in order of evaluation
   * @param {ArrayLike<number>} group by row
   * @param {import("./order.js").Settled} settled
   * @param {string} key what else the lines depend on
   * @returns {Line[]} in the order in which the groups began
   */
  of(found, group, /** @type {boolean} */ lower, settled, key) {
    if (key !== this.key || settled.of !== this.held) this.#begin();
    this.key = key;
    this.held = settled.of;
    if (backwards(found, group, this.done)) {
      this.#begin();
      const order = Int32Array.from(found.rows, (_, i) => i).sort((a, b) => found.x[a] - found.x[b] || a - b);
      return extended([], found, group, lower, 0, order.length, order);
    }
    extended(this.lines, found, group, lower, this.done, settled.points);
    this.done = settled.points;
    return extended(this.lines.map((line) => ({ ...line, x: [...line.x], y: [...line.y], rows: [...line.rows] })), found, group, lower, this.done, found.rows.length);
  }
}

/** By generation the axis may run back and forth (steady state, islands out of step): the best so far is that of its generations. */
function backwards(/** @type {Points} */ { rows, x }, group, /** @type {number} */ from) {
  for (let i = Math.max(1, from); i < x.length; i++) if (x[i] < x[i - 1] && group[rows[i]] === group[rows[i - 1]]) return true;
  return false;
}

/** Lines that go on with some of the points, in an order if one is given. */
function extended(/** @type {Line[]} */ lines, /** @type {Points} */ { rows, x, y }, group, /** @type {boolean} */ lower, /** @type {number} */ from, /** @type {number} */ to, /** @type {Int32Array|null} */ order = null) {
  /** By group + 1, as none is -1. */
  const own = /** @type {Line[]} */ ([]);
  for (const line of lines) own[line.key + 1] = line;
  for (let k = from; k < to; k++) {
    const i = order ? order[k] : k;
    const key = group[rows[i]] ?? -1;
    let line = own[key + 1];
    if (!line) lines.push((line = own[key + 1] = { key, x: [], y: [], rows: [], end: x[i] }));
    if (x[i] > line.end) line.end = x[i];
    const last = line.y.length - 1;
    if (last >= 0 && !(lower ? y[i] < line.y[last] : y[i] > line.y[last])) continue;
    const at = last >= 0 && line.x[last] === x[i] ? last : last + 1;
    line.x[at] = x[i];
    line.y[at] = y[i];
    line.rows[at] = rows[i];
  }
  return lines;
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
  const sorted = new Float64Array(Math.ceil(n / stride));
  for (let i = 0; i < sorted.length; i++) sorted[i] = kept[i * stride];
  sorted.sort();
  const at = (/** @type {number} */ q) => sorted[Math.floor(q * (sorted.length - 1))];
  const reach = 3 * (at(0.75) - at(0.25));
  if (n >= 20 && reach > 0 && !log) {
    if (lower && high > at(0.75) + reach) high = at(0.75) + reach;
    if (!lower && low < at(0.25) - reach) low = at(0.25) - reach;
    for (let i = 0; i < n; i++) if (kept[i] < low || kept[i] > high) beyond++;
  }
  return { low, high, beyond, lost: y.length - n };
}
