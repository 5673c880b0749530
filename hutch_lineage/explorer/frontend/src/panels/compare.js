// Two individuals: where they parted, by what steps, how they differ in metrics, cost, what is said of them and in code.
import { compareTwo } from "../lineage/common.js";
import { fillSelect, h, renderer } from "../frame/dom.js";
import { badges, factsOf, gainText } from "../words/facts.js";
import { counted, directed, money, short, signed, tokens, whole } from "../words/format.js";
import { gainOnParents } from "../lineage/lineage.js";
import { changesOf } from "./changes.js";
import { diffView } from "./diffview.js";
import { Grid } from "./grid.js";
import { idField } from "./idfield.js";
import { nodeColumns } from "./nodecolumns.js";
import { heading, idChip, waiting } from "./parts.js";

/** Steps of a line that are shown; the others are counted between them. */
const STEPS = 8;

export class ComparePanel {
  constructor(/** @type {import("../data/store.js").Store} */ store, /** @type {any} */ app) {
    this.store = store;
    this.app = app;
    this.quick = h("select", { "aria-label": "The other one", onchange: () => this.quick.value && this.#other(+this.quick.value) });
    this.id = idField(store, { label: "Id of the other one", pick: (row) => this.#other(row) });
    this.swap = h("button.link", { title: "The other one becomes the selected one", onclick: () => this.#swap() }, "Swap");
    this.controls = h("div.controls", null, h("label.chip.menu", null, h("span", null, "with: "), this.quick), this.id, this.swap);
    this.out = h("div");
    this.group = h("div.group", { hidden: true });
    this.element = h("div.compare", null, this.group, this.controls, this.out);
    this.render = renderer(this.out);
    /** @type {Grid|null} */
    this.grid = null;
  }

  #other(/** @type {number} */ row) {
    this.store.setView({ compare: row });
    this.update();
  }

  #swap() {
    const { store } = this;
    const [a, b] = [store.selected, store.view.compare];
    if (a < 0 || b < 0) return;
    store.setView({ compare: a });
    this.app.show(b);
  }

  update() {
    const { store } = this;
    const { scene } = store;
    const known = (row) => (row >= 0 && row < store.nodes.count ? row : -1);
    const [a, b] = [known(store.selected), known(store.view.compare)];
    this.#several();
    const options = [{ value: "", text: a < 0 ? "nobody selected" : "choose…" }];
    const offer = (row, word) => row >= 0 && row !== a && !options.some((o) => o.value === String(row)) && options.push({ value: String(row), text: `${store.id(row)}${word ? ` (${word})` : ""}` });
    if (a >= 0) {
      offer(b, "");
      offer(scene.path.best, "best");
      store.links.parents(a).forEach((p) => offer(p, "parent"));
      offer(scene.path.rows[0] ?? -1, "seed of the best");
    }
    const two = a >= 0 && b >= 0 && a !== b;
    fillSelect(this.quick, options, two ? String(b) : "");
    this.swap.hidden = !two;
    if (!two) {
      return this.render(["none", a, b], () => [h("p.mute.hint", null, a < 0 ? "Select an individual, then a second one: Alt-click it, press c on it, or choose it here." : "Choose the second one: Alt-click it in the picture, press c on it, or name it here.")]);
    }
    const [first, second] = [store.detail(a), store.detail(b)];
    this.render([a, b, store.revision, scene.metric?.name, first, second], () => this.#two(a, b, first, second));
  }

  /** The group that a box selected: its metrics as a table. */
  #several() {
    const { store, app } = this;
    const rows = store.group ?? [];
    this.group.hidden = rows.length < 3;
    if (rows.length < 3) return;
    if (!this.grid) {
      this.grid = new Grid({ label: "Group", file: "group.csv", sort: { key: store.scene.metric ? `m:${store.scene.metric.name}` : "id", down: true }, pick: (row) => app.show(row), chosen: () => store.selected, id: (row) => ({ "data-row": row }) });
      this.group.append(heading("Group"), this.grid.element);
    }
    const columns = nodeColumns(store, rows).map((c) => (c.key.startsWith("m:") ? { ...c, off: false } : c));
    this.grid.show({ items: rows, columns, key: [rows, store.revision, store.scene.metric?.name], said: (n) => `${counted(n, store.scene.kind)} in the group` });
  }

  #two(a, b, first, second) {
    const { store, app } = this;
    const c = compareTwo(store, a, b);
    const head = (row, side) => {
      const f = factsOf(store, row);
      return h("div", null, h("span.mute", null, side), " ", idChip(store, app, row), badges(f).map(([text, tone]) => h(`span.chip.badge.${tone}`, null, text)));
    };
    return [
      h("div.versus2", null, head(a, "selected"), head(b, "other")),
      ...this.#parting(c),
      ...this.#metrics(a, b),
      ...this.#costs(c),
      ...this.#said(a, b, first, second),
      ...this.#diff(a, b, first, second),
    ].filter(Boolean);
  }

  #parting(c) {
    const { store, app } = this;
    if (c.mrca < 0) return [heading("Where they parted"), h("p.mute.hint", null, "They share no ancestor.")];
    const side = (line) => `${whole(line.length - 1)} ${line.length === 2 ? "step" : "steps"}`;
    const own = c.mrca === c.a ? "The selected one is an ancestor of the other." : c.mrca === c.b ? "The other is an ancestor of the selected one." : null;
    return [
      heading("Where they parted"),
      h("div.who", null, h("span.mute", null, "most recent common ancestor"), idChip(store, app, c.mrca), h("button.chip", { title: "Show in the picture what is between the two", onclick: () => store.setView({ focus: { mode: "between", row: c.a, other: c.b } }) }, "show")),
      own && h("p.mute.hint", null, own),
      h("p.sums", null, `${counted(c.shared, "shared ancestor")} · ${whole(c.onlyA)} of the selected one's line alone · ${whole(c.onlyB)} of the other's`),
      h("div.lines", null, [["selected", c.lineA], ["other", c.lineB]].map(([name, line]) => h("div", null, h("div.mute", null, `${name}: ${side(line)}`), h("ol.course", null, this.#steps(line))))),
    ];
  }

  #steps(line) {
    const { store, app } = this;
    const { score, lower, metric } = store.scene;
    const hidden = Math.max(0, line.length - STEPS);
    const shown = hidden ? [...line.slice(0, STEPS / 2), -1, ...line.slice(-STEPS / 2)] : line;
    return shown.map((row, at) => {
      if (row < 0) return h("li.mute", null, `… ${counted(hidden, "more step")} …`);
      const { gain } = metric ? gainOnParents(store.links, row, score, lower) : { gain: NaN };
      const told = gainText(store, gain);
      const operator = store.category("operator", store.nodes.get("op")[row] ?? -1);
      return h("li", null, idChip(store, app, row), at > 0 && operator && h("span.mute", null, ` ${operator}`), at > 0 && !Number.isNaN(gain) && h(`span.${told.tone}`, null, ` ${told.text}`));
    });
  }

  #metrics(a, b) {
    const { store } = this;
    const rows = store.metrics.map((m) => ({ m, x: store.nodes.get(`m:${m.name}`)[a] ?? NaN, y: store.nodes.get(`m:${m.name}`)[b] ?? NaN })).filter(({ x, y }) => !Number.isNaN(x) || !Number.isNaN(y));
    if (!rows.length) return [];
    const better = (m, x, y) => (x === y || Number.isNaN(x) || Number.isNaN(y) ? 0 : (x > y) === (m.direction !== "lower") ? 1 : -1);
    return [heading("Metrics"), table("Metrics", ["", "selected", "other", "other − selected"], rows.map(({ m, x, y }) => {
      const won = better(m, x, y);
      return [directed(m), won > 0 ? h("b", { title: "better" }, short(x, 5)) : short(x, 5), won < 0 ? h("b", { title: "better" }, short(y, 5)) : short(y, 5), Number.isNaN(y - x) ? "–" : h(`span.${won < 0 ? "good" : won > 0 ? "bad" : "mute"}`, null, signed(y - x, 5), h("span.hidden", null, won < 0 ? " better" : won > 0 ? " worse" : ""))];
    }))];
  }

  #costs(c) {
    if (!c.costA.operators && !c.costB.operators) return [];
    const price = (sum) => (sum.operators > sum.unpriced ? money(sum.cost) : "–");
    const row = (name, say) => [name, say(c.costA), say(c.costB), say(c.costShared)];
    return [heading("Cost of each ancestry"), table("Costs", ["", "selected", "other", "shared"], [
      row("cost", price),
      row("operators", (s) => whole(s.operators)),
      row("tokens", (s) => (s.tokensIn + s.tokensOut ? tokens(s.tokensIn + s.tokensOut) : "–")),
    ])];
  }

  /** What is said of the two, where it differs. */
  #said(a, b, first, second) {
    const { store } = this;
    const facts = [a, b].map((row) => factsOf(store, row));
    const of = (name) => facts.map((f) => (f[name] === "" || f[name] === -1 ? "–" : String(f[name])));
    const rows = ["operator", "model", "island", "type", "generation"].map((name) => [name === "type" ? "kind" : name, ...of(name)]);
    const metadata = [first, second].map((detail) => detail?.metadata ?? {});
    const text = (value) => (value === undefined ? "–" : typeof value === "string" ? value : JSON.stringify(value));
    for (const key of new Set(metadata.flatMap(Object.keys))) rows.push([key, ...metadata.map((m) => text(Object.hasOwn(m, key) ? m[key] : undefined))]);
    const differing = rows.filter(([, x, y]) => x !== y);
    return [heading("What differs"), differing.length ? table("Differences", ["", "selected", "other"], differing.map(([name, x, y]) => [name, h("span.wrap", null, x), h("span.wrap", null, y)])) : h("p.mute.hint", null, "Nothing that is said of them.")];
  }

  #diff(a, b, first, second) {
    const { store } = this;
    const missing = !first ? a : !second ? b : -1;
    const top = heading("From the other to the selected one", h("button.link", { onclick: () => store.setView({ tab: "diff" }) }, "open"));
    if (missing >= 0) return [top, waiting(store, missing)];
    const { lines, ready } = changesOf(store, a, String(b));
    if (lines?.some((line) => line.kind !== "same")) return [top, ...diffView(lines, { split: false, folded: true, language: first.genome_lang })];
    return [top, h("p.mute.hint", null, lines ? "No line differs." : ready === "too long" ? "The genomes are too long to compare here." : "Their genomes were not logged.")];
  }

  destroy() {
    this.grid?.destroy();
  }
}

function table(/** @type {string} */ name, /** @type {string[]} */ head, /** @type {any[][]} */ rows) {
  return h("div.wide", { tabindex: "0", role: "region", "aria-label": name }, h("table.sums", null, h("thead", null, h("tr", null, head.map((text) => (text ? h("th", { scope: "col" }, text) : h("td"))))), h("tbody", null, rows.map(([name, ...cells]) => h("tr", null, h("th", { scope: "row" }, name), cells.map((cell) => h("td", null, cell)))))));
}
