// The card beside the individual under the pointer.
import { h } from "./dom.js";
import { factsOf, gainText, scoreText } from "../words/facts.js";
import { clip, counted, money } from "../words/format.js";

export class HoverCard {
  constructor(/** @type {import("../data/store.js").Store} */ store) {
    this.store = store;
    this.row = -1;
    this.element = h("div.card", { hidden: true, "aria-hidden": "true" });
  }

  show(/** @type {number} */ row, /** @type {import("../drawing/camera.js").Camera} */ camera) {
    const { store, element } = this;
    element.hidden = row < 0 || row >= store.nodes.count;
    if (element.hidden) {
      this.row = -1;
      return;
    }
    if (row !== this.row || this.revision !== store.revision) element.replaceChildren(...this.#content(row));
    this.row = row;
    this.revision = store.revision;
    const px = camera.x(store.scene.x[row]);
    const py = camera.y(store.scene.y[row]);
    const { offsetWidth: w, offsetHeight: tall } = element;
    let left = px + 14;
    if (left + w > camera.width - 6) left = px - w - 14;
    let top = py - tall - 12;
    if (top < 28) top = Math.min(py + 14, camera.height - tall - 6);
    element.style.left = `${Math.round(Math.max(6, left))}px`;
    element.style.top = `${Math.round(Math.max(6, top))}px`;
  }

  #content(row) {
    const { store } = this;
    const { metric } = store.scene;
    const f = factsOf(store, row);
    const gain = gainText(store, f.gain);
    const parents = store.links.parents(row).length;
    const where = [f.generation >= 0 && `generation ${f.generation}`, f.ghost && "not seen", f.invalid && "invalid", f.rejected && "rejected", f.cycle && "in a cycle"].filter(Boolean).join(" · ");
    const how = f.ghost
      ? "named as a parent; no event about it has come"
      : [f.seed ? "seed" : f.operator, parents && counted(parents, "parent"), !Number.isNaN(f.cost) && money(f.cost)].filter(Boolean).join(" · ");
    return [
      h("div", null, h("b.mono", null, clip(f.id)), where && ` · ${where}`),
      metric && !Number.isNaN(f.score) && h("div", null, h("span.mute", null, metric.name), " ", h("b", null, scoreText(store, f.score)), Number.isNaN(f.gain) ? null : h(`span.${gain.tone}`, null, ` ${gain.text}`)),
      how && h("div.mute", null, how),
    ].filter(Boolean);
  }
}
