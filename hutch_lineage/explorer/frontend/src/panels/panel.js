// The side panel: tabs, and one panel at a time, built when it is first opened.
import { h } from "../frame/dom.js";
import { resizer } from "../frame/resizer.js";
import { bundleOf } from "./bundle.js";
import { TABS } from "./list.js";
import { Tabs } from "./tabs.js";

/** @typedef {import("./list.js").PanelPart} PanelPart */

const ALL = new Set(["graph", "details", "view", "select", "status", "assets"]);
/** How long a bundle may be on its way before the panel says what it waits for. */
const PATIENCE_MS = 400;
const LOST_MS = 3000;

let serial = 0;

export class Panel {
  constructor(/** @type {import("../data/store.js").Store} */ store, /** @type {any} */ app) {
    this.store = store;
    this.app = app;
    /** What a person works with, Details among it, runs as soon as it is here; the other panels when one of them is opened. */
    this.hands = bundleOf(store, "hands");
    this.bundle = bundleOf(store, "panels");
    /** @type {Map<string, PanelPart>} */
    this.parts = new Map();
    this.shown = "";
    this.asking = 0;
    this.uid = `hl-panel-${++serial}`;
    this.tabs = new Tabs({ uid: this.uid, open: (tab) => this.#open(tab), large: () => this.enlarge(!this.large) });
    this.body = h("div.body", { role: "tabpanel", id: this.uid, tabindex: "0" });
    this.style = document.createElement("style");
    this.element = h("aside.side", { "aria-label": "Panels about the selection and the run", onkeydown: (e) => {
      if (e.key !== "Escape" || !this.large) return;
      this.enlarge(false);
      e.stopPropagation();
    } }, this.style, this.tabs.element, this.body, resizer(() => app.root));
  }

  /** Whether the panel lies over the picture. */
  get large() {
    return this.app.root?.hasAttribute("data-large") ?? false;
  }

  enlarge(/** @type {boolean} */ on) {
    this.app.root.toggleAttribute("data-large", on);
    this.tabs.large.setAttribute("aria-pressed", String(on));
    this.tabs.large.title = on ? "Show the picture again (Esc)" : "Open the panel over the picture";
  }

  /** Whether the open panel is still on its way. */
  get loading() {
    return !this.parts.has(this.shown);
  }

  #open(/** @type {string} */ tab) {
    this.store.setView({ tab });
    this.update(new Set(["view"]));
  }

  /** The tabs that have something to show; the open one stays in any case. */
  #list() {
    const made = [this.hands, this.bundle].flatMap(({ module }) => module?.PANELS ?? []);
    return TABS.map((tab) => ({ ...tab, ...made.find((panel) => panel.id === tab.id) })).filter(({ id, make, early, available }) => (make || !(early ? this.hands : this.bundle).module) && (!available || id === this.store.view.tab || available(this.store)));
  }

  update(/** @type {Set<string>} */ changes) {
    const list = this.#list();
    const wanted = list.find((p) => p.id === this.store.view.tab) ?? list[0];
    this.tabs.update(list, wanted.id);
    let all = changes;
    if (wanted.id !== this.shown) {
      this.shown = wanted.id;
      this.body.setAttribute("aria-labelledby", `${this.uid}-${wanted.id}`);
      this.body.dataset.tab = wanted.id;
      this.body.replaceChildren();
      this.body.scrollTop = 0;
      all = ALL;
    } else if (changes.has("select") && !wanted.keepsScroll) this.body.scrollTop = 0;
    if (!wanted.make) return this.#wait(wanted.early ? this.hands : this.bundle);
    this.dress();
    let part = this.parts.get(wanted.id);
    if (!part) {
      part = new wanted.make(this.store, this.app);
      this.parts.set(wanted.id, part);
    }
    if (part.element.parentNode !== this.body) {
      this.body.replaceChildren(part.element);
      all = ALL;
    }
    part.update(all);
  }

  /** Bring in the styles of the bundles that run. */
  dress() {
    const css = this.hands.css + this.bundle.css;
    if (this.style.textContent !== css) this.style.textContent = css;
  }

  /** In place of a panel whose code is not here. */
  #wait(/** @type {import("./bundle.js").Bundle} */ bundle) {
    const { store } = this;
    // This one comes by itself; it is asked for only when it seems to be lost.
    if (bundle === this.hands && !bundle.here) this.asking ||= setTimeout(() => bundle.load(), LOST_MS);
    else bundle.load();
    const since = store.askedAssets.get(bundle.name) ?? 0;
    const late = since > 0 && Date.now() - since > PATIENCE_MS;
    if (since && !late) setTimeout(() => this.loading && this.update(new Set(["assets"])), PATIENCE_MS + 20);
    if (bundle.error) {
      this.body.replaceChildren(h("p.reason", null, h("b", null, "This panel could not be loaded: "), bundle.error), h("button.link", { onclick: () => bundle.again() }, "Try again"));
    } else if (bundle.here || (!late && !store.standalone)) this.body.replaceChildren(h("p.waiting", null, "Loading…"));
    else if (store.standalone) this.body.replaceChildren(h("p.mute.hint", null, "This page was saved without its panels."));
    else this.body.replaceChildren(h("p.waiting", null, store.connected ? "This panel has not arrived. Waiting for the kernel…" : "Not here: the kernel has ended."), h("button.link", { onclick: () => bundle.again() }, "Ask again"));
  }

  destroy() {
    clearTimeout(this.asking);
    this.tabs.destroy();
    for (const part of this.parts.values()) part.destroy?.();
  }
}
