// What the search finds among those that are not shown: how many, why they are not, and the way to show them.
import { h, renderer } from "../frame/dom.js";
import { HIDEABLE, KINDS } from "../data/protocol.js";
import { HIDDEN } from "../lineage/visible.js";
import { search } from "../picture/scene.js";
import { counted, whole } from "../words/format.js";
import { Popover } from "./popover.js";

/** @typedef {import("../data/protocol.js").View} View */
/** @typedef {{text: string, act: string, patch: Partial<View>}} Reason what is said, and what shows them */

const PLAIN = /** @type {[number, string, string, Partial<View>][]} */ ([
  [HIDDEN.range, "outside a range", "End the ranges", { ranges: {} }],
  [HIDDEN.missing, "without a value for a range", "End the ranges", { ranges: {} }],
  [HIDDEN.deadEnd, "dead ends", "Show dead ends", { dead_ends: false }],
  [HIDDEN.collapsed, "in folded subtrees", "Unfold", { collapsed: [] }],
  [HIDDEN.noImprovement, "no improvement", "Show all", { focus: null }],
  [HIDDEN.chain, "in folded chains", "Unfold", { chains: false }],
]);

/**
 * Rows that a search finds and that are not shown, by reason.
 * @param {import("../data/store.js").Store} store
 * @returns {{total: number, reasons: Reason[]}}
 */
export function beyond(store) {
  const { nodes, view, scene } = store;
  const query = view.query.trim().toLowerCase();
  if (!query) return { total: 0, reasons: [] };
  const { visible } = scene.index;
  const { why } = scene.shown;
  const [kinds, runs] = [nodes.get("kind"), nodes.get("run")];
  const rows = [];
  for (let row = 0; row < nodes.count; row++) if (!visible[row]) rows.push(row);
  const found = search(store, rows, query);
  const counts = new Map();
  const count = (/** @type {string|number} */ reason) => counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const wanted = KINDS[scene.kind];
  const run = view.run == null ? -1 : store.categories.run.indexOf(view.run);
  const named = found.filter((row) => why[row] === HIDDEN.name);
  for (const row of found) {
    if (why[row] !== HIDDEN.elsewhere) count(why[row]);
    else count(`${kinds[row] === wanted ? "" : "kind"}${run < 0 || runs[row] === run ? "" : "run"}`);
  }
  const other = scene.kind === "agent" ? "individual" : "agent";
  const kind = { kind: /** @type {View["kind"]} */ (other), focus: null };
  const told = (reason, text, act, patch) => (counts.has(reason) ? [{ text: text(counts.get(reason)), act, patch }] : []);
  const reasons = [
    ...told(HIDDEN.name, (n) => `${whole(n)} hidden by the legend`, "Show their names", { hidden: unhidden(store, named) }),
    ...PLAIN.flatMap(([reason, words, act, patch]) => told(reason, (n) => `${whole(n)} ${words}`, act, patch)),
    ...told("kind", (n) => counted(n, other), `Show ${other}s`, kind),
    ...told("run", (n) => `${whole(n)} in other runs`, "Show all runs", { run: null, focus: null }),
    ...told("kindrun", (n) => `${counted(n, other)} in other runs`, `Show ${other}s of all runs`, { ...kind, run: null }),
  ];
  return { total: found.length, reasons };
}

/** The hidden names without those of some rows. */
function unhidden(store, /** @type {number[]} */ rows) {
  return Object.fromEntries(Object.entries(store.view.hidden).map(([list, names]) => {
    const values = store.nodes.get(HIDEABLE[list]);
    const met = new Set(rows.map((row) => store.category(list, values[row] ?? -1)));
    return [list, names.filter((name) => !met.has(name))];
  }));
}

export class Beyond {
  /** @param {import("../data/store.js").Store} store @param {import("../frame/toolbar.js").Toolbar} toolbar */
  constructor(store, toolbar) {
    this.store = store;
    this.reasons = /** @type {Reason[]} */ ([]);
    this.button = h("button.link.beyond", { hidden: true });
    this.render = renderer(this.button);
    this.popover = new Popover("Found, but not shown", this.button, () => this.reasons.map(({ text, act, patch }) => h("div.reason-row", null, h("span", null, text), h("button.link", { onclick: () => store.setView(patch) }, act))));
    this.query = toolbar.query;
    toolbar.searchbox.append(this.button);
    /** What the count was made of. */
    this.known = /** @type {any[]} */ ([]);
  }

  update() {
    const { store } = this;
    const known = [store.view.query, store.scene.index, store.revision];
    if (known.every((each, i) => each === this.known[i])) return;
    this.known = known;
    const before = JSON.stringify(this.reasons);
    const { total, reasons } = beyond(store);
    this.reasons = reasons;
    this.button.hidden = !total;
    if (!total) return this.#end();
    const title = `${counted(total, "match", "matches")} not shown: why, and how to show them`;
    this.button.setAttribute("aria-label", title);
    this.button.title = title;
    this.render([total], () => [`+${whole(total)}`, h("span", null, " hidden")]);
    if (this.popover.open && JSON.stringify(reasons) !== before) this.popover.refresh();
  }

  /** All are shown: the sheet has nothing more to offer, and gives the keyboard back. */
  #end() {
    const held = this.popover.element.contains(document.activeElement);
    this.popover.close();
    if (held) this.query.focus({ preventScroll: true });
  }

  destroy() {
    this.popover.close();
  }
}
