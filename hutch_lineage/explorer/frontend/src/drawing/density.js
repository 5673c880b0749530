// Too many individuals to tell apart: how many stand where, and how good (or of which name) they are. Every one in view is counted.
import { NONE } from "../picture/colour.js";
import { touching } from "../picture/layers.js";

/** Widest and tallest mark, in pixels. */
const MAX_WIDE = 7;
const MAX_TALL = 3;

const kept = { count: new Uint32Array(0), sum: new Uint32Array(0), valued: new Uint32Array(0), names: new Uint16Array(0) };
/** Zeroed memory for this drawing; kept from one to the next. */
function zeroed(/** @type {"count"|"sum"|"valued"|"names"} */ name, length) {
  if (kept[name].length < length) kept[name] = new /** @type {any} */ (kept[name].constructor)(length);
  else kept[name].fill(0, 0, length);
  return kept[name];
}

/** @type {WeakMap<string[], Uint32Array>} */
const inks = new WeakMap();
/** The palette as numbers without alpha, by colour index: the browser itself says what its colours are. */
function inksOf(/** @type {string[]} */ palette, /** @type {string} */ none) {
  const held = inks.get(palette);
  if (held) return held;
  const canvas = document.createElement("canvas");
  canvas.width = palette.length;
  canvas.height = 1;
  const c = canvas.getContext("2d", { willReadFrequently: true });
  palette.forEach((colour, i) => {
    c.fillStyle = i === NONE ? none : colour;
    c.fillRect(i, 0, 1, 1);
  });
  const made = new Uint32Array(c.getImageData(0, 0, palette.length, 1).data.buffer).map((ink) => (ink & 0xffffff) >>> 0);
  inks.set(palette, made);
  return made;
}

/** @type {WeakMap<object, {colours: Uint8Array, sorted: Uint8Array}>} */
const sortedColours = new WeakMap();
/** Colour indices in the order of the index, so that they are read in sequence. */
function sorted(index, colours) {
  const held = sortedColours.get(index);
  if (held?.colours === colours) return held.sorted;
  const { rows } = index;
  const made = new Uint8Array(rows.length);
  for (let i = 0; i < rows.length; i++) made[i] = colours[rows[i]];
  sortedColours.set(index, { colours, sorted: made });
  return made;
}

/** A picture of `width` x `height` pixels to write into, and the canvas it lands on. */
class Sheet {
  constructor() {
    this.canvas = document.createElement("canvas");
    this.context = this.canvas.getContext("2d", { willReadFrequently: true });
  }

  open(/** @type {number} */ width, /** @type {number} */ height) {
    if (this.canvas.width !== width || this.canvas.height !== height || !this.image) {
      this.canvas.width = width;
      this.canvas.height = height;
      this.image = this.context.createImageData(width, height);
      this.pixels = new Uint32Array(this.image.data.buffer);
    } else this.pixels.fill(0);
    return this.pixels;
  }

  close() {
    this.context.putImageData(this.image, 0, 0);
  }
}

/**
 * How the individuals of a part of the picture fall into cells: one column of cells for each layer, or square ones where there are no layers.
 * @param {import("../picture/layers.js").Index} index
 * @param {{index: Uint8Array, legend: {kind: string, entries?: any[]}}} colouring
 * @param {{ax: number, ay: number, bx: number, by: number}} camera
 * @param {Uint8Array|null} only rows that count; the others are left out
 */
export function binned(index, colouring, camera, width, height, only = null) {
  const { rows, xs, ys, bands, cells, first, layered, wide } = index;
  const { ax, ay, bx, by } = camera;
  const colours = sorted(index, colouring.index);
  const byLayer = layered && ax * wide >= 1;
  const tall = byLayer ? Math.max(1, Math.min(MAX_TALL, Math.floor(ay * 0.6))) : 2;
  const pitch = byLayer ? ax * wide : 2;
  // Cells hang on the picture, not on the screen: what is moved does not flicker.
  const oy = mod(by, tall) - tall;
  const ox = byLayer ? 0 : mod(bx, pitch) - pitch;
  const { low, high, top, bottom } = touching(index, -MAX_WIDE / ax - bx / ax, (width + MAX_WIDE - bx) / ax, (oy - by) / ay, (height - by) / ay);
  const across = byLayer ? Math.max(0, high - low + 1) : Math.ceil((width - ox) / pitch);
  const down = Math.ceil((height - oy) / tall);
  const names = colouring.legend.kind === "names";
  const kinds = names ? 16 : 1;
  const count = zeroed("count", across * down);
  const tally = names ? zeroed("names", across * down * kinds) : zeroed("sum", across * down);
  const valued = names ? kept.valued : zeroed("valued", across * down);
  let inView = 0;
  let most = 0;
  for (let l = low; l <= high; l++) {
    for (let i = cells[l * bands + top], end = cells[l * bands + bottom + 1]; i < end; i++) {
      const v = Math.floor((ys[i] * ay + by - oy) / tall);
      if (v < 0 || v >= down) continue;
      if (only && !only[rows[i]]) continue;
      let u = l - low;
      if (!byLayer) {
        u = Math.floor((xs[i] * ax + bx - ox) / pitch);
        if (u < 0 || u >= across) continue;
      }
      inView++;
      const cell = u * down + v;
      const n = ++count[cell];
      if (n > most) most = n;
      const colour = colours[i];
      if (names) tally[cell * kinds + (colour - NONE)]++;
      else if (colour !== NONE) {
        tally[cell] += colour;
        valued[cell]++;
      }
    }
  }
  const xOf = byLayer ? (/** @type {number} */ u) => (first + (low + u) * wide) * ax + bx : (/** @type {number} */ u) => ox + u * pitch + pitch / 2;
  // Where layers are this close, gaps between them would only shimmer.
  const broad = byLayer && pitch >= 4 ? Math.min(MAX_WIDE, Math.round(pitch * 0.62)) : pitch;
  return { count, tally, valued, names, kinds, across, down, tall, pitch, broad, oy, xOf, inView, most };
}

