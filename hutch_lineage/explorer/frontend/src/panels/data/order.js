// The order in which individuals were evaluated, and where that puts them on an axis.
import { longer } from "../../data/growth.js";
import { NODE } from "../../data/protocol.js";
import { firstRow, followed, looksOf, Running } from "./following.js";
import { population } from "./population.js";

/** What cannot be the best. */
export const UNFIT = NODE.ghost | NODE.invalid | NODE.rejected;

/**
 * What was evaluated (it has a value, or was found invalid), with its place on the axis, and of it the points: finite scores of individuals that are
 * valid and not rejected. In the order of time where every one has a time, else in that of arrival.
 * @typedef {{rows: Int32Array, x: Float64Array, y: Float64Array, first: number, last: number}} Points `first` and `last`: the range of x
 * @typedef {"evaluations"|"time"|"generation"} Axis
 */

/**
 * So many of the points will not change any more; where `of` is another object than before, they have.
 * @typedef {{points: number, of: object}} Settled
 */

/**
 * The place is the number of an evaluation within its run, the seconds since its run's first evaluation, or the generation. `axis` is what was asked
 * for where the data has it, else "evaluations".
 * @param {import("../../data/store.js").Store} store
 * @param {Axis} wanted
 */
export function evaluated(store, wanted) {
  const none = () => ({ ...nobody(), unscored: 0, timed: true, bred: true, sorted: true, before: -Infinity });
  const begin = () => ({ columns: columnsFor(0), running: new Running(none, (sums) => ({ ...sums, runs: new Map([...sums.runs].map(([run, seen]) => [run, { ...seen }])) })) });
  return followed(store, `evaluated ${wanted}`, looksOf(store), begin, (kept, grown) => {
    const { nodes } = store;
    const { score } = store.scene;
    const counts = population(store);
    const [flags, time, generation] = ["flags", "time", "generation"].map((name) => nodes.get(name));
    const columns = (kept.columns = columnsFor(nodes.count, kept.columns));
    const put = putting(store, wanted, columns);
    const sums = kept.running.of(firstRow(grown), nodes.count, (sums, from, to) => {
      for (let row = from; row < to; row++) {
        if (!counts[row] || flags[row] & NODE.ghost) continue;
        if (!(Math.abs(score[row]) < Infinity) && !(flags[row] & NODE.invalid)) {
          sums.unscored++;
          continue;
        }
        if (!(generation[row] >= 0)) sums.bred = false;
        if (!(time[row] > 0)) sums.timed = false;
        if (time[row] < sums.before) sums.sorted = false;
        else sums.before = time[row];
        put(sums, row);
      }
    });
    const can = { evaluations: true, time: sums.timed && sums.count > 1, generation: sums.bred && sums.count > 0 };
    const axis = can[wanted] ? wanted : "evaluations";
    const { unscored } = sums;
    if (axis === wanted && (sums.sorted || !sums.timed)) return { ...told(columns, sums), settled: { points: kept.running.sums.points, of: kept.running.sums }, axis, can, unscored };
    // In another order, or on another axis: all of them once more.
    const rows = columns.rows.slice(0, sums.count);
    if (sums.timed) rows.sort((a, b) => time[a] - time[b] || a - b);
    const all = { columns: columnsFor(rows.length), sums: nobody() };
    const again = putting(store, axis, all.columns);
    for (const row of rows) again(all.sums, row);
    return { ...told(all.columns, all.sums), settled: { points: 0, of: all }, axis, can, unscored };
  });
}

/** @typedef {ReturnType<typeof evaluated>} Evaluated */

const nobody = () => ({ count: 0, points: 0, first: Infinity, last: -Infinity, runs: /** @type {Map<number, {first: number, count: number}>} */ (new Map()) });

function columnsFor(/** @type {number} */ count, held = { rows: new Int32Array(0), x: new Float64Array(0), pointRows: new Int32Array(0), pointX: new Float64Array(0), pointY: new Float64Array(0) }) {
  return { rows: longer(held.rows, count), x: longer(held.x, count), pointRows: longer(held.pointRows, count), pointX: longer(held.pointX, count), pointY: longer(held.pointY, count) };
}

/** What puts the next row in its place. */
function putting({ nodes, scene }, /** @type {Axis} */ axis, /** @type {ReturnType<typeof columnsFor>} */ { rows, x, pointRows, pointX, pointY }) {
  const { score } = scene;
  const [flags, runs, time, generation] = ["flags", "run", "time", "generation"].map((name) => nodes.get(name));
  return (/** @type {ReturnType<typeof nobody>} */ sums, /** @type {number} */ row) => {
    let run = sums.runs.get(runs[row]);
    if (!run) sums.runs.set(runs[row], (run = { first: time[row], count: 0 }));
    run.count++;
    const at = axis === "generation" ? generation[row] : axis === "time" ? time[row] - run.first : run.count;
    rows[sums.count] = row;
    x[sums.count++] = at;
    if (flags[row] & UNFIT || !(Math.abs(score[row]) < Infinity)) return;
    pointRows[sums.points] = row;
    pointX[sums.points] = at;
    pointY[sums.points++] = score[row];
    if (at < sums.first) sums.first = at;
    if (at > sums.last) sums.last = at;
  };
}

function told(/** @type {ReturnType<typeof columnsFor>} */ { rows, x, pointRows, pointX, pointY }, /** @type {ReturnType<typeof nobody>} */ { count, points, first, last, runs }) {
  const found = { rows: pointRows.subarray(0, points), x: pointX.subarray(0, points), y: pointY.subarray(0, points), first, last };
  return { rows: rows.subarray(0, count), x: x.subarray(0, count), found, unfit: count - points, runs: [...runs.keys()] };
}
