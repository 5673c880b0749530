// What was spent: in all, as it went, by operator and by model, and on each improvement. An operator that made several children counts once.
import { eventOf } from "../../lineage/lineage.js";

/** @typedef {{key: number, name: string, calls: number, cost: number, tokens: number, unpriced: number}} Share */

/**
 * @param {import("../../data/store.js").Store} store
 * @param {ArrayLike<number>} wanted a mark for every operator that counts
 * @param {ArrayLike<number>} gains by operator, see gains.js
 */
export function spending(store, wanted, gains) {
  const { operators } = store;
  const [cost, tokensIn, tokensOut, time] = ["cost", "tokens_in", "tokens_out", "time"].map((name) => operators.get(name));
  const first = eventOf(operators);
  const rows = new Int32Array(operators.count);
  const sum = { operators: 0, cost: 0, tokensIn: 0, tokensOut: 0, unpriced: 0, improvements: 0, timed: true };
  const counted = new Uint8Array(operators.count);
  const kinds = shares(store, "operator", "kind");
  const models = shares(store, "model", "model");
  for (let o = 0; o < operators.count; o++) {
    if (!wanted[o]) continue;
    if (gains[o] > 0) sum.improvements++;
    const event = first(o);
    if (counted[event]) continue;
    counted[event] = 1;
    rows[sum.operators++] = o;
    const price = cost[o] ?? NaN;
    const tokens = (tokensIn[o] || 0) + (tokensOut[o] || 0);
    if (Number.isNaN(price)) sum.unpriced++;
    else sum.cost += price;
    sum.tokensIn += tokensIn[o] || 0;
    sum.tokensOut += tokensOut[o] || 0;
    if (!(time[o] > 0)) sum.timed = false;
    kinds.add(o, price, tokens);
    models.add(o, price, tokens);
  }
  return { ...sum, rows: rows.subarray(0, sum.operators), kinds: kinds.list(), models: models.list() };
}

function shares(store, /** @type {string} */ list, /** @type {string} */ column) {
  const values = store.operators.get(column);
  /** By key + 1, as -1 stands for unknown. @type {Share[]} */
  const sums = [];
  return {
    add(/** @type {number} */ operator, /** @type {number} */ cost, /** @type {number} */ tokens) {
      const key = values[operator] ?? -1;
      const share = (sums[key + 1] ??= { key, name: store.category(list, key), calls: 0, cost: 0, tokens: 0, unpriced: 0 });
      share.calls++;
      share.tokens += tokens;
      if (Number.isNaN(cost)) share.unpriced++;
      else share.cost += cost;
    },
    list: () => sums.filter(Boolean).sort((a, b) => b.cost - a.cost || b.calls - a.calls || a.key - b.key),
  };
}

/**
 * Money spent so far, after each operator: over the seconds since the first one where all times are known, else over the operators.
 * @param {import("../../data/store.js").Store} store
 * @param {Int32Array} rows operators that count, see `spending`
 * @returns {{x: Float64Array, y: Float64Array, rows: Int32Array}} `rows` in the order of `x`
 */
export function cumulative(store, rows, /** @type {boolean} */ byTime) {
  const { operators } = store;
  const cost = operators.get("cost");
  const time = operators.get("time");
  let sorted = true;
  for (let i = 1; i < rows.length && sorted; i++) sorted = time[rows[i]] >= time[rows[i - 1]];
  const order = byTime && !sorted ? rows.slice().sort((a, b) => time[a] - time[b] || a - b) : rows;
  const x = new Float64Array(order.length);
  const y = new Float64Array(order.length);
  let sum = 0;
  for (let i = 0; i < order.length; i++) {
    sum += cost[order[i]] || 0;
    x[i] = byTime ? time[order[i]] - time[order[0]] : i + 1;
    y[i] = sum;
  }
  return { x, y, rows: order };
}
