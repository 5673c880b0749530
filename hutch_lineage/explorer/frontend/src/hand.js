// The hand on the picture: a mouse or a finger drags it, the wheel or two fingers magnify it.

/** Pixels a press may wander and still be a click. */
const CLICK = 4;
/** Powers of two for one unit of a wheel that counts pixels, lines, pages. */
const WHEEL = [0.002, 0.05, 1];

export class Hand {
  /**
   * @param {HTMLElement} element
   * @param {{pan: (dx: number, dy: number) => void, magnify: (factor: number, x: number, y: number) => void}} camera
   */
  constructor(element, camera) {
    this.element = element;
    this.camera = camera;
    /** @type {Map<number, {x: number, y: number}>} the pointers that are down */
    this.down = new Map();
    this.way = 0;
    /** Whether a press is for the hand: with Shift or Ctrl held it is for others. */
    this.takes = (/** @type {PointerEvent} */ e) => !e.button && !e.ctrlKey && !e.shiftKey;
    element.style.touchAction = "none";
    element.style.userSelect = "none";
    this.heard = {
      pointerdown: (e) => this.#press(e),
      pointermove: (e) => this.#move(e),
      pointerup: (e) => this.down.delete(e.pointerId),
      pointercancel: (e) => this.down.delete(e.pointerId),
      wheel: (e) => this.#wheel(e),
    };
    for (const [name, f] of Object.entries(this.heard)) element.addEventListener(name, f, { passive: false });
    // What has dragged the picture has not clicked on it.
    this.click = (e) => this.way > CLICK && e.detail && e.stopImmediatePropagation();
    element.addEventListener("click", this.click, true);
  }

  /** A place in the element's own pixels, whatever the page is scaled by. */
  #at(e) {
    const box = this.element.getBoundingClientRect();
    const k = box.width / (this.element.clientWidth || box.width || 1) || 1;
    return { x: (e.clientX - box.left) / k, y: (e.clientY - box.top) / k };
  }

  #press(e) {
    if (!this.down.size) this.way = 0;
    if (!this.takes(e)) return;
    this.element.setPointerCapture(e.pointerId);
    this.down.set(e.pointerId, this.#at(e));
  }

  #move(e) {
    const before = this.down.get(e.pointerId);
    if (!before) return;
    const now = this.#at(e);
    const [dx, dy] = [now.x - before.x, now.y - before.y];
    if (!dx && !dy) return;
    this.way += Math.hypot(dx, dy);
    this.down.set(e.pointerId, now);
    const other = [...this.down].find(([id]) => id !== e.pointerId)?.[1];
    if (!other) return this.camera.pan(dx, dy);
    const apart = (/** @type {{x: number, y: number}} */ p) => Math.max(1, Math.hypot(p.x - other.x, p.y - other.y));
    this.camera.pan(dx / 2, dy / 2);
    this.camera.magnify(apart(now) / apart(before), (now.x + other.x) / 2, (now.y + other.y) / 2);
  }

  #wheel(e) {
    // A page is scrolled past the picture; its wheel magnifies once it was clicked, or with Ctrl or Cmd held.
    const pinch = e.ctrlKey || e.metaKey;
    if (!pinch && document.activeElement !== this.element) return;
    e.preventDefault();
    e.stopPropagation();
    const { x, y } = this.#at(e);
    this.camera.magnify(2 ** (-e.deltaY * WHEEL[e.deltaMode] * (e.ctrlKey ? 10 : 1)), x, y);
  }

  destroy() {
    for (const [name, f] of Object.entries(this.heard)) this.element.removeEventListener(name, f);
    this.element.removeEventListener("click", this.click, true);
  }
}
