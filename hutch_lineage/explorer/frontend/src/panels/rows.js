// A list of any length whose rows are all as high: only those in view exist.
import { h } from "../frame/dom.js";

export class Rows {
  /**
   * @param {HTMLElement} list what scrolls; the rows come after what it holds
   * @param {number} height of a row, CSS pixels
   * @param {(at: number) => HTMLElement} build the row at a place
   * @param {Record<string, any>} [attributes] of the element that holds the rows
   */
  constructor(list, height, build, attributes) {
    this.list = list;
    this.height = height;
    this.build = build;
    this.count = 0;
    this.held = false;
    this.spacer = h("div.spacer");
    this.window = h("div.window", { ...attributes, onpointerdown: () => this.#hold() });
    list.append(h("div.tall", { role: "presentation" }, this.spacer, this.window));
    list.addEventListener("scroll", () => this.paint());
    this.observer = new ResizeObserver(() => this.paint());
    this.observer.observe(list);
  }

  /** How many rows there are; `paint` shows them. */
  size(/** @type {number} */ count) {
    this.count = count;
    this.spacer.style.height = `${count * this.height}px`;
  }

  paint() {
    // A click is lost when its row is replaced between the button's way down and up.
    if (this.held) return;
    const { list, height, count } = this;
    const first = Math.max(0, Math.floor(list.scrollTop / height) - 4);
    const last = Math.min(count, first + Math.ceil((list.clientHeight || 400) / height) + 9);
    this.window.style.transform = `translateY(${first * height}px)`;
    this.window.replaceChildren(...Array.from({ length: Math.max(0, last - first) }, (_, i) => this.build(first + i)));
  }

  #hold() {
    this.held = true;
    const ends = ["pointerup", "pointercancel"];
    const release = () => {
      for (const end of ends) window.removeEventListener(end, release);
      // The click comes right after.
      setTimeout(() => {
        this.held = false;
        this.paint();
      });
    };
    for (const end of ends) window.addEventListener(end, release);
  }

  /** Scroll until a row is in view; `above` pixels of the list are covered, by a head for one. */
  reveal(/** @type {number} */ at, above = 0) {
    const top = at * this.height;
    const room = this.list.clientHeight - this.height - above;
    if (top < this.list.scrollTop) this.list.scrollTop = top;
    else if (top > this.list.scrollTop + room) this.list.scrollTop = top - room;
  }

  stop() {
    this.observer.disconnect();
  }
}
