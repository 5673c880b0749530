// The diff in full: the operator's own, or the genome against a parent, the best, the seed or any other individual.
import { tally } from "../words/diff.js";
import { fillSelect, h, renderer } from "../frame/dom.js";
import { factsOf, gainText, scoreText } from "../words/facts.js";
import { counted } from "../words/format.js";
import { pathTo } from "../lineage/lineage.js";
import { changesOf, diffText } from "./changes.js";
import { diffView } from "./diffview.js";
import { idField } from "./idfield.js";
import { copyButton, idChip, nothing, waiting } from "./parts.js";

let serial = 0;

export class DiffPanel {
  constructor(/** @type {import("../data/store.js").Store} */ store, /** @type {any} */ app) {
    this.store = store;
    this.app = app;
    this.row = -1;
    this.compare = store.view.compare;
    this.wanted = "";
    this.against = h("select", { "aria-label": "Compare against", onchange: () => this.#want(this.against.value) });
    this.id = idField(store, { label: "Id of another to compare against", pick: (row) => this.#want(String(row)) });
    this.split = this.#option("side by side", false);
    this.whole = this.#option("all lines", false);
    this.spaces = this.#option("white space", true);
    this.controls = h("div.controls", null, h("label.chip.menu", null, h("span", null, "against: "), this.against), this.id, this.split.element, this.whole.element, this.spaces.element);
    this.head = h("div");
    this.out = h("div");
    this.element = h("div.diff", null, this.head, this.controls, this.out);
    this.renderHead = renderer(this.head);
    this.render = renderer(this.out);
  }

  #option(text, checked) {
    const box = h("input", { type: "checkbox", id: `hl-diff-${++serial}`, checked, onchange: () => this.update() });
    return { box, element: h("label.check", null, box, ` ${text}`) };
  }

  /** Another one to compare with becomes the one of the whole explorer; parents and the operator's diff are of this panel alone. */
  #want(/** @type {string} */ wanted) {
    this.wanted = wanted;
    const row = wanted === "operator" ? -1 : +wanted;
    if (row >= 0 && !this.store.links.parents(this.row).includes(row)) {
      this.compare = row;
      this.store.setView({ compare: row });
    }
    this.update();
  }

  update() {
    const { store } = this;
    const row = store.selected < store.nodes.count ? store.selected : -1;
    if (row !== this.row) this.wanted = "";
    if (store.view.compare !== this.compare && store.view.compare >= 0) this.wanted = String(store.view.compare);
    this.row = row;
    this.compare = store.view.compare;
    this.controls.hidden = row < 0;
    if (row < 0) {
      this.renderHead([], () => []);
      return this.render([], () => [nothing("what changed in it")]);
    }
    if (this.wanted === String(row)) this.wanted = "";
    const detail = store.detail(row);
    const change = changesOf(store, row, this.wanted, { whitespace: this.spaces.box.checked });
    fillSelect(this.against, this.#options(row, detail, change.other), change.source);
    this.#title(row, change);
    const [split, folded] = [this.split.box.checked, !this.whole.box.checked];
    this.render([row, change.source, change.ready, detail, split, folded, change.missing], () => this.#lines(row, detail, change, split, folded));
  }

  #options(row, detail, other) {
    const { store } = this;
    const { scene, links } = store;
    const parents = links.parents(row).filter((p) => p !== row);
    const path = pathTo(links, row, scene.score, scene.lower).rows;
    /** @type {Map<string, string>} */
    const options = new Map();
    const add = (/** @type {number} */ at, /** @type {string} */ word) => at >= 0 && at !== row && at < store.nodes.count && !options.has(String(at)) && options.set(String(at), `${store.id(at)} (${word})`);
    if (diffText(detail)) options.set("operator", scene.kind === "agent" ? "its own patch" : "the operator's own diff");
    parents.forEach((p, i) => add(p, parents.length > 1 ? (i ? `parent ${i + 1}` : "first parent") : "parent"));
    add(path[0], "seed of its path");
    add(scene.path.best, "best");
    add(store.view.compare, "compared");
    add(other, "compared");
    return [...options].map(([value, text]) => ({ value, text }));
  }

  #title(row, change) {
    const { store, app } = this;
    const { score, lower, metric } = store.scene;
    const f = factsOf(store, row);
    const gain = change.other >= 0 ? (lower ? -1 : 1) * (f.score - (score[change.other] ?? NaN)) : NaN;
    this.renderHead([row, change.other, f.score, gain, metric?.name], () => {
      const told = gainText(store, gain);
      return [
        h("div.who", null, change.other >= 0 && idChip(store, app, change.other), change.other >= 0 && h("span.mute", null, "→"), h("span.id", null, f.id)),
        !Number.isNaN(gain) && h("div.versus", null, h("span.mute", null, `${metric?.name} `), scoreText(store, score[change.other]), h("span.mute", null, " → "), h("b", null, scoreText(store, f.score)), " ", h(`span.${told.tone}`, null, told.text)),
      ].filter(Boolean);
    });
  }

  #lines(row, detail, change, split, folded) {
    const { store } = this;
    if (!detail) return [waiting(store, row)];
    if (change.missing.length) return [waiting(store, change.missing[0])];
    if (!change.lines) {
      const why = {
        "no genome": "No genome was logged for this one, and no diff.",
        "no other genome": `No genome was logged for ${store.id(change.other)}.`,
        "too long": "The genomes are too long to compare here.",
      }[change.ready] ?? "A seed: it has no parent. Choose another one to compare with above.";
      return [h("p.mute.hint", null, why)];
    }
    const { added, removed } = tally(change.lines);
    if (!added && !removed && change.source !== "operator") return [h("p.mute.hint", null, this.spaces.box.checked ? "No line differs." : "No line differs but for white space.")];
    return [
      h("div.tally", null, h("span.good", null, `+${added}`), " ", h("span.bad", null, `−${removed}`), h("span.mute", null, ` ${counted(added + removed, "line")} changed`), h("span.spring"), copyButton(() => asText(change.lines), "Copy diff")),
      ...diffView(change.lines, { split, folded, language: detail.genome_lang }),
    ];
  }
}

const SIGNS = { add: "+", del: "-", same: " ", head: "", skip: "" };
const asText = (lines) => lines.map((l) => SIGNS[l.kind] + l.text).join("\n");
