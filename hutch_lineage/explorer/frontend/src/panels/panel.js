// The side panel: tabs, and one panel at a time, built when it is first opened.
import { h } from "../dom.js";
import { resizer } from "../resizer.js";
import { CostPanel } from "./cost.js";
import { DetailsPanel } from "./details.js";
import { DiffPanel } from "./diff.js";
import { EventsPanel } from "./events.js";
import { TablePanel } from "./table.js";

/**
 * A panel: an element, and `update`, called when the panel is open and something changed.
 * @typedef {{element: HTMLElement, update(changes: Set<string>): void, destroy?(): void}} PanelPart
 * @type {{id: string, title: string, make: new (store: import("../store.js").Store, app: import("../app.js").App) => PanelPart}[]}
 */
export const PANELS = [
  { id: "details", title: "Details", make: DetailsPanel },
  { id: "diff", title: "Diff", make: DiffPanel },
  { id: "cost", title: "Cost", make: CostPanel },
  { id: "events", title: "Events", make: EventsPanel },
  { id: "table", title: "Table", make: TablePanel },
];

let serial = 0;

export class Panel {
  constructor(/** @type {import("../store.js").Store} */ store, /** @type {any} */ app) {
    this.store = store;
    this.app = app;
    /** @type {Map<string, PanelPart>} */
    this.parts = new Map();
    this.shown = "";
    const uid = `hl-panel-${++serial}`;
    this.tabs = h("div.tabs", { role: "tablist", "aria-label": "Panels", onkeydown: (e) => this.#arrow(e) });
    for (const { id, title } of PANELS) {
      this.tabs.append(h("button.tab", { role: "tab", id: `${uid}-${id}`, "data-tab": id, "aria-controls": uid, "aria-selected": "false", tabindex: "-1", onclick: () => store.setView({ tab: id }) }, title));
    }
    this.body = h("div.body", { role: "tabpanel", id: uid, tabindex: "0" });
    this.uid = uid;
    this.element = h("aside.side", { "aria-label": "Details of the selection" }, this.tabs, this.body, resizer(() => app.root));
  }

  #arrow(e) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[e.key];
    if (!step) return;
    const at = PANELS.findIndex((p) => p.id === this.shown);
    const { id } = PANELS[(at + step + PANELS.length) % PANELS.length];
    this.store.setView({ tab: id });
    this.update(new Set(["view"]));
    this.tabs.querySelector(`[data-tab="${id}"]`).focus();
    e.preventDefault();
  }

  update(/** @type {Set<string>} */ changes) {
    const wanted = PANELS.find((p) => p.id === this.store.view.tab) ?? PANELS[0];
    let all = changes;
    if (wanted.id !== this.shown) {
      this.shown = wanted.id;
      for (const tab of this.tabs.children) {
        const on = tab.dataset.tab === wanted.id;
        tab.setAttribute("aria-selected", String(on));
        tab.tabIndex = on ? 0 : -1;
      }
      this.body.setAttribute("aria-labelledby", `${this.uid}-${wanted.id}`);
      this.body.dataset.tab = wanted.id;
      if (!this.parts.has(wanted.id)) this.parts.set(wanted.id, new wanted.make(this.store, this.app));
      const part = /** @type {PanelPart} */ (this.parts.get(wanted.id));
      this.body.replaceChildren(part.element);
      this.body.scrollTop = 0;
      all = new Set(["graph", "details", "view", "select", "status"]);
    } else if (changes.has("select") && wanted.id !== "table") this.body.scrollTop = 0;
    this.parts.get(wanted.id)?.update(all);
  }

  destroy() {
    for (const part of this.parts.values()) part.destroy?.();
  }
}
