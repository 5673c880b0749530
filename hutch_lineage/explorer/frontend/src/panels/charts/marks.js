// Marks on a chart that uPlot does not know: a cloud of all points, a trail through a few of them; and which one is near the pointer.
import { countCells } from "../data/thin.js";
import { pale } from "./colours.js";

/** Above this many points, how many share a cell is what is drawn. */
const MOST_DOTS = 4000;

/**
 * Every point: as a faint dot, or where there are many as a cell that is darker the more fall on it. Values beyond `limits` stand at the edge.
 * @param {any} u
 * @param {{rows: Int32Array, x: Float64Array, y: Float64Array}} found
 * @param {string|((row: number) => string)} colour
 * @param {[number, number]} limits
 */
export function cloud(u, { rows, x, y }, colour, [low, high]) {
  const { ctx, bbox } = u;
  const ratio = devicePixelRatio || 1;
  const across = scaleOf(u, "x");
  const up = scaleOf(u, "y");
  const clamped = (/** @type {number} */ value) => Math.min(high, Math.max(low, value));
  if (rows.length <= MOST_DOTS) {
    const radius = (rows.length > 800 ? 1.4 : 2) * ratio;
    const share = rows.length > 1500 ? 0.3 : 0.42;
    const shades = new Map();
    for (let i = 0; i < rows.length; i++) {
      const own = typeof colour === "string" ? colour : colour(rows[i]);
      let shade = shades.get(own);
      if (!shade) shades.set(own, (shade = pale(own, share)));
      ctx.fillStyle = shade;
      ctx.beginPath();
      ctx.arc(across(x[i]), up(clamped(y[i])), radius, 0, 2 * Math.PI);
      ctx.fill();
    }
    return;
  }
  const size = Math.max(1, Math.round(1.5 * ratio));
  const width = Math.ceil(bbox.width / size) + 1;
  const height = Math.ceil(bbox.height / size) + 1;
  const onGrid = (/** @type {import("../data/thin.js").Axis} */ axis, /** @type {number} */ edge) => ({ ...axis, start: (axis.start - edge) / size, factor: axis.factor / size });
  const { cells, most } = countCells(x, y, onGrid(axisOf(u, "x"), bbox.left), onGrid(axisOf(u, "y"), bbox.top), width, height, [low, high]);
  // Seven shades by the logarithm of the count: a single individual is still seen.
  const shades = Array.from({ length: 7 }, (_, i) => pale(typeof colour === "string" ? colour : colour(rows[0]), 0.16 + 0.11 * i));
  const grade = 6 / Math.log2(1 + most);
  /** @type {number[][]} */
  const boxes = shades.map(() => []);
  for (let at = 0; at < cells.length; at++) if (cells[at]) boxes[Math.round(Math.log2(cells[at]) * grade)].push(at);
  boxes.forEach((list, shade) => {
    ctx.fillStyle = shades[shade];
    for (const at of list) ctx.fillRect(bbox.left + (at % width) * size, bbox.top + Math.floor(at / width) * size, size, size);
  });
}

/** From a value to the canvas. @returns {import("../data/thin.js").Axis} */
function axisOf(u, /** @type {"x"|"y"} */ key) {
  const { min, max, distr } = u.scales[key];
  const log = distr === 3;
  const [from, to] = log ? [Math.log10(min), Math.log10(max)] : [min, max];
  const { left, top, width, height } = u.bbox;
  return key === "x" ? { from, factor: width / (to - from), start: left, log } : { from, factor: -height / (to - from), start: top + height, log };
}

/** The same as a function: without a call into uPlot for each point. */
function scaleOf(u, /** @type {"x"|"y"} */ key) {
  const { from, factor, start, log } = axisOf(u, key);
  return (/** @type {number} */ v) => start + ((log ? Math.log10(v) : v) - from) * factor;
}

/** A line through some points, each with a mark. */
export function trail(u, /** @type {{x: number, y: number}[]} */ points, /** @type {string} */ colour, /** @type {string} */ paper, size = 3) {
  const { ctx } = u;
  const ratio = devicePixelRatio || 1;
  const across = scaleOf(u, "x");
  const up = scaleOf(u, "y");
  ctx.strokeStyle = colour;
  ctx.lineWidth = 1.75 * ratio;
  ctx.lineJoin = "round";
  ctx.beginPath();
  points.forEach(({ x, y }, i) => ctx[i ? "lineTo" : "moveTo"](across(x), up(y)));
  ctx.stroke();
  const radius = size * (points.length > 60 ? 0.55 : points.length > 20 ? 0.8 : 1) * ratio;
  ctx.fillStyle = colour;
  ctx.strokeStyle = paper;
  ctx.lineWidth = ratio;
  for (const { x, y } of points) {
    ctx.beginPath();
    ctx.arc(across(x), up(y), radius, 0, 2 * Math.PI);
    ctx.fill();
    ctx.stroke();
  }
}

/** The place of the point nearest to the pointer, within `reach` CSS pixels; -1 for none. */
export function nearest(u, /** @type {ArrayLike<number>} */ x, /** @type {ArrayLike<number>} */ y, /** @type {number} */ left, /** @type {number} */ top, /** @type {number} */ reach) {
  const ratio = devicePixelRatio || 1;
  const across = scaleOf(u, "x");
  const up = scaleOf(u, "y");
  const px = left * ratio + u.bbox.left;
  const py = top * ratio + u.bbox.top;
  let found = -1;
  let least = (reach * ratio) ** 2;
  for (let i = 0; i < x.length; i++) {
    const dx = across(x[i]) - px;
    if (dx * dx > least) continue;
    const dy = up(y[i]) - py;
    if (dx * dx + dy * dy <= least) {
      least = dx * dx + dy * dy;
      found = i;
    }
  }
  return found;
}
