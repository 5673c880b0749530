// The story of the best: each step with its value, its gain and its price.
import { h, renderer } from "./dom.js";
import { factsOf, gainText } from "../words/facts.js";
import { clip, counted, directed, money, number } from "../words/format.js";
import { costOf, gainOnParents } from "../lineage/lineage.js";

/** Room for a step, for the words before the steps and for a button in the place of steps that are not shown. */
const STEP_WIDTH = 130;
const STORY_WIDTH = 124;
const LETTER = 8;
const EDGES = 28;
/** Of a longer name the end is left out, so that its direction is seen. */
const NAME = 20;
const GAP_WIDTH = 92;
/** Steps between the ends that are shown even where they have to be scrolled to. */
const LEAST = 2;
/** So many steps come with one press. */
const MORE = 50;

export class Strip {
  constructor(/** @type {import("../data/store.js").Store} */ store, /** @type {{show(row: number): void, strip: HTMLElement, camera: {width: number}, bestButton: HTMLElement}} */ app) {
    this.store = store;
    this.app = app;
    this.title = h("div.story");
    this.steps = h("div.steps");
    this.element = app.strip;
    this.element.append(this.title, this.steps);
    this.renderTitle = renderer(this.title);
    this.renderSteps = renderer(this.steps);
    this.best = -1;
    /** Rows that a person asked for. @type {Set<number>} */
    this.opened = new Set();
  }

