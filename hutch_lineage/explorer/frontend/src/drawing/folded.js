// What stands for folded individuals: a badge at the root of a folded subtree, a double line in place of a folded chain.
import { dashed } from "./curve.js";

const BADGES = 600;

export function drawBridges(c, { camera, scene, colours, width, height, font }) {
  const { bridges } = scene.shown;
  if (!bridges?.length) return;
  const { x, y } = scene;
  const labels = [];
  c.strokeStyle = colours.focus;
  c.lineWidth = 1;
  c.globalAlpha = scene.focus || scene.hits ? 0.3 : 1;
  c.beginPath();
  for (const { src, dst, count } of bridges) {
    const [ax, ay, bx, by] = [camera.x(x[src]), camera.y(y[src]), camera.x(x[dst]), camera.y(y[dst])];
    if (Math.max(ax, bx) < 0 || Math.min(ax, bx) > width || Math.max(ay, by) < 0 || Math.min(ay, by) > height) continue;
    for (const off of [-1.4, 1.4]) dashed(c, ax, ay + off, bx, by + off, camera.even, width, height, 1.8);
    if (labels.length < BADGES && Math.hypot(bx - ax, by - ay) > 44) labels.push([(ax + bx) / 2, (ay + by) / 2, String(count)]);
  }
  c.stroke();
  for (const [px, py, text] of labels) badge(c, px, py, text, colours, font);
  c.globalAlpha = 1;
}

export function drawFolded(c, { camera, scene, colours, width, height, font }) {
  const { folded } = scene.shown;
  if (!folded?.size) return;
  const { x, y, index } = scene;
  let left = BADGES;
  for (const [row, hidden] of folded) {
    const px = camera.x(x[row]) + camera.radius + 4;
    const py = camera.y(y[row]);
    if (!index.visible[row] || px < -20 || px > width || py < -8 || py > height + 8 || !left--) continue;
    badge(c, px, py, `+${hidden}`, colours, font, "left");
  }
}

function badge(c, x, y, text, colours, font, align = "center") {
  c.font = font;
  c.textBaseline = "middle";
  c.textAlign = "left";
  const wide = c.measureText(text).width + 8;
  const left = align === "left" ? x : x - wide / 2;
  c.fillStyle = colours.bg;
  c.strokeStyle = colours.focus;
  c.lineWidth = 1;
  c.beginPath();
  c.roundRect(left, y - 7, wide, 14, 7);
  c.fill();
  c.stroke();
  c.fillStyle = colours.mute;
  c.fillText(text, left + 4, y + 0.5);
}
