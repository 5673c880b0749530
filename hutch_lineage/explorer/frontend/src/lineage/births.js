// Who was born before whom, as Python has it.

/**
 * Compare rows by (time, id), where rows without a time come first; a source's own time stands for a birth that is not known.
 * @param {import("../data/store.js").Store} store
 */
export function byBirth(store) {
  const [time, origin, runs, kinds] = ["time", "origin", "run", "kind"].map((name) => store.nodes.get(name));
  // Births in nanoseconds, as Python compares them with the times of sources.
  const born = (/** @type {number} */ row) => (time[row] >= 0 ? time[row] * 1e9 : origin[row] > -Infinity ? origin[row] : -Infinity);
  const order = (x, y) => (x < y ? -1 : +(x > y));
  return (/** @type {number} */ a, /** @type {number} */ b) =>
    order(born(a), born(b)) || order(store.id(a), store.id(b)) || kinds[b] - kinds[a] || order(store.category("run", runs[a]), store.category("run", runs[b])) || a - b;
}
