// Two handles on the ramp of the legend: what lies outside them is not shown. At an end of the ramp a handle is no bound, so what is
// stray and takes the end colour stays. While one is dragged the picture follows; Python hears of where it is let go.
import { h } from "../frame/dom.js";
import { said } from "../frame/legend.js";
import { isPlain, nameOf } from "../lineage/numbers.js";
import { decimalsFor } from "../words/format.js";

/** Steps of the keyboard from one end to the other, where values are measured and not counted; and how many a page has. */
const STEPS = 64;
const PAGE = 8;
const KEYS = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -PAGE, PageUp: PAGE, Home: -Infinity, End: Infinity };

export class RangeBar {
  /** @param {import("../data/store.js").Store} store @param {import("../frame/legend.js").LegendBar} legend */
  constructor(store, legend) {
    this.store = store;
    this.legend = legend;
    /** The handle in the hand, 0 or 1, -1 for none; where the hand took it, NaN once it has moved; and where it is now. */
    this.dragged = -1;
    this.from = NaN;
    this.to = 0;
    this.frame = 0;
    this.shades = [h("i.shade"), h("i.shade")];
    this.handles = ["left", "right"].map((side, i) => h("i.handle", { role: "slider", tabindex: "0", "data-name": `range-${side}`, "aria-orientation": "horizontal", onkeydown: (e) => this.#key(e, i) }));
    this.element = h("span.range", {
      role: "group", "aria-label": "What is shown", title: "Drag to show a range alone; double click: all",
      onpointerdown: (e) => this.#grab(e), onpointermove: (e) => this.#drag(e), onpointerup: () => this.#release(), onpointercancel: () => this.#release(), ondblclick: () => this.#set([0, 1], true),
    }, ...this.shades, ...this.handles);
    legend.handles = this.element;
    legend.element.querySelector(".hl-ramp")?.append(this.element);
    this.key = "";
  }

  /** What the numbers of the ramp are called in the view's state. */
  get name() {
    const { view, scene } = this.store;
    return isPlain(view.colour) ? view.colour : scene.coloured ? `metric:${scene.coloured.name}` : "";
  }

  /** Put the handles where the state has them. */
  update() {
    const { colouring } = this.store.scene;
    const { legend } = colouring;
    const usable = legend.kind === "ramp" && legend.left !== legend.right && !Number.isNaN(legend.left) && this.name;
    this.element.hidden = !usable;
    if (!usable) return;
    const { left, right, unit, whole, label, scale } = legend;
    const range = this.store.view.ranges[this.name];
    const key = JSON.stringify([this.name, range, left, right, unit, whole, label, scale]);
    if (key === this.key) return;
    this.key = key;
    const turned = left > right;
    const places = this.#places();
    const bounds = turned ? [range?.high, range?.low] : [range?.low, range?.high];
    this.handles.forEach((handle, i) => {
      const bound = bounds[i] ?? null;
      const low = (i === 0) !== turned;
      handle.style.left = `${100 * places[i]}%`;
      const attributes = {
        "aria-label": `${low ? "Lowest" : "Highest"} ${nameOf(this.name)} shown`, "aria-valuemin": Math.min(left, right), "aria-valuemax": Math.max(left, right),
        "aria-valuenow": bound ?? (i ? right : left), "aria-valuetext": bound === null ? "no bound" : said(legend, bound, 2),
      };
      for (const [name, value] of Object.entries(attributes)) handle.setAttribute(name, String(value));
    });
    this.shades[0].style.width = `${100 * places[0]}%`;
    this.shades[1].style.width = `${100 * (1 - places[1])}%`;
    this.element.classList.toggle("hl-on", !!range);
  }

  /** Where both handles are, 0 to 1 from the left. */
  #places() {
    const { legend, ramp } = this.store.scene.colouring;
    const range = this.store.view.ranges[this.name];
    const at = (bound, end) => (bound == null || !ramp ? end : ramp.at(bound));
    const turned = /** @type {any} */ (legend).left > /** @type {any} */ (legend).right;
    return [at(turned ? range?.high : range?.low, 0), at(turned ? range?.low : range?.high, 1)];
  }

  /** The bound at a place, rounded as it is said; null at the ends. */
  #bound(/** @type {number} */ t) {
    const { legend, ramp } = this.store.scene.colouring;
    if (legend.kind !== "ramp" || !ramp || t <= 0 || t >= 1) return null;
    const value = ramp.of(t);
    if (legend.whole) return Math.round(value);
    if (legend.scale === "rank") return value;
    const { left, right } = legend;
    if (legend.scale === "log") return +value.toPrecision(Math.max(left / right, right / left) < 10 ? 5 : 3);
    return +value.toFixed(decimalsFor(left, right));
  }

  #set(/** @type {number[]} */ places, /** @type {boolean} */ settled) {
    const { legend } = this.store.scene.colouring;
    const { view } = this.store;
    const { name } = this;
    const bounds = places.map((t) => this.#bound(t));
    const [low, high] = /** @type {any} */ (legend).left > /** @type {any} */ (legend).right ? bounds.reverse() : bounds;
    const { [name]: before, ...others } = view.ranges;
    const ranges = low === null && high === null ? others : { ...others, [name]: { low, high, missing: before?.missing ?? false } };
    this.store.setView({ ranges }, settled);
    this.update();
  }

  #key(/** @type {KeyboardEvent} */ e, /** @type {number} */ i) {
    const by = KEYS[e.key];
    if (!by || e.ctrlKey || e.metaKey || e.altKey) return;
    e.preventDefault();
    e.stopPropagation();
    const { legend } = this.store.scene.colouring;
    const { left, right, whole, scale } = /** @type {import("../picture/colour.js").RampLegend} */ (legend);
    const span = Math.abs(right - left);
    const step = whole && scale === "linear" && span < STEPS ? 1 / span : 1 / STEPS;
    const places = this.#places();
    const before = this.#bound(places[i]);
    const from = places[i];
    // Where many have one value, a step may lead to the same one again: go on until it is another.
    for (let n = 1; n <= STEPS; n++) {
      const to = Math.min(1, Math.max(0, from + n * by * step));
      places[i] = i ? Math.max(to, places[0]) : Math.min(to, places[1]);
      if (to <= 0 || to >= 1 || this.#bound(places[i]) !== before) break;
    }
    this.#set(places, true);
  }

  // ---- dragging

  #at(/** @type {PointerEvent} */ e) {
    const box = this.element.getBoundingClientRect();
    return Math.min(1, Math.max(0, (e.clientX - box.left) / (box.width || 1)));
  }

