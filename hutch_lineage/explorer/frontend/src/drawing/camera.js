// Where the picture stands. Layers and slots have scales of their own; a hand moves and magnifies both together.

const MAX_LAYER = 46;
const MAX_SLOT = 30;
/** Room around the fitted picture: axis above, tools at the left. */
const PAD = { left: 70, right: 36, bottom: 26 };

export class Camera {
  /**
   * @param {HTMLCanvasElement} canvas
   * @param {(byPerson: boolean) => void} moved
   * @param {() => {head: number, even: boolean, layered: boolean}} shape the room above the picture; whether both directions have one scale; whether places are layers
   */
  constructor(canvas, moved, shape) {
    this.canvas = canvas;
    this.moved = moved;
    this.shape = shape;
    /** Both directions have one scale. */
    this.even = false;
    /** Pixels from one individual to the next, where there are no layers that say so. */
    this.room = 0;
    this.width = this.height = 1;
    this.head = 44;
    /** screen x = layer * ax + bx; screen y = slot * ay + by */
    this.ax = MAX_LAYER;
    this.ay = MAX_SLOT;
    this.bx = this.by = 0;
    /** The fitted picture follows growth until a person moves it. */
    this.follow = true;
    this.flight = 0;
    /** The least and the most that a hand may magnify, in pixels for a layer. */
    this.reach = { least: 0, most: Infinity };
  }

  /** Move by pixels, as a hand does. */
  pan(/** @type {number} */ dx, /** @type {number} */ dy) {
    this.#touched({ ax: this.ax, ay: this.ay, bx: this.bx + dx, by: this.by + dy });
  }

  /** Magnify about a place of the screen, as a hand does. */
  magnify(/** @type {number} */ factor, /** @type {number} */ px, /** @type {number} */ py) {
    const k = Math.min(this.reach.most, Math.max(this.reach.least, this.ax * factor)) / this.ax;
    this.#touched({ ax: this.ax * k, ay: this.ay * k, bx: px - (px - this.bx) * k, by: py - (py - this.by) * k });
  }

