// A small sheet that a button opens. Escape, a press elsewhere or the focus moving on closes it.
import { h } from "../frame/dom.js";

export class Popover {
  /**
   * @param {string} label of the sheet
   * @param {HTMLButtonElement} button
   * @param {() => any[]} content built anew each time it opens
   */
  constructor(label, button, content) {
    this.button = button;
    this.content = content;
    this.element = h("div.popover", { role: "dialog", "aria-label": label, hidden: true, tabindex: "-1" });
    button.setAttribute("aria-haspopup", "dialog");
    button.setAttribute("aria-expanded", "false");
    button.addEventListener("click", () => this.toggle());
    const escape = (e) => {
      if (e.key !== "Escape" || !this.open) return;
      e.stopPropagation();
      this.close(true);
    };
    this.element.addEventListener("keydown", escape);
    button.addEventListener("keydown", escape);
    this.element.addEventListener("focusout", (e) => e.relatedTarget && !this.#holds(e.relatedTarget) && this.close());
    this.onPress = (e) => this.#holds(e.target) || this.close();
  }

  #holds(target) {
    return this.element.contains(target) || this.button.contains(target);
  }

  get open() {
    return !this.element.hidden;
  }

  toggle() {
    if (this.open) this.close(true);
    else this.show();
  }

  show() {
    const root = this.button.closest(".hl-explorer");
    root.append(this.element);
    this.refresh();
    this.element.hidden = false;
    this.button.setAttribute("aria-expanded", "true");
    const at = this.button.getBoundingClientRect();
    const box = root.getBoundingClientRect();
    const { offsetWidth: wide, offsetHeight: tall } = this.element;
    const above = at.bottom - box.top + tall + 6 > box.height && at.top - box.top > tall + 6;
    this.element.style.left = `${Math.max(6, Math.min(at.left - box.left, box.width - wide - 8))}px`;
    this.element.style.top = `${Math.max(6, above ? at.top - box.top - tall - 5 : at.bottom - box.top + 5)}px`;
    addEventListener("pointerdown", this.onPress, true);
    (this.element.querySelector(":is(button, input, select):enabled") ?? this.element).focus({ preventScroll: true });
  }

  /** Build the content again, and keep the keyboard where it was. */
  refresh() {
    const at = [...this.element.querySelectorAll("button, input, select")].indexOf(document.activeElement);
    this.element.replaceChildren(...this.content());
    if (at >= 0) this.element.querySelectorAll("button, input, select")[at]?.focus();
  }

  close(back = false) {
    if (!this.open) return;
    this.element.hidden = true;
    this.button.setAttribute("aria-expanded", "false");
    removeEventListener("pointerdown", this.onPress, true);
    if (back) this.button.focus({ preventScroll: true });
  }
}
