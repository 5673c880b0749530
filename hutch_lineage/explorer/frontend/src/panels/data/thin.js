// Many values on few pixels: what is drawn is the extremes of each pixel, never a random part.

/**
 * A line in at most two points a bucket, its least and its largest value, in their order; first and last point stay.
 * @param {ArrayLike<number>} x ascending
 * @param {ArrayLike<number>} y
 * @param {number} buckets
 * @returns {number[]} places of the points that are kept
 */
export function extremes(x, y, buckets) {
  const n = x.length;
  if (n <= 2 * buckets) return Array.from({ length: n }, (_, i) => i);
  const left = x[0];
  const span = x[n - 1] - left || 1;
  const kept = [0];
  let [bucket, low, high] = [-1, 0, 0];
  const close = () => {
    for (const i of low < high ? [low, high] : high < low ? [high, low] : [low]) if (i > kept[kept.length - 1]) kept.push(i);
  };
  for (let i = 0; i < n; i++) {
    const here = Math.min(buckets - 1, Math.floor(((x[i] - left) / span) * buckets));
    if (here !== bucket) {
      if (bucket >= 0) close();
      [bucket, low, high] = [here, i, i];
    } else if (y[i] < y[low]) low = i;
    else if (y[i] > y[high]) high = i;
  }
  close();
  if (kept[kept.length - 1] !== n - 1) kept.push(n - 1);
  return kept;
}

/**
 * The same of a line that never falls: the first and the last point of each bucket are its extremes, and are found without looking at all.
 * @param {ArrayLike<number>} x ascending
 * @param {number} buckets
 * @returns {number[]} places of the points that are kept
 */
export function ends(x, buckets) {
  const n = x.length;
  if (n <= 2 * buckets) return Array.from({ length: n }, (_, i) => i);
  const step = (x[n - 1] - x[0]) / buckets || 1;
  const kept = [0];
  for (let bucket = 1, at = 0; bucket <= buckets && at < n - 1; bucket++) {
    const next = bucket < buckets ? firstFrom(x, x[0] + bucket * step, at) : n;
    for (const i of [at, next - 1]) if (i > kept[kept.length - 1]) kept.push(i);
    at = next;
  }
  return kept;
}

/** The place of the first value that is not below another. */
function firstFrom(/** @type {ArrayLike<number>} */ sorted, /** @type {number} */ value, low = 0) {
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The place of the value that is nearest to another; the list is not empty. */
export function nearestTo(/** @type {ArrayLike<number>} */ sorted, /** @type {number} */ value) {
  const at = Math.min(sorted.length - 1, firstFrom(sorted, value));
  return at > 0 && value - sorted[at - 1] < sorted[at] - value ? at - 1 : at;
}

/**
 * From a value to a place: `start + (value - from) * factor`, of its logarithm where `log` says so.
 * @typedef {{from: number, factor: number, start: number, log: boolean}} Axis
 */

/**
 * How many points fall on each cell of a grid: every point counts, one beyond `low` or `high` stands there, one outside on the nearest edge.
 * @param {ArrayLike<number>} x
 * @param {ArrayLike<number>} y
 * @param {Axis} across to cells
 * @param {Axis} down to cells
 */
export function countCells(x, y, across, down, /** @type {number} */ width, /** @type {number} */ height, [low, high] = [-Infinity, Infinity]) {
  const cells = new Uint32Array(width * height);
  let most = 0;
  for (let i = 0; i < x.length; i++) {
    const column = Math.floor(across.start + ((across.log ? Math.log10(x[i]) : x[i]) - across.from) * across.factor);
    if (!(column >= 0 && column < width)) continue; // zoomed away
    const value = y[i] < low ? low : y[i] > high ? high : y[i];
    const row = Math.floor(down.start + ((down.log ? Math.log10(value) : value) - down.from) * down.factor);
    const count = ++cells[(row > 0 ? (row < height ? row : height - 1) : 0) * width + column];
    if (count > most) most = count;
  }
  return { cells, most };
}

/** Values that belong to several lines on one x axis: the union of their x, and for each line its value there or null. */
export function joined(/** @type {{x: ArrayLike<number>, y: ArrayLike<number>}[]} */ lines) {
  const xs = [...new Set(lines.flatMap(({ x }) => Array.from(x)))].sort((a, b) => a - b);
  const place = new Map(xs.map((x, i) => [x, i]));
  const columns = lines.map(({ x, y }) => {
    const column = /** @type {(number|null)[]} */ (new Array(xs.length).fill(null));
    for (let i = 0; i < x.length; i++) column[/** @type {number} */ (place.get(x[i]))] = y[i];
    return column;
  });
  return [xs, ...columns];
}
