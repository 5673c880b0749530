// A frame drawn with Shift and the pointer: what lies within is marked. With Ctrl or ⌘ too, it is added to what is marked.
import { h } from "../frame/dom.js";

/** @param {HTMLCanvasElement} canvas @param {HTMLElement} stage @param {{rowsIn(box: {x0: number, y0: number, x1: number, y1: number}): number[], marked(rows: number[], add: boolean): void}} given */
export function boxSelect(canvas, stage, { rowsIn, marked }) {
  const element = h("div.box", { hidden: true, "aria-hidden": "true" });
  stage.append(element);
  /** @type {{x: number, y: number, id: number, moved: boolean}|null} */
  let from = null;
  const place = (e) => {
    const box = canvas.getBoundingClientRect();
    const k = box.width / (canvas.clientWidth || 1) || 1;
    return { x: (e.clientX - box.left) / k, y: (e.clientY - box.top) / k };
  };
  const frame = (to) => ({ x0: Math.min(from.x, to.x), y0: Math.min(from.y, to.y), x1: Math.max(from.x, to.x), y1: Math.max(from.y, to.y) });
  const end = () => {
    from = null;
    element.hidden = true;
  };
  canvas.addEventListener("pointerdown", (e) => {
    if (!e.shiftKey || e.button) return;
    from = { ...place(e), id: e.pointerId, moved: false };
    canvas.setPointerCapture(e.pointerId);
  });
  canvas.addEventListener("pointermove", (e) => {
    if (!from || e.pointerId !== from.id) return;
    const { x0, y0, x1, y1 } = frame(place(e));
    from.moved ||= x1 - x0 + y1 - y0 > 6;
    element.hidden = !from.moved;
    element.style.cssText = `left:${x0}px;top:${y0}px;width:${x1 - x0}px;height:${y1 - y0}px`;
  });
  canvas.addEventListener("pointerup", (e) => {
    if (!from || e.pointerId !== from.id) return;
    if (from.moved) {
      marked(rowsIn(frame(place(e))), e.ctrlKey || e.metaKey);
      // The click that follows belongs to the frame.
      const swallow = (click) => click.stopImmediatePropagation();
      canvas.addEventListener("click", swallow, { capture: true });
      setTimeout(() => canvas.removeEventListener("click", swallow, { capture: true }), 50);
    }
    end();
  });
  canvas.addEventListener("pointercancel", end);
  canvas.addEventListener("keydown", (e) => e.key === "Escape" && from && (end(), e.stopImmediatePropagation()));
}
