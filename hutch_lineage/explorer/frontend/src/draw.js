// The picture: edges, the path that matters, individuals, marks, the axis of generations. Nothing here keeps state.
import { NONE } from "./colour.js";
import { EDGE, NODE } from "./protocol.js";
import { LONG_EDGE } from "./scene.js";

/** Above so many individuals in view they become small marks, and edges a sample of as many. */
export const FULL_DETAIL = 3000;
const CHUNK = 160;

/**
 * @typedef {{width: number, height: number, camera: import("./camera.js").Camera, scene: import("./scene.js").Scene,
 *   store: import("./store.js").Store, colours: Record<string, string>, palette: string[], font: string, hover: number, hit: number}} Frame
 * @typedef {{nodes: number, full: boolean, inView: number, edgesInView: number, edgesDrawn: number}} Drawn
 */

/** @returns {Drawn} what was drawn and what was not */
export function draw(/** @type {CanvasRenderingContext2D} */ c, /** @type {Frame} */ frame) {
  const { width, height, scene, colours } = frame;
  c.clearRect(0, 0, width, height);
  const seen = inView(frame);
  const full = seen.rows.length <= FULL_DETAIL;
  const { focus, hits } = scene;
  const dimmed = focus || hits;
  c.lineCap = "round";
  c.lineJoin = "round";

  const edges = edgesOf(frame, seen);
  const stride = full ? 1 : Math.max(1, Math.ceil(edges.length / FULL_DETAIL));
  const drawnEdges = drawEdges(c, frame, edges, stride, focus);
  if (focus) drawFocusEdges(c, frame, edges, focus);
  drawPath(c, frame);

  c.globalAlpha = 1;
  if (full) drawNodes(c, frame, seen.rows, dimmed);
  else drawSplats(c, frame, dimmed);
  drawPathNodes(c, frame);
  drawHits(c, frame);
  drawRings(c, frame);
  drawAxis(c, frame);
  c.fillStyle = colours.ink;
  return { nodes: full ? seen.rows.length : 0, full, inView: seen.rows.length, edgesInView: edges.length, edgesDrawn: drawnEdges };
}

/** Rows whose mark is in view, found by layer. */
function inView({ camera, scene, store, width, height }) {
  const { start, rows, first, layers } = scene.index;
  const low = Math.max(0, Math.floor((-20 - camera.bx) / camera.ax) - first);
  const high = Math.min(layers - 1, Math.floor((width + 20 - camera.bx) / camera.ax) - first);
  const y = store.nodes.get("y");
  const top = (-12 - camera.by) / camera.ay;
  const bottom = (height + 12 - camera.by) / camera.ay;
  const found = [];
  for (let i = start[low] ?? 0, end = high >= low ? start[high + 1] : 0; i < end; i++) if (y[rows[i]] >= top && y[rows[i]] <= bottom) found.push(rows[i]);
  return { rows: found, low, high };
}

