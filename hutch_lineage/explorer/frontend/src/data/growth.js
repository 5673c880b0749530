// How the tables grew, message by message: what follows from them is then extended by what is new instead of made anew.

/** So many messages are remembered; who is further behind begins anew. */
const MOST = 64;

/**
 * What is new since a revision: what each table holds from a number on, and the older rows, edges and operators of which something changed.
 * @typedef {{nodes: number, edges: number, operators: number, makers: number, rows: number[], tied: number[], made: number[]}} Grown
 */
const PATCHED = /** @type {const} */ ({ nodes: "rows", edges: "tied", operators: "made" });

/** A step from here, in which nothing has changed yet. @returns {Grown} */
export const stepFrom = ({ nodes, edges, operators, makers }) => ({ nodes: nodes.count, edges: edges.count, operators: operators.count, makers: makers.count, rows: [], tied: [], made: [] });

/** Some rows of a table have changed. */
export function altered(/** @type {Grown} */ step, /** @type {string} */ table, /** @type {Iterable<number>} */ rows) {
  for (const row of rows) step[PATCHED[table]]?.push(row);
}

export class Growth {
  constructor() {
    /** @type {(Grown & {revision: number})[]} */
    this.steps = [];
  }

  /** A step to `revision`; null where what was known holds no longer. */
  note(/** @type {number} */ revision, /** @type {Grown|null} */ step) {
    if (!step) this.steps = [];
    else if (this.steps.push({ ...step, revision }) > MOST) this.steps.shift();
  }

  /** What came after `revision`; null where that is not known. @returns {Grown|null} */
  since(/** @type {number} */ revision) {
    const at = this.steps.findIndex((step) => step.revision === revision + 1);
    if (at < 0) return null;
    const first = this.steps[at];
    const since = { ...first };
    for (const [table, name] of Object.entries(PATCHED)) since[name] = [...new Set(this.steps.slice(at).flatMap((step) => step[name]))].filter((row) => row < first[table]);
    return since;
  }
}

/** A column for `count` rows that begins as `held`: in the same memory where there is room. @template {Uint8Array|Int32Array|Float32Array|Float64Array} T @returns {T} */
export function longer(/** @type {T} */ held, /** @type {number} */ count) {
  const Type = /** @type {any} */ (held.constructor);
  const { buffer, byteOffset, BYTES_PER_ELEMENT } = held;
  if (byteOffset + count * BYTES_PER_ELEMENT <= buffer.byteLength) return new Type(buffer, byteOffset, count);
  const grown = new Type(new ArrayBuffer(Math.ceil(count * 1.25 + 256) * BYTES_PER_ELEMENT), 0, count);
  grown.set(held);
  return grown;
}
