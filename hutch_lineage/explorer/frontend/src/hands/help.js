// The sheet of keys.
import { h, icon } from "../frame/dom.js";
import { ESCAPE } from "../frame/keys.js";

const KEYS = [
  ["Walk", [["← →", "best parent, best child"], ["↑ ↓", "neighbour above, below"], ["b", "the best"], ["Enter", "details"], ["/", "search; Enter for the next"]]],
  ["Focus", [["a  d  f", "ancestors, descendants, both"], ["p", "path from a seed"], ["s  S", "steps around: more, less"], ["w", "way to the compared one"], ["i", "only improvements"], ["Esc", ESCAPE]]],
  ["Mark and fold", [["c", "compare with this one (also Alt+click)"], ["m", "mark"], ["Shift+drag", "mark what is framed"], ["x", "fold, unfold the subtree"]]],
  ["Picture", [["+  −  0", "closer, further, everything"], ["[  ]", "back, forward (also Alt+← →)"], ["wheel", "zoom, once the picture was clicked"], ["?", "this sheet"]]],
];

export class Help {
  constructor(/** @type {() => void} */ closed) {
    this.closed = closed;
    this.element = h("div.sheet", { role: "dialog", "aria-label": "Keys", tabindex: "-1", hidden: true },
      h("button.clear", { "aria-label": "Close", title: "Close (Esc)", onclick: () => this.close() }, icon("close")),
      ...KEYS.map(([title, keys]) => h("section", null, h("h4", null, title), h("dl", null, ...keys.flatMap(([key, text]) => [h("dt", null, key), h("dd", null, text)])))));
    this.element.addEventListener("keydown", (e) => {
      if (e.key !== "Escape" && e.key !== "?") return;
      e.stopPropagation();
      this.close();
    });
  }

  toggle() {
    if (!this.element.hidden) return this.close();
    this.element.hidden = false;
    this.element.focus({ preventScroll: true });
  }

  close() {
    this.element.hidden = true;
    this.closed();
  }
}
