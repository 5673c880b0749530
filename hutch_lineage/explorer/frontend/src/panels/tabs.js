// The strip of tabs: those that fit, then a menu with the others. The open tab always stands in the strip.
import { h, icon } from "../frame/dom.js";

/** Room between two tabs, what the menu's button takes, and the edges of the row: CSS pixels, see side.css. */
const GAP = 16;
const MENU = 52;
const EDGES = 20;

/**
 * Which tabs stand in the strip: as many as fit, the open one in any case.
 * @param {{id: string, width: number}[]} tabs in their order
 * @param {number} room CSS pixels for all of them
 * @param {string} open id of the open tab
 * @returns {Set<string>}
 */
export function fitting(tabs, room, open) {
  const wide = (/** @type {{width: number}[]} */ some) => some.reduce((sum, tab) => sum + tab.width + GAP, -GAP);
  if (wide(tabs) <= room) return new Set(tabs.map((tab) => tab.id));
  const left = room - MENU - GAP;
  const kept = tabs.filter((tab) => tab.id === open);
  for (const tab of tabs) {
    if (tab.id === open) continue;
    if (wide([...kept, tab]) > left) break;
    kept.push(tab);
  }
  return new Set(kept.map((tab) => tab.id));
}

export class Tabs {
  /**
   * @param {{uid: string, open(id: string): void, large(): void}} given
   */
  constructor({ uid, open, large }) {
    this.uid = uid;
    this.openTab = open;
    this.shown = "";
    /** @type {{id: string, title: string}[]} */
    this.list = [];
    /** @type {Map<string, HTMLButtonElement>} */
    this.buttons = new Map();
    this.strip = h("div.tabs", { role: "tablist", "aria-label": "Panels", onkeydown: (e) => this.#arrow(e) });
    this.more = h("button.more", { "aria-haspopup": "menu", "aria-expanded": "false", "aria-controls": `${uid}-more`, onclick: () => this.#menu(!this.isOpen), onkeydown: (e) => e.key === "ArrowDown" && (e.preventDefault(), this.#menu(true)) }, "More");
    this.menu = h("div.menulist", { role: "menu", id: `${uid}-more`, "aria-label": "More panels", hidden: true, onkeydown: (e) => this.#walk(e), onfocusout: (e) => !this.holder.contains(e.relatedTarget) && this.#menu(false) });
    this.holder = h("div.morebox", { hidden: true }, this.more, this.menu);
    this.large = h("button.large", { "aria-pressed": "false", "aria-label": "Panel over the picture", title: "Open the panel over the picture", onclick: large }, icon("large"));
    this.element = h("div.tabrow", null, this.strip, this.holder, this.large);
    this.observer = new ResizeObserver(() => this.#place());
    this.observer.observe(this.element);
  }

  get isOpen() {
    return !this.menu.hidden;
  }

  /** @param {{id: string, title: string}[]} list @param {string} shown */
  update(list, shown) {
    const same = list.length === this.list.length && list.every((tab, i) => tab.id === this.list[i].id);
    if (same && shown === this.shown) return;
    this.shown = shown;
    this.list = list;
    if (!same) {
      const focused = this.strip.contains(document.activeElement);
      this.strip.replaceChildren(...list.map(({ id, title }) => this.#button(id, title)));
      if (focused) this.buttons.get(shown)?.focus({ preventScroll: true });
    }
    for (const [id, button] of this.buttons) {
      button.setAttribute("aria-selected", String(id === shown));
      button.tabIndex = id === shown ? 0 : -1;
    }
    this.#place();
  }

  #button(id, title) {
    let button = this.buttons.get(id);
    if (!button) {
      button = h("button.tab", { role: "tab", id: `${this.uid}-${id}`, "data-tab": id, "aria-controls": this.uid, onclick: () => this.openTab(id) }, title);
      this.buttons.set(id, /** @type {any} */ (button));
    }
    return /** @type {any} */ (button);
  }

  #place() {
    const room = this.element.clientWidth - this.large.offsetWidth - EDGES - GAP;
    if (room <= 0 || !this.list.length) return;
    for (const tab of this.list) this.#button(tab.id, tab.title).hidden = false;
    const kept = fitting(this.list.map(({ id, title }) => ({ id, width: Math.ceil(this.#button(id, title).getBoundingClientRect().width) })), room, this.shown);
    for (const tab of this.list) this.#button(tab.id, tab.title).hidden = !kept.has(tab.id);
    const rest = this.list.filter((tab) => !kept.has(tab.id));
    this.holder.hidden = !rest.length;
    const key = rest.map((tab) => tab.id).join();
    if (this.menu.dataset.key === key) return;
    this.menu.dataset.key = key;
    this.menu.replaceChildren(...rest.map(({ id, title }) => h("button", { role: "menuitem", tabindex: "-1", "data-tab": id, onclick: () => {
      this.#menu(false);
      this.openTab(id);
      this.focus(id);
    } }, title)));
  }

  /** The key focus on a tab, which is in the strip once it is open. */
  focus(/** @type {string} */ id) {
    requestAnimationFrame(() => this.buttons.get(id)?.focus({ preventScroll: true }));
  }

  #menu(open) {
    if (open === this.isOpen) return;
    const inside = this.menu.contains(document.activeElement);
    this.menu.hidden = !open;
    this.more.setAttribute("aria-expanded", String(open));
    if (open) this.menu.firstElementChild?.focus({ preventScroll: true });
    else if (inside) this.more.focus({ preventScroll: true });
  }

  #walk(e) {
    const items = [...this.menu.children];
    const at = items.indexOf(/** @type {any} */ (document.activeElement));
    const to = { ArrowDown: at + 1, ArrowUp: at - 1 + items.length, Home: 0, End: items.length - 1 }[e.key];
    if (to !== undefined) items[to % items.length]?.focus({ preventScroll: true });
    else if (e.key === "Escape") {
      this.#menu(false);
      e.stopPropagation();
    } else return;
    e.preventDefault();
  }

  #arrow(e) {
    const at = this.list.findIndex((tab) => tab.id === this.shown);
    const n = this.list.length;
    const to = { ArrowRight: (at + 1) % n, ArrowLeft: (at - 1 + n) % n, Home: 0, End: n - 1 }[e.key];
    if (to === undefined) return;
    const { id } = this.list[to];
    this.openTab(id);
    this.focus(id);
    e.preventDefault();
  }

  destroy() {
    this.observer.disconnect();
  }
}
