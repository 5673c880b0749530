// Fitness as the search went on, with the lineage of the best marked; below, what part of the population descends from which seed.
import { h, renderer } from "../../frame/dom.js";
import { scoreText } from "../../words/facts.js";
import { counted, directed, duration, short, whole } from "../../words/format.js";
import { looksOf } from "../data/following.js";
import { evaluated } from "../data/order.js";
import { keyOf } from "../data/population.js";
import { BestSoFar, medians, valueRange } from "../data/progress.js";
import { extremes, joined } from "../data/thin.js";
import { idChip } from "../parts.js";
import { Chart, choice, clock, legend, steps } from "./chart.js";
import { cloud, nearest, trail } from "./marks.js";
import { paced } from "../pace.js";
import { SeedChart } from "./seedchart.js";

const AXES = /** @type {const} */ ([["evaluations", "evaluations"], ["time", "time"], ["generation", "gen"]]);
/** More runs than this share one line. */
const MOST_LINES = 10;
const REACH = 14;

export class ProgressPanel {
  constructor(/** @type {import("../../data/store.js").Store} */ store, /** @type {any} */ app) {
    this.store = store;
    this.app = app;
    this.axis = /** @type {"evaluations"|"time"|"generation"} */ ("evaluations");
    this.log = false;
    this.median = false;
    this.lines = new BestSoFar();
    this.key = "";
    this.chart = new Chart(app, { height: 210 });
    this.seeds = new SeedChart(store, app);
    this.controls = h("div.controls");
    this.renderControls = renderer(this.controls);
    this.head = h("div.big");
    this.renderHead = renderer(this.head);
    this.foot = h("div");
    this.renderFoot = renderer(this.foot);
    this.none = h("p.mute.hint", { hidden: true }, "No individual has a score yet.");
    this.figure = h("div", null, this.head, this.controls, this.chart.element, this.foot);
    this.element = h("div.course", null, this.none, this.figure, this.seeds.element);
    this.work = paced(app, () => this.#draw());
    this.next = /** @type {any} */ (0);
    this.chart.onTheme = () => this.#set({});
  }

  update() {
    this.work();
    // A task of its own: neither holds up the picture for long.
    clearTimeout(this.next);
    this.next = setTimeout(() => this.seeds.update());
  }

  #set(/** @type {object} */ change) {
    Object.assign(this, change);
    this.key = "";
    this.#draw();
  }

