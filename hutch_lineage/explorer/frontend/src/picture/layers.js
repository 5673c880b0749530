// What is shown, counted and sorted into columns and bands, so that a part of the picture is found without a look at the whole.
import { longer } from "../data/growth.js";
import { NODE } from "../data/protocol.js";

/** Edges that span more columns than this are looked at apart when the picture is culled by column. */
export const LONG_EDGE = 8;
/** As many rows as a cell should hold, about. */
const PER_CELL = 24;

/**
 * @typedef {ReturnType<typeof layers>} Index
 *
 * @param {import("../data/store.js").Store} store
 * @param {Uint8Array} visible
 * @param {{x: ArrayLike<number>, y: ArrayLike<number>, kind: string, meaning?: {axis: string}}} scene where the rows stand, and of what kind they are
 * @returns rows sorted by column: `rows[start[l] .. start[l + 1]]` stand in column `l`, which is layer `first + l` where `layered`;
 *   within a column they are sorted by band, `cells` says where each begins; with counts and bounds
 */
export function layers(store, visible, scene) {
  const { nodes, edges } = store;
  const { x, y, meaning } = scene;
  const { count } = nodes;
  const index = {
    visible,
    counts: { total: 0, ghosts: 0, seeds: 0, invalid: 0, cycles: 0, rejected: 0, edges: 0, second: 0, unplaced: 0 },
    bounds: { x0: Infinity, x1: -Infinity, y0: Infinity, y1: -Infinity },
    /** The flags that were counted. */
    flags: new Uint8Array(count),
    long: /** @type {number[]} */ ([]),
  };
  const shown = countRows(index, nodes, scene, 0);
  const { bounds } = index;
  const axis = meaning?.axis ?? "depth";
  // Only a picture without a direction has no layers; layers of time are spans of the clock.
  const layered = axis !== "none";
  const first = !shown ? 0 : layered ? Math.floor(bounds.x0) : bounds.x0;
  const span = shown ? bounds.x1 - first : 0;
  const wide = layered ? columnOf(span, shown) : Math.max(span, 1e-9) / Math.min(1024, Math.max(1, Math.ceil(Math.sqrt(shown))));
  const depth = shown ? Math.floor(span / wide) + 1 : 0;
  const tallest = Math.max(bounds.y1 - bounds.y0, 1e-9);
  const bands = Math.max(1, Math.min(4096, Math.round(shown / Math.max(1, depth) / PER_CELL)));
  const band = bands / tallest;
  const low = bounds.y0;
  const cells = new Int32Array(depth * bands + 1);
  const home = new Int32Array(count);
  const last = bands - 1;
  for (let row = 0; row < count; row++) {
    const across = (x[row] - first) / wide;
    // A place that is not known is neither above nor below 0.
    if (!visible[row] || !(across >= 0 && y[row] >= low)) {
      home[row] = -1;
      continue;
    }
    const within = ((y[row] - low) * band) | 0;
    const cell = (across | 0) * bands + (within < last ? within : last);
    home[row] = cell;
    cells[cell + 1]++;
  }
  for (let cell = 0, n = depth * bands; cell < n; cell++) cells[cell + 1] += cells[cell];
  const start = starts(cells, depth, bands);
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
  countEdges(index, edges, x, wide, 0);
  // `root` is the same for all that grew from one; `dense` is how many the bands were made for.
  return { ...index, root: {}, dense: shown, first, wide, layered, layers: depth, start, bands, band, low, cells, rows, xs, ys };
}

/**
 * The same with what is new; null where the columns have to be made anew. It takes over the memory of the one before.
 * In a column the order may be another than that of a new index, and the bands are those of the one before.
 * @param {Index} held
 * @param {import("../data/growth.js").Grown} grown no row of it moves or is hidden
 * @returns {Index|null}
 */
