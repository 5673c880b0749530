// Which operators, and which models, earn their keep: one table each, sorted on click, to be taken away as a file.
import { h, renderer } from "../../frame/dom.js";
import { counted, directed, money, short, signed, tokens, whole } from "../../words/format.js";
import { efficacy, COLUMNS } from "../data/efficacy.js";
import { keyOf } from "../data/population.js";
import { sorted } from "../data/sorted.js";
import { csv, save } from "../files.js";
import { paced } from "../pace.js";
import { heading } from "../parts.js";

/** @typedef {import("../data/efficacy.js").Efficacy} Efficacy */

const percent = (/** @type {number} */ share) => (Number.isNaN(share) ? "–" : `${(100 * share).toFixed(share < 0.0995 && share > 0 ? 1 : 0)}%`);
const gain = (/** @type {number} */ value) => signed(value, 4);
const small = (/** @type {number} */ value) => (Number.isNaN(value) ? "–" : short(value, 4));

/** @type {{key: keyof Efficacy, title: string, hint: string, text(row: Efficacy): string}[]} */
const FIELDS = [
  { key: "tries", title: "tries", hint: "Operators", text: (r) => whole(r.tries) },
  { key: "rate", title: "better", hint: "Improvements per try that could be compared: the child is better than its best parent", text: (r) => percent(r.rate) },
  { key: "medianGain", title: "median gain", hint: "The difference to the best parent in the middle of all: strays do not move it; positive is better", text: (r) => gain(r.medianGain) },
  { key: "meanGain", title: "mean gain", hint: "Mean difference to the best parent; positive is better", text: (r) => gain(r.meanGain) },
  { key: "bestGain", title: "best gain", hint: "The largest difference to the best parent", text: (r) => gain(r.bestGain) },
  { key: "improvements", title: "improved", hint: "Children better than their best parent", text: (r) => `${whole(r.improvements)} of ${whole(r.compared)}` },
  { key: "cost", title: "cost", hint: "Of all tries that say it", text: (r) => money(r.cost) },
  { key: "gainPerUsd", title: "gain per $", hint: "The gains of all improvements with a known cost over the cost of all tries with one", text: (r) => small(r.gainPerUsd) },
  { key: "tokens", title: "tokens", hint: "In and out, of all tries that say them", text: (r) => tokens(r.tokens) },
  { key: "gainPerKtoken", title: "gain per 1k tokens", hint: "The gains of all improvements with known tokens over the tokens of all tries with them", text: (r) => small(r.gainPerKtoken) },
];

export class EfficacyPanel {
  constructor(/** @type {import("../../data/store.js").Store} */ store, /** @type {any} */ app) {
    this.store = store;
    this.app = app;
    this.sort = { key: /** @type {keyof Efficacy} */ ("rate"), down: true };
    this.key = "";
    this.element = h("div.efficacy");
    this.render = renderer(this.element);
    this.work = paced(app, () => this.#draw());
  }

  update() {
    this.work();
  }

  #draw() {
    const { store } = this;
    const key = [keyOf(store), this.sort.key, this.sort.down, store.view.query].join("|");
    if (key === this.key) return;
    this.key = key;
    const tables = [
      { title: "By operator", by: /** @type {const} */ ("operator"), rows: efficacy(store, "operator") },
      { title: "By model", by: /** @type {const} */ ("model"), rows: efficacy(store, "model") },
    ];
    this.render([tables.map((t) => t.rows), this.sort, store.scene.metric?.name, store.view.query], () => this.#content(tables));
  }

  #content(tables) {
    const { metric } = this.store.scene;
    const tries = tables[0].rows.reduce((sum, row) => sum + row.tries, 0);
    if (!tries) return [h("p.mute.hint", null, "No operator has been logged yet.")];
    const sum = (/** @type {keyof Efficacy} */ key) => tables[0].rows.reduce((total, row) => total + (row[key] || 0), 0);
    const compared = sum("compared");
    const unpriced = sum("unknownCost");
    const notes = [
      compared < tries && `${counted(tries - compared, "try", "tries")} could not be compared: the child or all its parents have no score`,
      unpriced > 0 && `${counted(unpriced, "try", "tries")} without a price`,
    ].filter(Boolean);
    return [
      h("div.big", null, h("b", null, compared ? percent(sum("improvements") / compared) : "–"), h("span.mute", null, `of ${counted(compared, "try", "tries")} improved`)),
      metric && h("p.sums.mute", null, `on the best parent, by ${directed(metric)}; a positive gain is better`),
      ...tables.flatMap((table) => this.#table(table)),
      notes.length > 0 && h("p.note", null, `${notes.join(" · ")}.`),
    ].filter(Boolean);
  }

  #table({ title, by, rows }) {
    const { store } = this;
    const { key, down } = this.sort;
    // They come by name, so equals stay in that order.
    const inOrder = Array.from(sorted([...rows.keys()], { number: key !== "name", value: (i) => rows[i][key] }, down), (i) => rows[i]);
    const fields = FIELDS.filter(({ key }) => rows.some((row) => !Number.isNaN(row[key])));
    const head = (/** @type {keyof Efficacy} */ key, /** @type {string} */ text, /** @type {string} */ hint) => {
      const on = this.sort.key === key;
      return h("th", { scope: "col", "aria-sort": on ? (this.sort.down ? "descending" : "ascending") : "none" },
        h("button", { title: hint, onclick: () => this.#by(key) }, text, on && h("i", { "aria-hidden": "true" }, this.sort.down ? " ▾" : " ▴")));
    };
    return [
      h("div.titled", null, heading(title), h("span.spring"), h("button.link", { title: `Save the table as ${by}-efficacy.csv`, onclick: () => save(`${by}-efficacy.csv`, csv(Object.values(COLUMNS), inOrder.map((row) => Object.keys(COLUMNS).map((key) => row[key])))) }, "CSV")),
      h("div.wide", { tabindex: "0", role: "region", "aria-label": `Efficacy ${title.toLowerCase()}` }, h("table.sums.sticky", null,
        h("thead", null, h("tr", null, head("name", by, `Sort by ${by}`), fields.map((f) => head(f.key, f.title, f.hint)))),
        h("tbody", null, inOrder.map((row) => {
          const bar = h("i.share");
          bar.style.width = `${Math.max(1, 100 * (row.rate || 0))}%`;
          const known = row.key >= 0;
          const on = known && store.view.query === row.name;
          return h("tr", null,
            h("td", null, h("button.maker", { disabled: !known, "aria-pressed": String(on), title: known ? (on ? "Clear the search" : `Find all made by ${row.name}, coloured by ${by}`) : null, onclick: () => store.setView(on ? { query: "" } : { query: row.name, colour: by }) }, h("span.wrap", null, row.name)), bar),
            fields.map((f) => h("td", { class: /Gain$/.test(f.key) ? (row[f.key] > 0 ? "hl-good" : row[f.key] < 0 ? "hl-bad" : null) : null },
              f.key === "bestGain" && row.bestChild >= 0 ? h("button.link.plain", { title: `Select ${store.id(row.bestChild)}`, "data-row": row.bestChild, onclick: () => this.app.show(row.bestChild) }, f.text(row)) : f.text(row))));
        })))),
    ];
  }

  #by(/** @type {keyof Efficacy} */ key) {
    this.sort = { key, down: this.sort.key === key ? !this.sort.down : key !== "name" };
    this.key = "";
    this.#draw();
  }

  destroy() {
    this.work.stop();
  }
}