const mod = (a, n) => a - Math.floor(a / n) * n;

/** The colour index of a cell: the middle of its values, or the name most have. */
export function colourOf({ tally, valued, names, kinds }, cell) {
  if (!names) return valued[cell] ? Math.round(tally[cell] / valued[cell]) : NONE;
  let best = 0;
  for (let k = 1; k < kinds; k++) if (tally[cell * kinds + k] > tally[cell * kinds + best] || !tally[cell * kinds + best]) best = k;
  return NONE + best;
}

/** A density as it was drawn last: while nothing it depends on has changed (a pointer moves, something is selected) it is drawn again as it is. */
export class Density {
  constructor() {
    this.sheet = new Sheet();
    this.key = /** @type {any[]} */ ([]);
    this.inView = 0;
    this.oy = 0;
  }

  /**
   * @param {CanvasRenderingContext2D} c
   * @param {{index: import("../picture/layers.js").Index, colouring: any}} scene
   * @param {{ax: number, ay: number, bx: number, by: number}} camera
   * @param {{palette: string[], none: string, strength?: number, only?: Uint8Array|null, most?: number}} look `none` colours those without a
   *   value; `only` says which rows count; where fewer than `most` are in view nothing is drawn
   * @returns {number} how many are in view
   */
  draw(c, { index, colouring }, camera, width, height, { palette, none, strength = 1, only = null, most = 0 }) {
    const { ax, ay, bx, by } = camera;
    const key = [index, colouring, ax, ay, bx, by, width, height, palette, strength, only];
    if (key.some((part, i) => part !== this.key[i])) {
      const bins = binned(index, colouring, camera, width, height, only);
      this.key = key;
      this.inView = bins.inView;
      this.oy = bins.oy;
      if (bins.inView >= most) paint(this.sheet, bins, width, height, inksOf(palette, none), strength);
    }
    if (this.inView < most) return this.inView;
    const { canvas } = this.sheet;
    const smooth = c.imageSmoothingEnabled;
    c.imageSmoothingEnabled = false;
    c.drawImage(canvas, 0, this.oy, canvas.width, canvas.height);
    c.imageSmoothingEnabled = smooth;
    return this.inView;
  }
}

/** Paint the cells: colour says which, opacity says how many (by the logarithm). */
function paint(/** @type {Sheet} */ sheet, /** @type {ReturnType<typeof binned>} */ bins, width, height, ink, /** @type {number} */ strength) {
  const { count, across, down, tall, pitch, broad, xOf, most } = bins;
  const w = Math.ceil(width);
  const pixels = sheet.open(w, Math.ceil(height) + 2 * MAX_TALL);
  // One alone is seen well; many are opaque.
  const least = Math.max(0.5, 0.92 - 0.09 * Math.log2(Math.max(1, most)));
  const alphas = new Uint8Array(Math.min(most, 4096) + 1);
  for (let n = 1; n < alphas.length; n++) alphas[n] = Math.round(255 * strength * (most > 1 ? least + (1 - least) * (Math.log(n) / Math.log(most)) : least));
  const full = Math.round(255 * strength);
  for (let u = 0; u < across; u++) {
    const left = Math.round(xOf(u) - broad / 2);
    const x0 = Math.max(0, left);
    const x1 = Math.min(w, broad < pitch ? left + broad : Math.round(xOf(u) + pitch / 2));
    if (x1 <= x0) continue;
    for (let v = 0, cell = u * down; v < down; v++, cell++) {
      const n = count[cell];
      if (!n) continue;
      const colour = colourOf(bins, cell);
      const alpha = n < alphas.length ? alphas[n] : full;
      const value = (ink[colour] | ((colour === NONE ? alpha * 0.6 : alpha) << 24)) >>> 0;
      for (let y = v * tall, end = y + tall; y < end; y++) for (let at = y * w + x0, last = y * w + x1; at < last; at++) pixels[at] = value;
    }
  }
  sheet.close();
}
