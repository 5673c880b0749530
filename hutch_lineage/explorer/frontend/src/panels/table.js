// All individuals as a table: sorted on click; only the rows in view exist.
import { h, renderer } from "../dom.js";
import { counted, money, number, whole } from "../format.js";
import { NODE } from "../protocol.js";

const ROW = 26;

export class TablePanel {
  constructor(/** @type {import("../store.js").Store} */ store, /** @type {any} */ app) {
    this.store = store;
    this.app = app;
    this.sort = { key: "score", down: true };
    this.rows = new Int32Array(0);
    this.key = "";
    this.head = h("div.thead", { role: "row" });
    this.renderHead = renderer(this.head);
    this.spacer = h("div.spacer");
    this.window = h("div.window", { role: "rowgroup" });
    this.scroll = h("div.scroll", { tabindex: "0", role: "table", "aria-label": "Individuals", onscroll: () => this.#paint(), onkeydown: (e) => this.#keys(e) }, this.head, h("div.tall", null, this.spacer, this.window));
    this.count = h("div.tally");
    this.element = h("div.table", null, this.count, this.scroll);
    this.observer = new ResizeObserver(() => this.#paint());
    this.observer.observe(this.scroll);
  }

  #columns() {
    const { store } = this;
    const { nodes, scene } = store;
    const { metric, decimals } = scene;
    const get = (name) => nodes.get(name);
    const name = (list, column) => (row) => store.category(list, get(column)[row] ?? -1);
    const some = (column) => scene.index.rows.some((row) => get(column)[row] >= 0);
    const score = (row) => (store.flag(row, NODE.ghost) ? "not seen" : store.flag(row, NODE.invalid) && Number.isNaN(scene.score[row] ?? NaN) ? "invalid" : number(scene.score[row], decimals));
    return [
      { key: "id", title: "id", text: (row) => store.id(row), value: (row) => store.id(row), wide: "minmax(76px, 1fr)", mono: true },
      metric && { key: "score", title: metric.name, number: true, text: score, value: (row) => (scene.lower ? -1 : 1) * (scene.score[row] ?? NaN), wide: `${Math.min(84, Math.max(58, 14 + 6.2 * metric.name.length))}px` },
      { key: "op", title: "operator", text: name("operator", "op"), value: name("operator", "op"), wide: "minmax(62px, .6fr)" },
      { key: "gen", title: "gen", number: true, text: (row) => (get("generation")[row] >= 0 ? whole(get("generation")[row]) : "–"), value: (row) => (get("generation")[row] >= 0 ? get("generation")[row] : NaN), wide: "28px" },
      { key: "cost", title: "cost", number: true, text: (row) => money(get("cost")[row]), value: (row) => get("cost")[row] ?? NaN, wide: "46px" },
      some("model") && { key: "model", title: "model", text: name("model", "model"), value: name("model", "model"), wide: "minmax(104px, .8fr)" },
      some("island") && { key: "island", title: "island", text: name("island", "island"), value: (row) => get("island")[row] ?? -1, wide: "40px" },
    ].filter(Boolean);
  }

  update() {
    const { store } = this;
    const { hits, focus, index, metric } = store.scene;
    const key = JSON.stringify([store.revision, store.view.kind, store.view.run, metric?.name, store.view.query, store.view.focus, this.sort]);
    if (key !== this.key) {
      this.key = key;
      this.columns = this.#columns();
      let rows = Int32Array.from(hits ?? index.rows);
      if (focus) rows = rows.filter((row) => focus[row]);
      this.rows = this.#sorted(rows);
      this.spacer.style.height = `${this.rows.length * ROW}px`;
      this.scroll.style.setProperty("--hl-columns", this.columns.map((c) => c.wide).join(" "));
      this.scroll.setAttribute("aria-rowcount", String(this.rows.length + 1));
      const { total, ghosts } = index.counts;
      const all = `${counted(total, store.scene.kind)}${ghosts ? ` and ${whole(ghosts)} not seen` : ""}`;
      this.count.replaceChildren(h("span.mute", null, hits || focus ? `${whole(this.rows.length)} ${hits ? "found" : "in focus"} of ${all}` : all));
      this.renderHead([this.columns.map((c) => c.title), this.sort], () => this.columns.map((c) => h("button", {
        role: "columnheader", class: c.number ? "hl-num" : null, title: `Sort by ${c.title}`,
        "aria-sort": this.sort.key === c.key ? (this.sort.down ? "descending" : "ascending") : "none", onclick: () => this.#by(c.key, !!c.number),
      }, c.title, this.sort.key === c.key && h("i", { "aria-hidden": "true" }, this.sort.down ? "▾" : "▴"))));
    }
    this.#paint();
  }

  #by(key, down) {
    this.sort = { key, down: this.sort.key === key ? !this.sort.down : down };
    this.scroll.scrollTop = 0;
    this.update();
  }

  #sorted(rows) {
    const column = this.columns.find((c) => c.key === this.sort.key) ?? this.columns[0];
    const values = new Map(Array.from(rows, (row) => [row, column.value(row)]));
    const sign = this.sort.down ? -1 : 1;
    return rows.sort((a, b) => {
      const [x, y] = [values.get(a), values.get(b)];
      const [noX, noY] = [x === "" || Number.isNaN(x), y === "" || Number.isNaN(y)];
      if (noX || noY) return +noX - +noY || a - b; // what has no value comes last, either way
      return (x < y ? -sign : x > y ? sign : 0) || a - b;
    });
  }

  #keys(e) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[e.key];
    if (!step || !this.rows.length) return;
    e.preventDefault();
    const at = this.rows.indexOf(this.store.selected);
    const next = Math.min(this.rows.length - 1, Math.max(0, at + step));
    this.app.show(this.rows[next]);
    const top = next * ROW;
    const room = this.scroll.clientHeight - 2 * ROW;
    if (top < this.scroll.scrollTop) this.scroll.scrollTop = top;
    else if (top > this.scroll.scrollTop + room) this.scroll.scrollTop = top - room;
  }

  #paint() {
    if (!this.columns) return;
    const first = Math.max(0, Math.floor(this.scroll.scrollTop / ROW) - 4);
    const last = Math.min(this.rows.length, first + Math.ceil((this.scroll.clientHeight || 400) / ROW) + 9);
    this.window.style.transform = `translateY(${first * ROW}px)`;
    this.window.replaceChildren(...Array.from(this.rows.subarray(first, last), (row, i) => h("div", {
      role: "row", "aria-rowindex": first + i + 2, "data-row": row, "data-node": this.store.id(row), class: `hl-row${row === this.store.selected ? " hl-on" : ""}${row === this.store.scene.path.best ? " hl-best" : ""}`,
      onclick: () => this.app.show(row),
    }, this.columns.map((c) => h("span", { role: "cell", class: c.number ? "hl-num" : c.mono ? "hl-id" : null, title: c.text(row) }, c.text(row))))));
  }

  destroy() {
    this.observer.disconnect();
  }
}
