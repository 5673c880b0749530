// One chart: uPlot in the explorer's colours, with a tooltip, a click, keys, and a sentence for those who do not see it.
import uPlot from "uplot";
import { h } from "../../frame/dom.js";
import { coloursOf } from "./colours.js";

/**
 * A place on the chart that stands for something: what is shown beside the pointer, and what a click selects.
 * @typedef {{x: number, y: number, row?: number, lines: string[]}} Spot
 *
 * What a chart shows. `data` as uPlot takes it, a list of x and one list per series.
 * @typedef {object} Picture
 * @property {string} summary one or two sentences
 * @property {any[]} data
 * @property {(colours: any) => any[]} series without the first
 * @property {(value: number) => string} xText
 * @property {(value: number) => string} yText
 * @property {[number, number]} [xRange]
 * @property {[number, number]} [yRange]
 * @property {boolean} [log]
 * @property {boolean} [seconds] x is a time: ticks stand at whole minutes and hours
 * @property {(plot: any, colours: any) => void} [under] draws before the series
 * @property {(plot: any, colours: any) => void} [over] draws after them
 * @property {(x: number, y: number, plot: any) => Spot|null} [spot] what is at a place, in CSS pixels of the plot
 * @property {() => Spot[]} [stops] what the arrow keys lead through; asked for when one is pressed
 */

/** Steps between ticks of a time axis. */
const SECONDS = [1e-3, 0.01, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, ...[1, 2, 5, 10, 15, 30].map((m) => 60 * m), ...[1, 2, 3, 6, 12].map((t) => 3600 * t), ...[1, 2, 5, 7, 14, 28, 90, 365].map((d) => 86_400 * d)];
const GAP = { least: 30, letter: 6.4, y: 22 };

