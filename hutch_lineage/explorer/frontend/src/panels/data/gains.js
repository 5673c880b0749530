// How much better each operator's child is than its best parent: what efficacy, islands and costs build on.
import { longer } from "../../data/growth.js";
import { NODE } from "../../data/protocol.js";
import { followed, looksOf } from "./following.js";

/**
 * One number per operator. Positive is better, whatever the direction of the metric; NaN where the child or all its parents
 * have no valid score, or where the operator names no parent. A self-modification that states its own scores counts by those
 * where the nodes have none: `LineageGraph.efficacy` decides the same way.
 * @param {import("../../data/store.js").Store} store
 * @returns {Float64Array}
 */
export function operatorGains(store) {
  const { count } = store.operators;
  const begin = () => ({ gains: new Float64Array(0) });
  return followed(store, "gains", looksOf(store), begin, (kept, grown) => {
    const gains = (kept.gains = longer(kept.gains, count));
    const older = grown ? touched(store, grown) : [];
    const old = new Set(older);
    const from = grown?.operators ?? 0;
    const gain = gainOf(store, makersOf(store, (operator) => operator >= from || old.has(operator)));
    for (const operator of older) gains[operator] = gain(operator);
    for (let operator = from; operator < count; operator++) gains[operator] = gain(operator);
    return gains;
  });
}

/** The gain of one operator. */
function gainOf({ nodes, edges, operators, links, scene, categories }, /** @type {Map<number, number[]>} */ makers) {
  const { score, lower, metric } = scene;
  const { inHead, inNext, src } = links;
  const flags = nodes.get("flags");
  const made = edges.get("op");
  const [child, before, after, benchmark] = ["child", "score_before", "score_after", "benchmark"].map((name) => operators.get(name));
  const wanted = metric ? (categories.benchmark ?? []).indexOf(metric.name) : -1;
  const sign = lower ? -1 : 1;
  const valid = (/** @type {number} */ row) => (flags[row] & NODE.invalid ? NaN : sign * (score[row] ?? NaN));
  const raised = (/** @type {number} */ top, /** @type {number} */ parent) => {
    const value = valid(parent);
    return Math.abs(value) < Infinity && !(value <= top) ? value : top;
  };
  return (/** @type {number} */ operator) => {
    const own = valid(child[operator]);
    let gain = NaN;
    if (metric && Math.abs(own) < Infinity) {
      let top = NaN;
      for (let e = inHead[child[operator]] ?? -1; e >= 0; e = inNext[e]) if (made[e] === operator) top = raised(top, src[e]);
      for (const parent of makers.get(operator) ?? []) top = raised(top, parent);
      gain = own - top;
    }
    return Number.isNaN(gain) && (!metric || (wanted >= 0 && benchmark[operator] === wanted)) ? sign * ((after[operator] ?? NaN) - (before[operator] ?? NaN)) : gain;
  };
}

/** The parents that operators used where several made one child: an edge names its newest operator only. */
function makersOf({ makers }, /** @type {(operator: number) => boolean} */ wanted) {
  const [made, src] = ["op", "src"].map((name) => makers.get(name));
  /** @type {Map<number, number[]>} */
  const found = new Map();
  for (let i = 0; i < makers.count; i++) {
    if (!wanted(made[i])) continue;
    const parents = found.get(made[i]);
    if (parents) parents.push(src[i]);
    else found.set(made[i], [src[i]]);
  }
  return found;
}

/** The first operator of which something has changed, see `touched`; 0 where everything is new. */
export const firstTouched = (store, /** @type {import("../../data/growth.js").Grown|null} */ grown) => (grown ? touched(store, grown).reduce((least, operator) => Math.min(least, operator), grown.operators) : 0);

/** The older operators of which something has changed: what they say, their child, their parents, or who those are. @returns {number[]} */
function touched({ edges, operators, makers, links }, /** @type {import("../../data/growth.js").Grown} */ grown) {
  const found = new Set(grown.made);
  const [made, dst, maker, from] = [edges.get("op"), edges.get("dst"), makers.get("op"), makers.get("src")];
  const add = (/** @type {number} */ operator) => operator >= 0 && found.add(operator);
  for (const row of grown.rows) {
    for (const operator of links.operators(row)) add(operator);
    for (let e = links.outHead[row] ?? -1; e >= 0; e = links.outNext[e]) add(made[e]);
  }
  for (const e of grown.tied) for (const operator of links.operators(dst[e])) add(operator);
  for (let e = grown.edges; e < edges.count; e++) add(made[e]);
  const changed = new Set(grown.rows);
  for (let i = changed.size ? 0 : grown.makers; i < makers.count; i++) if (i >= grown.makers || changed.has(from[i])) add(maker[i]);
  return [...found].filter((operator) => operator < Math.min(grown.operators, operators.count));
}

/**
 * Which operators count: those of the run that is shown, or all.
 * @param {import("../../data/store.js").Store} store
 * @returns {Uint8Array} a mark for every operator that counts
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