  #draw() {
    const { store } = this;
    const key = [keyOf(store), this.axis, this.log, this.median, store.scene.path.best, store.selected].join("|");
    if (key !== this.key) {
      this.key = key;
      this.#fitness();
    }
  }

  #fitness() {
    const { store } = this;
    const { score, lower, metric, path } = store.scene;
    const { nodes } = store;
    const all = evaluated(store, this.axis);
    const { found } = all;
    this.none.hidden = found.rows.length > 0;
    this.figure.hidden = !found.rows.length;
    if (!found.rows.length || !metric) return;
    const run = nodes.get("run");
    const many = all.runs.length > 1 && all.runs.length <= MOST_LINES;
    const lines = this.lines.of(found, many ? run : { length: 0 }, lower, all.settled, `${looksOf(store)}|${all.axis}|${many}`).map((line) => ({ ...line, x: [...line.x, line.end], y: [...line.y, line.y[line.y.length - 1]] }));
    const middle = this.median && all.can.generation ? medians(found, nodes.get("generation")) : null;
    const { low, high, beyond, lost } = valueRange(found.y, lower, this.log);
    const width = Math.max(200, this.chart.box.clientWidth);
    const drawn = [...lines, ...(middle ? [middle] : [])].map(({ x, y }) => {
      const kept = extremes(x, y, width);
      return { x: kept.map((i) => x[i]), y: kept.map((i) => (this.log && !(y[i] > 0) ? NaN : y[i])) };
    });
    const data = joined(drawn).map((column, i) => (i ? column.map((v) => (Number.isNaN(v) ? null : v)) : column));
    const place = new Map();
    const onPath = new Uint8Array(nodes.count);
    for (const row of path.rows) onPath[row] = 1;
    for (let i = 0; i < found.rows.length; i++) if (onPath[found.rows[i]]) place.set(found.rows[i], i);
    const steps_ = path.rows.filter((row) => place.has(row)).map((row) => ({ row, x: found.x[place.get(row)], y: score[row] }));
    const best = found.rows.length ? this.#bestOf(found, lower) : -1;
    const text = (/** @type {number} */ value) => scoreText(store, value);
    const xText = this.#xText(all.axis);
    const spot = (/** @type {{row: number, x: number, y: number}} */ at) => ({ ...at, lines: [store.id(at.row), `${metric.name} ${text(at.y)}`, xText(at.x, true)] });
    const pad = this.log ? 0 : (high - low) * 0.06 || Math.abs(high) * 0.05 || 1;
    this.chart.show({
      summary: `${metric.name}, ${lower ? "lower" : "higher"} is ${metric.declared ? "" : "assumed to be "}better, over ${all.axis}: ${counted(found.rows.length, "score")}, best ${text(score[found.rows[best]])} by ${store.id(found.rows[best])}, from ${text(found.y[0])} at first. Arrow keys lead along its lineage.`,
      data,
      xText, yText: (value) => short(value, 4), xRange: [found.first, found.last], yRange: this.log ? [low * 0.96, high * 1.04] : [low - pad, high + pad], log: this.log, seconds: all.axis === "time",
      series: (colours) => [
        ...lines.map((line) => ({ label: many ? store.category("run", line.key) : "best", paths: steps(), width: 1.75, stroke: many ? colours.names[line.key % (colours.names.length || 1)] : colours.accent })),
        ...(middle ? [{ label: "median", stroke: colours.mute, dash: [4, 3], width: 1.25 }] : []),
      ],
      under: (u, colours) => cloud(u, found, many ? (row) => colours.names[run[row] % colours.names.length] : colours.mute, [low, high]),
      over: (u, colours) => {
        trail(u, steps_, colours.warm, colours.bg);
        const at = found.rows.indexOf(store.selected);
        if (at >= 0) trail(u, [{ x: found.x[at], y: found.y[at] }], colours.accent, colours.bg, 4.5);
      },
      spot: (left, top, u) => {
        const near = nearest(u, steps_.map((s) => s.x), steps_.map((s) => s.y), left, top, 9);
        if (near >= 0) return spot(steps_[near]);
        const at = nearest(u, found.x, found.y, left, top, REACH);
        return at < 0 ? null : spot({ row: found.rows[at], x: found.x[at], y: found.y[at] });
      },
      stops: () => steps_.map(spot),
    });
    this.#words({ all, found, best, lines, many, middle, beyond, lost });
  }

  #bestOf({ y }, lower) {
    let at = 0;
    for (let i = 1; i < y.length; i++) if (lower ? y[i] < y[at] : y[i] > y[at]) at = i;
    return at;
  }

  #xText(axis) {
    return (/** @type {number} */ value, full = false) => {
      if (axis === "time") return full ? `after ${duration(value)}` : clock(value);
      if (!Number.isInteger(value) && !full) return "";
      return full ? `${axis === "generation" ? "generation" : "evaluation"} ${whole(value)}` : whole(value);
    };
  }

  #words({ all, found, best, lines, many, middle, beyond, lost }) {
    const { store } = this;
    const { metric, lower, score } = store.scene;
    const colours = this.chart.colours ?? { names: [], accent: "", warm: "", mute: "" };
    const row = found.rows[best];
    const when = this.#xText(all.axis)(found.x[best], true);
    this.renderHead([metric.name, lower, score[row], row, when], () => [
      h("b", null, scoreText(store, score[row])),
      h("span.mute", null, `best ${directed(metric)}`),
      h("span.mute.when", null, idChip(store, this.app, row), ` ${when}`),
    ]);
    const axes = AXES.filter(([key]) => all.can[key]);
    this.renderControls([axes.map(([key]) => key), all.axis, this.log, this.median, all.can.generation], () => [
      axes.length > 1 && choice("Over", axes.map(([key, text]) => [key, text]), all.axis, (axis) => this.#set({ axis })),
      h("button.chip", { "aria-pressed": String(this.log), title: "Logarithmic scale", onclick: () => this.#set({ log: !this.log }) }, "log"),
      all.can.generation && h("button.chip", { "aria-pressed": String(this.median), title: "The median of each generation", onclick: () => this.#set({ median: !this.median }) }, "median"),
    ]);
    const notes = [
      all.unfit > 0 && `${counted(all.unfit, "invalid or rejected one", "invalid or rejected ones")} not drawn`,
      all.unscored > 0 && `${whole(all.unscored)} without a score`,
      beyond > 0 && `${whole(beyond)} far off, at the edge`,
      lost > 0 && `${whole(lost)} not above 0`,
      all.runs.length > MOST_LINES && `${whole(all.runs.length)} runs as one line`,
    ].filter(Boolean);
    this.renderFoot([notes, many && lines.map((l) => l.key), !!middle, colours.accent, colours.warm], () => [
      legend([
        ...(many ? lines.map((line) => ({ colour: colours.names[line.key % colours.names.length], text: store.runs[line.key]?.name || store.category("run", line.key), title: "Show this run", onclick: () => store.setView({ run: store.category("run", line.key), focus: null }) })) : [{ colour: colours.accent, text: "best so far" }]),
        { colour: colours.warm, text: "lineage of the best" },
        ...(middle ? [{ colour: colours.mute, text: "median", dash: true }] : []),
      ]),
      notes.length > 0 && h("p.note", null, `${notes.join(" · ")}.`),
    ]);
  }

  destroy() {
    this.work.stop();
    clearTimeout(this.next);
    this.chart.destroy();
    this.seeds.destroy();
  }
}
