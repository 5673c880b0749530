// What is shown, as a file: a PNG at twice the size, an SVG, or a table. Made in the page; no kernel is needed.
import { svg } from "../frame/dom.js";
import { caption } from "./caption.js";
import { csv, fileName, save } from "./files.js";
import { nodeColumns } from "./nodecolumns.js";

/** @typedef {import("../frame/app.js").App} App */

/** Pixels for each pixel of the screen. */
const SCALE = 2;

async function pngOf(/** @type {App} */ app) {
  const { width, height } = app.camera;
  const picture = paper(width, height);
  app.drawOn(picture);
  const words = caption(app, picture);
  const c = paper(width, words.top + height + words.bottom);
  const { canvas } = c;
  c.fillStyle = app.theme.colours.bg;
  c.fillRect(0, 0, canvas.width, canvas.height);
  c.drawImage(picture.canvas, 0, words.top, width, height);
  words.write(c);
  return /** @type {Promise<Blob>} */ (new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("this browser makes no PNG"))), "image/png")));
}

function paper(/** @type {number} */ width, /** @type {number} */ height) {
  const canvas = Object.assign(document.createElement("canvas"), { width: width * SCALE, height: height * SCALE });
  const c = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  c.setTransform(SCALE, 0, 0, SCALE, 0, 0);
  return c;
}

async function svgOf(/** @type {App} */ app) {
  const { width, height } = app.camera;
  const { bg } = app.theme.colours;
  const picture = new SvgContext(width, height, bg);
  app.drawOn(picture);
  const words = caption(app, picture);
  const c = new SvgContext(width, words.top + height + words.bottom, bg);
  // An inner drawing of its own size cuts off what lies outside the picture.
  picture.root.setAttribute("y", String(words.top));
  c.root.append(picture.root);
  words.write(c);
  return new Blob([c.text()], { type: "image/svg+xml;charset=utf-8" });
}

/** All that is known in numbers and names of those that are shown. */
function tableOf(/** @type {App} */ { store }) {
  const { rows } = store.scene.index;
  const columns = nodeColumns(store, rows);
  return csv(columns.map((c) => c.title), Array.from(rows, (row) => columns.map((c) => (c.shownValue ?? c.value)(row))));
}

/** Hands what is shown to the person, named after the run. */
export async function saveShown(/** @type {App} */ app, /** @type {"png"|"svg"|"csv"} */ kind) {
  save(fileName(app.store, kind), kind === "csv" ? tableOf(app) : await (kind === "png" ? pngOf(app) : svgOf(app)));
}

const round = (/** @type {number} */ n) => Math.round(n * 100) / 100;

/** The part of a canvas's context that the picture uses, which writes an SVG. */
class SvgContext {
  fillStyle = "#000";
  strokeStyle = "#000";
  globalAlpha = 1;
  lineWidth = 1;
  lineCap = "butt";
  lineJoin = "miter";
  font = "10px sans-serif";
  textAlign = "start";
  textBaseline = "alphabetic";
  #dash = /** @type {number[]} */ ([]);
  #d = "";
  #measure = document.createElement("canvas").getContext("2d");

  constructor(/** @type {number} */ width, /** @type {number} */ height, /** @type {string} */ paper) {
    this.root = svg("svg", { xmlns: "http://www.w3.org/2000/svg", width, height, viewBox: `0 0 ${width} ${height}` }, svg("rect", { width, height, fill: paper }));
  }

  text() {
    return new XMLSerializer().serializeToString(this.root);
  }

