// What the places mean: generations or depths, the clock, rings, lanes.
import { RIDGE, drawRidge } from "./ridge.js";

/** Height of the axis' own line. */
export const AXIS = 24;
const GAP = 62;
const STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000];
/** Seconds between two marks of the clock. */
const TICKS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400, 172800, 604800, 1209600, 2592000, 7776000, 31536000];

/** Lanes of islands and rings of a tree: behind everything else. */
export function drawGround(c, { camera, scene, width, height, colours }) {
  const { lanes, rings, ring = 1 } = scene.meaning;
  lanes.forEach(({ y0, y1 }, i) => {
    const top = camera.y(y0);
    const tall = camera.y(y1) - top;
    if (i % 2 || top > height || top + tall < 0) return;
    c.fillStyle = colours.panel;
    c.fillRect(0, top, width, tall);
  });
  if (!rings) return;
  c.strokeStyle = colours.line;
  c.lineWidth = 1;
  const step = STEPS.find((s) => s * ring * camera.ax >= 26) ?? rings;
  c.beginPath();
  for (let r = step; r <= rings; r += step) {
    const px = r * ring * camera.ax;
    c.moveTo(camera.x(0) + px, camera.y(0));
    c.arc(camera.x(0), camera.y(0), px, 0, 2 * Math.PI);
  }
  c.stroke();
}

/** The names of the lanes, over the individuals, at the right edge: the tools stand at the left one. */
export function drawLanes(c, { camera, scene, width, height, colours, font }) {
  const { lanes } = scene.meaning;
  c.font = font;
  c.textBaseline = "middle";
  c.textAlign = "right";
  for (const { name, y0, y1 } of lanes) {
    const top = Math.max(AXIS, camera.y(y0));
    const bottom = Math.min(height, camera.y(y1));
    if (bottom - top < 12) continue;
    const text = /^\d+$/.test(name) ? `island ${name}` : name;
    const y = Math.min(bottom - 7, top + 10);
    c.globalAlpha = 0.85;
    c.fillStyle = colours.bg;
    const wide = c.measureText(text).width;
    c.fillRect(width - wide - 14, y - 7, wide + 8, 14);
    c.globalAlpha = 1;
    c.fillStyle = colours.mute;
    c.fillText(text, width - 10, y);
  }
}

export function drawAxis(c, frame, /** @type {boolean} */ ridge) {
  const { scene, width, colours, font } = frame;
  const { axis } = scene.meaning;
  if (!scene.index.layers || axis === "none") return;
  c.fillStyle = colours.bg;
  c.globalAlpha = 0.96;
  c.fillRect(0, 0, width, AXIS + (ridge ? RIDGE : 0));
  c.globalAlpha = 1;
  if (ridge) drawRidge(c, frame, AXIS);
  c.font = font;
  c.fillStyle = colours.mute;
  c.textBaseline = "middle";
  c.textAlign = "center";
  for (const [px, text] of axis === "time" ? clock(frame) : counting(frame)) {
    const half = c.measureText(text).width / 2;
    if (px - half >= 4 && px + half <= width - 4) c.fillText(text, px, 13);
  }
}

function counting({ camera, scene, width }) {
  const { first, layers, wide } = scene.index;
  const step = STEPS.find((s) => s * camera.ax >= GAP) ?? 200000;
  const found = [];
  const from = Math.max(first, -camera.bx / camera.ax);
  const to = Math.min(first + layers * wide - 1, (width - camera.bx) / camera.ax);
  for (let layer = Math.ceil(from / step) * step; layer <= to; layer += step) found.push([camera.x(layer), `${scene.unit} ${layer}`]);
  return found;
}

/** Marks of the time: by the clock where the times are those of a clock, else since the beginning. */
function clock({ camera, scene, width }) {
  const { t0 = 0, unit_s: unit = 1 } = scene.meaning;
  const { bounds } = scene.index;
  const real = t0 > 1e8;
  const per = camera.ax / unit;
  const step = TICKS.find((s) => s * per >= GAP + 12) ?? 31536000 * Math.ceil((GAP + 12) / per / 31536000);
  // Marks stand on round times of the place where this is looked at.
  const zone = real ? new Date(t0 * 1000).getTimezoneOffset() * 60 : 0;
  const origin = real ? zone : t0;
  const at = (/** @type {number} */ x) => t0 + x * unit - origin;
  const from = Math.max(at(bounds.x0), at(-camera.bx / camera.ax));
  const to = Math.min(at(bounds.x1), at((width - camera.bx) / camera.ax));
  const found = [];
  let day = "";
  for (let t = Math.ceil(from / step) * step; t <= to; t += step) {
    const px = camera.x((t + origin - t0) / unit);
    if (!real) {
      found.push([px, elapsed(t, step)]);
      continue;
    }
    const date = new Date((t + origin) * 1000);
    const today = date.toLocaleDateString(undefined, { day: "numeric", month: "short", ...(step >= 31536000 && { year: "numeric" }) });
    const time = date.toLocaleTimeString(undefined, { hour: "2-digit", minute: "2-digit", hour12: false, ...(step < 60 && { second: "2-digit" }) });
    found.push([px, step >= 86400 || today !== day ? (step >= 86400 ? today : day ? `${today} ${time}` : time) : time]);
    day = today;
  }
  return found;
}

/** 95 -> "1:35", by hours where they are long. */
export function elapsed(/** @type {number} */ s, step = 1) {
  const sign = s < 0 ? "−" : "+";
  const t = Math.round(Math.abs(s));
  const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  if (step >= 86400) return `${sign}${Math.round(t / 86400)} d`;
  const [h, m] = [Math.floor(t / 3600), Math.floor(t / 60) % 60];
  return step < 60 || !h ? `${sign}${h ? `${h}:${two(m)}` : m}:${two(t % 60)}` : `${sign}${h}:${two(m)} h`;
}
