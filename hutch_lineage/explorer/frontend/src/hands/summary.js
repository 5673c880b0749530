// The picture in words, for those who do not see it: what a screen reader finds in place of the canvas.
import { h, renderer } from "../frame/dom.js";
import { factsOf, scoreText } from "../words/facts.js";
import { counted, whole } from "../words/format.js";

/** A growing run is told anew at most this often. */
const REST_MS = 2000;
const STEPS = 40;

export class Summary {
  constructor(/** @type {import("../data/store.js").Store} */ store) {
    this.store = store;
    this.element = h("section.hidden", { "aria-label": "The picture in words" });
    this.render = renderer(this.element);
    this.told = -Infinity;
    this.timer = 0;
  }

  /** @param {boolean} grown whether only the data has changed */
  update(grown) {
    const rest = this.told + REST_MS - performance.now();
    if (grown && rest > 0) {
      this.timer ||= setTimeout(() => this.update(false), rest);
      return;
    }
    clearTimeout(this.timer);
    this.timer = 0;
    this.told = performance.now();
    const { scene } = this.store;
    this.render([scene.index, scene.path, this.store.view.focus], () => this.#content());
  }

  #content() {
    const { store } = this;
    const { scene } = store;
    const { counts } = scene.index;
    const { metric, path } = scene;
    const shown = [counted(counts.total, scene.kind), counted(counts.edges, "edge"), counts.seeds && counted(counts.seeds, "seed"), counts.invalid && `${whole(counts.invalid)} invalid`, counts.ghosts && `${whole(counts.ghosts)} not seen`, scene.hiddenCounts.total && `${whole(scene.hiddenCounts.total)} hidden`].filter(Boolean).join(", ");
    if (path.best < 0) return [h("p", null, `${shown}.`)];
    const best = factsOf(store, path.best);
    const steps = path.rows.slice(-STEPS).map((row) => factsOf(store, row));
    return [
      h("p", null, `${shown}. The best is ${best.id}${metric ? ` with ${metric.name} ${scoreText(store, best.score)}` : ""}, ${counted(path.rows.length - 1, "step")} from a seed.`),
      h("table", null,
        h("caption", null, "Path to the best"),
        h("thead", null, h("tr", null, ...["id", metric?.name ?? "score", "operator", "generation"].map((text) => h("th", { scope: "col" }, text)))),
        h("tbody", null, ...steps.map((f) => h("tr", null, h("th", { scope: "row" }, f.id), h("td", null, scoreText(store, f.score)), h("td", null, f.operator || (f.seed ? "seed" : "unknown")), h("td", null, f.generation >= 0 ? f.generation : "unknown"))))),
    ];
  }

  destroy() {
    clearTimeout(this.timer);
  }
}
