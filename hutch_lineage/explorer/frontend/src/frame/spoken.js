// The picture in words: for a screen reader, and where there is nothing to draw.
import { factsOf, scoreText } from "../words/facts.js";
import { clip, counted, whole } from "../words/format.js";

/** @typedef {{store: import("../data/store.js").Store, canvas: HTMLElement, active: HTMLElement, live: HTMLElement, empty: HTMLElement}} Parts */

/** Say what the picture shows, and why where that is nothing. */
export function describe(/** @type {Parts} */ { store, canvas, empty }) {
  const { counts, rows } = store.scene.index;
  const { total } = store.scene.hiddenCounts;
  empty.hidden = rows.length > 0;
  empty.textContent = total ? `All ${whole(total)} are hidden` : store.nodes.count ? `No ${store.scene.kind}s in this run` : "Nothing captured yet. Individuals appear here as they are logged.";
  canvas.setAttribute("aria-label", `Lineage picture: ${counted(counts.total, store.scene.kind)}, ${counted(counts.edges, "edge")}. Arrow keys walk along parents and children.`);
}

/** Say who is selected. */
export function announce(/** @type {Parts} */ { store, active, live }) {
  live.textContent = store.selected < 0 ? "Nothing selected" : individual(store, store.selected);
  active.setAttribute("aria-label", live.textContent);
}

function individual(store, /** @type {number} */ row) {
  const f = factsOf(store, row);
  const { metric } = store.scene;
  return [
    clip(f.id), f.best && "best", f.seed && "seed", f.ghost && "not seen", f.invalid && "invalid", f.generation >= 0 && `generation ${f.generation}`,
    metric && !Number.isNaN(f.score) && `${metric.name} ${scoreText(store, f.score)}`, f.operator,
    counted(store.links.parents(f.row).length, "parent"), counted(store.links.children(f.row).length, "child", "children"),
  ].filter(Boolean).join(", ");
}
