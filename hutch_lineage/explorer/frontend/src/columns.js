// Columns as they come over the wire, and the growing tables that hold them.

/** @typedef {{t: "f4"|"f8"|"i4"|"u4"|"u2"|"u1"|"str"|"json", b?: number, o?: number, v?: any[]}} Col */
/** @typedef {Float32Array|Float64Array|Int32Array|Uint32Array|Uint16Array|Uint8Array|any[]} Values */

const TYPES = { f4: Float32Array, f8: Float64Array, i4: Int32Array, u4: Uint32Array, u2: Uint16Array, u1: Uint8Array };
/** What a row holds in a column that came later than the row. */
const BLANK = { f4: NaN, f8: NaN, i4: -1, u4: 0, u2: 0, u1: 0, str: "", json: null };

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

/**
 * The values of a column. Shares the memory of its buffer where that is aligned and copies it where not.
 * @param {Col} col
 * @param {any[]} buffers
 * @returns {Values}
 */
export function decode(col, buffers) {
  if (col.t === "json") return col.v ?? [];
  if (col.t === "str") return texts(bytesOf(buffers[col.b ?? -1]), /** @type {any} */ (decode({ t: "u4", b: col.o }, buffers)));
  const Type = TYPES[col.t];
  if (!Type) throw new TypeError(`unknown column type ${col.t}`);
  let bytes = bytesOf(buffers[col.b ?? -1]);
  if (bytes.byteOffset % Type.BYTES_PER_ELEMENT) bytes = bytes.slice();
  return new Type(bytes.buffer, bytes.byteOffset, Math.floor(bytes.byteLength / Type.BYTES_PER_ELEMENT));
}

/** Texts from their UTF-8 and where each begins in it. */
function texts(/** @type {Uint8Array} */ bytes, /** @type {Uint32Array} */ offsets) {
  const decoder = new TextDecoder();
  const whole = decoder.decode(bytes);
  const slice = whole.length === bytes.length ? (a, b) => whole.slice(a, b) : (a, b) => decoder.decode(bytes.subarray(a, b));
  return Array.from({ length: Math.max(0, offsets.length - 1) }, (_, i) => slice(offsets[i], offsets[i + 1]));
}

/** A table of typed columns that grows by doubling; rows keep their number for good. */
export class Table {
  constructor() {
    this.count = 0;
    /** @type {Map<string, {type: string, data: Values}>} */
    this.columns = new Map();
  }

  /**
   * The values of a column (longer than `count`), or an empty array when there is no such column.
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

  /** Append rows at `start`; rows already held there are overwritten, so a message heard twice is harmless. */
  append(/** @type {number} */ start, /** @type {number} */ count, columns, buffers) {
    const end = Math.max(this.count, start + count);
    this.#reserve(end);
    for (const [name, col] of Object.entries(columns)) {
      const values = decode(col, buffers);
      const target = this.#column(name, col.t).data;
      for (let i = 0; i < count; i++) target[start + i] = values[i];
    }
    this.count = end;
  }

  /** Change single rows: `rows` says which, every column holds one value for each. Without `rows`: the first rows, as many as there are values. */
  patch(rows, columns, buffers) {
    if (!rows) {
      for (const [name, col] of Object.entries(columns)) {
        const values = decode(col, buffers);
        const target = this.#column(name, col.t).data;
        for (let i = 0; i < Math.min(this.count, values.length); i++) target[i] = values[i];
      }
      return null;
    }
    const index = decode(rows, buffers);
    for (const [name, col] of Object.entries(columns)) {
      const values = decode(col, buffers);
      const target = this.#column(name, col.t).data;
      for (let i = 0; i < index.length; i++) if (index[i] < this.count) target[index[i]] = values[i];
    }
    return index;
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
    this.capacity = Math.max(256, rows, this.capacity * 2);
    for (const column of this.columns.values()) {
      if (isText(column.type)) continue;
      const grown = /** @type {any} */ (blank(column.type, this.capacity));
      grown.set(column.data);
      column.data = grown;
    }
  }
}

const isText = (/** @type {string} */ type) => type === "json" || type === "str";

function blank(type, length) {
  if (isText(type)) return [];
  const data = new TYPES[type](length);
  return BLANK[type] === 0 ? data : data.fill(BLANK[type]);
}
