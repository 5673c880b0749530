// What was spent: in all, as it went, by operator and by model, and on each improvement. An operator that made several children counts once.
import { longer } from "../../data/growth.js";
import { eventOf } from "../../lineage/lineage.js";
import { followed, looksOf, Running } from "./following.js";
import { firstTouched, operatorGains, operatorsShown } from "./gains.js";

/** @typedef {{key: number, name: string, calls: number, cost: number, tokens: number, unpriced: number}} Share */

const nothing = () => ({ operators: 0, cost: 0, tokensIn: 0, tokensOut: 0, unpriced: 0, improvements: 0, timed: true, sorted: true, before: -Infinity, kinds: /** @type {Share[]} */ ([]), models: /** @type {Share[]} */ ([]) });
/** @typedef {ReturnType<typeof nothing>} Sums shares stand at their key + 1, as -1 is unknown */

/** What was spent on the run that is shown, or on all runs. */
export function spendingOfRun(/** @type {import("../../data/store.js").Store} */ store) {
  const begin = () => ({ rows: new Int32Array(0), running: new Running(nothing, copied) });
  return followed(store, "spending", looksOf(store), begin, (kept, grown) => {
    const { count } = store.operators;
    kept.rows = longer(kept.rows, count);
    const sums = kept.running.of(firstTouched(store, grown), count, adding(store, operatorsShown(store), kept.rows));
    // So many of the operators that count will not change any more; where `of` is another object than before, they have.
    return { ...told(store, kept.rows, sums), settled: { operators: kept.running.sums.operators, of: kept.running.sums } };
  });
}

/**
 * What was spent on some operators.
 * @param {import("../../data/store.js").Store} store
 * @param {ArrayLike<number>} wanted a mark for every operator that counts
 */
export function spending(store, wanted) {
  const rows = new Int32Array(store.operators.count);
  const sums = nothing();
  adding(store, wanted, rows)(sums, 0, rows.length);
  return told(store, rows, sums);
}

/** @returns {(sums: Sums, from: number, to: number) => void} what adds some operators, and notes in `rows` which counted */
function adding(store, /** @type {ArrayLike<number>} */ wanted, /** @type {Int32Array} */ rows) {
  const { operators } = store;
  const gains = operatorGains(store);
  const [cost, tokensIn, tokensOut, time, kind, model] = ["cost", "tokens_in", "tokens_out", "time", "kind", "model"].map((name) => operators.get(name));
  const first = eventOf(operators);
  // One event may have a row for each of its children; they are next to each other.
  const counted = (/** @type {number} */ operator) => {
    for (let o = first(operator); o < operator; o++) if (wanted[o]) return true;
    return false;
  };
  return (sums, from, to) => {
    for (let o = from; o < to; o++) {
      if (!wanted[o]) continue;
      if (gains[o] > 0) sums.improvements++;
      if (counted(o)) continue;
      rows[sums.operators++] = o;
      const price = cost[o] ?? NaN;
      const tokens = (tokensIn[o] || 0) + (tokensOut[o] || 0);
      if (Number.isNaN(price)) sums.unpriced++;
      else sums.cost += price;
      sums.tokensIn += tokensIn[o] || 0;
      sums.tokensOut += tokensOut[o] || 0;
      if (!(time[o] > 0)) sums.timed = false;
      if (time[o] < sums.before) sums.sorted = false;
      else sums.before = time[o];
      share(sums.kinds, kind[o] ?? -1, price, tokens);
      share(sums.models, model[o] ?? -1, price, tokens);
    }
  };
}

function share(/** @type {Share[]} */ shares, /** @type {number} */ key, /** @type {number} */ price, /** @type {number} */ tokens) {
  const one = (shares[key + 1] ??= { key, name: "", calls: 0, cost: 0, tokens: 0, unpriced: 0 });
  one.calls++;
  one.tokens += tokens;
  if (Number.isNaN(price)) one.unpriced++;
  else one.cost += price;
}

/** @returns {Sums} */
const copied = (/** @type {Sums} */ sums) => ({ ...sums, kinds: sums.kinds.map((each) => ({ ...each })), models: sums.models.map((each) => ({ ...each })) });

function told(store, /** @type {Int32Array} */ rows, /** @type {Sums} */ sums) {
  const list = (/** @type {Share[]} */ shares, /** @type {string} */ names) => shares.filter(Boolean).map((each) => ({ ...each, name: store.category(names, each.key) })).sort((a, b) => b.cost - a.cost || b.calls - a.calls || a.key - b.key);
  return { ...sums, rows: rows.subarray(0, sums.operators), kinds: list(sums.kinds, "operator"), models: list(sums.models, "model") };
}

/**
 * Money spent so far, after each operator: over the seconds since the first one where all times are known, else over the operators.
 * @typedef {{x: Float64Array, y: Float64Array, rows: Int32Array}} Course `rows`, operators, in the order of `x`
 */

/** The course of the whole run. @returns {Course} */
export function courseOfRun(/** @type {import("../../data/store.js").Store} */ store, /** @type {boolean} */ byTime) {
  const spent = spendingOfRun(store);
  const begin = () => ({ x: new Float64Array(0), y: new Float64Array(0), of: /** @type {object|null} */ (null), settled: 0 });
  return followed(store, `course ${byTime}`, looksOf(store), begin, (kept) => {
    const { rows, settled } = spent;
    kept.x = longer(kept.x, rows.length);
    kept.y = longer(kept.y, rows.length);
    const from = kept.of === settled.of ? kept.settled : 0;
    Object.assign(kept, { of: settled.of, settled: settled.operators });
    return (!byTime || spent.sorted) ? filled(store, rows, byTime, kept.x, kept.y, from) : cumulative(store, rows, byTime);
  });
}

/**
 * The course of some operators.
 * @param {import("../../data/store.js").Store} store
 * @param {Int32Array} rows operators that count, see `spending`
 * @returns {Course}
 */
export function cumulative(store, rows, /** @type {boolean} */ byTime) {
  const time = store.operators.get("time");
  const order = byTime ? rows.slice().sort((a, b) => time[a] - time[b] || a - b) : rows;
  return filled(store, order, byTime, new Float64Array(order.length), new Float64Array(order.length), 0);
}

function filled({ operators }, /** @type {Int32Array} */ rows, /** @type {boolean} */ byTime, /** @type {Float64Array} */ x, /** @type {Float64Array} */ y, /** @type {number} */ from) {
  const cost = operators.get("cost");
  const time = operators.get("time");
  let sum = from ? y[from - 1] : 0;
  for (let i = from; i < rows.length; i++) {
    sum += cost[rows[i]] || 0;
    x[i] = byTime ? time[rows[i]] - time[rows[0]] : i + 1;
    y[i] = sum;
  }
  return { x, y, rows };
}
