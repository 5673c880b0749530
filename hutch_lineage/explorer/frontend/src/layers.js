// What is shown, counted and sorted into columns and bands, so that a part of the picture is found without a look at the whole.
import { NODE } from "./protocol.js";

/** Edges that span more columns than this are looked at apart when the picture is culled by column. */
export const LONG_EDGE = 8;
/** As many rows as a cell should hold, about. */
const PER_CELL = 24;

/**
 * @typedef {ReturnType<typeof layers>} Index
 *
 * @param {import("./store.js").Store} store
 * @param {Uint8Array} visible
 * @param {{x: ArrayLike<number>, y: ArrayLike<number>, kind: string, meaning?: {axis: string}}} scene where the rows stand, and of what kind they are
 * @returns rows sorted by column: `rows[start[l] .. start[l + 1]]` stand in column `l`, which is layer `first + l` where `layered`;
 *   within a column they are sorted by band, `cells` says where each begins; with counts and bounds
 */
export function layers({ nodes, edges }, visible, { x, y, kind, meaning }) {
  const { count } = nodes;
  const flags = nodes.get("flags");
  const counts = { total: 0, ghosts: 0, seeds: 0, invalid: 0, cycles: 0, rejected: 0, edges: 0, second: 0, unplaced: 0 };
  const bounds = { x0: Infinity, x1: -Infinity, y0: Infinity, y1: -Infinity };
  const marked = NODE.seed | NODE.ghost | NODE.invalid | NODE.cycle | NODE.rejected;
  let shown = 0;
  for (let row = 0; row < count; row++) {
    if (!visible[row]) continue;
    const f = flags[row];
    if (f & marked) {
      if (f & NODE.ghost) counts.ghosts++;
      if (f & NODE.seed) counts.seeds++;
      if (f & NODE.invalid) counts.invalid++;
      if (f & NODE.cycle) counts.cycles++;
      if (f & NODE.rejected) counts.rejected++;
    }
    if (!(f & NODE.ghost)) counts.total++;
    const px = x[row];
    const py = y[row];
    if (!(Math.abs(px) < Infinity && Math.abs(py) < Infinity)) {
      counts.unplaced++;
      continue;
    }
    shown++;
    if (px < bounds.x0) bounds.x0 = px;
    if (px > bounds.x1) bounds.x1 = px;
    if (py < bounds.y0) bounds.y0 = py;
    if (py > bounds.y1) bounds.y1 = py;
  }

  const axis = meaning?.axis ?? "generation";
  // Only a picture without a direction has no layers; layers of time are spans of the clock.
  const layered = axis !== "none";
  const first = !shown ? 0 : layered ? Math.floor(bounds.x0) : bounds.x0;
  const span = shown ? bounds.x1 - first : 0;
  // A layer is a column, unless there are more layers than could ever hold something; other layouts have no layers.
  const wide = layered ? Math.max(1, Math.ceil(span / (4 * shown + 64))) : Math.max(span, 1e-9) / Math.min(1024, Math.max(1, Math.ceil(Math.sqrt(shown))));
  const depth = shown ? Math.floor(span / wide) + 1 : 0;
  const tallest = Math.max(bounds.y1 - bounds.y0, 1e-9);
  const bands = Math.max(1, Math.min(4096, Math.round(shown / Math.max(1, depth) / PER_CELL)));
  const band = bands / tallest;
  const { y0 } = bounds;
  const cells = new Int32Array(depth * bands + 1);
  const home = new Int32Array(count);
  const last = bands - 1;
  for (let row = 0; row < count; row++) {
    const across = (x[row] - first) / wide;
    // A place that is not known is neither above nor below 0.
    if (!visible[row] || !(across >= 0 && y[row] >= y0)) {
      home[row] = -1;
      continue;
    }
    const within = ((y[row] - y0) * band) | 0;
    const cell = (across | 0) * bands + (within < last ? within : last);
    home[row] = cell;
    cells[cell + 1]++;
  }
  for (let cell = 0, n = depth * bands; cell < n; cell++) cells[cell + 1] += cells[cell];
  const start = new Int32Array(depth + 1);
  for (let l = 0; l <= depth; l++) start[l] = cells[l * bands];
  const rows = new Int32Array(shown);
  // The places once more in the order of `rows`: what is drawn every frame is read in sequence.
  const xs = new Float32Array(shown);
  const ys = new Float32Array(shown);
  for (let row = 0; row < count; row++) {
    if (home[row] < 0) continue;
    const at = cells[home[row]]++;
    rows[at] = row;
    xs[at] = x[row];
    ys[at] = y[row];
  }
  cells.copyWithin(1, 0);
  cells[0] = 0;

  const long = [];
  const { src, dst, order } = { src: edges.get("src"), dst: edges.get("dst"), order: edges.get("order") };
  const far = LONG_EDGE * wide;
  for (let e = 0; e < edges.count; e++) {
    const s = src[e];
    const d = dst[e];
    if (!visible[s] || !visible[d]) continue;
    counts.edges++;
    if (order[e] > 0) counts.second++;
    if (Math.abs(x[d] - x[s]) > far) long.push(e);
  }
  return { visible, counts, bounds, first, wide, layered, layers: depth, start, bands, band, cells, rows, xs, ys, long, unit: axis === "generation" ? layerUnit(nodes, x, rows, kind) : "depth" };
}

/** The columns and bands that a rectangle of the picture touches; `high < low` when it touches none. */
export function touching(/** @type {Index} */ index, x0, x1, y0, y1) {
  const { first, wide, layers: depth, bands, band, bounds } = index;
  const inside = (value, most) => Math.max(0, Math.min(most, value));
  return {
    low: Math.max(0, Math.floor((x0 - first) / wide)),
    high: Math.min(depth - 1, Math.floor((x1 - first) / wide)),
    top: inside(Math.floor((y0 - bounds.y0) * band), bands - 1),
    bottom: inside(Math.floor((y1 - bounds.y0) * band), bands - 1),
  };
}

/**
 * The rows in a rectangle of the picture, `most` of them at the most.
 * @returns {number[]} in the order of the index
 */
export function rowsIn(/** @type {Index} */ index, x0, x1, y0, y1, most = Infinity) {
  const { bands, cells, rows, xs, ys } = index;
  const { low, high, top, bottom } = touching(index, x0, x1, y0, y1);
  const found = [];
  for (let l = low; l <= high; l++) {
    for (let i = cells[l * bands + top], end = cells[l * bands + bottom + 1]; i < end; i++) {
      if (xs[i] < x0 || xs[i] > x1 || ys[i] < y0 || ys[i] > y1) continue;
      found.push(rows[i]);
      if (found.length >= most) return found;
    }
  }
  return found;
}

/** What a layer is: a generation where the generations say so, else a depth. */
function layerUnit(nodes, x, rows, kind) {
  const generation = nodes.get("generation");
  let same = 0;
  let known = 0;
  const step = Math.max(1, Math.floor(rows.length / 2000));
  for (let i = 0; i < rows.length; i += step) {
    if (!(generation[rows[i]] >= 0)) continue;
    known++;
    if (generation[rows[i]] === Math.round(x[rows[i]])) same++;
  }
  return kind === "individual" && known && same * 2 >= known ? "gen" : "depth";
}
