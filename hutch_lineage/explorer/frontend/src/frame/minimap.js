// The whole in small, with a frame round what is in view. Stays away while everything is in view and it would hide something.
import { Density } from "../drawing/density.js";
import { h } from "./dom.js";
import { rowsIn } from "../picture/layers.js";

const WIDTH = 150;
const HEIGHT = 62;
const PAD = 6;
/** While more than this grow, they are drawn anew after a rest. */
const MANY = 5000;
const RENEWED_MS = 700;

export class Minimap {
  constructor(/** @type {import("../data/store.js").Store} */ store, /** @type {import("../drawing/camera.js").Camera} */ camera) {
    this.store = store;
    this.camera = camera;
    this.element = h("canvas.minimap", { "aria-hidden": "true", title: "Drag to move" });
    this.density = new Density();
    this.picture = document.createElement("canvas");
    this.key = null;
    this.late = 0;
    this.element.addEventListener("pointerdown", (e) => {
      this.element.setPointerCapture(e.pointerId);
      this.#move(e);
      e.preventDefault();
    });
    this.element.addEventListener("pointermove", (e) => e.buttons & 1 && this.#move(e));
  }

  #scale() {
    const { bounds } = this.store.scene.index;
    const { even, layered } = this.camera.shape();
    let kx = (WIDTH - 2 * PAD) / Math.max(layered ? 1 : 1e-9, bounds.x1 - bounds.x0);
    let ky = (HEIGHT - 2 * PAD) / Math.max(layered ? 1 : 1e-9, bounds.y1 - bounds.y0);
    if (even) kx = ky = Math.min(kx, ky);
    else ky = Math.min(ky, 8);
    const ox = WIDTH / 2 - ((bounds.x0 + bounds.x1) / 2) * kx;
    const oy = HEIGHT / 2 - ((bounds.y0 + bounds.y1) / 2) * ky;
    return { kx, ky, x: (v) => ox + v * kx, y: (v) => oy + v * ky, ox, oy };
  }

  #move(e) {
    const box = this.element.getBoundingClientRect();
    const { kx, ky, ox, oy } = this.#scale();
    this.camera.centre((e.clientX - box.left - ox) / kx, (e.clientY - box.top - oy) / ky);
  }

  /** Whether a mark of the picture would lie under the minimap. */
  #covers() {
    const { camera, store } = this;
    const left = (camera.width - WIDTH - 18 - camera.bx) / camera.ax;
    const top = (camera.height - HEIGHT - 16 - camera.by) / camera.ay;
    return rowsIn(store.scene.index, left, Infinity, top, Infinity, 1).length > 0;
  }

  /** @param {string[]} palette @param {Record<string, string>} colours */
  update(palette, colours, ratio) {
    const { store, camera, element } = this;
    const { index, layout } = store.scene;
    const whole = camera.showsAll(index.bounds);
    element.hidden = camera.width < 460 || index.rows.length < 12 || (whole && this.#covers());
    if (element.hidden) return;
    const c = size(element, ratio);
    if (this.key?.palette !== palette || this.key.ratio !== ratio || this.key.layout !== layout || this.key.view !== store.view || (this.key.index !== index && performance.now() > this.late)) {
      this.key = { index, layout, palette, ratio, view: store.view };
      this.#paint(size(this.picture, ratio), palette, colours);
      // A picture of many takes a while: while it grows it is renewed now and then, not with every message.
      this.late = performance.now() + (index.rows.length > MANY ? RENEWED_MS : 0);
    } else if (this.key.index !== index) this.#renew();
    c.clearRect(0, 0, WIDTH, HEIGHT);
    c.drawImage(this.picture, 0, 0, WIDTH, HEIGHT);
    if (whole) return;
    const { x, y } = this.#scale();
    const left = Math.max(1, x(-camera.bx / camera.ax));
    const right = Math.min(WIDTH - 1, x((camera.width - camera.bx) / camera.ax));
    const top = Math.max(1, y(-camera.by / camera.ay));
    const bottom = Math.min(HEIGHT - 1, y((camera.height - camera.by) / camera.ay));
    c.globalAlpha = 0.12;
    c.fillStyle = colours.accent;
    c.fillRect(left, top, right - left, bottom - top);
    c.globalAlpha = 1;
    c.strokeStyle = colours.accent;
    c.lineWidth = 1;
    c.strokeRect(left + 0.5, top + 0.5, Math.max(2, right - left - 1), Math.max(2, bottom - top - 1));
  }

  #renew() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.camera.moved(false), RENEWED_MS);
  }

  #paint(c, palette, colours) {
    const { store } = this;
    const { index, colouring, path } = store.scene;
    const { x, y, kx, ky, ox, oy } = this.#scale();
    const xs = store.scene.x;
    const ys = store.scene.y;
    c.clearRect(0, 0, WIDTH, HEIGHT);
    this.density.draw(c, { index, colouring }, { ax: kx, ay: ky, bx: ox, by: oy }, WIDTH, HEIGHT, { palette, none: colours.faint });
    c.strokeStyle = colours.warm;
    c.lineWidth = 1;
    c.beginPath();
    path.rows.forEach((row, i) => (i ? c.lineTo(x(xs[row]), y(ys[row])) : c.moveTo(x(xs[row]), y(ys[row]))));
    c.stroke();
  }
}

function size(canvas, ratio) {
  if (canvas.width !== WIDTH * ratio) {
    canvas.width = WIDTH * ratio;
    canvas.height = HEIGHT * ratio;
  }
  const c = canvas.getContext("2d");
  c.setTransform(ratio, 0, 0, ratio, 0, 0);
  return c;
}
