// The picture: edges, the path that matters, individuals, marks, the axis of generations. Nothing here keeps state.
import { drawEdges, drawFocusEdges, drawPath, edgesOf } from "./edges.js";
import { circle, drawNodes, drawPathNodes, drawSplats } from "./nodes.js";

/** Above so many individuals in view they become small marks, and edges a sample of as many. */
export const FULL_DETAIL = 3000;

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
  const y = store.scene.y;
  const top = (-12 - camera.by) / camera.ay;
  const bottom = (height + 12 - camera.by) / camera.ay;
  const found = [];
  for (let i = start[low] ?? 0, end = high >= low ? start[high + 1] : 0; i < end; i++) if (y[rows[i]] >= top && y[rows[i]] <= bottom) found.push(rows[i]);
  return { rows: found, low, high };
}

function drawHits(c, frame) {
  const { scene, camera, store, colours, width, height, hit } = frame;
  if (!scene.hits) return;
  const x = store.scene.x;
  const y = store.scene.y;
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
  const x = store.scene.x;
  const y = store.scene.y;
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
  c.globalAlpha = 0.92;
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
