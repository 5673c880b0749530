// From values to places on a ramp: quantiles in linear time, scales that are linear, logarithmic or by rank, stray values clipped.

/** So many values are sorted to know all ranks; of more, an even sample of as many. */
const SORTED = 1 << 16;

/** Move the `k` smallest values before place `k` and the k-th there, in linear time on average. */
function select(values, k, left = 0, right = values.length - 1) {
  while (right > left) {
    const a = values[left];
    const b = values[(left + right) >> 1];
    const c = values[right];
    const pivot = a < b ? (b < c ? b : a < c ? c : a) : a < c ? a : b < c ? c : b;
    let i = left;
    let j = right;
    while (i <= j) {
      while (values[i] < pivot) i++;
      while (values[j] > pivot) j--;
      if (i <= j) {
        const swap = values[i];
        values[i++] = values[j];
        values[j--] = swap;
      }
    }
    if (k <= j) right = j;
    else if (k >= i) left = i;
    else return values[k];
  }
  return values[k];
}

/** The value below which a share `q` of all lies, between two of them where it falls there. Reorders `values`. */
export function quantile(/** @type {Float64Array} */ values, /** @type {number} */ q) {
  const at = q * (values.length - 1);
  const k = Math.floor(at);
  const low = select(values, k);
  if (k === at) return low;
  let next = Infinity;
  for (let i = k + 1; i < values.length; i++) if (values[i] < next) next = values[i];
  return low + (next - low) * (at - k);
}

/**
 * Lowest and highest value. A few very bad ones would leave one colour for all the others: on that side the ramp
 * begins no further out than the whisker of a box plot. `top` says that high values are the bad ones.
 * @param {Float64Array} values finite ones; they are reordered
 */
export function domain(values, /** @type {boolean} */ top, clip = true) {
  if (!values.length) return { low: NaN, high: NaN, clipped: false, outside: 0 };
  let low = Infinity;
  let high = -Infinity;
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  if (!clip) return { low, high, clipped: false, outside: 0 };
  const [lower, upper] = [quantile(values, 0.25), quantile(values, 0.75)];
  const reach = 1.5 * (upper - lower);
  const fence = top ? upper + reach : lower - reach;
  const clipped = reach > 0 && (top ? high > fence : low < fence);
  let outside = 0;
  if (clipped) for (const value of values) if (top ? value > fence : value < fence) outside++;
  return { low: clipped && !top ? fence : low, high: clipped && top ? fence : high, clipped, outside };
}

/**
 * A scale over the values that count.
 * @param {"linear"|"log"|"rank"} wanted
 * @param {Float64Array} values finite ones; they are reordered
 * @param {boolean} top whether high values are the bad ones, see `domain`
 * @param {boolean} [clip] whether strays may be left outside
 * @returns {{kind: "linear"|"log"|"rank", refused: string, low: number, high: number, clipped: boolean, outside: number, at: (value: number) => number}}
 *   `at` gives 0..1; `refused` says why the wanted scale does not serve
 */
export function scaleOf(wanted, values, top, clip = true) {
  if (wanted === "rank" && values.length) return ranks(values);
  let refused = "";
  let log = wanted === "log";
  if (log && values.some((value) => value <= 0)) {
    log = false;
    refused = "no log scale: some values are 0 or below";
  }
  if (log) for (let i = 0; i < values.length; i++) values[i] = Math.log(values[i]);
  const found = domain(values, top, clip);
  const { low } = found;
  const span = found.high - low;
  const clamp = (/** @type {number} */ t) => (t < 0 ? 0 : t > 1 ? 1 : t);
  const at = span > 0 ? (log ? (value) => clamp((Math.log(value) - low) / span) : (value) => clamp((value - low) / span)) : () => 0.5;
  return { ...found, kind: log ? "log" : "linear", refused, at, ...(log && { low: Math.exp(low), high: Math.exp(found.high) }) };
}

/** By rank: each colour is for as many as any other. Equal values share the middle of their ranks. */
function ranks(values) {
  let sorted = values;
  if (values.length > SORTED) {
    const step = values.length / SORTED;
    sorted = Float64Array.from({ length: SORTED }, (_, i) => values[Math.floor(i * step)]);
  }
  sorted.sort();
  const n = sorted.length;
  const bound = (/** @type {number} */ value, over) => {
    let low = 0;
    let high = n;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sorted[middle] < value || (over && sorted[middle] === value)) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  let low = Infinity;
  let high = -Infinity;
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  const at = (/** @type {number} */ value) => (n < 2 ? 0.5 : Math.min(1, Math.max(0, (bound(value, false) + bound(value, true) - 1) / 2 / (n - 1))));
  return { kind: /** @type {const} */ ("rank"), refused: "", low, high, clipped: false, outside: 0, at };
}
