// The edge between the picture and the panel: drag it, or move it with the arrow keys; double-click puts it back.
import { h } from "./dom.js";

const LEAST = 260;

export function resizer(/** @type {() => HTMLElement} */ root) {
  const set = (/** @type {number|null} */ width) => {
    const most = Math.max(LEAST, root().clientWidth * 0.7);
    if (width === null) root().style.removeProperty("--hl-side");
    else root().style.setProperty("--hl-side", `${Math.round(Math.min(most, Math.max(LEAST, width)))}px`);
    const share = (100 * (width ?? 348)) / (root().clientWidth || 1);
    element.setAttribute("aria-valuenow", String(Math.round(Math.min(100, share))));
  };
  const width = () => element.parentElement.getBoundingClientRect().width;
  const element = h("div.resizer", {
    role: "separator", "aria-orientation": "vertical", "aria-label": "Width of the panel", tabindex: "0", title: "Drag to resize", "aria-valuenow": "30",
    onpointerdown: (e) => {
      element.setPointerCapture(e.pointerId);
      e.preventDefault();
    },
    onpointermove: (e) => element.hasPointerCapture(e.pointerId) && set(root().getBoundingClientRect().right - e.clientX),
    ondblclick: () => set(null),
    onkeydown: (e) => {
      const step = { ArrowLeft: 24, ArrowRight: -24 }[e.key];
      if (!step) return;
      e.preventDefault();
      set(width() + step);
    },
  });
  return element;
}
