// What is shown, counted and sorted by layer, so that a part of the picture is found without a look at the whole.
import { NODE } from "./protocol.js";

/** Edges that span more layers than this are looked at apart when the picture is culled by layer. */
export const LONG_EDGE = 8;

/**
 * @param {import("./store.js").Store} store
 * @param {Uint8Array} visible
 * @param {{x: ArrayLike<number>, y: ArrayLike<number>, kind: string}} scene where the rows stand, and of what kind they are
 * @returns rows sorted by layer: `rows[start[l] .. start[l + 1]]` stand in layer `first + l`; with counts and bounds
 */
export function layers({ nodes, edges }, visible, { x, y, kind }) {
  const flags = nodes.get("flags");
  const counts = { total: 0, ghosts: 0, seeds: 0, invalid: 0, cycles: 0, rejected: 0, edges: 0, second: 0 };
  const bounds = { x0: Infinity, x1: -Infinity, y0: Infinity, y1: -Infinity };
  for (let row = 0; row < nodes.count; row++) {
    if (!visible[row]) continue;
    if (flags[row] & NODE.ghost) counts.ghosts++;
    else counts.total++;
    if (flags[row] & NODE.seed) counts.seeds++;
    if (flags[row] & NODE.invalid) counts.invalid++;
    if (flags[row] & NODE.cycle) counts.cycles++;
    if (flags[row] & NODE.rejected) counts.rejected++;
    if (x[row] < bounds.x0) bounds.x0 = x[row];
    if (x[row] > bounds.x1) bounds.x1 = x[row];
    if (y[row] < bounds.y0) bounds.y0 = y[row];
    if (y[row] > bounds.y1) bounds.y1 = y[row];
  }
  const shown = counts.total + counts.ghosts;
  const first = shown ? Math.floor(bounds.x0) : 0;
  const depth = shown ? Math.floor(bounds.x1) - first + 1 : 0;
  const start = new Int32Array(depth + 1);
  for (let row = 0; row < nodes.count; row++) if (visible[row]) start[Math.floor(x[row]) - first + 1]++;
  for (let l = 0; l < depth; l++) start[l + 1] += start[l];
  const rows = new Int32Array(shown);
  const fill = start.slice();
  for (let row = 0; row < nodes.count; row++) if (visible[row]) rows[fill[Math.floor(x[row]) - first]++] = row;

  const src = edges.get("src");
  const dst = edges.get("dst");
  const order = edges.get("order");
  const long = [];
  for (let e = 0; e < edges.count; e++) {
    if (!visible[src[e]] || !visible[dst[e]]) continue;
    counts.edges++;
    if (order[e] > 0) counts.second++;
    if (Math.abs(x[dst[e]] - x[src[e]]) > LONG_EDGE) long.push(e);
  }
  return { visible, counts, bounds, first, layers: depth, start, rows, long, unit: layerUnit(nodes, x, rows, kind) };
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

