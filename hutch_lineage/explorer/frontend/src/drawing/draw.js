// The picture: edges, the path that matters, individuals or their density, marks, the axis. What it says was drawn is what was drawn.
import { AXIS, drawAxis, drawGround, drawLanes } from "./axis.js";
import { Density } from "./density.js";
import { drawEdges, drawFamily, drawFocusEdges, drawPath, edgesOf, sampledEdges } from "./edges.js";
import { encodings } from "./encodings.js";
import { drawBridges, drawFolded } from "./folded.js";
import { rowsIn, touching } from "../picture/layers.js";
import { circle, drawNodes, drawPathNodes } from "./nodes.js";
import { RIDGE } from "./ridge.js";
import { ROOM, drawStrands } from "./strands.js";

/** Above so many individuals in view their density is drawn, and edges are bundled. */
export const FULL_DETAIL = 3000;
/** Edges of a picture without layers that are drawn while individuals are not. */
const SAMPLE = 1200;
/** How faint the others are beside what is in focus or found. */
const BESIDE = 0.2;

/** The densities of each canvas: of all, and of what is in focus. @type {WeakMap<object, {all: Density, some: Density}>} */
const densities = new WeakMap();

/**
 * @typedef {{width: number, height: number, camera: import("./camera.js").Camera, scene: import("../picture/scene.js").Scene,
 *   store: import("../data/store.js").Store, colours: Record<string, string>, palette: string[], font: string, hover: number, hit: number}} Frame
 * @typedef {"all"|"some"|"strands"|"sample"|"none"} EdgeStyle
 * @typedef {{nodes: number, full: boolean, inView: number, total: number, edges: EdgeStyle, edgesInView: number, edgesDrawn: number, strands: number, more: boolean, told?: import("./encodings.js").Told[]}} Drawn
 *   `told`: what the foot is to explain; `more`: not all could be made ready in time for this frame, draw again
 */

/** Whether the ridge is shown over the picture: for pictures of many that go from left to right. */
const ridged = (/** @type {import("../picture/scene.js").Scene} */ scene) => scene.index.rows.length > FULL_DETAIL && scene.meaning.axis !== "none" && !!scene.metric;

/** What the camera must know of a picture: the room above it, whether both directions have one scale, whether places are layers. */
export function shapeOf(/** @type {import("../picture/scene.js").Scene} */ scene) {
  const { axis } = scene.meaning;
  const { layered } = scene.index;
  return { head: axis === "none" ? 16 : AXIS + 20 + (ridged(scene) ? RIDGE : 0), even: axis === "none", layered };
}

/** @returns {Drawn} what was drawn and what was not */
export function draw(/** @type {CanvasRenderingContext2D} */ c, /** @type {Frame} */ frame) {
  const { width, height, scene, camera, colours } = frame;
  c.clearRect(0, 0, width, height);
  const seen = inView(frame);
  const full = seen.rows.length <= FULL_DETAIL;
  camera.room = scene.index.layered ? 0 : Math.sqrt((width * height) / Math.max(1, full ? seen.rows.length : scene.index.rows.length));
  c.lineCap = "round";
  c.lineJoin = "round";
  drawGround(c, frame);
  const drawn = full ? one(c, frame, seen) : many(c, frame, seen);
  drawBridges(c, frame);
  drawFamily(c, frame);
  drawPath(c, frame);
  if (full) drawNodes(c, frame, seen.rows, fadedBy(frame));
  else drawMarked(c, frame);
  drawPathNodes(c, frame);
  drawFolded(c, frame);
  drawHits(c, frame);
  drawRings(c, frame);
  drawLanes(c, frame);
  drawAxis(c, frame, ridged(scene));
  c.fillStyle = colours.ink;
  drawn.told = encodings(frame.store, drawn, frame.palette);
  return drawn;
}

/** Rows whose mark is in view, one more than are drawn in full at the most; and the columns that are in view. */
function inView({ camera, scene, width, height }) {
  const { index } = scene;
  const at = (/** @type {number} */ px) => (px - camera.bx) / camera.ax;
  const to = (/** @type {number} */ py) => (py - camera.by) / camera.ay;
  const { low, high } = touching(index, at(-20), at(width + 20), 0, 0);
  return { rows: rowsIn(index, at(-20), at(width + 20), to(-12), to(height + 12), FULL_DETAIL + 1), low, high };
}

/** Edges one by one, under individuals one by one. @returns {Drawn} */
function one(c, frame, seen) {
  const { focus } = frame.scene;
  const { edges, passing } = edgesOf(frame, seen);
  const edgesDrawn = drawEdges(c, frame, edges, focus);
  if (focus) drawFocusEdges(c, frame, edges, focus);
  const total = frame.scene.index.rows.length;
  const n = seen.rows.length;
  return { nodes: n, full: true, inView: n, total, edges: passing && edgesDrawn === edges.length ? "all" : "some", edgesInView: edges.length, edgesDrawn, strands: 0, more: false };
}