/** Edges that cross the view: those into the layers in view and a little beyond, and the long ones. */
function edgesOf({ camera, scene, store, height }, { low, high }) {
  const { start, rows, visible, layers, long, first } = scene.index;
  const { inHead, inNext, src } = store.links;
  const x = store.nodes.get("x");
  const y = store.nodes.get("y");
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
  const x = store.nodes.get("x");
  const y = store.nodes.get("y");
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

function drawEdges(c, frame, edges, stride, focus) {
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
  c.globalAlpha = focus ? 0.3 : 1;
  c.lineWidth = 1;
  c.strokeStyle = colours.edge;
  strokeAll(c, frame, groups.first);
  c.setLineDash([3, 3]);
  strokeAll(c, frame, groups.second);
  c.strokeStyle = colours.bad;
  c.setLineDash([1.5, 3.5]);
  strokeAll(c, frame, groups.rejected);
  c.setLineDash([]);
  c.lineWidth = 1.3;
  strokeAll(c, frame, groups.cycle);
  c.globalAlpha = 1;
  return Math.ceil(edges.length / stride);
}

function drawFocusEdges(c, frame, edges, focus) {
  const { src, dst, order } = frame.store.links;
  const inside = edges.filter((e) => focus[src[e]] && focus[dst[e]] && !frame.scene.path.edgeSet.has(e));
  c.strokeStyle = frame.colours.focus;
  c.lineWidth = 1.2;
  strokeAll(c, frame, inside.filter((e) => !(order[e] > 0)));
  c.setLineDash([3, 3]);
  strokeAll(c, frame, inside.filter((e) => order[e] > 0));
  c.setLineDash([]);
}

function drawPath(c, frame) {
  const { scene, store, colours, camera } = frame;
  const { edges } = scene.path;
  const order = store.links.order;
  c.strokeStyle = colours.warm;
  c.lineWidth = camera.radius < 3 ? 1.8 : 2.4;
  if (scene.focus) c.globalAlpha = 0.75;
  strokeAll(c, frame, edges.filter((e) => !(order[e] > 0)));
  c.setLineDash([5, 4]);
  strokeAll(c, frame, edges.filter((e) => order[e] > 0));
  c.setLineDash([]);
  c.globalAlpha = 1;
}

const faded = ({ scene }, hitSet) => (row) => (scene.focus && !scene.focus[row]) || (hitSet && !hitSet.has(row));

function drawNodes(c, frame, rows, dimmed) {
  const { camera, scene, store, colours, palette } = frame;
  const flags = store.nodes.get("flags");
  const x = store.nodes.get("x");
  const y = store.nodes.get("y");
  const { index } = scene.colouring;
  const r = camera.radius;
  const out = dimmed ? faded(frame, scene.hits && new Set(scene.hits)) : null;
  for (const pale of out ? [true, false] : [false]) {
    c.globalAlpha = pale ? 0.16 : 1;
    const groups = new Map();
    for (const row of rows) {
      if (out && out(row) !== pale) continue;
      const f = flags[row];
      const style = f & NODE.ghost ? "ghost" : f & NODE.invalid ? "invalid" : f & NODE.rejected ? "rejected" : index[row];
      if (!groups.has(style)) groups.set(style, []);
      groups.get(style).push(row);
    }
    const halo = r > 2.2;
    c.lineWidth = 1;
    for (const [style, members] of groups) {
      if (typeof style === "string") continue;
      c.beginPath();
      for (const row of members) circle(c, camera.x(x[row]), camera.y(y[row]), flags[row] & NODE.seed ? r * 1.35 : r);
      if (style === NONE) {
        c.fillStyle = colours.bg;
        c.fill();
        c.strokeStyle = colours.faint;
        c.lineWidth = 1.3;
        c.stroke();
        c.lineWidth = 1;
        continue;
      }
      c.fillStyle = palette[style];
      c.fill();
      c.strokeStyle = colours.bg;
      if (halo) c.stroke();
    }
    marks(c, frame, groups, r);
  }
  c.globalAlpha = 1;
}

/** What is told apart without colour: ghosts hollow and dashed, invalid crossed, rejected self-modifications barred, cycles doubled. */
function marks(c, { camera, store, colours }, groups, r) {
  const x = store.nodes.get("x");
  const y = store.nodes.get("y");
  const flags = store.nodes.get("flags");
  const each = (style, f) => {
    c.beginPath();
    for (const row of groups.get(style) ?? []) f(camera.x(x[row]), camera.y(y[row]), row);
    c.stroke();
  };
  c.strokeStyle = colours.faint;
  c.lineWidth = r > 3 ? 1.6 : 1.2;
  const a = Math.max(1.6, r * 0.66);
  each("invalid", (px, py) => {
    c.moveTo(px - a, py - a);
    c.lineTo(px + a, py + a);
    c.moveTo(px + a, py - a);
    c.lineTo(px - a, py + a);
  });
  c.lineWidth = 1.1;
  c.setLineDash([2, 2]);
  each("ghost", (px, py) => circle(c, px, py, r));
  c.setLineDash([]);
  c.strokeStyle = colours.bad;
  c.lineWidth = 1.4;
  each("rejected", (px, py) => {
    circle(c, px, py, r);
    c.moveTo(px - r * 0.7, py + r * 0.7);
    c.lineTo(px + r * 0.7, py - r * 0.7);
  });
  c.beginPath();
  for (const members of groups.values()) for (const row of members) if (flags[row] & NODE.cycle) circle(c, camera.x(x[row]), camera.y(y[row]), r + 2.6);
  c.lineWidth = 1;
  c.stroke();
}

function drawSplats(c, frame, dimmed) {
  const { camera, scene, store, palette, width, height, colours } = frame;
  const { rows } = scene.index;
  const { index } = scene.colouring;
  const x = store.nodes.get("x");
  const y = store.nodes.get("y");
  const flags = store.nodes.get("flags");
  const size = Math.max(1.5, Math.min(3, camera.radius * 1.6));
  const out = dimmed ? faded(frame, scene.hits && new Set(scene.hits)) : null;
  const groups = Array.from({ length: palette.length }, () => /** @type {number[]} */ ([]));
  for (const row of rows) groups[flags[row] & (NODE.ghost | NODE.invalid) ? NONE : index[row]].push(row);
  groups.forEach((members, style) => {
    c.fillStyle = style === NONE ? colours.faint : palette[style];
    for (const row of members) {
      const px = camera.x(x[row]);
      const py = camera.y(y[row]);
      if (px < -4 || px > width + 4 || py < -4 || py > height + 4) continue;
      if (out) c.globalAlpha = out(row) ? 0.12 : 1;
      c.fillRect(px - size / 2, py - size / 2, size, size);
    }
  });
  c.globalAlpha = 1;
}

function drawPathNodes(c, frame) {
  const { camera, scene, store, colours, palette } = frame;
  const x = store.nodes.get("x");
  const y = store.nodes.get("y");
  const flags = store.nodes.get("flags");
  const { index } = scene.colouring;
  const r = Math.max(2.4, camera.radius);
  c.strokeStyle = colours.warm;
  c.lineWidth = r > 3 ? 2 : 1.5;
  for (const row of scene.path.rows) {
    const hollow = flags[row] & (NODE.ghost | NODE.invalid | NODE.rejected) || index[row] === NONE;
    c.fillStyle = hollow ? colours.bg : palette[index[row]];
    c.beginPath();
    circle(c, camera.x(x[row]), camera.y(y[row]), flags[row] & NODE.seed ? r * 1.35 : r);
    c.fill();
    c.setLineDash(flags[row] & NODE.ghost ? [2, 2] : []);
    c.stroke();
  }
  c.setLineDash([]);
}

function drawHits(c, frame) {
  const { scene, camera, store, colours, width, height, hit } = frame;
  if (!scene.hits) return;
  const x = store.nodes.get("x");
  const y = store.nodes.get("y");
  c.strokeStyle = colours.accent;
  c.lineWidth = 1.5;
  c.beginPath();
  scene.hits.slice(0, FULL_DETAIL).forEach((row, i) => {
    const px = camera.x(x[row]);
    const py = camera.y(y[row]);
    if (px > -20 && px < width + 20 && py > -20 && py < height + 20) circle(c, px, py, camera.radius + (i === hit ? 5 : 2.5));
  });
  c.stroke();
}

/** Rings: the best, the selected, the hovered. */
function drawRings(c, { camera, scene, store, colours, hover }) {
  const x = store.nodes.get("x");
  const y = store.nodes.get("y");
  const ring = (row, extra, colour, line) => {
    if (!(row >= 0) || row >= store.nodes.count || !scene.index.visible[row]) return;
    c.strokeStyle = colour;
    c.lineWidth = line;
    c.beginPath();
    circle(c, camera.x(x[row]), camera.y(y[row]), camera.radius + extra);
    c.stroke();
  };
  ring(scene.path.best, 5.4, colours.warm, 1.5);
  ring(store.selected, store.selected === scene.path.best ? 8.4 : 5.4, colours.accent, 2);
  if (hover !== store.selected) ring(hover, 4, colours.ink, 1.2);
}

function drawAxis(c, { camera, scene, width, colours, font }) {
  const { first, layers, unit } = scene.index;
  if (!layers) return;
  const step = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000].find((s) => s * camera.ax >= 62) ?? 20000;
  c.fillStyle = colours.bg;
  c.globalAlpha = 0.86;
  c.fillRect(0, 0, width, 24);
  c.globalAlpha = 1;
  c.font = font;
  c.fillStyle = colours.mute;
  c.textBaseline = "middle";
  c.textAlign = "center";
  for (let layer = Math.ceil(first / step) * step; layer < first + layers; layer += step) {
    const text = `${unit} ${layer}`;
    const px = camera.x(layer);
    const half = c.measureText(text).width / 2;
    if (px - half >= 4 && px + half <= width - 4) c.fillText(text, px, 13);
  }
}

function circle(c, x, y, r) {
  c.moveTo(x + r, y);
  c.arc(x, y, r, 0, 6.283185307179586);
}