  #at(x, y) {
    return `${round(x)} ${round(y)}`;
  }

  #put(name, attributes, text = "") {
    const element = svg(name, this.globalAlpha < 1 ? { ...attributes, opacity: round(this.globalAlpha) } : attributes);
    if (text) element.textContent = text.replace(/[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "\ufffd"); // what XML cannot hold
    this.root.append(element);
  }

  beginPath() {
    this.#d = "";
  }

  moveTo(x, y) {
    this.#d += `M${this.#at(x, y)}`;
  }

  lineTo(x, y) {
    this.#d += `${this.#d ? "L" : "M"}${this.#at(x, y)}`;
  }

  closePath() {
    this.#d += "Z";
  }

  bezierCurveTo(a, b, c, d, x, y) {
    this.#d += `C${this.#at(a, b)} ${this.#at(c, d)} ${this.#at(x, y)}`;
  }

  quadraticCurveTo(a, b, x, y) {
    this.#d += `Q${this.#at(a, b)} ${this.#at(x, y)}`;
  }

  arc(x, y, r, from, to) {
    const point = (angle) => [x + r * Math.cos(angle), y + r * Math.sin(angle)];
    const span = to - from;
    const [x0, y0] = point(from);
    this.lineTo(x0, y0);
    const arc = (angle, large) => {
      const [ax, ay] = point(angle);
      this.#d += `A${round(r)} ${round(r)} 0 ${large} 1 ${this.#at(ax, ay)}`;
    };
    if (span >= 6.28) {
      arc(from + Math.PI, 1);
      arc(to, 1);
    } else arc(to, +(span > Math.PI));
  }

  ellipse(x, y, rx, ry) {
    this.#d += `M${this.#at(x + rx, y)}A${round(rx)} ${round(ry)} 0 1 1 ${this.#at(x - rx, y)}A${round(rx)} ${round(ry)} 0 1 1 ${this.#at(x + rx, y)}`;
  }

  rect(x, y, w, h) {
    this.#d += `M${this.#at(x, y)}h${round(w)}v${round(h)}h${round(-w)}Z`;
  }

  roundRect(x, y, w, h) {
    this.rect(x, y, w, h);
  }

  fill() {
    if (this.#d) this.#put("path", { d: this.#d, fill: this.fillStyle });
  }

  stroke() {
    if (this.#d) this.#put("path", { d: this.#d, fill: "none", stroke: this.strokeStyle, "stroke-width": round(this.lineWidth), "stroke-linecap": this.lineCap, "stroke-linejoin": this.lineJoin, ...(this.#dash.length ? { "stroke-dasharray": this.#dash.map(round).join(" ") } : {}) });
  }

  fillRect(x, y, w, h) {
    this.#put("rect", { x: round(x), y: round(y), width: round(w), height: round(h), fill: this.fillStyle });
  }

  strokeRect(x, y, w, h) {
    this.#put("rect", { x: round(x), y: round(y), width: round(w), height: round(h), fill: "none", stroke: this.strokeStyle, "stroke-width": round(this.lineWidth) });
  }

  clearRect() {}

  fillText(text, x, y) {
    const anchor = { center: "middle", right: "end", end: "end" }[this.textAlign] ?? "start";
    const baseline = { middle: "central", top: "hanging", hanging: "hanging", bottom: "text-after-edge" }[this.textBaseline];
    this.#put("text", { x: round(x), y: round(y), fill: this.fillStyle, "text-anchor": anchor, style: `font:${this.font}`, ...(baseline ? { "dominant-baseline": baseline } : {}) }, String(text));
  }

  strokeText() {}

  measureText(text) {
    const measure = /** @type {CanvasRenderingContext2D} */ (this.#measure);
    measure.font = this.font;
    return measure.measureText(text);
  }

  setLineDash(dash) {
    this.#dash = [...dash];
  }

  /** A density is made of pixels: it goes in as an image. */
  drawImage(image, ...at) {
    const canvas = document.createElement("canvas");
    const [sx, sy, sw, sh, x, y, w, h] = at.length === 8 ? at : [0, 0, image.width, image.height, at[0], at[1], at[2] ?? image.width, at[3] ?? image.height];
    if (!(sw > 0 && sh > 0)) return;
    Object.assign(canvas, { width: sw, height: sh }).getContext("2d")?.drawImage(image, sx, sy, sw, sh, 0, 0, sw, sh);
    this.#put("image", { x: round(x), y: round(y), width: round(w), height: round(h), preserveAspectRatio: "none", style: "image-rendering:pixelated", href: canvas.toDataURL("image/png") });
  }
}
