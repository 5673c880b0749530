// The order in which individuals were evaluated, and where that puts them on an axis.
import { NODE } from "../../data/protocol.js";
import { population } from "./population.js";

/** What cannot be the best. */
export const UNFIT = NODE.ghost | NODE.invalid | NODE.rejected;

/**
 * Rows by time, where every one has a time; else in the order in which they came.
 * @param {Int32Array} rows ascending
 * @param {ArrayLike<number>} time seconds by row
 */
export function byTime(rows, time) {
  let before = -Infinity;
  let sorted = true;
  for (let i = 0; i < rows.length; i++) {
    const at = time[rows[i]];
    if (!(at > 0)) return rows;
    if (at < before) sorted = false;
    before = at;
  }
  return sorted ? rows : rows.slice().sort((a, b) => time[a] - time[b] || a - b);
}

/**
 * What was evaluated (it has a value, or was found invalid), in order, with its place on the axis: the number of its evaluation within its run,
 * the seconds since its run's first evaluation, or its generation. `axis` is what was asked for where the data has it, else "evaluations".
 * @param {import("../../data/store.js").Store} store
 * @param {"evaluations"|"time"|"generation"} wanted
 */
export function evaluated(store, wanted) {
  const { nodes } = store;
  const { score } = store.scene;
  const counts = population(store);
  const [flags, runs, time, generation] = ["flags", "run", "time", "generation"].map((name) => nodes.get(name));
  const all = new Int32Array(nodes.count);
  let n = 0;
  let unscored = 0;
  let [timed, bred] = [true, true];
  for (let row = 0; row < nodes.count; row++) {
    if (!counts[row] || flags[row] & NODE.ghost) continue;
    if (!(Math.abs(score[row]) < Infinity) && !(flags[row] & NODE.invalid)) {
      unscored++;
      continue;
    }
    all[n++] = row;
    if (!(time[row] > 0)) timed = false;
    if (!(generation[row] >= 0)) bred = false;
  }
  const rows = byTime(all.subarray(0, n), time);
  const can = { evaluations: true, time: timed && n > 1, generation: bred && n > 0 };
  const axis = can[wanted] ? wanted : "evaluations";
  const x = new Float64Array(n);
  /** @type {Map<number, {first: number, count: number}>} */
  const seen = new Map();
  for (let i = 0; i < n; i++) {
    const row = rows[i];
    let run = seen.get(runs[row]);
    if (!run) seen.set(runs[row], (run = { first: time[row], count: 0 }));
    run.count++;
    x[i] = axis === "generation" ? generation[row] : axis === "time" ? time[row] - run.first : run.count;
  }
  return { rows, x, axis, can, unscored, runs: [...seen.keys()] };
}

/** @typedef {ReturnType<typeof evaluated>} Evaluated */
