// The hand on the picture: a mouse or a finger drags it, the wheel, a trackpad or two fingers magnify it. d3-zoom knows the devices
// and keeps one scale for both directions; the camera has a scale for each, and limits. So each event is handed on as a step.
import { pointers, select } from "d3-selection";
import { zoom, zoomIdentity } from "d3-zoom";

/** Pixels a press may wander and still be a click. */
const CLICK = 4;
/** How far a single gesture may magnify: further than any camera, near enough for numbers to stay exact. */
const EXTENT = /** @type {[number, number]} */ ([1e-9, 1e9]);

export class Gestures {
  /**
   * @param {HTMLElement} element
   * @param {{pan: (dx: number, dy: number) => void, magnify: (factor: number, x: number, y: number) => void}} camera
   */
  constructor(element, camera) {
    this.element = element;
    this.camera = camera;
    /** Where d3-zoom stood at the event before. */
    this.before = zoomIdentity;
    /** Gestures under way: a drag may begin before the wheel has come to rest. */
    this.active = 0;
    this.zoom = zoom()
      .scaleExtent(EXTENT)
      .clickDistance(CLICK)
      .filter((e) => this.#takes(e))
      .on("start", (e) => e.sourceEvent && this.active++)
      .on("zoom", (e) => this.#step(e))
      .on("end", (e) => e.sourceEvent && !--this.active && this.#rest());
    this.selection = select(element);
    // A double click, or a double tap, is for what lies under it.
    this.selection.call(this.zoom).on("dblclick.zoom", null);
  }

  /** Whether an event is for the hand. */
  #takes(/** @type {MouseEvent|TouchEvent|WheelEvent} */ e) {
    // A page is scrolled past the picture; its wheel magnifies once it was clicked, or with Ctrl (as a trackpad's pinch) or Cmd.
    if (e.type === "wheel") return e.ctrlKey || e.metaKey || this.element.matches(":focus");
    // Shift draws a frame, Ctrl compares.
    return !(/** @type {MouseEvent} */ (e).button || e.ctrlKey || e.shiftKey);
  }

  /** Do to the camera what has been done to d3-zoom's transform: what lay under the hand lies under it again. */
  #step(e) {
    const { before } = this;
    const now = (this.before = e.transform);
    if (!e.sourceEvent) return;
    const { element, camera } = this;
    const at = pointers(e, element);
    const factor = now.k / before.k;
    const [[x, dx], [y, dy]] = /** @type {const} */ (["x", "y"]).map((axis, i) => {
      const to = at.reduce((sum, place) => sum + place[i], 0) / at.length;
      const from = (to - now[axis] + factor * before[axis]) / factor;
      return [to, to - from];
    });
    // The page may be scaled: events count the pixels of the viewport, the camera those of the element.
    const ratio = element.getBoundingClientRect().width / element.offsetWidth || 1;
    camera.pan(dx / ratio, dy / ratio);
    if (factor !== 1) camera.magnify(factor, x / ratio, y / ratio);
  }

  /** Begin the next gesture from nothing, lest the numbers grow from one to the next. */
  #rest() {
    this.selection.call(this.zoom.transform, zoomIdentity);
  }

  destroy() {
    this.selection.on(".zoom", null);
    this.zoom.on("start zoom end", null);
  }
}
