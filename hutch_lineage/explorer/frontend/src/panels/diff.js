// The diff in full: the operator's, or the genome against any parent.
import { hunks, tally } from "../diff.js";
import { fillSelect, h, renderer } from "../dom.js";
import { factsOf, gainText, scoreText } from "../facts.js";
import { counted } from "../format.js";
import { changesOf, diffText } from "./changes.js";
import { copyButton, diffLines, idChip, nothing, waiting } from "./parts.js";

const SCREEN = 400;

export class DiffPanel {
  constructor(/** @type {import("../store.js").Store} */ store, /** @type {any} */ app) {
    this.store = store;
    this.app = app;
    this.row = -1;
    this.wanted = "";
    this.whole = false;
    this.limit = SCREEN;
    this.against = h("select", { "aria-label": "Compare against", onchange: () => { this.wanted = this.against.value; this.update(); } });
    this.all = h("input", { type: "checkbox", id: `hl-whole-${Math.random().toString(36).slice(2)}`, onchange: () => { this.whole = this.all.checked; this.update(); } });
    this.controls = h("div.controls", null, h("label.chip.menu", null, h("span", null, "against: "), this.against), h("label.check", null, this.all, " all lines"));
    this.head = h("div");
    this.out = h("div");
    this.element = h("div.diff", null, this.head, this.controls, this.out);
    this.renderHead = renderer(this.head);
    this.render = renderer(this.out);
  }

  update() {
    const { store, app } = this;
    const row = store.selected;
    if (row !== this.row) {
      this.row = row;
      this.wanted = "";
      this.limit = SCREEN;
    }
    this.controls.hidden = row < 0;
    if (row < 0) {
      this.renderHead([], () => []);
      return this.render([], () => [nothing("what changed in it")]);
    }
    const detail = store.detail(row);
    const parents = store.links.parents(row).filter((p) => p !== row);
    const text = diffText(detail);
    const change = changesOf(store, row, this.wanted);
    const options = [text && { value: "operator", text: "the operator's own diff" }, ...parents.map((p, i) => ({ value: String(p), text: `${store.id(p)}${parents.length > 1 ? (i ? ` (parent ${i + 1})` : " (first parent)") : ""}` }))].filter(Boolean);
    this.controls.hidden = !options.length;
    fillSelect(this.against, /** @type {any} */ (options), change.source);
    const f = factsOf(store, row);
    this.renderHead([row, change.parent, store.revision, store.scene.metric?.name], () => {
      const score = store.scene.score;
      const gain = change.parent >= 0 ? (store.scene.lower ? -1 : 1) * (f.score - (score[change.parent] ?? NaN)) : NaN;
      const told = gainText(store, gain);
      return [
        h("div.who", null, change.parent >= 0 && idChip(store, app, change.parent), change.parent >= 0 && h("span.mute", null, "→"), h("span.id", null, f.id)),
        !Number.isNaN(gain) && h("div.versus", null, scoreText(store, score[change.parent]), h("span.mute", null, " → "), h("b", null, scoreText(store, f.score)), " ", h(`span.${told.tone}`, null, told.text)),
      ].filter(Boolean);
    });
    this.render([row, change.source, change.ready, detail, this.whole, this.limit, parents.length], () => this.#lines(row, detail, change, parents));
  }

  #lines(row, detail, change, parents) {
    const { store } = this;
    if (!detail) return [waiting(store, row)];
    if (change.missing.length) return [waiting(store, change.missing[0])];
    if (!change.lines) {
      const why = !parents.length ? "A seed: there is no parent to compare with." : change.ready === "too long" ? "The genomes are too long to compare here." : "No diff and no genomes were logged for these two.";
      return [h("p.mute.hint", null, why)];
    }
    const { added, removed } = tally(change.lines);
    if (!added && !removed && change.source !== "operator") return [h("p.mute.hint", null, "No line differs.")];
    const lines = this.whole ? change.lines : hunks(change.lines);
    return [
      h("div.tally", null, h("span.good", null, `+${added}`), " ", h("span.bad", null, `−${removed}`), h("span.mute", null, ` ${counted(added + removed, "line")} changed`), h("span.spring"), copyButton(() => asText(change.lines), "Copy diff")),
      ...diffLines(lines, this.limit, () => { this.limit += 5 * SCREEN; this.update(); }),
    ];
  }
}

const SIGNS = { add: "+", del: "-", same: " ", head: "", skip: "" };
const asText = (lines) => lines.map((l) => SIGNS[l.kind] + l.text).join("\n");
