// Answers that follow a growing run: what was found before is kept, and what has come since is added to it.

/** By store and question. @type {WeakMap<object, Map<string, {key: string, revision: number, kept: any, answer: any}>>} */
const all = new WeakMap();

/**
 * The answer to a question, kept until the store or the key is another.
 * @template K, A
 * @param {import("../../data/store.js").Store} store
 * @param {string} question one answer is kept of each
 * @param {string} key what else it depends on
 * @param {() => K} begin what is kept from one answer to the next
 * @param {(kept: K, grown: import("../../data/growth.js").Grown|null) => A} tell `grown` is what has come since the last answer, null where `kept` is new
 * @returns {A}
 */
export function followed(store, question, key, begin, tell) {
  const answers = all.get(store) ?? new Map();
  all.set(store, answers);
  const held = answers.get(question);
  if (held?.key === key && held.revision === store.revision) return held.answer;
  const grown = held?.key === key ? store.growth.since(held.revision) : null;
  const kept = grown ? held.kept : begin();
  answers.delete(question); // should telling fail, nothing half told is left
  const answer = tell(kept, grown);
  answers.set(question, { key, revision: store.revision, kept, answer });
  return answer;
}

/** What an answer depends on beside the tables: who is shown, and the metric. */
export const looksOf = (/** @type {import("../../data/store.js").Store} */ { view, scene }) => `${scene.kind}|${view.run}|${scene.metric?.name}|${scene.lower}`;

/** The first row of which something has changed; 0 where everything is new. */
export const firstRow = (/** @type {import("../../data/growth.js").Grown|null} */ grown) => (grown ? grown.rows.reduce((least, row) => Math.min(least, row), grown.nodes) : 0);

/**
 * Sums over the rows of a table. Those of the rows that have settled are kept; the others are added to a copy of them, in the same order as if
 * all were added: so the sums are the same to the last digit.
 * @template S
 */
export class Running {
  /** Of so many rows at the end something may still come late, as a score does; where an older one changes, all is added up again. */
  static late = 2048;

  /** @param {() => S} begin @param {(sums: S) => S} copy */
  constructor(begin, copy) {
    this.begin = begin;
    this.copy = copy;
    this.sums = begin();
    this.settled = 0;
  }

  /** The sums of `count` rows, of which those before `first` are as they were. @returns {S} */
  of(/** @type {number} */ first, /** @type {number} */ count, /** @type {(sums: S, from: number, to: number) => void} */ add) {
    if (first < this.settled) {
      this.sums = this.begin();
      this.settled = 0;
    }
    const settled = Math.max(this.settled, count - Running.late);
    add(this.sums, this.settled, settled);
    this.settled = settled;
    const sums = this.copy(this.sums);
    add(sums, settled, count);
    return sums;
  }
}
