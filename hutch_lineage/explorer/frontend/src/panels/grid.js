// A table of any length: sorted by any column, filtered, with the columns one wants, saved and copied. Only the rows in view exist.
//
//   this.grid = new Grid({ label: "Operators", file: "operators.csv", pick: (item) => ..., chosen: () => -1 });
//   this.element.append(this.grid.element);
//   this.grid.show({ items: [0, 1, 2], columns: [{ key: "tries", title: "tries", number: true, value: (i) => rows[i].tries, text: (i) => ... }], key: "what it follows from" });
//
// Items are numbers; what they stand for is the columns' business. `show` does nothing while `key` stays the same.
import { h, renderer } from "../frame/dom.js";
import { whole } from "../words/format.js";
import { sorted } from "./data/sorted.js";
import { csv, save } from "./files.js";
import { copyButton } from "./parts.js";
import { Rows } from "./rows.js";

const ROW = 26;

/**
 * @typedef {object} Column
 * @property {string} key
 * @property {string} title
 * @property {(item: number) => any} value what it is sorted, compared and saved by: numbers for `number` columns, NaN for none
 * @property {(item: number) => string} text what is shown
 * @property {boolean} [number] aligned right, largest first
 * @property {string} [width] a track size of CSS grids
 * @property {boolean} [mono]
 * @property {boolean} [off] not shown until it is chosen
 * @property {string} [hint]
 * @property {(item: number) => any} [shownValue] what is saved and compared, where `value` is turned for sorting
 */

const OPERATIONS = { "<": (a, b) => a < b, ">": (a, b) => a > b, "<=": (a, b) => a <= b, ">=": (a, b) => a >= b, "=": (a, b) => a === b, "!=": (a, b) => a !== b };

/**
 * What a filter's text keeps: words that stand in a text column, and comparisons such as `cost>0.1`; all of them must hold.
 * @param {string} text
 * @param {Column[]} columns
 * @returns {((item: number) => boolean)|null} null keeps everything
 */
export function filterOf(text, columns) {
  const tests = text.trim().toLowerCase().split(/\s+/).filter(Boolean).map((word) => {
    const [, name, sign, number] = /^(.+?)(<=|>=|!=|<|>|=)(-?[\d.]+(?:e-?\d+)?)$/.exec(word) ?? [];
    const column = name && columns.find((c) => c.number && (c.title.toLowerCase() === name || c.key.toLowerCase() === name));
    if (column) return (item) => OPERATIONS[sign](column.shownValue ? column.shownValue(item) : column.value(item), +number);
    const texts = columns.filter((c) => !c.number);
    return (item) => texts.some((c) => String(c.value(item)).toLowerCase().includes(word));
  });
  return tests.length ? (item) => tests.every((test) => test(item)) : null;
}

