// The numbers that individuals are coloured and narrowed by: a metric, the cost, the age, the generation; and which of them count.
import { NODE } from "../data/protocol.js";

/** Whether these are numbers that every individual may have; others are a metric, "metric:NAME". */
export const isPlain = (/** @type {string} */ name) => /^(cost|age|generation)$/.test(name);

/** What numbers are called before a person. */
export const nameOf = (/** @type {string} */ name) => name.replace(/^metric:/, "");

/**
 * @typedef {object} Numbers
 * @property {ArrayLike<number>} values by row
 * @property {string} column of the nodes, "" where they are made from others
 * @property {string} label
 * @property {string} unit "$" or ""
 * @property {boolean} whole whether they are counted rather than measured; what is below 0 is not known
 * @property {boolean} valid whether those of invalid individuals do not count
 * @property {string[]|null} ends words for the first and the last
 * @property {(row: number) => boolean} counts whether a row has one
 * @property {(value: number, flags: number) => boolean} holds the same of a value and the flags beside it
 */

/**
 * @param {import("../data/columns.js").Table} nodes
 * @param {string} name "metric:NAME", "cost", "age" or "generation"
 * @param {Uint8Array} within what is looked at: its first has no age
 * @returns {Numbers}
 */
export function numbersOf(nodes, name, within) {
  const given = { column: name, label: name, unit: "", whole: name !== "cost", valid: false, ends: /** @type {string[]|null} */ (null), values: nodes.get(name) };
  if (name === "cost") given.unit = "$";
  else if (name === "age") Object.assign(given, ages(nodes, within), { column: "", ends: ["oldest", "newest"] });
  else if (name !== "generation") {
    const label = nameOf(name);
    Object.assign(given, { column: `m:${label}`, label, whole: false, valid: true, values: nodes.get(`m:${label}`) });
  }
  const flags = nodes.get("flags");
  const { whole, values } = given;
  const never = NODE.ghost | (given.valid ? NODE.invalid : 0);
  const holds = (/** @type {number} */ value, /** @type {number} */ f) => !(f & never) && Math.abs(value) < Infinity && !(whole && value < 0);
  return { ...given, holds, counts: (row) => holds(values[row], flags[row]) };
}

/** When each row came: seconds since the first where times are known, else the order of arrival. */
function ages(nodes, within) {
  const times = nodes.get("time");
  let first = Infinity;
  for (let row = 0; row < nodes.count; row++) if (within[row] && times[row] > 0 && times[row] < first) first = times[row];
  if (first < Infinity) return { values: times.slice(0, nodes.count).map((time) => (time > 0 ? time - first : NaN)), label: "age, in seconds since the first" };
  return { values: Float64Array.from({ length: nodes.count }, (_, row) => row), label: "age, in order of arrival" };
}
