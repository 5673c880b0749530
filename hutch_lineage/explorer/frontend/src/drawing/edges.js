// Edges: thin and pale, further parents dashed, what is in focus darker, the path that matters warm.
import { nameIndex } from "../picture/colour.js";
import { curve, dashed } from "./curve.js";
import { LONG_EDGE } from "../picture/layers.js";
import { EDGE } from "../data/protocol.js";

/** @typedef {import("./draw.js").Frame} Frame */

const CHUNK = 160;
/** Rows whose edges are looked at for one frame; where more are near, edges that only pass through the view are left out. */
const LOOKED_AT = 40_000;
/** Where layers are closer than this (in pixels) there is no room for a curve from one to the next. */
const TIGHT = 3;
/** Edges drawn one by one. */
const MOST = 5000;

/**
 * Edges that cross the view: those into the columns in view and a little beyond, and the long ones.
 * @returns {{edges: number[], passing: boolean}} `passing`: whether those that only pass through are among them
 */
export function edgesOf({ camera, scene, store, width, height }, { low, high, rows: near }) {
  const { start, rows, visible, layers, long, first, wide } = scene.index;
  const { inHead, inNext, outHead, outNext, src, dst } = store.links;
  const { x, y } = scene;
  const top = (-4 - camera.by) / camera.ay;
  const bottom = (height + 4 - camera.by) / camera.ay;
  const left = (-4 - camera.bx) / camera.ax;
  const right = (width + 4 - camera.bx) / camera.ax;
  const beside = (a, b) => (x[a] < left && x[b] < left) || (x[a] > right && x[b] > right) || (y[a] < top && y[b] < top) || (y[a] > bottom && y[b] > bottom);
  const found = [];
  const last = Math.min(layers - 1, high + LONG_EDGE);
  const from = Math.max(0, low - LONG_EDGE);
  const end = last >= from ? start[last + 1] : 0;
  if (end - start[from] > LOOKED_AT) {
    const inside = new Set(near);
    for (const row of near) {
      for (let e = inHead[row]; e >= 0; e = inNext[e]) if (visible[src[e]]) found.push(e);
      for (let e = outHead[row]; e >= 0; e = outNext[e]) if (visible[dst[e]] && !inside.has(dst[e])) found.push(e);
    }
    return { edges: found, passing: false };
  }
  const far = LONG_EDGE * wide;
  for (let i = start[from] ?? 0; i < end; i++) {
    const row = rows[i];
    for (let e = inHead[row]; e >= 0; e = inNext[e]) {
      const p = src[e];
      if (visible[p] && Math.abs(x[row] - x[p]) <= far && !beside(p, row)) found.push(e);
    }
  }
  for (const e of long) if (!beside(src[e], dst[e])) found.push(e);
  return { edges: found, passing: true };
}

/** An even choice of the edges that both ends show, for pictures without layers. */
export function sampledEdges({ scene, store }, most) {
  const { edges } = store;
  const { visible } = scene.index;
  const { src, dst } = store.links;
  const step = Math.max(1, Math.floor(edges.count / most));
  const found = [];
  for (let e = 0; e < edges.count; e += step) if (visible[src[e]] && visible[dst[e]]) found.push(e);
  return found;
}

/** One edge as a curve from the right of the parent to the left of the child; a loop goes round its node. */
function trace(c, { camera, scene, store, width, height }, edge, dash) {
  const { x, y } = scene;
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
  const [bx, by] = [camera.x(x[d]), camera.y(y[d])];
  const straight = camera.even || (camera.ax < TIGHT && bx >= ax);
  if (dash) dashed(c, ax, ay, bx, by, straight, width, height, dash);
  else curve(c, ax, ay, bx, by, straight);
}

/** Stroke edges, in dashes of a length where one is given. */
function strokeAll(c, frame, edges, dash = 0) {
  for (let i = 0; i < edges.length; i += CHUNK) {
    c.beginPath();
    for (let j = i; j < Math.min(edges.length, i + CHUNK); j++) trace(c, frame, edges[j], dash);
    c.stroke();
  }
}

/** The closer the slots, the paler the edges, so that many together do not outweigh the individuals. */
const thin = (camera) => Math.min(1, Math.max(0.26, 0.12 + (camera.room || camera.ay) / 20));

