// What part of the population descends from which seed, over the generations or over time.
import { Descent } from "./descent.js";
import { followed } from "./following.js";

/** More groups than this are joined to wider ones. */
const MOST_GROUPS = 400;
const WINDOWS = 60;

/**
 * @param {import("../../data/store.js").Store} store
 * @param {{top?: number, windows?: number}} [wanted] `windows` groups by time instead of by generation
 * @returns {{by: "generation"|"time"|"order", width: number, at: number[], size: number[], seeds: number[], shares: Float64Array[], others: Float64Array, unknown: Float64Array}}
 *   by group: `shares[i][g]` is the part of `seeds[i]`; parts add up to 1
 */
export function seedShares(store, { top = 8, windows } = {}) {
  const descent = followed(store, `descent ${top}`, `${store.scene.kind}|${store.view.run}`, () => new Descent(top), (kept, grown) => kept.follow(store, grown));
  const { shown } = descent;
  const places = [...shown, descent.room];
  const { by, width, at, size, sums } = windows === undefined && !descent.generations.has(-1) ? byGeneration(descent, places) : byWindow(store, descent, places, windows ?? WINDOWS);
  const column = (/** @type {number} */ k) => Float64Array.from(size, (n, g) => sums[g * places.length + k] / n);
  const shares = shown.map((_, k) => column(k));
  const unknown = column(shown.length);
  const others = unknown.map((value, g) => Math.max(0, 1 - value - shares.reduce((sum, share) => sum + share[g], 0)));
  return { by, width, at, size, seeds: shown.map((k) => descent.seeds[k]), shares, others, unknown };
}

/**
 * Groups in their order, without those that nobody is in.
 * @typedef {{by: "generation"|"time"|"order", width: number, at: number[], size: number[], sums: ArrayLike<number>}} Groups `sums`: group by group, the parts of all that are in it
 */

/** @returns {Groups} */
function byGeneration({ generations }, /** @type {number[]} */ places) {
  const all = [...generations.keys()].sort((a, b) => a - b);
  const low = all[0] ?? 0;
  const width = Math.ceil((all.length ? all[all.length - 1] - low + 1 : 0) / MOST_GROUPS);
  const [at, size, sums] = [/** @type {number[]} */ ([]), /** @type {number[]} */ ([]), /** @type {number[]} */ ([])];
  let last = -1;
  for (const generation of all) {
    const group = Math.floor((generation - low) / width);
    if (group !== last) {
      at.push(low + group * width);
      size.push(0);
      for (const _ of places) sums.push(0);
    }
    last = group;
    const own = generations.get(generation);
    size[size.length - 1] += own.size;
    places.forEach((place, k) => (sums[sums.length - places.length + k] += own.sums[place]));
  }
  return { by: "generation", width, at, size, sums };
}

/** Windows of time, or of the order of arrival where not all times are known. @returns {Groups} */
function byWindow({ nodes }, { counts, parts, unit, width: wide }, /** @type {number[]} */ places, /** @type {number} */ windows) {
  const time = nodes.get("time");
  const rows = [];
  let timed = true;
  for (let row = 0; row < nodes.count; row++) {
    if (!counts[row]) continue;
    rows.push(row);
    if (!(time[row] > 0)) timed = false;
  }
  const value = timed ? (/** @type {number} */ row) => time[row] : (/** @type {number} */ row) => row;
  let [low, high] = [Infinity, -Infinity];
  for (const row of rows) {
    low = Math.min(low, value(row));
    high = Math.max(high, value(row));
  }
  const width = (high - low) / windows || 1;
  const all = { size: new Int32Array(windows), sums: new Float64Array(windows * places.length) };
  for (const row of rows) {
    const group = Math.min(windows - 1, Math.floor((value(row) - low) / width));
    all.size[group]++;
    for (let k = 0, to = group * places.length, from = unit[row] * wide; k < places.length; k++) all.sums[to + k] += parts[from + places[k]];
  }
  const kept = [...all.size.keys()].filter((group) => all.size[group]);
  return {
    by: timed ? "time" : "order", width, at: kept.map((group) => (timed ? group * width : low + group * width)), size: kept.map((group) => all.size[group]),
    sums: kept.flatMap((group) => [...all.sums.subarray(group * places.length, (group + 1) * places.length)]),
  };
}
