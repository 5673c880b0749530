// What a picture that becomes a file says beside what is drawn: over it the run and the metric, under it what its colours and marks mean.
import { said } from "../frame/legend.js";
import { clip, directed } from "../words/format.js";
import { STEPS } from "../picture/colour.js";

const TOP = 32;
const LINE = 20;
const EDGE = 12;
const GAP = 16;
const SWATCH = 10;
const RAMP = 128;

/**
 * @param {import("../frame/app.js").App} app
 * @param {{font: string, measureText(text: string): {width: number}}} pen what measures
 * @returns {{top: number, bottom: number, write(c: any): void}} the room over and under the picture, and what fills it
 */
export function caption({ store, camera, theme, palette, foot }, pen) {
  const { colours } = theme;
  const { scene, view, runs } = store;
  const { legend } = scene.colouring;
  const family = theme.font.slice(5); // behind "11px "
  const small = `12px ${family}`;
  const strong = `600 13px ${family}`;
  /** Words and how they begin, one after the other in lines as wide as the picture. @type {{wide: number, draw(c: any, x: number, y: number): void}[]} */
  const parts = [];
  const words = (/** @type {string} */ text, lead = 0, draw = (/** @type {any} */ _c, /** @type {number} */ _x, /** @type {number} */ _y) => {}) => {
    pen.font = small;
    parts.push({ wide: lead + pen.measureText(text).width, draw: (c, x, y) => {
      draw(c, x, y);
      write(c, text, x + lead, y, colours.mute, small);
    } });
  };
  words(legend.label);
  if (legend.kind === "ramp") {
    if (Number.isNaN(legend.left)) words("no values");
    else words(`${said(legend, legend.left)} – ${said(legend, legend.right)}${legend.clipped ? " (clipped)" : ""}`, RAMP + 8, (c, x, y) => {
      for (let i = 0; i < STEPS; i++) {
        c.fillStyle = palette[i];
        c.fillRect(x + (RAMP / STEPS) * i, y - SWATCH / 2, RAMP / STEPS, SWATCH);
      }
    });
  } else {
    const hidden = new Set(view.hidden[legend.label] ?? []);
    for (const { name, text, index } of legend.entries) {
      if (!hidden.has(name)) words(clip(text), SWATCH + 6, (c, x, y) => {
        c.fillStyle = palette[index];
        c.fillRect(x, y - SWATCH / 2, SWATCH, SWATCH);
      });
    }
  }
  for (const { sign, text, colour } of foot.told) words(text, SWATCH + 6, (c, x, y) => write(c, sign, x, y, colour || colours.mute, small));
  words((foot.counts.textContent ?? "").replace(/\s+/g, " "));

  let [x, line] = [EDGE, 0];
  const placed = parts.map(({ wide, draw }) => {
    if (x > EDGE && x + wide > camera.width - EDGE) [x, line] = [EDGE, line + 1];
    const at = { draw, x, line };
    x += wide + GAP;
    return at;
  });
  const named = runs.filter((run) => (view.run ?? run.id) === run.id);
  const run = named.length === 1 ? clip(named[0].name || named[0].id) : `${named.length} runs`;
  const title = [run, scene.metric && `best by ${directed(scene.metric)}`].filter(Boolean).join(" · ");
  return {
    top: TOP,
    bottom: (line + 1) * LINE + 10,
    write(c) {
      write(c, title, EDGE, TOP / 2, colours.ink, strong);
      for (const each of placed) each.draw(c, each.x, TOP + camera.height + LINE * (each.line + 0.5) + 5);
    },
  };
}

function write(/** @type {any} */ c, /** @type {string} */ text, /** @type {number} */ x, /** @type {number} */ y, /** @type {string} */ colour, /** @type {string} */ font) {
  Object.assign(c, { fillStyle: colour, font, textAlign: "start", textBaseline: "middle" });
  c.fillText(text, x, y);
}