/** @returns {number} how many were drawn */
export function drawEdges(c, frame, edges, focus) {
  const { scene, store, colours, palette } = frame;
  const { edgeSet } = scene.path;
  const order = store.links.order;
  const flags = store.edges.get("flags");
  const operator = store.view.edges === "operator" ? store.edges.get("op") : null;
  const kinds = store.operators.get("kind");
  const stride = Math.max(1, Math.ceil(edges.length / MOST));
  const plain = [[], []];
  // Edges that only pass through say little about who is in view: they are hinted at.
  const passing = [];
  const { camera, width, height } = frame;
  const { x, y } = scene;
  const seen = (/** @type {number} */ row) => {
    const [px, py] = [camera.x(x[row]), camera.y(y[row])];
    return px > -8 && px < width + 8 && py > -8 && py < height + 8;
  };
  const { src, dst } = store.links;
  const rejected = [];
  const cycle = [];
  /** @type {Map<number, number[][]>} */
  const coloured = new Map();
  for (let i = 0; i < edges.length; i += stride) {
    const e = edges[i];
    if (edgeSet.has(e)) continue;
    const second = +(order[e] > 0);
    if (flags[e] & EDGE.cycle) cycle.push(e);
    else if (flags[e] & EDGE.rejected) rejected.push(e);
    else if (!seen(src[e]) && !seen(dst[e])) passing.push(e);
    else if (operator && operator[e] >= 0) {
      const colour = nameIndex(kinds[operator[e]] ?? -1);
      if (!coloured.has(colour)) coloured.set(colour, [[], []]);
      coloured.get(colour)[second].push(e);
    } else plain[second].push(e);
  }
  const alpha = thin(frame.camera) * (focus || scene.hits ? 0.35 : 1);
  const both = ([first, further]) => {
    strokeAll(c, frame, first);
    strokeAll(c, frame, further, 3);
  };
  c.globalAlpha = alpha;
  c.lineWidth = 1;
  c.strokeStyle = colours.edge;
  both(plain);
  c.globalAlpha = alpha * 0.3;
  strokeAll(c, frame, passing);
  c.globalAlpha = alpha * 0.75;
  for (const [colour, pair] of coloured) {
    c.strokeStyle = palette[colour];
    both(pair);
  }
  c.globalAlpha = Math.max(0.3, alpha);
  c.strokeStyle = colours.bad;
  strokeAll(c, frame, rejected, 1.7);
  c.lineWidth = 1.3;
  strokeAll(c, frame, cycle);
  c.globalAlpha = 1;
  return Math.ceil(edges.length / stride);
}

export function drawFocusEdges(c, frame, edges, focus) {
  const { src, dst, order } = frame.store.links;
  const inside = edges.filter((e) => focus[src[e]] && focus[dst[e]] && !frame.scene.path.edgeSet.has(e));
  darker(c, frame, inside, order, Math.min(1, 1.5 * thin(frame.camera)), 1.2);
}

function darker(c, frame, edges, order, alpha, line) {
  c.globalAlpha = alpha;
  c.strokeStyle = frame.colours.focus;
  c.lineWidth = line;
  strokeAll(c, frame, edges.filter((e) => !(order[e] > 0)));
  strokeAll(c, frame, edges.filter((e) => order[e] > 0), 3);
  c.globalAlpha = 1;
}

/** Edges looked at to show whence the hovered one comes and what became of it. */
const FAMILY = 400;

/** The nearest edges up to the ancestors and down to the descendants of a row: so many each way at the most. */
export function familyEdges({ inHead, inNext, outHead, outNext, src, dst }, visible, /** @type {number} */ row, most = FAMILY) {
  const found = [];
  for (const [head, next, end] of [[inHead, inNext, src], [outHead, outNext, dst]]) {
    const seen = new Set([row]);
    const queue = [row];
    let left = most;
    for (let i = 0; i < queue.length && left > 0; i++) {
      for (let e = head[queue[i]] ?? -1; e >= 0 && left > 0; e = next[e]) {
        if (!visible[end[e]]) continue;
        found.push(e);
        left--;
        if (seen.has(end[e])) continue;
        seen.add(end[e]);
        queue.push(end[e]);
      }
    }
  }
  return found;
}

export function drawFamily(c, frame) {
  const { scene, store, hover } = frame;
  if (!(hover >= 0) || !scene.index.visible[hover]) return;
  const edges = familyEdges(store.links, scene.index.visible, hover);
  darker(c, frame, edges.filter((e) => !scene.path.edgeSet.has(e)), store.links.order, 0.9, 1.3);
}

/** Edges that lead on from one to the next, as a line; what moves less than half a pixel is left out. */
function line(c, { camera, scene, store }, edges) {
  const { src, dst } = store.links;
  const { x, y } = scene;
  const far = (a, b) => Math.abs(a - b) >= 0.5;
  for (let i = 0; i < edges.length; i += CHUNK) {
    c.beginPath();
    let [px, py, at] = [NaN, NaN, -1];
    for (const e of edges.slice(i, i + CHUNK)) {
      if (src[e] !== at) c.moveTo((px = camera.x(x[src[e]])), (py = camera.y(y[src[e]])));
      at = dst[e];
      const [tx, ty] = [camera.x(x[at]), camera.y(y[at])];
      if (far(tx, px) || far(ty, py)) c.lineTo((px = tx), (py = ty));
    }
    c.stroke();
  }
}

export function drawPath(c, frame) {
  const { scene, store, colours, camera } = frame;
  const { visible } = scene.index;
  const order = store.links.order;
  c.strokeStyle = colours.warm;
  c.lineWidth = camera.radius < 3 ? 1.8 : 2.4;
  const { src, dst } = store.links;
  const { x, y } = scene;
  const within = (/** @type {number} */ a, b, most) => Math.max(a, b) > -20 && Math.min(a, b) < most + 20;
  const near = (/** @type {number} */ s, d) => within(camera.x(x[s]), camera.x(x[d]), frame.width) && within(camera.y(y[s]), camera.y(y[d]), frame.height);
  const edges = scene.path.edges.filter((e) => visible[src[e]] && visible[dst[e]] && near(src[e], dst[e]));
  const { focus } = scene;
  if (camera.ax < TIGHT && !camera.even && !focus) return line(c, frame, edges);
  for (const inside of focus ? [false, true] : [true]) {
    c.globalAlpha = inside ? 1 : 0.25;
    const some = focus ? edges.filter((e) => !!(focus[src[e]] && focus[dst[e]]) === inside) : edges;
    strokeAll(c, frame, some.filter((e) => !(order[e] > 0)));
    strokeAll(c, frame, some.filter((e) => order[e] > 0), 4.5);
  }
  c.globalAlpha = 1;
}