/** Strands and density. @returns {Drawn} */
function many(c, frame, seen) {
  const { scene, camera, store, width, height, colours, palette } = frame;
  const { index, focus, hits } = scene;
  const dimmed = !!(focus || hits);
  const drawn = { nodes: 0, full: false, inView: 0, total: index.rows.length, edges: /** @type {EdgeStyle} */ ("none"), edgesInView: index.counts.edges, edgesDrawn: 0, strands: 0, more: false };
  if (index.layered && index.wide === 1 && camera.ax >= ROOM) {
    const strands = drawStrands(c, frame, seen, dimmed ? 0.35 : 1);
    Object.assign(drawn, { edges: "strands", edgesInView: strands.total, edgesDrawn: strands.drawn, strands: strands.strands, more: strands.more });
  } else if (!index.layered) {
    const edges = sampledEdges(frame, SAMPLE);
    Object.assign(drawn, { edges: "sample", edgesDrawn: drawEdges(c, frame, edges, focus) });
  }
  if (!densities.has(c)) densities.set(c, { all: new Density(), some: new Density() });
  const { all, some } = densities.get(c);
  const look = { palette, none: colours.faint };
  drawn.inView = all.draw(c, scene, camera, width, height, { ...look, strength: dimmed ? BESIDE : 1 });
  // What is in focus is drawn over the others: as density, and one by one where it is few.
  const only = focus ?? hitMask(scene, store.nodes.count);
  if (only) {
    const inside = some.draw(c, scene, camera, width, height, { ...look, only, most: FULL_DETAIL + 1 });
    if (inside <= FULL_DETAIL) {
      const at = (/** @type {number} */ px) => (px - camera.bx) / camera.ax;
      const to = (/** @type {number} */ py) => (py - camera.by) / camera.ay;
      const rows = rowsIn(index, at(-20), at(width + 20), to(-12), to(height + 12)).filter((row) => only[row]);
      if (focus) drawFocusEdges(c, frame, rows.flatMap((row) => store.links.edgesIn(row)).filter((e) => index.visible[store.links.src[e]]), focus);
      drawNodes(c, frame, rows, null);
      drawn.nodes = rows.length;
    }
  }
  return drawn;
}

/** @type {WeakMap<object, Uint8Array>} */
const hitMasks = new WeakMap();
function hitMask({ hits }, count) {
  if (!hits) return null;
  let mask = hitMasks.get(hits);
  if (!mask) {
    mask = new Uint8Array(count);
    for (const row of hits) mask[row] = 1;
    hitMasks.set(hits, mask);
  }
  return mask;
}

/** Whether a row is beside what is in focus or found. */
function fadedBy({ scene, store }) {
  const found = hitMask(scene, store.nodes.count);
  const { focus } = scene;
  if (!focus && !found) return null;
  return (/** @type {number} */ row) => !!((focus && !focus[row]) || (found && !found[row]));
}

/** Over a density: the selected and the hovered one, as they are. */
function drawMarked(c, frame) {
  const { store, scene, hover } = frame;
  const rows = [...new Set([store.selected, hover])].filter((row) => row >= 0 && row < store.nodes.count && scene.index.visible[row]);
  if (rows.length) drawNodes(c, frame, rows, null);
}

function drawHits(c, frame) {
  const { scene, camera, colours, width, height, hit } = frame;
  if (!scene.hits) return;
  const { x, y } = scene;
  c.strokeStyle = colours.accent;
  c.lineWidth = 1.5;
  c.beginPath();
  let left = FULL_DETAIL;
  for (let i = 0; i < scene.hits.length && left > 0; i++) {
    const px = camera.x(x[scene.hits[i]]);
    const py = camera.y(y[scene.hits[i]]);
    if (px < -20 || px > width + 20 || py < -20 || py > height + 20) continue;
    circle(c, px, py, camera.radius + (i === hit ? 5 : 2.5));
    left--;
  }
  c.stroke();
}

/** Rings: the marked, the best, the one that is compared with (dashed), the selected, the hovered. */
function drawRings(c, { camera, scene, store, colours, hover }) {
  const { x, y } = scene;
  const ring = (row, extra, colour, line) => {
    if (!(row >= 0) || row >= store.nodes.count || !scene.index.visible[row]) return;
    c.strokeStyle = colour;
    c.lineWidth = line;
    c.beginPath();
    circle(c, camera.x(x[row]), camera.y(y[row]), camera.radius * (scene.sizes?.factor[row] ?? 1) + extra);
    c.stroke();
  };
  // So many of them that the rings would hide the picture are told by the crumb alone.
  if (store.group.length <= FULL_DETAIL) for (const row of store.group) ring(row, 3, colours.accent, 1.6);
  ring(scene.path.best, 5.4, colours.warm, 1.5);
  c.setLineDash([3, 2.5]);
  ring(store.view.compare, 5.4, colours.accent, 2);
  c.setLineDash([]);
  ring(store.selected, store.selected === scene.path.best ? 8.4 : 5.4, colours.accent, 2);
  if (hover !== store.selected) ring(hover, 4, colours.ink, 1.2);
}
