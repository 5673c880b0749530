// The whole in small, with a frame round what is in view. Stays away while everything is in view and it would hide something.
import { NONE } from "./colour.js";
import { h } from "./dom.js";

const WIDTH = 150;
const HEIGHT = 62;
const PAD = 6;

export class Minimap {
  constructor(/** @type {import("./store.js").Store} */ store, /** @type {import("./camera.js").Camera} */ camera) {
    this.store = store;
    this.camera = camera;
    this.element = h("canvas.minimap", { "aria-hidden": "true", title: "Drag to move" });
    this.picture = document.createElement("canvas");
    this.key = null;
    this.element.addEventListener("pointerdown", (e) => {
      this.element.setPointerCapture(e.pointerId);
      this.#move(e);
      e.preventDefault();
    });
    this.element.addEventListener("pointermove", (e) => e.buttons & 1 && this.#move(e));
  }

  #scale() {
    const { bounds } = this.store.scene.index;
    const kx = (WIDTH - 2 * PAD) / Math.max(1, bounds.x1 - bounds.x0);
    const ky = Math.min((HEIGHT - 2 * PAD) / Math.max(1, bounds.y1 - bounds.y0), 8);
    const oy = HEIGHT / 2 - ((bounds.y0 + bounds.y1) / 2) * ky;
    return { kx, ky, x: (v) => PAD + (v - bounds.x0) * kx, y: (v) => oy + v * ky, ox: PAD - bounds.x0 * kx, oy };
  }

  #move(e) {
    const box = this.element.getBoundingClientRect();
    const { kx, ky, ox, oy } = this.#scale();
    this.camera.centre((e.clientX - box.left - ox) / kx, (e.clientY - box.top - oy) / ky);
  }

  /** Whether a mark of the picture would lie under the minimap. */
  #covers() {
    const { camera, store } = this;
    const { rows, start, layers, first } = store.scene.index;
    const left = camera.width - WIDTH - 18;
    const top = camera.height - HEIGHT - 16;
    const y = store.scene.y;
    const from = Math.max(0, Math.floor((left - camera.bx) / camera.ax) - first);
    for (let i = start[Math.min(from, layers)] ?? 0; i < rows.length; i++) if (camera.y(y[rows[i]]) > top) return true;
    return false;
  }

  /** @param {string[]} palette @param {Record<string, string>} colours */
  update(palette, colours, ratio) {
    const { store, camera, element } = this;
    const { index, colouring, path } = store.scene;
    const whole = camera.showsAll(index.bounds);
    element.hidden = camera.width < 460 || index.rows.length < 12 || (whole && this.#covers());
    if (element.hidden) return;
    const c = size(element, ratio);
    if (this.key?.index !== index || this.key.colouring !== colouring || this.key.palette !== palette || this.key.path !== path || this.key.ratio !== ratio) {
      this.key = { index, colouring, palette, path, ratio };
      this.#paint(size(this.picture, ratio), palette, colours);
    }
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

  #paint(c, palette, colours) {
    const { store } = this;
    const { index, colouring, path } = store.scene;
    const { x, y, kx } = this.#scale();
    const xs = store.scene.x;
    const ys = store.scene.y;
    c.clearRect(0, 0, WIDTH, HEIGHT);
    const w = Math.max(0.8, Math.min(2, kx * 0.5));
    for (const row of index.rows) {
      c.fillStyle = colouring.index[row] === NONE ? colours.faint : palette[colouring.index[row]];
      c.fillRect(x(xs[row]) - w / 2, y(ys[row]) - 0.6, w, 1.2);
    }
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
