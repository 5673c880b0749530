// Agents that changed themselves: the tree of modifications, with what the overseer said and how the score changed.
import { h, renderer } from "../../frame/dom.js";
import { counted, money, number, signed, whole } from "../../words/format.js";
import { agentTree, lineOf, tallyOf } from "../data/agents.js";
import { choice } from "./chart.js";
import { paced } from "../pace.js";
import { Rows } from "../rows.js";

const ROW = 42;
/** How far a child stands to the right of its parent, and all of them together at most: CSS pixels. */
const INDENT = 13;
const ALL_INDENTS = 84;
const SIGNS = { accepted: "✓", rejected: "✕", pending: "…", "": "" };

export class AgentsPanel {
  constructor(/** @type {import("../../data/store.js").Store} */ store, /** @type {any} */ app) {
    this.store = store;
    this.app = app;
    this.wanted = "all";
    this.key = "";
    /** @type {import("../data/agents.js").Agent[]} */
    this.tree = [];
    this.shown = this.tree;
    this.line = new Set();
    this.indent = INDENT;
    this.head = h("div");
    this.renderHead = renderer(this.head);
    this.list = h("div.scroll.agents", { tabindex: "0", role: "tree", "aria-label": "Agents", onkeydown: (e) => this.#keys(e) });
    this.rows = new Rows(this.list, ROW, (at) => this.#row(this.shown[at]));
    this.element = h("div.agentpanel", null, this.head, this.list);
    this.work = paced(app, () => this.#draw());
  }

  update(/** @type {Set<string>} */ changes) {
    if (changes.size === 1 && changes.has("select")) this.rows.paint();
    else this.work();
  }

  #draw() {
    const { store } = this;
    const key = [store.revision, store.view.run, this.wanted, store.scene.kind].join("|");
    if (key !== this.key) {
      this.key = key;
      this.tree = agentTree(store);
      const best = this.#best();
      this.line = best < 0 ? new Set() : lineOf(this.tree, best);
      const keep = { all: () => true, accepted: (a) => a.verdict === "accepted" || !a.verdict, rejected: (a) => a.verdict === "rejected", line: (a) => this.line.has(a.row) }[this.wanted];
      this.shown = this.tree.filter(/** @type {any} */ (keep));
      this.indent = Math.min(INDENT, ALL_INDENTS / this.shown.reduce((most, agent) => Math.max(most, agent.depth), 1));
      this.rows.size(this.shown.length);
      const tally = tallyOf(this.tree);
      this.renderHead([Object.values(tally), this.wanted, this.line.size], () => this.#words(tally));
      this.list.hidden = !this.tree.length;
    }
    this.rows.paint();
  }

  /** The agent whose line is marked: the one with the best score after its modification that was not rejected. */
  #best() {
    let best = -1;
    let top = NaN;
    const { path, kind, score } = this.store.scene;
    if (kind === "agent" && path.best >= 0) return path.best;
    for (const { row, verdict, after } of this.tree) {
      const value = Number.isNaN(after) && kind === "agent" ? (score[row] ?? NaN) : after;
      if (verdict !== "rejected" && !Number.isNaN(value) && !(value <= top)) [best, top] = [row, value];
    }
    return best;
  }

  #words(tally) {
    if (!tally.agents) return [h("p.mute.hint", null, "No agent has changed itself in this run.")];
    return [
      h("div.big", null, h("b", null, whole(tally.agents)), h("span.mute", null, tally.agents === 1 ? "agent" : "agents")),
      h("p.sums", null,
        h("span.good", null, `${whole(tally.accepted)} accepted`), " · ", h("span.bad", null, `${whole(tally.rejected)} rejected`),
        tally.pending > 0 && h("span.mute", null, ` · ${whole(tally.pending)} pending`),
        tally.priced > 0 && h("span.mute", null, ` · ${money(tally.cost)}`)),
      h("div.controls", null, choice("Show", [["all", "all"], ["accepted", "accepted"], ["rejected", "rejected"], ...(this.line.size > 1 ? [/** @type {[string, string]} */ (["line", "line of the best"])] : [])], this.wanted, (wanted) => {
        this.wanted = wanted;
        this.key = "";
        this.list.scrollTop = 0;
        this.#draw();
      })),
      this.wanted !== "all" && h("p.note", null, `${counted(this.shown.length, "agent")} of ${whole(tally.agents)}.`),
    ];
  }

  #row(/** @type {import("../data/agents.js").Agent} */ agent) {
    const { store, app } = this;
    const { row, depth, verdict, before, after, benchmark, target, cost, also } = agent;
    const gain = after - before;
    const tone = gain > 0 ? "good" : gain < 0 ? "bad" : "mute";
    const own = store.scene.kind === "agent" ? (store.scene.score[row] ?? NaN) : NaN;
    const scores = Number.isNaN(after) ? (Number.isNaN(own) ? null : h("span", null, number(own, 3))) : h("span", null, Number.isNaN(before) ? "" : `${number(before, 3)} → `, h("b", null, number(after, 3)), !Number.isNaN(gain) && gain !== 0 && h(`span.${tone}`, null, ` ${signed(gain, 3)}`));
    const more = [benchmark, target, !Number.isNaN(cost) && money(cost), also > 0 && `+${counted(also, "parent")}`].filter(Boolean).join(" · ");
    const element = h("div", {
      role: "treeitem", "aria-level": depth + 1, "aria-selected": String(row === store.selected), "data-row": row, "data-node": store.id(row),
      class: `hl-agentrow${verdict ? ` hl-${verdict}` : ""}${row === store.selected ? " hl-on" : ""}${this.line.has(row) ? " hl-inline" : ""}`,
      title: depth > 1 ? `${whole(depth)} modifications from its root` : null, onclick: () => app.show(row),
    },
    h("i.sign", { "aria-label": verdict || "root" }, SIGNS[verdict] || "●"),
    h("div.agenttext", null,
      h("div.agentline", null, h("span.id", null, store.id(row)), h("span.spring"), scores),
      h("div.agentline.mute", null, h("span.cut", null, [verdict || (depth ? "" : "root"), more].filter(Boolean).join(" · ")))));
    element.style.paddingLeft = `${4 + this.indent * depth}px`;
    return element;
  }

  #keys(e) {
    const step = { ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity }[e.key];
    if (!step || !this.shown.length) return;
    e.preventDefault();
    const at = this.shown.findIndex((agent) => agent.row === this.store.selected);
    const next = Math.min(this.shown.length - 1, Math.max(0, at + step));
    this.app.show(this.shown[next].row);
    this.rows.reveal(next);
  }

  destroy() {
    this.work.stop();
    this.rows.stop();
  }
}
