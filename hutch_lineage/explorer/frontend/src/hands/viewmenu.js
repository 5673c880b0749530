// How the picture is drawn and what it leaves out, behind one button.
import { fillSelect, h } from "../frame/dom.js";
import { directed } from "../words/format.js";
import { Popover } from "./popover.js";

const SCALES = [["linear", "Linear"], ["log", "Log"], ["rank", "Rank"]];
const SIZES = [["", "same"], ["cost", "cost"], ["tokens", "tokens"], ["descendants", "descendants"]];
/** Layouts that can be made anew from all that has come; the others follow from the data alone. */
const TIDY = new Set(["generations", "layered", "tree", "islands"]);

export class ViewMenu {
  /** @param {import("../data/store.js").Store} store @param {any} app */
  constructor(store, app) {
    this.store = store;
    this.app = app;
    this.button = h("button.chip.view", { title: "Best by, scale, size, edges, folds" }, "View");
    this.popover = new Popover("View", this.button, () => this.#content());
    this.key = "";
  }

  update() {
    const { view, standalone, connected } = this.store;
    const changed = view.chains || view.dead_ends || view.best || view.size || view.edges || view.scale !== "linear" || view.focus?.mode === "improvements";
    this.button.classList.toggle("hl-on", !!changed);
    const key = JSON.stringify([view.chains, view.dead_ends, view.size, view.edges, view.scale, view.focus?.mode, view.layout, standalone, connected, view.colour, view.best, this.store.metrics, this.store.scene.score.length > 0]);
    if (this.popover.open && key !== this.key) this.popover.refresh();
    this.key = key;
  }

  #content() {
    const { store, app } = this;
    const { view } = store;
    const set = (patch) => () => store.setView(patch);
    const choice = (label, name, options, disabled = false) => h("div.choice", null, h("span", { id: `hl-${name}` }, label), h("div.seg.small", { role: "group", "aria-labelledby": `hl-${name}` }, ...options.map(([value, text]) => h("button", { "aria-pressed": String(view[name] === value), disabled, onclick: set({ [name]: value }) }, text))));
    const tick = (text, on, f, title, disabled = false) => h("label.check", { title }, h("input", { type: "checkbox", checked: on, disabled, onchange: f }), text);
    const measured = store.scene.colouring.legend.kind === "ramp";
    const scored = store.scene.score.length > 0;
    const improving = view.focus?.mode === "improvements";
    const best = h("select", { "aria-label": "Best by", onchange: () => store.setView({ best: best.value }) });
    const { metric } = store.scene;
    fillSelect(best, [{ value: "", text: `as coloured${view.best ? "" : `: ${metric ? directed(metric) : ""}`}` }, ...store.metrics.map((m) => ({ value: m.name, text: directed(m) }))], metric?.name === view.best ? view.best : "");
    return [
      metric && h("div.choice", null, h("span", null, "Best by"), h("label.chip.menu", null, best)),
      choice("Scale", "scale", SCALES, !measured),
      choice("Size", "size", SIZES),
      choice("Edges", "edges", [["", "parents"], ["operator", "operator"]]),
      h("div.ticks", null,
        tick("Only improvements", improving, () => app.improvements(), "Individuals better than all their parents, and those that were the best when they came (i)", !scored && !improving),
        tick("Fold linear chains", view.chains, set({ chains: !view.chains }), "Individuals in a row with one parent and one child each become one line", improving),
        tick("Hide dead ends", view.dead_ends, set({ dead_ends: !view.dead_ends }), "Individuals without a descendant on the way to the best, in the last generation, or not evaluated yet")),
      TIDY.has(view.layout) && !store.standalone && h("button.link", { title: "Lay out anew from all that has come, with fewer crossings; old places change", disabled: !store.connected, onclick: () => store.relayout(view.layout) }, "Tidy up the layout"),
    ].filter(Boolean);
  }
}