export function grownLayers(/** @type {import("../data/store.js").Store} */ { nodes, edges }, /** @type {Uint8Array} */ visible, scene, held, grown) {
  const { x, y } = scene;
  const { first, wide, layered, bands, band, low } = held;
  const before = held.rows.length;
  if (!before || (nodes.count - grown.nodes) * 8 > before) return null;
  const index = { visible, counts: { ...held.counts }, bounds: { ...held.bounds }, flags: longer(held.flags, nodes.count), long: held.long };
  for (const row of grown.rows) if (visible[row]) countFlags(index, nodes, row);
  const shown = before + countRows(index, nodes, scene, grown.nodes);
  const { x0, x1 } = index.bounds;
  if (x0 < first || shown > 1.5 * held.dense || (layered && columnOf(x1 - first, shown) !== wide)) return null;
  const depth = Math.floor((x1 - first) / wide) + 1;
  const fresh = [];
  for (let row = grown.nodes; row < nodes.count; row++) {
    if (!visible[row] || !placed(x[row], y[row])) continue;
    const within = Math.max(0, Math.min(bands - 1, Math.floor((y[row] - low) * band)));
    fresh.push({ row, cell: Math.floor((x[row] - first) / wide) * bands + within });
  }
  fresh.sort((a, b) => a.cell - b.cell || a.row - b.row);
  const cells = longer(held.cells, depth * bands + 1).fill(before, held.cells.length);
  const [rows, xs, ys] = [longer(held.rows, shown), longer(held.xs, shown), longer(held.ys, shown)];
  // From the end on, each takes its place after those of its cell, and moves what follows.
  for (let i = fresh.length - 1, end = before; i >= 0; i--) {
    const { row, cell } = fresh[i];
    const after = cells[cell + 1];
    for (const column of [rows, xs, ys]) column.copyWithin(after + i + 1, after, end);
    [rows[after + i], xs[after + i], ys[after + i], end] = [row, x[row], y[row], after];
  }
  for (let cell = fresh[0]?.cell ?? cells.length, i = 0; cell + 1 < cells.length; cell++) {
    while (i < fresh.length && fresh[i].cell === cell) i++;
    cells[cell + 1] += i;
  }
  countEdges(index, edges, x, wide, grown.edges);
  return { ...held, ...index, layers: depth, start: starts(cells, depth, bands), cells, rows, xs, ys };
}

/** How many layers a column holds: one, unless there are more layers than could ever hold something. */
const columnOf = (/** @type {number} */ span, /** @type {number} */ shown) => Math.max(1, Math.ceil(span / (4 * shown + 64)));

const placed = (/** @type {number} */ px, /** @type {number} */ py) => Math.abs(px) < Infinity && Math.abs(py) < Infinity;

function starts(cells, /** @type {number} */ depth, /** @type {number} */ bands) {
  const start = new Int32Array(depth + 1);
  for (let l = 0; l <= depth; l++) start[l] = cells[l * bands];
  return start;
}

/** Count a row by its flags, in place of what they were when it was counted. */
function countFlags({ counts, flags }, nodes, /** @type {number} */ row, known = true) {
  const count = (/** @type {number} */ f, /** @type {1|-1} */ by) => {
    if (f & NODE.ghost) counts.ghosts += by;
    else counts.total += by;
    if (f & NODE.seed) counts.seeds += by;
    if (f & NODE.invalid) counts.invalid += by;
    if (f & NODE.cycle) counts.cycles += by;
    if (f & NODE.rejected) counts.rejected += by;
  };
  if (known) count(flags[row], -1);
  count((flags[row] = nodes.get("flags")[row]), 1);
}

/** Count rows from one on, and widen the bounds. @returns {number} how many have a place */
function countRows(index, nodes, { x, y }, /** @type {number} */ from) {
  const { visible, bounds, counts, flags } = index;
  const given = nodes.get("flags");
  let shown = 0;
  let { x0, x1, y0, y1 } = bounds;
  for (let row = from; row < nodes.count; row++) {
    if (!visible[row]) continue;
    if (given[row]) countFlags(index, nodes, row, false);
    else {
      counts.total++;
      flags[row] = 0;
    }
    const px = x[row];
    const py = y[row];
    if (!placed(px, py)) {
      counts.unplaced++;
      continue;
    }
    shown++;
    if (px < x0) x0 = px;
    if (px > x1) x1 = px;
    if (py < y0) y0 = py;
    if (py > y1) y1 = py;
  }
  Object.assign(bounds, { x0, x1, y0, y1 });
  return shown;
}

/** Count edges from one on; those that span many columns are held apart. */
function countEdges({ visible, counts, long }, edges, x, /** @type {number} */ wide, /** @type {number} */ from) {
  const [src, dst, order] = ["src", "dst", "order"].map((name) => edges.get(name));
  const far = LONG_EDGE * wide;
  for (let e = from; e < edges.count; e++) {
    const s = src[e];
    const d = dst[e];
    if (!visible[s] || !visible[d]) continue;
    counts.edges++;
    if (order[e] > 0) counts.second++;
    if (Math.abs(x[d] - x[s]) > far) long.push(e);
  }
}

/** The columns and bands that a rectangle of the picture touches; `high < low` when it touches none. */
export function touching(/** @type {Index} */ index, x0, x1, y0, y1) {
  const { first, wide, layers: depth, bands, band, low: base } = index;
  const inside = (value, most) => Math.max(0, Math.min(most, value));
  return {
    low: Math.max(0, Math.floor((x0 - first) / wide)),
    high: Math.min(depth - 1, Math.floor((x1 - first) / wide)),
    top: inside(Math.floor((y0 - base) * band), bands - 1),
    bottom: inside(Math.floor((y1 - base) * band), bands - 1),
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
