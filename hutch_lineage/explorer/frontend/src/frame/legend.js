// What the colours mean. Names are buttons: a click hides or shows their individuals, Alt or a double click leaves them alone.
import { ramp } from "../picture/colour.js";
import { h, renderer } from "./dom.js";
import { decimalsFor, money, number, whole } from "../words/format.js";
import { HIDEABLE } from "../data/protocol.js";

const ROOM = 8;

export class LegendBar {
  constructor(/** @type {import("../data/store.js").Store} */ store) {
    this.store = store;
    this.element = h("div.legend", { role: "group", "aria-label": "Colours" });
    this.render = renderer(this.element);
    this.palette = /** @type {string[]} */ ([]);
    this.more = h("button.link.more-names", { title: "All names" });
    /** What a person takes hold of on the ramp: see hands/rangebar.js. @type {HTMLElement|null} */
    this.handles = null;
  }

  /** @param {string} theme @param {string[]} palette @param {boolean} pressed while a button is held down nothing is rebuilt */
  update(theme, palette, pressed) {
    if (pressed) return;
    this.palette = palette;
    const { legend } = this.store.scene.colouring;
    const entries = this.#entries();
    const focused = this.element.contains(document.activeElement) ? document.activeElement?.getAttribute("data-name") : null;
    if (legend.kind === "ramp") this.render(["ramp", theme, JSON.stringify({ ...legend, missing: 0 }), this.handles], () => rampLegend(legend, theme, this.handles));
    else this.render(["names", theme, legend.label, JSON.stringify(entries.slice(0, ROOM)), entries.length], () => this.#names(legend, entries));
    if (focused != null) this.element.querySelector(`[data-name="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  }

  /** A button for every name, also for those that have no room in the bar. */
  buttons() {
    return this.#entries().map((entry) => this.#button(entry));
  }

  /** The names with their counts, and which are hidden. */
  #entries() {
    const { legend } = this.store.scene.colouring;
    if (legend.kind === "ramp") return [];
    const hidden = new Set(this.store.view.hidden[legend.label] ?? []);
    return legend.entries.map((entry) => ({ ...entry, shown: !hidden.has(entry.name) }));
  }

  #names(legend, entries) {
    const rest = entries.length - ROOM;
    this.more.textContent = `+${rest}`;
    return [...entries.slice(0, ROOM).map((entry) => this.#button(entry)), rest > 0 && this.more, !entries.length && h("span.mute", null, `no ${legend.label} known`)];
  }

  #button({ name, text, index, count, shown }) {
    const { legend } = this.store.scene.colouring;
    const swatch = h("i.swatch");
    swatch.style.background = this.palette[index];
    const content = [swatch, h("span", null, text), h("small", null, whole(count))];
    if (!(legend.label in HIDEABLE)) return h("span.name", null, ...content);
    return h("button.name", {
      "data-name": name, "aria-pressed": String(shown),
      title: `${shown ? "Hide" : "Show"} ${text}; Alt+click or double click: only it`,
      onclick: (e) => this.#click(name, e),
    }, ...content);
  }

  #click(name, e) {
    const { store } = this;
    const list = store.scene.colouring.legend.label;
    const hidden = new Set(store.view.hidden[list] ?? []);
    const others = this.#entries().map((entry) => entry.name).filter((each) => each !== name);
    const alone = !hidden.has(name) && others.every((each) => hidden.has(each));
    const twice = e.detail > 1 && e.detail % 2 === 0;
    const only = e.altKey || twice;
    // The first click of two has switched the name already.
    const wasAlone = twice ? this.alone : alone;
    this.alone = alone;
    const next = only ? (wasAlone ? [] : others) : hidden.has(name) ? [...hidden].filter((each) => each !== name) : [...hidden, name];
    store.setView({ hidden: { ...store.view.hidden, [list]: next } });
  }
}

/** A number as the legend says it. */
export function said(legend, /** @type {number} */ value, more = 0) {
  return legend.unit === "$" ? money(value) : legend.whole ? whole(value) : number(value, Math.max(0, decimalsFor(legend.left, legend.right) - 2 + more));
}

function rampLegend(legend, theme, handles) {
  if (Number.isNaN(legend.left)) return [h("span", null, legend.label), h("span.mute", null, "no values")];
  const stops = Array.from({ length: 9 }, (_, i) => ramp(i / 8, theme));
  const bar = h("i.ramp", null, handles);
  bar.style.background = `linear-gradient(90deg, ${stops.join(", ")})`;
  const [left, right] = [legend.left, legend.right].map((end) => said(legend, end));
  const range = legend.left === legend.right ? left : `${left} – ${right}`;
  return [h("span", null, legend.label), bar, h("span", { title: legend.clipped ? "Stray values lie outside and take the end colours" : null }, range + (legend.clipped ? " (clipped)" : ""))];
}
