// Individuals: coloured discs, larger for seeds; what is told apart without colour; small marks where there are too many.
import { NONE } from "./colour.js";
import { NODE } from "./protocol.js";

/** @typedef {import("./draw.js").Frame} Frame */

const faded = ({ scene }, hitSet) => (row) => !!((scene.focus && !scene.focus[row]) || (hitSet && !hitSet.has(row)));

export function drawNodes(c, frame, rows, dimmed) {
  const { camera, scene, store, colours, palette } = frame;
  const flags = store.nodes.get("flags");
  const x = store.scene.x;
  const y = store.scene.y;
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
  const x = store.scene.x;
  const y = store.scene.y;
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

export function drawSplats(c, frame, dimmed) {
  const { camera, scene, store, palette, width, height, colours } = frame;
  const { rows } = scene.index;
  const { index } = scene.colouring;
  const x = store.scene.x;
  const y = store.scene.y;
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

export function drawPathNodes(c, frame) {
  const { camera, scene, store, colours, palette } = frame;
  const x = store.scene.x;
  const y = store.scene.y;
  const flags = store.nodes.get("flags");
  const { index } = scene.colouring;
  const r = Math.max(2.4, camera.radius);
  c.strokeStyle = colours.warm;
  c.lineWidth = r > 3 ? 2 : 1.5;
  for (const row of scene.path.rows) {
    c.globalAlpha = scene.focus && !scene.focus[row] ? 0.3 : 1;
    const hollow = flags[row] & (NODE.ghost | NODE.invalid | NODE.rejected) || index[row] === NONE;
    c.fillStyle = hollow ? colours.bg : palette[index[row]];
    c.beginPath();
    circle(c, camera.x(x[row]), camera.y(y[row]), flags[row] & NODE.seed ? r * 1.35 : r);
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
