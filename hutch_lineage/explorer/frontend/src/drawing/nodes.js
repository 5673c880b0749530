// Individuals: coloured discs, larger for seeds; what is told apart without colour.
import { NONE } from "../picture/colour.js";
import { NODE } from "../data/protocol.js";

/** @typedef {import("./draw.js").Frame} Frame */

/** How large seeds are beside the others. */
const SEED = 1.35;
/** Discs of a smaller radius are drawn as squares. */
const TINY = 2.3;

export function drawNodes(c, frame, rows, /** @type {((row: number) => boolean)|null} */ faded) {
  const { camera, scene, store, colours, palette } = frame;
  const flags = store.nodes.get("flags");
  const { x, y } = scene;
  const { index } = scene.colouring;
  const r = camera.radius;
  const radius = radiusOf(frame);
  for (const pale of faded ? [true, false] : [false]) {
    c.globalAlpha = pale ? 0.16 : 1;
    const groups = new Map();
    for (const row of rows) {
      if (faded && faded(row) !== pale) continue;
      const f = flags[row];
      const style = f & NODE.ghost ? "ghost" : f & NODE.invalid ? "invalid" : f & NODE.rejected ? "rejected" : index[row];
      if (!groups.has(style)) groups.set(style, []);
      groups.get(style).push(row);
    }
    const halo = r > 2.2;
    c.lineWidth = 1;
    for (const [style, members] of groups) {
      if (typeof style === "string") continue;
      if (r < TINY && style !== NONE) {
        // As small as this a square is as round as a disc, and drawn many times faster.
        c.fillStyle = palette[style];
        c.beginPath();
        for (const row of members) {
          const half = radius(row) * 0.88;
          if (half > TINY) circle(c, camera.x(x[row]), camera.y(y[row]), radius(row));
          else c.fillRect(camera.x(x[row]) - half, camera.y(y[row]) - half, 2 * half, 2 * half);
        }
        c.fill();
        continue;
      }
      c.beginPath();
      for (const row of members) circle(c, camera.x(x[row]), camera.y(y[row]), radius(row));
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

/** The radius of a row: by its size where sizes are shown, else larger for seeds. */
function radiusOf({ camera, scene, store }, least = 0) {
  const flags = store.nodes.get("flags");
  const r = Math.max(least, camera.radius);
  const factor = scene.sizes?.factor;
  return factor ? (/** @type {number} */ row) => Math.max(1, r * factor[row]) : (/** @type {number} */ row) => (flags[row] & NODE.seed ? r * SEED : r);
}

/** What is told apart without colour: ghosts hollow and dashed, invalid crossed, rejected self-modifications barred, cycles doubled. */
function marks(c, { camera, scene, store, colours }, groups, r) {
  const { x, y } = scene;
  const flags = store.nodes.get("flags");
  const each = (style, f) => {
    c.beginPath();
    for (const row of groups.get(style) ?? []) f(camera.x(x[row]), camera.y(y[row]), row);
    c.stroke();
  };
  c.strokeStyle = colours.faint;
  c.lineWidth = r > 3 ? 1.6 : 1.2;
  const a = Math.max(2, r * 0.66);
  each("invalid", (px, py) => {
    c.moveTo(px - a, py - a);
    c.lineTo(px + a, py + a);
    c.moveTo(px + a, py - a);
    c.lineTo(px - a, py + a);
  });
  c.lineWidth = 1.1;
  const hollow = Math.max(3.2, r);
  c.setLineDash(dashes(hollow));
  each("ghost", (px, py) => circle(c, px, py, hollow));
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

export function drawPathNodes(c, frame) {
  const { camera, scene, store, colours, palette, width, height } = frame;
  const { x, y } = scene;
  const flags = store.nodes.get("flags");
  const { index } = scene.colouring;
  // Along a dense path the line says it all.
  if (scene.index.rows.length > 1000 && (camera.room || camera.ax) < 12) return;
  const r = Math.max(2.4, camera.radius);
  const radius = radiusOf(frame, 2.4);
  c.strokeStyle = colours.warm;
  c.lineWidth = r > 3 ? 2 : 1.5;
  const { index: shown, focus, path } = scene;
  for (const row of path.rows) {
    if (!shown.visible[row]) continue;
    const px = camera.x(x[row]);
    const py = camera.y(y[row]);
    if (px < -20 || px > width + 20 || py < -20 || py > height + 20) continue;
    c.globalAlpha = focus && !focus[row] ? 0.3 : 1;
    const hollow = flags[row] & (NODE.ghost | NODE.invalid | NODE.rejected) || index[row] === NONE;
    c.fillStyle = hollow ? colours.bg : palette[index[row]];
    c.beginPath();
    circle(c, px, py, radius(row));
    c.fill();
    c.setLineDash(flags[row] & NODE.ghost ? dashes(r) : []);
    c.stroke();
  }
  c.globalAlpha = 1;
  c.setLineDash([]);
}

/** Seven dashes round a circle of radius r. */
const dashes = (r) => [(Math.PI * r) / 7, (Math.PI * r) / 7];

export function circle(c, x, y, r) {
  c.moveTo(x + r, y);
  c.arc(x, y, r, 0, 6.283185307179586);
}
