// The ridge over a picture of many: the best of each layer, and the best so far.
import { NODE } from "../data/protocol.js";
import { number } from "../words/format.js";
import { domain } from "../picture/scale.js";

export const RIDGE = 32;
const UNFIT = NODE.ghost | NODE.invalid | NODE.rejected;

/** @typedef {{best: Float64Array, running: Float64Array, low: number, high: number}} Ridge */
/** @type {WeakMap<object, {index: import("../picture/layers.js").Index, metric: string|undefined, lower: boolean, revision: number, value: Ridge}>} by scene */
const ridges = new WeakMap();

/** Best value of each column, best so far, and the range to show; of what has grown, only the columns with something new are gone through. @returns {Ridge} */
export function ridgeOf(/** @type {import("../picture/scene.js").Scene} */ scene) {
  const { index, score, lower, metric, store } = scene;
  const { layers, start, rows, first, wide } = index;
  const { revision } = store;
  const held = ridges.get(scene);
  const same = held && held.lower === lower && held.metric === metric?.name;
  if (same && held.index === index && held.revision === revision) return held.value;
  const grown = same && held.index.root === index.root ? store.growth.since(held.revision) : null;
  const flags = store.nodes.get("flags");
  const best = new Float64Array(layers).fill(NaN);
  const running = new Float64Array(layers);
  let columns = best.keys();
  if (grown) {
    best.set(held.value.best);
    const { x } = scene;
    const fresh = Array.from({ length: store.nodes.count - grown.nodes }, (_, i) => grown.nodes + i);
    columns = new Set([...grown.rows, ...fresh].filter((row) => index.visible[row]).map((row) => Math.floor((x[row] - first) / wide))).keys();
  }
  for (const l of columns) {
    let found = NaN;
    for (let i = start[l]; i < start[l + 1]; i++) {
      const value = score[rows[i]];
      if (!(Math.abs(value) < Infinity) || flags[rows[i]] & UNFIT) continue;
      if (!(lower ? value >= found : value <= found)) found = value;
    }
    best[l] = found;
  }
  let top = NaN;
  for (let l = 0; l < layers; l++) {
    if (!Number.isNaN(best[l]) && !(lower ? best[l] >= top : best[l] <= top)) top = best[l];
    running[l] = top;
  }
  const { low, high } = domain(best.filter((value) => !Number.isNaN(value)), lower);
  const value = { best, running, low, high };
  ridges.set(scene, { index, metric: metric?.name, lower, revision, value });
  return value;
}

export function drawRidge(c, frame, /** @type {number} */ top) {
  const { camera, scene, width, colours, font } = frame;
  const { index, lower, decimals } = scene;
  const { best, running, low, high } = ridgeOf(scene);
  if (!(high >= low)) return;
  const y = (/** @type {number} */ value) => {
    const t = high > low ? Math.min(1, Math.max(0, (value - low) / (high - low))) : 0.5;
    return top + RIDGE - 5 - (lower ? 1 - t : t) * (RIDGE - 12);
  };
  const step = camera.ax * index.wide;
  const xOf = (/** @type {number} */ l) => camera.x(index.first + l * index.wide) + (index.layered ? 0 : step / 2);
  const from = Math.max(0, Math.floor((-40 - camera.x(index.first)) / step));
  const to = Math.min(index.layers - 1, Math.ceil((width + 40 - camera.x(index.first)) / step));
  const stride = Math.max(1, Math.floor(0.7 / step));
  c.strokeStyle = colours.faint;
  c.lineWidth = 1;
  c.globalAlpha = 0.75;
  c.beginPath();
  let pen = false;
  for (let l = from; l <= to; l += stride) {
    let value = best[l];
    for (let m = l + 1; m < Math.min(l + stride, index.layers); m++) if (!(lower ? best[m] >= value : best[m] <= value) && !Number.isNaN(best[m])) value = best[m];
    if (Number.isNaN(value)) continue;
    if (pen) c.lineTo(xOf(l), y(value));
    else c.moveTo(xOf(l), y(value));
    pen = true;
  }
  c.stroke();
  c.globalAlpha = 1;
  c.strokeStyle = colours.warm;
  c.lineWidth = 1.6;
  c.beginPath();
  pen = false;
  let last = NaN;
  for (let l = from; l <= to; l++) {
    if (Number.isNaN(running[l]) || (running[l] === last && l < to)) continue;
    if (pen) c.lineTo(xOf(l), y(last));
    if (pen) c.lineTo(xOf(l), y(running[l]));
    else c.moveTo(xOf(l), y(running[l]));
    pen = true;
    last = running[l];
  }
  c.stroke();
  c.font = font;
  c.textBaseline = "middle";
  c.textAlign = "left";
  c.fillStyle = colours.mute;
  if (Number.isNaN(running[to])) return;
  const text = number(running[to], decimals);
  // Under the end of the line where that is high, over it where it is low.
  const end = y(running[to]);
  c.textAlign = "right";
  c.fillText(text, Math.min(xOf(to), width - 6), end < top + RIDGE / 2 ? end + 10 : end - 10);
}
