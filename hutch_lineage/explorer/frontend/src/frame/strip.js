// The story of the best: each step with its value, its gain and its price.
import { h, renderer } from "./dom.js";
import { factsOf, gainText } from "../words/facts.js";
import { counted, money, number } from "../words/format.js";
import { costOf, gainOnParents } from "../lineage/lineage.js";

/** Room for a step, for the words before the steps and for what says how many are hidden. */
const STEP_WIDTH = 130;
const STORY_WIDTH = 124;
const MORE_WIDTH = 92;

export class Strip {
  constructor(/** @type {import("../data/store.js").Store} */ store, /** @type {{show(row: number): void, strip: HTMLElement, camera: {width: number}}} */ app) {
    this.store = store;
    this.app = app;
    this.title = h("div.story");
    this.steps = h("div.steps");
    this.element = app.strip;
    this.element.append(this.title, this.steps);
    this.renderTitle = renderer(this.title);
    this.renderSteps = renderer(this.steps);
  }

  update() {
    const { store } = this;
    const { path, metric, score, lower } = store.scene;
    if (path.best < 0) return;
    // As wide as the picture above it; to ask the element itself would lay out the page once more.
    const { width } = this.app.camera;
    const decimals = Math.max(0, store.scene.decimals - 1);
    const cost = costOf(store.operators, path.rows.flatMap((row) => store.links.operators(row)).sort((a, b) => a - b));
    const known = path.rows.filter((row) => !Number.isNaN(score[row] ?? NaN));
    const total = known.length > 1 ? (lower ? -1 : 1) * (score[known.at(-1)] - score[known[0]]) : NaN;
    const gain = gainText(store, total, decimals);
    const steps = path.rows.length - 1;
    this.renderTitle([steps, cost.operators, cost.cost, gain.text, metric?.name], () => [
      h("b", null, "Path to best"),
      h("span", null, counted(steps, "step")),
      h("span", null, cost.operators > cost.unpriced ? money(cost.cost) : counted(cost.operators, "operator")),
      h(`span.${gain.tone}`, { title: `from ${known.length ? number(score[known[0]], decimals) : "–"} to ${number(score[path.best], decimals)}` }, Number.isNaN(total) ? "" : gain.text),
    ]);
    const spare = width - STORY_WIDTH;
    const room = path.rows.length * STEP_WIDTH <= spare ? path.rows.length : Math.max(4, Math.floor((spare - MORE_WIDTH) / STEP_WIDTH) + 1);
    const { shown, hidden, gainless } = choose(path.rows, room, (row) => gainOnParents(store.links, row, score, lower).gain);
    const facts = shown.map((row) => factsOf(store, row));
    const { legend } = store.scene.colouring;
    this.renderSteps([facts.map((f) => Object.values(f)), hidden, decimals, store.selected, legend], () => {
      // Where the steps do not fit, the end of the story is what is seen first.
      requestAnimationFrame(() => (this.steps.scrollLeft = this.steps.scrollWidth));
      return this.#cells(facts, hidden, gainless, decimals);
    });
  }

  #cells(facts, hidden, gainless, decimals) {
    const { store } = this;
    const { legend } = store.scene.colouring.legend.kind === "ramp" && store.view.colour.startsWith("metric") ? store.scene.colouring : { legend: null };
    const { score, lower, path } = store.scene;
    const best = score[path.best];
    const values = path.rows.map((row) => score[row]).filter((v) => !Number.isNaN(v ?? NaN));
    const worst = legend ? legend.left : values.reduce((a, b) => (lower ? Math.max(a, b) : Math.min(a, b)), best);
    const cells = facts.map((f) => {
      const { row } = f;
      const gain = gainText(store, f.gain, decimals);
      const share = best === worst ? 1 : Math.min(1, Math.max(0, (f.score - worst) / (best - worst)));
      const bar = h("i");
      bar.style.width = `${Math.round(6 + 94 * (share || 0))}%`;
      return h("button.step", {
        "data-row": row, "data-node": f.id, title: f.id,
        "aria-current": row === store.selected ? "true" : null, class: `hl-step${f.best ? " hl-best" : ""}${row === store.selected ? " hl-on" : ""}`,
        onclick: () => this.app.show(row),
      },
      h("b", null, f.ghost ? "not seen" : number(f.score, decimals)),
      h("small", null, [f.seed ? "seed" : f.operator || (f.ghost ? "" : row === path.rows[0] ? "root" : "unknown"), f.generation >= 0 && `gen ${f.generation}`].filter(Boolean).join(" · ")),
      h("small", null, ...price(f, gain, row === path.rows[0])),
      bar);
    });
    if (hidden) cells.splice(Math.max(0, cells.length - 1), 0, h("span.between", { title: `${counted(hidden, "step")} of the path ${gainless ? "gained nothing" : "gained less"} and ${hidden === 1 ? "is" : "are"} not shown here` }, `+${hidden} ${hidden === 1 ? "step" : "steps"}`, h("small", null, gainless ? "without gain" : "of less gain")));
    return cells;
  }
}

/** Gain and price, of what is known; where room is short the price is cut off, not the gain. */
function price(f, gain, /** @type {boolean} */ first) {
  const told = Number.isNaN(f.gain) ? null : h(`span.${gain.tone}`, null, gain.text);
  if (Number.isNaN(f.cost)) return [told ?? (f.seed || (first && !f.ghost) ? "start" : "–")];
  return told ? [told, ` · ${money(f.cost)}`] : [money(f.cost)];
}

/** First, last, and of those between the ones that gained most, in their order. */
export function choose(/** @type {number[]} */ rows, /** @type {number} */ room, /** @type {(row: number) => number} */ gain) {
  if (rows.length <= room) return { shown: rows, hidden: 0, gainless: false };
  const between = rows.slice(1, -1).map((row, i) => ({ row, i, gain: gain(row) || 0 }));
  between.sort((a, b) => b.gain - a.gain || b.i - a.i);
  const kept = between.splice(0, Math.max(0, room - 3)).sort((a, b) => a.i - b.i);
  const shown = [rows[0], ...kept.map((k) => k.row), rows[rows.length - 1]];
  return { shown, hidden: between.length, gainless: between.every((k) => k.gain <= 0) };
}