export class Grid {
  /**
   * @param {{label: string, file: string, pick(item: number): void, open?(item: number): void, chosen(): number, mark?(item: number): string,
   *   id?(item: number): Record<string, any>, sort?: {key: string, down: boolean}, lead?: any[]}} given `lead` stands before the buttons
   */
  constructor(given) {
    this.given = given;
    this.sort = given.sort ?? { key: "", down: true };
    /** @type {Map<string, boolean>} */
    this.wanted = new Map();
    /** @type {Column[]} */
    this.all = [];
    this.items = this.shown = new Int32Array(0);
    this.key = "";
    this.filter = h("input.search.filter", { type: "search", "aria-label": `Filter ${given.label.toLowerCase()}`, placeholder: "Filter…", title: "Words, or comparisons such as cost>0.1", spellcheck: "false", autocomplete: "off", oninput: () => this.#arrange() });
    this.count = h("span.mute", { "aria-live": "polite" });
    this.choices = h("div.menulist.columns", { role: "group", "aria-label": "Columns", hidden: true, onkeydown: (e) => {
      if (e.key !== "Escape") return;
      this.#choose(false);
      this.chooser.focus({ preventScroll: true });
      e.stopPropagation();
    } });
    this.chooser = h("button.link", { "aria-expanded": "false", onclick: () => this.#choose(this.choices.hidden) }, "Columns");
    const box = h("span.morebox", { onfocusout: (e) => !box.contains(e.relatedTarget) && this.#choose(false) }, this.chooser, this.choices);
    this.head = h("div.thead", { role: "row" });
    this.renderHead = renderer(this.head);
    this.scroll = h("div.scroll", { tabindex: "0", role: "grid", "aria-label": given.label, "aria-readonly": "true", onkeydown: (e) => this.#keys(e) }, h("div.headgroup", { role: "rowgroup" }, this.head));
    this.rows = new Rows(this.scroll, ROW, (at) => this.#row(at), { role: "rowgroup" });
    this.element = h("div.table", null,
      h("div.tally", null, given.lead, this.filter, h("span.spring"), box, copyButton(() => this.#text()), h("button.link", { title: `Save as ${given.file}`, onclick: () => save(given.file, this.csv()) }, "CSV")),
      h("div.tally", null, this.count),
      this.scroll);
  }

  /** @param {{items: ArrayLike<number>, columns: Column[], key: any, said?(shown: number): string}} given */
  show({ items, columns, key, said }) {
    const now = JSON.stringify(key);
    if (now !== this.key) {
      this.key = now;
      this.all = columns;
      this.items = Int32Array.from(items);
      this.said = said ?? ((n) => whole(n));
      this.#arrange();
    } else this.paint();
  }

  get columns() {
    return this.all.filter((c) => this.wanted.get(c.key) ?? !c.off);
  }

  #arrange() {
    const { columns } = this;
    const keep = filterOf(this.filter.value, this.all);
    const column = this.all.find((c) => c.key === this.sort.key) ?? this.all[0];
    if (!column) return;
    this.shown = sorted(keep ? this.items.filter(keep) : this.items, column, this.sort.down);
    this.rows.size(this.shown.length);
    this.scroll.style.setProperty("--hl-columns", columns.map((c) => c.width ?? (c.number ? "minmax(52px, .4fr)" : "minmax(70px, 1fr)")).join(" "));
    this.scroll.setAttribute("aria-rowcount", String(this.shown.length + 1));
    this.count.textContent = `${this.said(this.shown.length)}${keep && !this.shown.length ? ": try words, or comparisons such as cost>0.01" : ""}`;
    this.renderHead([columns.map((c) => c.title), column.key, this.sort.down], () => columns.map((c) => h("span", { role: "columnheader", class: c.number ? "hl-num" : null, "aria-sort": column.key === c.key ? (this.sort.down ? "descending" : "ascending") : "none" },
      h("button", { title: c.hint ?? `Sort by ${c.title}`, onclick: () => this.#by(c) }, c.title, column.key === c.key && h("i", { "aria-hidden": "true" }, this.sort.down ? "▾" : "▴")))));
    this.paint();
  }

  #by(/** @type {Column} */ { key, number }) {
    this.sort = { key, down: this.sort.key === key ? !this.sort.down : !!number };
    this.scroll.scrollTop = 0;
    this.#arrange();
  }

  #choose(open) {
    if (open === !this.choices.hidden) return;
    this.choices.hidden = !open;
    this.chooser.setAttribute("aria-expanded", String(open));
    if (!open) return;
    this.choices.replaceChildren(...this.all.map((c) => h("label.check", null, h("input", { type: "checkbox", checked: this.wanted.get(c.key) ?? !c.off, onchange: (e) => {
      this.wanted.set(c.key, e.target.checked);
      this.#arrange();
    } }), ` ${c.title}`)));
    this.choices.querySelector("input")?.focus({ preventScroll: true });
  }

  #keys(e) {
    const page = Math.max(1, Math.floor(this.scroll.clientHeight / ROW) - 2);
    const at = this.shown.indexOf(this.given.chosen());
    const last = this.shown.length - 1;
    const to = { ArrowDown: at + 1, ArrowUp: at < 0 ? 0 : at - 1, PageDown: at + page, PageUp: at - page, Home: 0, End: last }[e.key];
    if (e.key === "Enter" && at >= 0) this.given.open?.(this.shown[at]);
    else if (to === undefined || last < 0) return;
    else {
      const next = Math.min(last, Math.max(0, to));
      this.given.pick(this.shown[next]);
      this.rows.reveal(next, ROW);
    }
    e.preventDefault();
  }

  paint() {
    this.rows.paint();
  }

  #row(/** @type {number} */ at) {
    const { given } = this;
    const item = this.shown[at];
    const on = item === given.chosen();
    return h("div", {
      role: "row", "aria-rowindex": at + 2, "aria-selected": String(on), ...given.id?.(item), class: `hl-row${on ? " hl-on" : ""} ${given.mark?.(item) ?? ""}`, onclick: () => given.pick(item),
    }, this.columns.map((c) => {
      const text = c.text(item);
      return h("span", { role: "gridcell", class: c.number ? "hl-num" : c.mono ? "hl-id" : null, title: text.length > 8 ? text.slice(0, 400) : null }, text);
    }));
  }

  #values() {
    return Array.from(this.shown, (item) => this.columns.map((c) => (c.shownValue ?? c.value)(item)));
  }

  csv() {
    return csv(this.columns.map((c) => c.title), this.#values());
  }

  /** For a spreadsheet's paste: one line a row, tabs between. */
  #text() {
    const cell = (value) => (typeof value === "number" ? (Number.isNaN(value) ? "" : String(value)) : String(value).replace(/[\t\r\n]+/g, " ").replace(/^(?=[=+\-@])/, "'"));
    return [this.columns.map((c) => c.title), ...this.#values()].map((row) => row.map(cell).join("\t")).join("\n");
  }

  destroy() {
    this.rows.stop();
  }
}