  #grab(/** @type {PointerEvent} */ e) {
    if (e.button) return;
    const t = this.#at(e);
    const [left, right] = this.#places();
    this.dragged = Math.abs(t - left) < Math.abs(t - right) || (left === right && t < left) ? 0 : 1;
    this.element.setPointerCapture(e.pointerId);
    this.handles[this.dragged].focus({ preventScroll: true });
    this.element.classList.add("hl-held");
    e.preventDefault();
    this.from = e.clientX;
  }

  #drag(/** @type {PointerEvent} */ e) {
    if (this.dragged < 0 || e.clientX === this.from) return;
    this.from = NaN;
    this.to = this.#at(e);
    this.frame ||= requestAnimationFrame(() => this.#move(false));
  }

  #move(/** @type {boolean} */ settled) {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    const places = this.#places();
    places[this.dragged] = this.dragged ? Math.max(this.to, places[0]) : Math.min(this.to, places[1]);
    this.#set(places, settled);
  }

  #release() {
    if (this.dragged >= 0 && Number.isNaN(this.from)) this.#move(true);
    this.dragged = -1;
    this.element.classList.remove("hl-held");
  }

  destroy() {
    cancelAnimationFrame(this.frame);
    this.legend.handles = null;
  }
}

/** A range in words: "≥ 2.31", "2.31 – 2.64". */
export function rangeText({ low, high }, /** @type {(value: number) => string} */ say) {
  if (high === null) return `≥ ${say(low)}`;
  return low === null ? `≤ ${say(high)}` : `${say(low)} – ${say(high)}`;
}
