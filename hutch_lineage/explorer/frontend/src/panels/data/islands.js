// Islands: how large, how good, how often they improved, and who moved from where to where.
import { NODE } from "../../data/protocol.js";
import { firstRow, followed, looksOf, Running } from "./following.js";
import { firstTouched, operatorGains } from "./gains.js";
import { UNFIT } from "./order.js";
import { population } from "./population.js";

/**
 * @typedef {{key: number, name: string, size: number, best: number, improvements: number, arrived: number, left: number}} Island `best` is a row, -1 for none
 * @typedef {{node: number, from: number, to: number, time: number}} Move
 */

/**
 * The islands of what is shown, largest number last in the order of their names; individuals of no island are not counted.
 * @param {import("../../data/store.js").Store} store
 */
export function islands(store) {
  const { homeless, size, best } = inhabitants(store);
  const improvements = improved(store);
  const moves = migrations(store);
  const [arrived, left] = [new Uint32Array(size.length), new Uint32Array(size.length)];
  for (const { from, to } of moves) {
    if (from >= 0) left[from]++;
    if (to >= 0) arrived[to]++;
  }
  const list = /** @type {Island[]} */ ([]);
  for (const key of byName(store)) {
    if (size[key] + improvements[key] + arrived[key] + left[key] > 0) list.push({ key, name: store.category("island", key), size: size[key], best: best[key], improvements: improvements[key], arrived: arrived[key], left: left[key] });
  }
  return { islands: list, homeless, moves };
}

/** How many are on each island, and who is the best of them. */
function inhabitants(store) {
  const { nodes, categories } = store;
  const { length } = categories.island;
  const nobody = () => ({ homeless: 0, size: new Uint32Array(length), best: new Int32Array(length).fill(-1) });
  const begin = () => new Running(nobody, ({ homeless, size, best }) => ({ homeless, size: size.slice(), best: best.slice() }));
  return followed(store, "inhabitants", `${looksOf(store)}|${length}`, begin, (running, grown) => {
    const { score, lower } = store.scene;
    const counts = population(store);
    const [island, flags] = ["island", "flags"].map((name) => nodes.get(name));
    return running.of(firstRow(grown), nodes.count, (sums, from, to) => {
      const { size, best } = sums;
      for (let row = from; row < to; row++) {
        if (!counts[row] || flags[row] & NODE.ghost) continue;
        const key = island[row] ?? -1;
        if (key < 0) {
          sums.homeless++;
          continue;
        }
        size[key]++;
        const value = score[row];
        if (flags[row] & UNFIT || !(Math.abs(value) < Infinity)) continue;
        if (best[key] < 0 || (lower ? value < score[best[key]] : value > score[best[key]])) best[key] = row;
      }
    });
  });
}

/** How many children on each island are better than their best parent. @returns {Uint32Array} */
function improved(store) {
  const { nodes, operators, categories } = store;
  const { length } = categories.island;
  const begin = () => new Running(() => new Uint32Array(length), (sums) => sums.slice());
  return followed(store, "improved", `${looksOf(store)}|${length}`, begin, (running, grown) => {
    const gains = operatorGains(store);
    const counts = population(store);
    const island = nodes.get("island");
    const child = operators.get("child");
    return running.of(firstTouched(store, grown), operators.count, (sums, from, to) => {
      for (let o = from; o < to; o++) if (gains[o] > 0 && counts[child[o]] && island[child[o]] >= 0) sums[island[child[o]]]++;
    });
  });
}

const collator = new Intl.Collator("en", { numeric: true });
/** @type {WeakMap<import("../../data/store.js").Store, {names: string[], order: number[]}>} */
const ordered = new WeakMap();

/** The numbers of the islands, by name. */
function byName(store) {
  const names = store.categories.island;
  const held = ordered.get(store);
  if (held && held.names.length === names.length && held.names.every((name, i) => name === names[i])) return held.order;
  const order = names.map((_, key) => key).sort((a, b) => collator.compare(String(names[a]), String(names[b])));
  ordered.set(store, { names, order });
  return order;
}

/** Moves of what is shown, in order of time where it is known. @returns {Move[]} */
export function migrations(/** @type {import("../../data/store.js").Store} */ store) {
  const table = store.migrations;
  if (!table?.count) return [];
  const [node, from, to, time] = ["node", "from", "to", "time"].map((name) => table.get(name));
  const counts = population(store);
  const moves = [];
  for (let i = 0; i < table.count; i++) if (counts[node[i]]) moves.push({ node: node[i], from: from[i], to: to[i], time: time[i] });
  return moves.sort((a, b) => (a.time - b.time || 0));
}

/** How many moved from each island (line) to each other (column). */
export function matrix(/** @type {Move[]} */ moves, /** @type {Island[]} */ list) {
  const place = new Map(list.map(({ key }, i) => [key, i]));
  const counts = list.map(() => new Array(list.length).fill(0));
  for (const { from, to } of moves) {
    const [line, column] = [place.get(from), place.get(to)];
    if (line !== undefined && column !== undefined) counts[line][column]++;
  }
  return counts;
}
