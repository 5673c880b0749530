// Edges: thin and pale, further parents dashed, what is in focus darker, the path that matters warm.
import { EDGE } from "./protocol.js";
import { LONG_EDGE } from "./layers.js";

/** @typedef {import("./draw.js").Frame} Frame */

const CHUNK = 160;

/** Edges that cross the view: those into the layers in view and a little beyond, and the long ones. */
export function edgesOf({ camera, scene, store, height }, { low, high }) {
  const { start, rows, visible, layers, long, first } = scene.index;
  const { inHead, inNext, src } = store.links;
  const x = store.scene.x;
  const y = store.scene.y;
  const top = (-4 - camera.by) / camera.ay;
  const bottom = (height + 4 - camera.by) / camera.ay;
  const found = [];
  const last = Math.min(layers - 1, high + LONG_EDGE);
  const from = Math.max(0, low - LONG_EDGE);
  for (let i = start[from] ?? 0, end = last >= from ? start[last + 1] : 0; i < end; i++) {
    const row = rows[i];
    for (let e = inHead[row]; e >= 0; e = inNext[e]) {
      const p = src[e];
      if (!visible[p] || Math.abs(x[row] - x[p]) > LONG_EDGE) continue;
      const a = x[p] - first;
      const b = x[row] - first;
      if ((a < low && b < low) || (a > high + 1 && b > high + 1)) continue;
      if ((y[p] < top && y[row] < top) || (y[p] > bottom && y[row] > bottom)) continue;
      found.push(e);
    }
  }
  for (const e of long) found.push(e);
  return found;
}

/** One edge as a curve from the right of the parent to the left of the child; a loop goes round its node. */
function trace(c, { camera, store }, edge) {
  const x = store.scene.x;
  const y = store.scene.y;
  const s = store.links.src[edge];
  const d = store.links.dst[edge];
  const ax = camera.x(x[s]);
  const ay = camera.y(y[s]);
  if (s === d) {
    const r = camera.radius + 3;
    c.moveTo(ax + r * 0.5, ay - r * 0.6);
    c.bezierCurveTo(ax + r * 2.2, ay - r * 2.6, ax - r * 2.2, ay - r * 2.6, ax - r * 0.5, ay - r * 0.6);
    return;
  }
  const bx = camera.x(x[d]);
  const by = camera.y(y[d]);
  c.moveTo(ax, ay);
  if (bx - ax > 2) {
    const middle = (ax + bx) / 2;
    c.bezierCurveTo(middle, ay, middle, by, bx, by);
  } else {
    // back or sideways (a cycle, a reversed time): bow out so that it is seen
    const bow = Math.max(14, Math.abs(by - ay) * 0.25, (ax - bx) * 0.25);
    c.bezierCurveTo(ax + bow, ay, bx + bow * (bx < ax - 2 ? -1 : 1), by, bx, by);
  }
}

function strokeAll(c, frame, edges) {
  for (let i = 0; i < edges.length; i += CHUNK) {
    c.beginPath();
    for (let j = i; j < Math.min(edges.length, i + CHUNK); j++) trace(c, frame, edges[j]);
    c.stroke();
  }
}

/** The closer the slots, the paler the edges, so that many together do not outweigh the individuals. */
const thin = (camera) => Math.min(1, Math.max(0.26, 0.12 + camera.ay / 20));

export function drawEdges(c, frame, edges, stride, focus) {
  const { scene, store, colours } = frame;
  const { edgeSet } = scene.path;
  const order = store.links.order;
  const flags = store.edges.get("flags");
  const groups = { first: [], second: [], rejected: [], cycle: [] };
  for (let i = 0; i < edges.length; i += stride) {
    const e = edges[i];
    if (edgeSet.has(e)) continue;
    if (flags[e] & EDGE.cycle) groups.cycle.push(e);
    else if (flags[e] & EDGE.rejected) groups.rejected.push(e);
    else (order[e] > 0 ? groups.second : groups.first).push(e);
  }
  const alpha = thin(frame.camera) * (focus || scene.hits ? 0.35 : 1);
  c.globalAlpha = alpha;
  c.lineWidth = 1;
  c.strokeStyle = colours.edge;
  strokeAll(c, frame, groups.first);
  c.setLineDash([3, 3]);
  strokeAll(c, frame, groups.second);
  c.globalAlpha = Math.max(0.3, alpha);
  c.strokeStyle = colours.bad;
  c.setLineDash([1.5, 3.5]);
  strokeAll(c, frame, groups.rejected);
  c.setLineDash([]);
  c.lineWidth = 1.3;
  strokeAll(c, frame, groups.cycle);
  c.globalAlpha = 1;
  return Math.ceil(edges.length / stride);
}

export function drawFocusEdges(c, frame, edges, focus) {
  const { src, dst, order } = frame.store.links;
  const inside = edges.filter((e) => focus[src[e]] && focus[dst[e]] && !frame.scene.path.edgeSet.has(e));
  c.globalAlpha = Math.min(1, 1.5 * thin(frame.camera));
  c.strokeStyle = frame.colours.focus;
  c.lineWidth = 1.2;
  strokeAll(c, frame, inside.filter((e) => !(order[e] > 0)));
  c.setLineDash([3, 3]);
  strokeAll(c, frame, inside.filter((e) => order[e] > 0));
  c.setLineDash([]);
  c.globalAlpha = 1;
}

export function drawPath(c, frame) {
  const { scene, store, colours, camera } = frame;
  const { edges } = scene.path;
  const order = store.links.order;
  c.strokeStyle = colours.warm;
  c.lineWidth = camera.radius < 3 ? 1.8 : 2.4;
  const { src, dst } = store.links;
  const { focus } = scene;
  for (const inside of focus ? [false, true] : [true]) {
    c.globalAlpha = inside ? 1 : 0.25;
    const some = focus ? edges.filter((e) => !!(focus[src[e]] && focus[dst[e]]) === inside) : edges;
    c.setLineDash([]);
    strokeAll(c, frame, some.filter((e) => !(order[e] > 0)));
    c.setLineDash([5, 4]);
    strokeAll(c, frame, some.filter((e) => order[e] > 0));
  }
  c.setLineDash([]);
  c.globalAlpha = 1;
}