  update() {
    const { store, app } = this;
    const { path, metric, score, lower } = store.scene;
    if (path.best < 0) return;
    const another = path.best !== this.best;
    this.best = path.best;
    if (another) this.opened.clear();
    const decimals = Math.max(0, store.scene.decimals - 1);
    const cost = costOf(store.operators, path.rows.flatMap((row) => store.links.operators(row)).sort((a, b) => a - b));
    const known = path.rows.filter((row) => !Number.isNaN(score[row] ?? NaN));
    const total = known.length > 1 ? (lower ? -1 : 1) * (score[known.at(-1)] - score[known[0]]) : NaN;
    const gain = gainText(store, total, decimals);
    const steps = counted(path.rows.length - 1, "step");
    const by = metric ? directed(metric) : "";
    const named = metric ? directed({ ...metric, name: clip(metric.name, NAME) }) : "";
    const priced = `${steps} · ${cost.operators > cost.unpriced ? money(cost.cost) : counted(cost.operators, "operator")}`;
    const wide = Math.max(STORY_WIDTH, LETTER * Math.max(named.length, priced.length));
    this.element.style.setProperty("--hl-story", `${wide}px`);
    app.bestButton.title = `Go to the best${by && ` by ${by}`} (b)`;
    const among = `Path to best${Object.keys({ ...store.view.hidden, ...store.view.ranges })[0] ? " shown" : ""}`;
    this.renderTitle([among, steps, cost.operators, cost.cost, gain.text, by, this.opened.size], () => [
      h("b", null, among),
      h("span", { title: by && `The best by ${by}; View, Best by chooses another metric` }, named),
      this.opened.size ? h("button.link", { onclick: () => this.#open([]) }, "Show fewer steps") : h("span", null, priced),
      h(`span.${gain.tone}`, { title: `from ${known.length ? number(score[known[0]], decimals) : "–"} to ${number(score[path.best], decimals)}` }, Number.isNaN(total) ? "" : gain.text),
    ]);
    const gainOf = (/** @type {number} */ row) => gainOnParents(store.links, row, score, lower).gain;
    // As wide as the picture above it; to ask the element itself would lay out the page once more.
    const story = told(path.rows, app.camera.width - wide - EDGES, gainOf, this.opened);
    const parts = story.map((part) => (Array.isArray(part) ? part : factsOf(store, part)));
    const values = path.rows.map((row) => score[row]).filter((v) => !Number.isNaN(v ?? NaN));
    const worst = values.reduce((a, b) => (lower ? Math.max(a, b) : Math.min(a, b)), score[path.best]);
    this.renderSteps([parts.map((part) => Object.values(part)), decimals, store.selected, worst], () => {
      // Where the steps do not fit, the end of the story is what is seen first.
      if (another) requestAnimationFrame(() => (this.steps.scrollLeft = this.steps.scrollWidth));
      const least = Math.min(...story.slice(1).map((part) => (Array.isArray(part) ? Infinity : gainOf(part) || 0)));
      return parts.map((part) => (Array.isArray(part) ? this.#gap(part, gainOf, least, decimals) : this.#step(part, worst, decimals)));
    });
  }

  #step(f, /** @type {number} */ worst, /** @type {number} */ decimals) {
    const { store } = this;
    const { score, path } = store.scene;
    const { row } = f;
    const best = score[path.best];
    const gain = gainText(store, f.gain, decimals);
    const share = best === worst ? 1 : (f.score - worst) / (best - worst);
    const bar = h("i");
    bar.style.width = `${Math.round(6 + 94 * (share || 0))}%`;
    const made = f.seed ? "seed" : f.operator || (f.ghost ? "" : row === path.rows[0] ? "root" : "unknown");
    return h("button.step", {
      "data-row": row, "data-node": f.id, title: `${f.id}\n${made}`,
      "aria-current": row === store.selected ? "true" : null, class: `hl-step${f.best ? " hl-best" : ""}${row === store.selected ? " hl-on" : ""}`,
      onclick: () => this.app.show(row),
    },
    h("b", null, f.ghost ? "not seen" : number(f.score, decimals), f.generation >= 0 && h("small", null, ` gen ${f.generation}`)),
    h("small", null, made),
    h("small", null, ...price(f, gain, row === path.rows[0])),
    bar);
  }

  /** Steps that are not shown, in their place; a press shows them. */
  #gap(/** @type {number[]} */ rows, /** @type {(row: number) => number} */ gainOf, /** @type {number} */ least, /** @type {number} */ decimals) {
    const gains = rows.map((row) => gainOf(row) || 0);
    const gain = gainText(this.store, gains.reduce((a, b) => a + b), decimals);
    const most = Math.max(...gains);
    const n = `${rows.length}${most > 0 && most <= least ? " smaller" : ""} ${rows.length === 1 ? "step" : "steps"}`;
    return h("button.between", { title: `Show ${n}`, onclick: () => this.#open([...rows].sort((a, b) => (gainOf(b) || 0) - (gainOf(a) || 0)).slice(0, MORE)) },
      n, h("small", null, h(`span.${gain.tone}`, null, gain.text)));
  }

  /** Show these, too; none: as at first. */
  #open(/** @type {number[]} */ rows) {
    if (!rows.length) this.opened.clear();
    for (const row of rows) this.opened.add(row);
    this.update();
    /** @type {HTMLElement|null} */ (this.steps.querySelector(`[data-row="${rows.length ? Math.min(...rows) : this.best}"]`))?.focus();
  }
}

/** Gain and price, of what is known; where room is short the price is cut off, not the gain. */
function price(f, gain, /** @type {boolean} */ first) {
  const told = Number.isNaN(f.gain) ? null : h(`span.${gain.tone}`, null, gain.text);
  if (Number.isNaN(f.cost)) return [told ?? (f.seed || (first && !f.ghost) ? "start" : "–")];
  return told ? [told, ` · ${money(f.cost)}`] : [money(f.cost)];
}

/**
 * The story as far as there is room: first, last and, of the others, those that gained most. In the place of the rest stands a list of them.
 * @param {number[]} rows
 * @param {number} spare pixels
 * @param {(row: number) => number} gain
 * @param {Set<number>} opened rows that are shown in any case
 * @returns {(number|number[])[]}
 */
export function told(rows, spare, gain, opened = new Set()) {
  const between = rows.slice(1, -1).filter((row) => !opened.has(row)).map((row, i) => ({ row, i, gain: gain(row) || 0 }));
  between.sort((a, b) => b.gain - a.gain || b.i - a.i);
  const always = [rows[0], rows[rows.length - 1], ...opened];
  for (let n = Math.min(between.length, Math.max(LEAST, Math.ceil(spare / STEP_WIDTH))); ; n--) {
    const kept = new Set([...always, ...between.slice(0, n).map((each) => each.row)]);
    /** @type {(number|number[])[]} */
    const story = [];
    let wide = 0;
    for (const row of rows) {
      const last = story[story.length - 1];
      if (!kept.has(row) && Array.isArray(last)) last.push(row);
      else {
        story.push(kept.has(row) ? row : [row]);
        wide += kept.has(row) ? STEP_WIDTH : GAP_WIDTH;
      }
    }
    if (wide <= spare || n <= LEAST) return story;
  }
}
