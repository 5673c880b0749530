// The one order of everything that a person sorts.

/**
 * Items in the order of a column: stable, what has no value last either way.
 * @param {ArrayLike<number>} items
 * @param {{value(item: number): any, number?: boolean}} column numbers for `number` columns, NaN for none; else texts, "" for none
 */
export function sorted(items, column, /** @type {boolean} */ down) {
  const n = items.length;
  const values = column.number ? new Float64Array(n) : new Array(n);
  for (let i = 0; i < n; i++) values[i] = column.value(items[i]) ?? (column.number ? NaN : "");
  const none = column.number ? (v) => v !== v : (v) => v === "";
  const known = [];
  const rest = [];
  for (let i = 0; i < n; i++) (none(values[i]) ? rest : known).push(i);
  known.sort(down ? (a, b) => (values[a] < values[b] ? 1 : values[a] > values[b] ? -1 : a - b) : (a, b) => (values[a] < values[b] ? -1 : values[a] > values[b] ? 1 : a - b));
  const out = new Int32Array(n);
  known.forEach((i, at) => (out[at] = items[i]));
  rest.forEach((i, at) => (out[known.length + at] = items[i]));
  return out;
}