  #touched(to) {
    this.follow = false;
    this.stop();
    Object.assign(this, to);
    this.moved(true);
  }

  resize(width, height) {
    const dx = (width - this.width) / 2;
    const dy = (height - this.height) / 2;
    const first = this.width === 1;
    this.width = width;
    this.height = height;
    if (!first && !this.follow) this.#set({ ax: this.ax, ay: this.ay, bx: this.bx + dx, by: this.by + dy });
  }

  /** @returns {{ax: number, ay: number, bx: number, by: number}} the view that shows all of `bounds` */
  #fitted(bounds) {
    const { width, height } = this;
    const { head, even, layered } = this.shape();
    this.even = even;
    const narrow = width < 480;
    const left = narrow ? 56 : PAD.left;
    const right = narrow ? 22 : PAD.right;
    this.head = head;
    const layers = bounds.x1 - bounds.x0;
    const slots = bounds.y1 - bounds.y0;
    const wide = Math.max(40, width - left - right);
    const tall = Math.max(40, height - head - PAD.bottom);
    let ax = Math.min(layered ? MAX_LAYER : Infinity, wide / Math.max(layers, 1e-9));
    let ay = Math.min(even ? Infinity : MAX_SLOT, tall / Math.max(slots, 1e-9));
    if (even) ax = ay = Math.min(ax, ay);
    const spare = wide - layers * ax;
    return {
      ax,
      ay,
      bx: left + (even ? spare / 2 : Math.min(spare / 2, width * 0.25)) - bounds.x0 * ax,
      by: head + tall / 2 - ((bounds.y0 + bounds.y1) / 2) * ay,
    };
  }

  /** Show everything; from now on the picture follows growth. */
  fit(bounds, animate = false) {
    this.follow = true;
    if (!(bounds.x1 >= bounds.x0)) return;
    const to = this.#fitted(bounds);
    if (animate) this.#fly(to);
    else this.#set(to);
  }

  /** Bring a place (layer, slot) to the middle, magnified enough to tell neighbours apart. */
  goTo(x, y, bounds, animate = true, closer = true) {
    const k = closer ? (this.room ? Math.max(1, 24 / this.room) : Math.max(1, 22 / this.ay, 30 / this.ax)) : 1;
    const ax = this.ax * Math.min(k, 40);
    const ay = this.ay * Math.min(k, 40);
    this.follow = false;
    // No emptier than needed: what lies at the edge of the picture stays near the edge of the view.
    const within = (at, low, high, before, after) => (high - low < after - before ? at : Math.min(before - low, Math.max(after - high, at)));
    const bx = within(this.width / 2 - x * ax, bounds.x0 * ax, bounds.x1 * ax, PAD.left, this.width - 3 * PAD.right);
    const by = within(this.height / 2 - y * ay, bounds.y0 * ay, bounds.y1 * ay, this.head, this.height - 2 * PAD.bottom);
    const to = { ax, ay, bx, by };
    if (animate) this.#fly(to);
    else this.#set(to);
  }

  /** Move just enough that a place is in view. */
  reveal(x, y, margin = 60) {
    const px = this.x(x);
    const py = this.y(y);
    const dx = px < margin ? margin - px : px > this.width - margin ? this.width - margin - px : 0;
    const dy = py < margin ? margin - py : py > this.height - margin ? this.height - margin - py : 0;
    if (!dx && !dy) return;
    this.follow = false;
    this.#fly({ ax: this.ax, ay: this.ay, bx: this.bx + dx, by: this.by + dy });
  }

  zoomBy(/** @type {number} */ factor) {
    this.follow = false;
    const { width, height } = this;
    this.#fly({
      ax: this.ax * factor,
      ay: this.ay * factor,
      bx: width / 2 - (width / 2 - this.bx) * factor,
      by: height / 2 - (height / 2 - this.by) * factor,
    });
  }

  /** What is in view, in layers and slots; null while the whole is followed. */
  get window() {
    if (this.follow) return null;
    return [-this.bx / this.ax, -this.by / this.ay, (this.width - this.bx) / this.ax, (this.height - this.by) / this.ay];
  }

  /** Bring a part of the picture into view. */
  look(/** @type {number[]} */ [x0, y0, x1, y1]) {
    this.follow = false;
    let ax = this.width / (x1 - x0);
    let ay = this.height / (y1 - y0);
    if (this.even) ax = ay = Math.min(ax, ay);
    this.#set({ ax, ay, bx: this.width / 2 - ((x0 + x1) / 2) * ax, by: this.height / 2 - ((y0 + y1) / 2) * ay });
  }

  /** Put a place into the middle at the present scale (the minimap's drag). */
  centre(x, y) {
    this.follow = false;
    this.stop();
    this.#set({ ax: this.ax, ay: this.ay, bx: this.width / 2 - x * this.ax, by: this.height / 2 - y * this.ay });
  }

  #set(to) {
    this.stop();
    Object.assign(this, to);
    // Far enough out to see it from afar, far enough in to tell any two apart.
    const base = this.room ? to.ax : Math.min(to.ax, MAX_LAYER * 4);
    const slots = to.ay * (base / to.ax);
    this.reach = { least: Math.min(0.4 * base, to.ax), most: Math.max(to.ax, base * Math.max(24, 90 / slots, this.room ? 2000 : 0)) };
    this.moved(false);
  }

  /** Show exactly this: pixels for a layer and a slot, and where the first of both stand. */
  place(/** @type {{ax: number, ay: number, bx: number, by: number}} */ to) {
    this.follow = false;
    this.#set(to);
  }

  #fly(to) {
    this.stop();
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return this.#set(to);
    const from = { ax: this.ax, ay: this.ay, bx: this.bx, by: this.by };
    const middle = (v) => ({ x: (this.width / 2 - v.bx) / v.ax, y: (this.height / 2 - v.by) / v.ay });
    const a = middle(from);
    const b = middle(to);
    const began = performance.now();
    const step = (now) => {
      const t = Math.min(1, Math.max(0, now - began) / 260);
      if (t >= 1) return this.#set(to);
      const e = 1 - (1 - t) ** 3;
      this.ax = from.ax * (to.ax / from.ax) ** e;
      this.ay = from.ay * (to.ay / from.ay) ** e;
      this.bx = this.width / 2 - (a.x + (b.x - a.x) * e) * this.ax;
      this.by = this.height / 2 - (a.y + (b.y - a.y) * e) * this.ay;
      this.moved(false);
      this.flight = requestAnimationFrame(step);
    };
    this.flight = requestAnimationFrame(step);
  }

  stop() {
    cancelAnimationFrame(this.flight);
    this.flight = 0;
  }

  x(layer) {
    return layer * this.ax + this.bx;
  }

  y(slot) {
    return slot * this.ay + this.by;
  }

  /** Radius of an individual, in pixels: as large as its neighbours allow. */
  get radius() {
    if (this.room) return Math.max(1.5, Math.min(4.8, this.room * 0.2));
    return Math.max(1.5, Math.min(4.8 + Math.max(0, Math.log2(this.ay / 30)), this.ax * 0.3, this.ay * 0.4));
  }

  /** Whether all of `bounds` is in view. */
  showsAll(bounds) {
    return this.x(bounds.x0) >= 0 && this.x(bounds.x1) <= this.width && this.y(bounds.y0) >= 0 && this.y(bounds.y1) <= this.height;
  }

  destroy() {
    this.stop();
  }
}
