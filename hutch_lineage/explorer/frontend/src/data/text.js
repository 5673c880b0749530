// A column of texts, kept as the bytes it came as: a hundred thousand ids cost their letters, and only those looked at become strings.

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const encoder = new TextEncoder();

export class Texts {
  constructor() {
    this.used = 0;
    this.bytes = new Uint8Array(0);
    /** Where a row's text begins and ends in `bytes`; rows that never came are empty. */
    this.begin = new Uint32Array(0);
    this.end = new Uint32Array(0);
  }

  reserve(/** @type {number} */ rows) {
    if (rows <= this.begin.length) return;
    this.begin = extended(this.begin, rows);
    this.end = extended(this.end, rows);
  }

  #room(/** @type {number} */ more) {
    if (this.used + more > this.bytes.length) this.bytes = extended(this.bytes, Math.max(this.used + more, this.used ? this.bytes.length * 1.5 : 0));
  }

  /** Put texts into rows: `rows` says which, or null for those from `start` on. */
  write(start, rows, /** @type {{bytes: Uint8Array, offsets: Uint32Array}} */ { bytes, offsets }) {
    this.#room(bytes.length);
    this.bytes.set(bytes, this.used);
    const count = rows ? rows.length : offsets.length - 1;
    for (let i = 0; i < count; i++) {
      const row = rows ? rows[i] : start + i; // beyond what is held: no room, so nothing happens
      this.begin[row] = this.used + offsets[i];
      this.end[row] = this.used + offsets[i + 1];
    }
    this.used += bytes.length;
  }

  /** @returns {string} */
  at(/** @type {number} */ row) {
    const end = this.end[row] ?? 0;
    return end ? decoder.decode(this.bytes.subarray(this.begin[row], end)) : "";
  }

  /** A test whether a row's text holds `query` (in lower case already); letters of ASCII are compared without regard to case. */
  holding(/** @type {string} */ query) {
    // Beyond ASCII, case folds in ways that bytes do not show.
    if (/[^\x00-\x7f]/.test(query)) return (/** @type {number} */ row) => this.at(row).toLowerCase().includes(query);
    const wanted = encoder.encode(query);
    const { bytes, begin, end } = this;
    return (/** @type {number} */ row) => {
      for (let at = begin[row], last = end[row] - wanted.length; at <= last; at++) {
        let i = 0;
        while (i < wanted.length && lower(bytes[at + i]) === wanted[i]) i++;
        if (i === wanted.length) return true;
      }
      return false;
    };
  }
}

const lower = (byte) => (byte >= 65 && byte <= 90 ? byte + 32 : byte);

/** A copy of a typed array with room for `length` values. */
export function extended(array, length) {
  const grown = new array.constructor(Math.ceil(length));
  grown.set(array);
  return grown;
}

/** The texts of plain strings, as a message would bring them. */
export function textsOf(/** @type {any[]} */ values) {
  const parts = values.map((value) => encoder.encode(String(value ?? "")));
  const offsets = new Uint32Array(parts.length + 1);
  parts.forEach((part, i) => (offsets[i + 1] = offsets[i] + part.length));
  const bytes = new Uint8Array(offsets[parts.length]);
  parts.forEach((part, i) => bytes.set(part, offsets[i]));
  return { bytes, offsets };
}
