// Which operators, and which models, make children that are better than their parents.
import { NODE } from "../../data/protocol.js";
import { followed, looksOf, Running } from "./following.js";
import { firstTouched, operatorGains, operatorsShown } from "./gains.js";

/**
 * @typedef {{key: number, name: string, tries: number, compared: number, improvements: number, rate: number, medianGain: number, meanGain: number, bestGain: number,
 *   cost: number, gainPerUsd: number, tokens: number, gainPerKtoken: number, unknownCost: number, bestChild: number}} Efficacy
 */

/** What the tables say, with what they are called when written to a file: the columns of `LineageGraph.efficacy`. */
export const COLUMNS = /** @type {const} */ ({
  name: "name", tries: "tries", compared: "compared", improvements: "improvements", rate: "improvement_rate", medianGain: "median_gain", meanGain: "mean_gain", bestGain: "best_gain",
  cost: "cost_usd", gainPerUsd: "gain_per_usd", tokens: "tokens", gainPerKtoken: "gain_per_1k_tokens", unknownCost: "unknown_cost",
});

const blank = () => ({ tries: 0, compared: 0, improvements: 0, unknownCost: 0, gains: 0, gained: 0, best: NaN, bestChild: -1, costs: 0, priced: 0, paidGains: 0, tokens: 0, counted: 0, tokenGains: 0 });

/** @typedef {Map<number, ReturnType<typeof blank>>} Tallies by the number of an operator kind or a model, -1 for none */

/**
 * The rows of the table by operator kind or by model, sorted by name: the same numbers as `LineageGraph.efficacy`.
 * @param {import("../../data/store.js").Store} store
 * @param {"operator"|"model"} by
 * @returns {Efficacy[]}
 */
export function efficacy(store, by) {
  const begin = () => new Running(() => /** @type {Tallies} */ (new Map()), (tallies) => new Map([...tallies].map(([key, tally]) => [key, { ...tally }])));
  return followed(store, `efficacy ${by}`, looksOf(store), begin, (running, grown) => {
    const [gains, shown] = [operatorGains(store), operatorsShown(store)];
    const tallies = running.of(firstTouched(store, grown), store.operators.count, adding(store, by, gains, shown));
    const middle = medians(store.operators, by, gains, shown);
    const rows = [...tallies].map(([key, tally]) => told(key, store.category(by, key) || "unknown", tally, middle(key)));
    return rows.sort((a, b) => (a.name < b.name ? -1 : +(a.name > b.name)));
  });
}

const groupOf = (/** @type {import("../../data/columns.js").Table} */ operators, /** @type {"operator"|"model"} */ by) => operators.get(by === "operator" ? "kind" : "model");

/** The gain in the middle of those of each group, which one child of a penalised parent does not move. @returns {(key: number) => number} */
function medians(operators, by, /** @type {Float64Array} */ gains, /** @type {Uint8Array} */ shown) {
  const group = groupOf(operators, by);
  /** @type {Map<number, number[]>} */
  const known = new Map();
  for (let o = 0; o < operators.count; o++) {
    if (!shown[o] || Number.isNaN(gains[o])) continue;
    const key = group[o] ?? -1;
    const list = known.get(key);
    if (list) list.push(gains[o]);
    else known.set(key, [gains[o]]);
  }
  return (key) => {
    const sorted = Float64Array.from(known.get(key) ?? []).sort();
    const half = sorted.length >> 1;
    return sorted.length % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
  };
}

/** @returns {(tallies: Tallies, from: number, to: number) => void} what adds some operators */
function adding({ nodes, operators }, /** @type {"operator"|"model"} */ by, /** @type {Float64Array} */ gains, /** @type {Uint8Array} */ shown) {
  const group = groupOf(operators, by);
  const [child, cost, tokensIn, tokensOut] = ["child", "cost", "tokens_in", "tokens_out"].map((name) => operators.get(name));
  const flags = nodes.get("flags");
  return (tallies, from, to) => {
    for (let o = from; o < to; o++) {
      if (!shown[o]) continue;
      const key = group[o] ?? -1;
      let t = tallies.get(key);
      if (!t) tallies.set(key, (t = blank()));
      t.tries++;
      const price = cost[o];
      const priced = !Number.isNaN(price ?? NaN);
      if (priced) {
        t.costs += price;
        t.priced++;
      } else t.unknownCost++;
      const known = !Number.isNaN(tokensIn[o] ?? NaN) || !Number.isNaN(tokensOut[o] ?? NaN);
      if (known) {
        t.tokens += (tokensIn[o] || 0) + (tokensOut[o] || 0);
        t.counted++;
      }
      const gain = gains[o];
      if (Number.isNaN(gain)) {
        if (flags[child[o]] & NODE.invalid) t.compared++;
        continue;
      }
      t.compared++;
      t.gained++;
      t.gains += gain;
      if (!(gain <= t.best)) {
        t.best = gain;
        t.bestChild = child[o];
      }
      if (gain <= 0) continue;
      t.improvements++;
      if (priced) t.paidGains += gain;
      if (known) t.tokenGains += gain;
    }
  };
}

/** @returns {Efficacy} */
function told(/** @type {number} */ key, /** @type {string} */ name, /** @type {ReturnType<typeof blank>} */ t, /** @type {number} */ medianGain) {
  return {
    key, name, tries: t.tries, compared: t.compared, improvements: t.improvements,
    rate: t.compared ? t.improvements / t.compared : NaN, medianGain, meanGain: t.gained ? t.gains / t.gained : NaN, bestGain: t.best, bestChild: t.bestChild,
    cost: t.priced ? t.costs : NaN, gainPerUsd: t.costs > 0 ? t.paidGains / t.costs : NaN,
    tokens: t.counted ? t.tokens : NaN, gainPerKtoken: t.tokens > 0 ? (1000 * t.tokenGains) / t.tokens : NaN, unknownCost: t.unknownCost,
  };
}
