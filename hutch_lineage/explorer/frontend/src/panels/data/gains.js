// How much better each operator's child is than its best parent: what efficacy, islands and costs build on.
import { NODE } from "../../data/protocol.js";

/** @type {WeakMap<object, {key: string, gains: Float64Array}>} what was found last, for the panels that build on it */
const found = new WeakMap();

/**
 * One number per operator. Positive is better, whatever the direction of the metric; NaN where the child or all its parents
 * have no valid score, or where the operator names no parent. A self-modification that states its own scores counts by those
 * where the nodes have none: `LineageGraph.efficacy` decides the same way.
 * @param {import("../../data/store.js").Store} store
 * @returns {Float64Array}
 */
export function operatorGains(store) {
  const { nodes, edges, operators } = store;
  const { score, lower, metric } = store.scene;
  const key = `${store.revision}|${metric?.name}|${lower}`;
  const held = found.get(store);
  if (held?.key === key) return held.gains;
  const flags = nodes.get("flags");
  const sign = lower ? -1 : 1;
  const valid = (/** @type {number} */ row) => (flags[row] & NODE.invalid ? NaN : sign * (score[row] ?? NaN));

  const top = new Float64Array(operators.count).fill(NaN);
  const raise = (/** @type {number} */ operator, /** @type {number} */ parent) => {
    const value = valid(parent);
    if (Math.abs(value) < Infinity && !(value <= top[operator])) top[operator] = value;
  };
  const src = edges.get("src");
  const made = edges.get("op");
  for (let e = 0; e < edges.count; e++) if (made[e] >= 0 && made[e] < operators.count) raise(made[e], src[e]);
  // An edge names its newest operator; where several made one child from one parent, this table has the older ones.
  const { makers } = store;
  for (let i = 0, op = makers.get("op"), from = makers.get("src"); i < makers.count; i++) if (op[i] < operators.count) raise(op[i], from[i]);

  const child = operators.get("child");
  const before = operators.get("score_before");
  const after = operators.get("score_after");
  const benchmark = operators.get("benchmark");
  const wanted = metric ? (store.categories.benchmark ?? []).indexOf(metric.name) : -1;
  for (let o = 0; o < operators.count; o++) {
    const own = valid(child[o]);
    top[o] = metric && Math.abs(own) < Infinity ? own - top[o] : NaN;
    if (Number.isNaN(top[o]) && (!metric || (wanted >= 0 && benchmark[o] === wanted))) top[o] = sign * ((after[o] ?? NaN) - (before[o] ?? NaN));
  }
  found.set(store, { key, gains: top });
  return top;
}

/**
 * The rows of the operators to count: those of the run that is shown, or all.
 * @param {import("../../data/store.js").Store} store
 * @returns {Uint8Array}
 */
export function operatorsShown(store) {
  const { nodes, operators, view, categories } = store;
  const mask = new Uint8Array(operators.count).fill(1);
  if (view.run == null) return mask;
  const run = categories.run.indexOf(view.run);
  const child = operators.get("child");
  const runs = nodes.get("run");
  for (let o = 0; o < operators.count; o++) mask[o] = +(runs[child[o]] === run);
  return mask;
}
