// The way through the pictures: what narrows or arranges them, and who was selected. Back and forward, as in a browser.

/** Fields of the view that make another picture; the search and the open panel do not. */
const FIELDS = ["kind", "run", "layout", "best", "colour", "scale", "size", "edges", "focus", "hidden", "ranges", "collapsed", "chains", "dead_ends", "compare"];
const LIMIT = 200;
/** Selections, or ranges, that follow each other faster than this are a walk and count as one. */
const WALK_MS = 1000;

export class History {
  /** @param {import("../data/store.js").Store} store @param {() => number} now */
  constructor(store, now = () => performance.now()) {
    this.store = store;
    this.now = now;
    /** @type {{view: any, selected: number, key: string, rest: string, when: number}[]} */
    this.entries = [];
    this.at = -1;
    this.record();
  }

  /** Note where we are, if it is somewhere else than before. */
  record() {
    const { view, selected } = this.store;
    const kept = Object.fromEntries(FIELDS.map((name) => [name, view[name]]));
    const key = JSON.stringify(kept);
    const rest = JSON.stringify({ ...kept, ranges: 0 });
    const here = this.entries[this.at];
    if (here && here.key === key && here.selected === selected) return;
    const entry = { view: kept, selected, key, rest, when: this.now() };
    const before = this.entries[this.at - 1];
    this.entries.length = this.at + 1;
    // Walking on: the last step is replaced, unless it is where the picture itself changed.
    if (here && before && here.rest === rest && before.rest === rest && (here.key === key ? before.key === key : before.key !== here.key) && entry.when - here.when < WALK_MS) this.entries[this.at] = entry;
    else this.entries.push(entry);
    if (this.entries.length > LIMIT) this.entries.shift();
    this.at = this.entries.length - 1;
  }

  can(/** @type {-1|1} */ step) {
    return this.at + step in this.entries;
  }

  go(/** @type {-1|1} */ step) {
    if (!this.can(step)) return false;
    this.record();
    this.at += step;
    const { view, selected } = this.entries[this.at];
    this.store.setView(view);
    this.store.select(selected < this.store.nodes.count ? selected : -1);
    return true;
  }
}
