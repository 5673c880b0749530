// Islands: how large, how good, how often they improved, and who moved from where to where.
import { NODE } from "../../data/protocol.js";
import { population } from "./population.js";

/**
 * @typedef {{key: number, name: string, size: number, best: number, improvements: number, arrived: number, left: number}} Island `best` is a row, -1 for none
 * @typedef {{node: number, from: number, to: number, time: number}} Move
 */

/**
 * The islands of what is shown, largest number last in the order of their names; individuals of no island are not counted.
 * @param {import("../../data/store.js").Store} store
 * @param {ArrayLike<number>} gains by operator, see gains.js
 */
export function islands(store, gains) {
  const { nodes, operators } = store;
  const { score, lower } = store.scene;
  const counts = population(store);
  const [island, flags] = ["island", "flags"].map((name) => nodes.get(name));
  /** @type {Map<number, Island>} */
  const found = new Map();
  const of = (/** @type {number} */ key) => {
    let one = found.get(key);
    if (!one) found.set(key, (one = { key, name: store.category("island", key), size: 0, best: -1, improvements: 0, arrived: 0, left: 0 }));
    return one;
  };
  let homeless = 0;
  for (let row = 0; row < nodes.count; row++) {
    if (!counts[row] || flags[row] & NODE.ghost) continue;
    if (!(island[row] >= 0)) {
      homeless++;
      continue;
    }
    const one = of(island[row]);
    one.size++;
    const value = score[row];
    if (flags[row] & (NODE.invalid | NODE.rejected) || !(Math.abs(value) < Infinity)) continue;
    if (one.best < 0 || (lower ? value < score[one.best] : value > score[one.best])) one.best = row;
  }
  const child = operators.get("child");
  for (let o = 0; o < operators.count; o++) if (gains[o] > 0 && counts[child[o]] && island[child[o]] >= 0) of(island[child[o]]).improvements++;
  const moves = migrations(store);
  for (const { from, to } of moves) {
    if (from >= 0) of(from).left++;
    if (to >= 0) of(to).arrived++;
  }
  const list = [...found.values()].sort((a, b) => a.name.localeCompare(b.name, "en", { numeric: true }));
  return { islands: list, homeless, moves };
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
