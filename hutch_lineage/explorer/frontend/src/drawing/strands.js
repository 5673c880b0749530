// Edges where individuals are many: those that lead the same way are bundled, as wide as they are many.
import { LONG_EDGE } from "../picture/layers.js";

/** So many strands are drawn at once; thinner ones are left out first. */
const MOST = 1800;
/** Pixels between strands. */
const PITCH = 11;
/** Layers closer than this (in pixels) have no room for edges between them. */
export const ROOM = 11;
const CLASSES = 6;
/** Numbers (five a strand) in one path. */
const CHUNK = 800;
/** Time for bundling within one frame; what is left comes with the next. */
const PATIENCE_MS = 5;

/** @type {WeakMap<object, Map<number, (Strands|undefined)[]>>} */
const bundles = new WeakMap();

/** @typedef {{loose: number, span: number[], from: number[], to: number[], count: number[]}} Strands edges into one layer; `loose` ones span too much */

function bundle(index, { links, scene }, l, size) {
  const { start, rows, visible, first } = index;
  const { inHead, inNext, src } = links;
  const { x, y } = scene;
  const y0 = index.bounds.y0;
  const across = Math.ceil((index.bounds.y1 - y0) / size) + 1;
  const made = { loose: 0, span: [], from: [], to: [], count: [] };
  const places = new Map();
  for (let i = start[l]; i < start[l + 1]; i++) {
    const row = rows[i];
    const b = Math.floor((y[row] - y0) / size);
    for (let e = inHead[row]; e >= 0; e = inNext[e]) {
      const p = src[e];
      if (!visible[p]) continue;
      const span = l - (Math.floor(x[p]) - first);
      if (span < 1 || span > LONG_EDGE) {
        made.loose++;
        continue;
      }
      const key = (span * across + Math.floor((y[p] - y0) / size)) * across + b;
      let at = places.get(key);
      if (at === undefined) {
        places.set(key, (at = made.count.length));
        made.span.push(span);
        made.from.push(0);
        made.to.push(0);
        made.count.push(0);
      }
      made.from[at] += y[p];
      made.to[at] += y[row];
      made.count[at]++;
    }
  }
  for (let i = 0; i < made.count.length; i++) {
    made.from[i] /= made.count[i];
    made.to[i] /= made.count[i];
  }
  return made;
}

/**
 * @param {CanvasRenderingContext2D} c
 * @param {import("./draw.js").Frame} frame
 * @param {{low: number, high: number}} seen columns in view
 * @returns {{strands: number, drawn: number, total: number, more: boolean}} the edges in view (with those of these layers that fit no strand), and how many of them the strands hold
 */
export function drawStrands(c, frame, { low, high }, pale) {
  const { camera, scene, store, colours, height } = frame;
  const { index } = scene;
  const size = 2 ** Math.max(0, Math.ceil(Math.log2(PITCH / camera.ay)));
  if (!bundles.has(index)) bundles.set(index, new Map());
  const levels = /** @type {Map<number, any[]>} */ (bundles.get(index));
  if (!levels.has(size)) levels.set(size, []);
  const held = /** @type {any[]} */ (levels.get(size));
  const done = { strands: 0, drawn: 0, total: 0, more: false };
  const until = performance.now() + PATIENCE_MS;
  const groups = Array.from({ length: CLASSES }, () => /** @type {number[]} */ ([]));
  for (let l = Math.max(1, low); l <= Math.min(index.layers - 1, high + 1); l++) {
    if (!held[l]) {
      if (performance.now() > until) {
        done.more = true;
        continue;
      }
      held[l] = bundle(index, store, l, size);
    }
    const { loose, span, from, to, count } = held[l];
    done.total += loose;
    const x1 = camera.x(index.first + l);
    for (let i = 0; i < count.length; i++) {
      const ya = camera.y(from[i]);
      const yb = camera.y(to[i]);
      if ((ya < -4 && yb < -4) || (ya > height + 4 && yb > height + 4)) continue;
      done.total += count[i];
      groups[Math.min(CLASSES - 1, Math.floor(Math.log2(count[i])))].push(x1 - span[i] * camera.ax, ya, x1, yb, count[i]);
    }
  }
  let least = 0;
  let strands = groups.reduce((sum, group) => sum + group.length / 5, 0);
  while (least < CLASSES - 1 && strands > MOST) strands -= groups[least++].length / 5;
  c.strokeStyle = colours.focus;
  // Lines of one pixel are drawn many times faster than wider ones: more edges make a strand darker, then doubled.
  c.lineWidth = 1;
  for (let k = least; k < CLASSES; k++) {
    c.globalAlpha = (0.12 + 0.085 * k) * pale;
    for (const off of k < 4 ? [0] : [-0.7, 0.7]) lines(c, groups[k], off);
    for (let i = 4; i < groups[k].length; i += 5) done.drawn += groups[k][i];
  }
  c.globalAlpha = 1;
  done.strands = strands;
  return done;
}

function lines(c, group, off) {
  c.beginPath();
  for (let i = 0; i < group.length; i += 5) {
    const middle = (group[i] + group[i + 2]) / 2;
    if (i % CHUNK === CHUNK - 5) {
      c.stroke();
      c.beginPath();
    }
    c.moveTo(group[i], group[i + 1] + off);
    c.bezierCurveTo(middle, group[i + 1] + off, middle, group[i + 3] + off, group[i + 2], group[i + 3] + off);
  }
  c.stroke();
}