export class Chart {
  /**
   * @param {any} app
   * @param {{height?: number, onPick?: (spot: Spot) => void}} [settings]
   */
  constructor(app, { height = 170, onPick = (spot) => spot.row !== undefined && app.show(spot.row) } = {}) {
    this.app = app;
    this.height = height;
    this.onPick = onPick;
    /** After the colours have changed: for what stands beside the chart in the same ones. */
    this.onTheme = () => {};
    /** @type {Picture|null} */
    this.picture = null;
    this.plot = null;
    this.shape = "";
    this.zoomed = false;
    this.stop = -1;
    /** @type {Spot[]|null} */
    this.stops = null;
    this.tip = h("div.tip", { hidden: true });
    this.said = h("span.hidden", { "aria-live": "polite" });
    this.box = h("div.plot", { tabindex: "0", role: "group", "aria-roledescription": "chart", onkeydown: (e) => this.#key(e), onblur: () => this.#point(null) });
    this.element = h("div.figure", null, this.box, this.said);
    this.observer = new ResizeObserver(() => this.#resize());
    this.observer.observe(this.box);
    // The theme is an attribute of the root; colours may also change with the host's style sheet, which sets it anew.
    this.themes = new MutationObserver(() => {
      this.#rebuild();
      this.onTheme();
    });
    this.themes.observe(app.root, { attributes: true, attributeFilter: ["data-theme", "data-host", "data-contrast"] });
  }

  show(/** @type {Picture} */ picture) {
    this.picture = picture;
    this.box.setAttribute("aria-label", picture.summary);
    this.stops = null;
    const shape = JSON.stringify([picture.log, picture.seconds, picture.series({ names: [] }).map((s) => [s.label, s.paths ? 1 : 0, s.dash])]);
    if (!this.plot || shape !== this.shape) {
      this.shape = shape;
      return this.#rebuild();
    }
    this.plot.batch(() => {
      const { min, max } = this.plot.scales.x;
      this.plot.setData(picture.data, false);
      // Within the batch, or all is drawn twice; before the scales, as it asks for the present one.
      this.plot.redraw(true, true);
      if (this.zoomed) this.plot.setScale("x", { min, max });
      else this.#scaleX();
      this.plot.setScale("y", this.#rangeY());
    });
  }

  #scaleX() {
    const [min, max] = this.#rangeX();
    this.plot.setScale("x", { min, max });
  }

  #rangeX() {
    const [first, last] = this.picture?.xRange ?? [this.picture?.data[0][0] ?? 0, this.picture?.data[0].at(-1) ?? 1];
    return first < last ? [first, last] : [first - 0.5, first + 0.5];
  }

  #rangeY() {
    const [low, high] = this.picture?.yRange ?? [0, 1];
    return low < high ? { min: low, max: high } : { min: low - 0.5, max: low + 0.5 };
  }

  #rebuild() {
    const { picture } = this;
    const width = this.box.clientWidth;
    this.plot?.destroy();
    this.plot = null;
    if (!picture || !width) return;
    const colours = (this.colours = coloursOf(this.box, this.app.root.dataset.theme === "dark" ? "dark" : "light"));
    const axis = { stroke: colours.mute, font: `10.5px ${colours.font}`, ticks: { show: false }, grid: { stroke: colours.line, width: 1 } };
    this.plot = new uPlot({
      width, height: this.height,
      padding: [8, 16, 0, 0],
      legend: { show: false },
      cursor: { x: false, y: false, points: { show: false }, drag: { x: true, y: false, setScale: true, dist: 6 } },
      scales: { x: { time: false, range: (_, low, high) => (low < high ? [low, high] : this.#rangeX()) }, y: { distr: picture.log ? 3 : 1, range: () => { const { min, max } = this.#rangeY(); return [min, max]; } } },
      axes: [
        { ...axis, size: GAP.y, gap: 4, grid: { show: false }, space: 58, ...(picture.seconds ? { incrs: SECONDS } : {}), values: (_, values) => values.map((v) => (v == null ? "" : this.picture?.xText(v))) },
        { ...axis, size: (_, values) => Math.max(GAP.least, 8 + GAP.letter * Math.max(0, ...(values ?? []).map((v) => v.length))), gap: 4, space: 28, values: (_, values) => values.map((v) => (v == null ? "" : this.picture?.yText(v))) },
      ],
      series: [{}, ...picture.series(colours).map((s) => ({ points: { show: false }, spanGaps: true, width: 1.5, ...s }))],
      hooks: {
        drawAxes: [(u) => this.#clipped(u, () => this.picture?.under?.(u, this.colours))],
        draw: [(u) => this.#clipped(u, () => { this.picture?.over?.(u, this.colours); this.#ring(u); })],
        setCursor: [(u) => this.#hover(u)],
        setSelect: [(u) => { if (u.select.width > 0) this.zoomed = true; }],
      },
    }, picture.data, this.box);
    this.#scaleX();
    this.plot.over.append(this.tip);
    this.plot.over.addEventListener("dblclick", () => { this.zoomed = false; this.#scaleX(); });
    let down = [0, 0];
    this.plot.over.addEventListener("pointerdown", (e) => (down = [e.clientX, e.clientY]));
    this.plot.over.addEventListener("click", (e) => {
      if (Math.hypot(e.clientX - down[0], e.clientY - down[1]) > 5 || !this.spot) return;
      this.onPick(this.spot);
    });
  }

  #clipped(u, draw) {
    const { ctx, bbox } = u;
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left - 6, bbox.top - 6, bbox.width + 12, bbox.height + 12);
    ctx.clip();
    draw();
    ctx.restore();
  }

  /** A ring around what is pointed at. */
  #ring(u) {
    if (!this.spot) return;
    const r = devicePixelRatio || 1;
    u.ctx.beginPath();
    u.ctx.arc(u.valToPos(this.spot.x, "x", true), u.valToPos(this.spot.y, "y", true), 5 * r, 0, 2 * Math.PI);
    u.ctx.strokeStyle = this.colours?.ink;
    u.ctx.lineWidth = 1.5 * r;
    u.ctx.stroke();
  }

  #hover(u) {
    const { left, top } = u.cursor;
    this.#point(left >= 0 ? (this.picture?.spot?.(left, top, u) ?? null) : null);
  }

  #point(/** @type {Spot|null} */ spot) {
    const u = this.plot;
    const same = spot === this.spot || (spot && this.spot && spot.x === this.spot.x && spot.y === this.spot.y && spot.row === this.spot.row);
    this.spot = spot;
    if (!u || same) return;
    this.tip.hidden = !spot;
    u.over.style.cursor = spot?.row !== undefined ? "pointer" : "";
    if (spot) {
      this.tip.replaceChildren(...spot.lines.map((line, i) => h(i ? "span" : "b", null, line)));
      const x = u.valToPos(spot.x, "x");
      const y = u.valToPos(spot.y, "y");
      const [w, tall] = [this.tip.offsetWidth, this.tip.offsetHeight];
      const left = x + 10 + w <= u.over.clientWidth ? x + 10 : x - 10 - w;
      this.tip.style.transform = `translate(${Math.max(-GAP.least, Math.min(left, u.over.clientWidth - w))}px, ${Math.min(Math.max(0, y - tall - 8), u.over.clientHeight - tall)}px)`;
    }
    u.redraw(false, false);
  }

  #key(e) {
    const stops = (this.stops ??= this.picture?.stops?.() ?? []);
    const step = { ArrowRight: 1, ArrowLeft: -1, Home: -Infinity, End: Infinity }[e.key];
    if (e.key === "Enter" && this.spot) {
      e.preventDefault();
      return this.onPick(this.spot);
    }
    if (step === undefined || !stops.length) return;
    e.preventDefault();
    e.stopPropagation();
    this.stop = Math.max(0, Math.min(stops.length - 1, this.stop < 0 && step < 0 ? stops.length - 1 : this.stop + step));
    this.#point(stops[this.stop]);
    this.said.textContent = stops[this.stop].lines.join(", ");
  }

  #resize() {
    const width = this.box.clientWidth;
    if (!width) return;
    if (!this.plot) this.#rebuild();
    else if (this.plot.width !== width) this.plot.setSize({ width, height: this.height });
  }

  destroy() {
    this.observer.disconnect();
    this.themes.disconnect();
    this.plot?.destroy();
  }
}

/** Steps: a value holds until the next one. */
export const steps = () => /** @type {any} */ (uPlot.paths).stepped({ align: 1 });

/** A chart's legend: a mark and a word for each line. */
export function legend(/** @type {{colour: string, text: string, dash?: boolean, title?: string, onclick?: () => void}[]} */ entries) {
  return h("div.keys", null, entries.map(({ colour, text, dash, title, onclick }) => {
    const mark = h(dash ? "i.dash" : "i");
    mark.style.color = colour;
    return h(onclick ? "button.key" : "span.key", { title, onclick }, mark, h("span", null, text));
  }));
}

/** A time on an axis: "0", "45 s", "20 min", "1 h 30", "2 d". */
export function clock(/** @type {number} */ seconds) {
  if (!seconds) return "0";
  if (seconds < 60) return `${+seconds.toFixed(3)} s`;
  if (seconds < 3600) return seconds % 60 ? `${Math.floor(seconds / 60)}:${String(Math.round(seconds % 60)).padStart(2, "0")}` : `${seconds / 60} min`;
  if (seconds < 172_800) return `${Math.floor(seconds / 3600)} h${seconds % 3600 ? ` ${Math.round((seconds % 3600) / 60)}` : ""}`;
  return `${+(seconds / 86_400).toFixed(1)} d`;
}

/** Two or three words to choose from. */
export function choice(/** @type {string} */ label, /** @type {[string, string][]} */ options, /** @type {string} */ value, /** @type {(value: string) => void} */ choose) {
  return h("div.seg.small", { role: "group", "aria-label": label }, options.map(([key, text]) => h("button", { "aria-pressed": String(key === value), onclick: () => choose(key) }, text)));
}
