// Columns as they come over the wire, and the growing tables that hold them.
import { Texts, textsOf } from "./text.js";

/** @typedef {{t: "f4"|"f8"|"i4"|"u4"|"u2"|"u1"|"json"|"str", b?: number, o?: number, v?: any[]}} Col */
/** @typedef {Float32Array|Float64Array|Int32Array|Uint32Array|Uint16Array|Uint8Array|any[]} Values */

const TYPES = { f4: Float32Array, f8: Float64Array, i4: Int32Array, u4: Uint32Array, u2: Uint16Array, u1: Uint8Array };
/** What a row holds in a column that came later than the row. */
const BLANK = { f4: NaN, f8: NaN, i4: -1, u4: 0, u2: 0, u1: 0, json: null };

/**
 * The bytes of one message buffer: a DataView (anywidget), an ArrayBuffer, a view, or base64 text (a saved page).
 * @param {any} buffer
 * @returns {Uint8Array}
 */
export function bytesOf(buffer) {
  if (typeof buffer === "string") return Uint8Array.from(atob(buffer), (c) => c.charCodeAt(0));
  if (buffer instanceof ArrayBuffer) return new Uint8Array(buffer);
  return new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength);
}

/** The values of one buffer. Shares its memory where that is aligned and copies it where not. */
function valuesOf(t, buffer) {
  const Type = TYPES[t];
  if (!Type) throw new TypeError(`unknown column type ${t}`);
  let bytes = bytesOf(buffer);
  if (bytes.byteOffset % Type.BYTES_PER_ELEMENT) bytes = bytes.slice();
  return new Type(bytes.buffer, bytes.byteOffset, Math.floor(bytes.byteLength / Type.BYTES_PER_ELEMENT));
}

/** The bytes and offsets of a "str" column. */
const rawTexts = (/** @type {Col} */ col, buffers) => ({ bytes: bytesOf(buffers[col.b ?? -1]), offsets: valuesOf("u4", buffers[col.o ?? -1]) });

/**
 * The values of a column; the texts of a "str" column as strings.
 * @param {Col} col
 * @param {any[]} buffers
 * @returns {Values}
 */
export function decode(col, buffers) {
  if (col.t === "json") return col.v ?? [];
  if (col.t !== "str") return valuesOf(col.t, buffers[col.b ?? -1]);
  const raw = rawTexts(col, buffers);
  const texts = new Texts();
  texts.reserve(raw.offsets.length - 1);
  texts.write(0, null, raw);
  return Array.from({ length: raw.offsets.length - 1 }, (_, i) => texts.at(i));
}

/** A table of typed columns that grows by doubling; rows keep their number for good. */
export class Table {
  constructor() {
    this.count = 0;
    /** @type {Map<string, {type: string, data: Values|Texts}>} */
    this.columns = new Map();
  }

  /**
   * The values of a column (longer than `count`), or an empty array when there is no such column. Texts: see `text`.
   * @param {string} name
   * @returns {any}
   */
  get(name) {
    return this.columns.get(name)?.data ?? [];
  }

  /** @param {string} name */
  has(name) {
    return this.columns.has(name);
  }

  /** One text of a column, whichever way it came; "" for none. @returns {string} */
  text(/** @type {string} */ name, /** @type {number} */ row) {
    const data = this.columns.get(name)?.data;
    return data instanceof Texts ? data.at(row) : String(data?.[row] ?? "");
  }

  /** A test whether a row's text holds a query that is in lower case. @returns {(row: number) => boolean} */
  holding(/** @type {string} */ name, /** @type {string} */ query) {
    const data = this.columns.get(name)?.data;
    return data instanceof Texts ? data.holding(query) : (row) => this.text(name, row).toLowerCase().includes(query);
  }

  /** Append rows at `start`; rows already held there are overwritten, so a message heard twice is harmless. */
  append(/** @type {number} */ start, /** @type {number} */ count, columns, buffers) {
    const end = Math.max(this.count, start + count);
    this.#reserve(end);
    for (const [name, col] of Object.entries(columns)) this.#write(name, col, buffers, start, null, count);
    this.count = end;
  }

  /** Change rows: `rows` says which (null: all from the first on), every column holds one value for each. Tells which rows those were, and in which columns one differs now. */
  patch(rows, columns, buffers) {
    const index = rows && decode(rows, buffers);
    const altered = Object.entries(columns).flatMap(([name, col]) => (this.#write(name, col, buffers, 0, index, index ? index.length : this.count) ? [name] : []));
    return { rows: index ?? [], altered };
  }

  #write(name, col, buffers, start, rows, count) {
    const column = this.#column(name, col.t);
    const { data } = column;
    if (data instanceof Texts) {
      data.write(start, rows, col.t === "str" ? rawTexts(col, buffers) : textsOf(decode(col, buffers)));
      return true;
    }
    const values = decode(col, buffers);
    count = Math.min(count, values.length);
    if (!rows && ArrayBuffer.isView(data) && ArrayBuffer.isView(values)) data.set(values.length > count ? values.subarray(0, count) : values, start);
    else if (!rows) for (let i = 0; i < count; i++) data[start + i] = values[i];
    let altered = !rows;
    for (let i = 0; rows && i < count; i++) {
      if (rows[i] >= this.count) continue;
      altered ||= !Object.is(data[rows[i]], values[i]);
      data[rows[i]] = values[i];
    }
    return altered;
  }

  #column(name, type) {
    let column = this.columns.get(name);
    if (!column) {
      column = { type, data: blank(type, this.capacity) };
      this.columns.set(name, column);
    }
    return column;
  }

  capacity = 0;

  #reserve(rows) {
    if (rows <= this.capacity) return;
    // Growth leaves room, less of it for the very large.
    this.capacity = Math.ceil(Math.max(256, rows, this.capacity * (this.capacity < 1 << 19 ? 2 : 1.25)));
    for (const column of this.columns.values()) {
      if (column.data instanceof Texts) column.data.reserve(this.capacity);
      else if (column.type !== "json") {
        const grown = /** @type {any} */ (blank(column.type, this.capacity));
        grown.set(column.data);
        column.data = grown;
      }
    }
  }
}

function blank(type, length) {
  if (type === "json") return [];
  if (type === "str") {
    const texts = new Texts();
    texts.reserve(length);
    return texts;
  }
  const Type = TYPES[type];
  if (!Type) throw new TypeError(`unknown column type ${type}`);
  const data = new Type(length);
  return BLANK[type] === 0 ? data : data.fill(BLANK[type]);
}
