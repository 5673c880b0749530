// From values to places on a ramp: quantiles in linear time, scales that are linear, logarithmic or by rank, stray values clipped.

/** So many values are sorted to know all ranks; of more, an even sample of as many. */
const SORTED = 1 << 16;

/** Fewer values than this are simply sorted. */
const FEW = 4096;
const BINS = 2048;
const bins = new Uint32Array(BINS);

/** The lowest and the highest of finite values. */
function ends(/** @type {Float64Array} */ values) {
  let low = Infinity;
  let high = -Infinity;
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return { low, high };
}

/**
 * The values below which shares of all lie, exactly; between two of them where a share falls there. Linear in time: values are
 * counted in bins, and only the bins that matter are sorted, or divided once more.
 * @param {Float64Array} values finite ones
 * @param {number[]} shares
 * @returns {number[]}
 */
export function quantiles(values, shares, { low, high } = ends(values)) {
  const n = values.length;
  const ranks = shares.map((share) => share * (n - 1));
  const between = (first, next, rank) => first + (next - first) * (rank - Math.floor(rank));
  const scale = (BINS - 1) / (high - low);
  if (n <= FEW || !(scale > 0 && scale < Infinity)) {
    const sorted = high > low ? Float64Array.from(values).sort() : values;
    return ranks.map((rank) => between(sorted[Math.floor(rank)], sorted[Math.ceil(rank)], rank));
  }
  bins.fill(0);
  for (let i = 0; i < n; i++) bins[((values[i] - low) * scale) | 0]++;
  // The bins that hold the two values about each rank, and how many values come before them.
  const spans = ranks.map((rank) => {
    let [first, before] = [0, 0];
    while (before + bins[first] <= Math.floor(rank)) before += bins[first++];
    let [last, through] = [first, before + bins[first]];
    while (through <= Math.ceil(rank)) through += bins[++last];
    return { first, last, before, count: through - before };
  });
  return spans.map(({ first, last, before, count }, i) => {
    const inside = new Float64Array(count);
    for (let j = 0, m = 0; j < n && m < count; j++) {
      const bin = ((values[j] - low) * scale) | 0;
      if (bin >= first && bin <= last) inside[m++] = values[j];
    }
    const rank = ranks[i] - before;
    // A bin with nearly all values is divided further as long as that parts them.
    if (count > FEW && count < 0.9 * n) return quantiles(inside, [rank / (count - 1)])[0];
    inside.sort();
    return between(inside[Math.floor(rank)], inside[Math.ceil(rank)], rank);
  });
}

/**
 * Lowest and highest value. A few very bad ones would leave one colour for all the others: on that side the ramp
 * begins no further out than the whisker of a box plot. `top` says that high values are the bad ones.
 * @param {Float64Array} values finite ones
 */
export function domain(values, /** @type {boolean} */ top, clip = true) {
  if (!values.length) return { low: NaN, high: NaN, clipped: false, outside: 0 };
  const { low, high } = ends(values);
  if (!clip) return { low, high, clipped: false, outside: 0 };
  const [lower, upper] = quantiles(values, [0.25, 0.75], { low, high });
  const reach = 1.5 * (upper - lower);
  const fence = top ? upper + reach : lower - reach;
  const clipped = reach > 0 && (top ? high > fence : low < fence);
  let outside = 0;
  if (clipped) for (let i = 0; i < values.length; i++) if (top ? values[i] > fence : values[i] < fence) outside++;
  return { low: clipped && !top ? fence : low, high: clipped && top ? fence : high, clipped, outside };
}

/**
 * A scale over the values that count.
 * @param {"linear"|"log"|"rank"} wanted
 * @param {Float64Array} values finite ones; they may be changed
 * @param {boolean} top whether high values are the bad ones, see `domain`
 * @param {boolean} [clip] whether strays may be left outside
 * @returns {{kind: "linear"|"log"|"rank", refused: string, low: number, high: number, clipped: boolean, outside: number, at: (value: number) => number, of: (t: number) => number}}
 *   `at` gives 0..1, `of` the value there; `refused` says why the wanted scale does not serve
 */
export function scaleOf(wanted, values, top, clip = true) {
  if (wanted === "rank" && values.length) return ranks(values);
  let refused = "";
  let log = wanted === "log";
  if (log && values.some((value) => value <= 0)) {
    log = false;
    refused = "not log (values of 0 or below)";
  }
  if (log) for (let i = 0; i < values.length; i++) values[i] = Math.log(values[i]);
  const found = domain(values, top, clip);
  const { low } = found;
  const span = found.high - low;
  const per = span > 0 ? 1 / span : 0;
  const none = span > 0 ? 0 : 0.5;
  const at = (/** @type {number} */ value) => {
    const t = none + ((log ? Math.log(value) : value) - low) * per;
    return t < 0 ? 0 : t > 1 ? 1 : t;
  };
  const of = (/** @type {number} */ t) => (log ? Math.exp(low + t * span) : low + t * span);
  return { ...found, of, kind: log ? "log" : "linear", refused, at, ...(log && { low: Math.exp(low), high: Math.exp(found.high) }) };
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
  const { low, high } = ends(values);
  const at = (/** @type {number} */ value) => (n < 2 ? 0.5 : Math.min(1, Math.max(0, (bound(value, false) + bound(value, true) - 1) / 2 / (n - 1))));
  const of = (/** @type {number} */ t) => sorted[Math.round(t * (n - 1))];
  return { kind: /** @type {const} */ ("rank"), refused: "", low, high, clipped: false, outside: 0, at, of };
}
