// What part of the population descends from which seed, as stacked areas.
import { h, renderer } from "../../frame/dom.js";
import { counted, whole } from "../../words/format.js";
import { keyOf } from "../data/population.js";
import { seedShares } from "../data/seeds.js";
import { nearestTo } from "../data/thin.js";
import { heading } from "../parts.js";
import { Chart, clock } from "./chart.js";
import { mixed } from "./colours.js";
import { paced } from "../pace.js";

const percent = (/** @type {number} */ share) => (share > 0 && share < 0.005 ? "<1%" : `${Math.round(100 * share)}%`);

export class SeedChart {
  constructor(/** @type {import("../../data/store.js").Store} */ store, /** @type {any} */ app) {
    this.store = store;
    this.app = app;
    this.key = "";
    this.chart = new Chart(app, { height: 130 });
    this.title = h("div");
    this.renderTitle = renderer(this.title);
    this.list = h("div");
    this.renderList = renderer(this.list);
    this.work = paced(app, () => this.#draw(), 500);
    this.chart.onTheme = () => {
      this.key = "";
      this.#draw();
    };
    this.element = h("div.seeds", null, this.title, this.chart.element, this.list);
  }

  update() {
    if (keyOf(this.store) !== this.key) this.work();
  }

  #draw() {
    const { store } = this;
    const key = keyOf(store);
    if (key === this.key) return;
    this.key = key;
    const told = seedShares(store);
    const { seeds, shares, others, unknown, at, by } = told;
    // One seed from which all descend tells nothing.
    this.element.hidden = at.length < 2 || (seeds.length < 2 && !unknown.some((v) => v > 1e-6));
    if (this.element.hidden) return;
    const parts = [
      ...seeds.map((row, i) => ({ row, name: store.id(row), share: shares[i] })),
      ...(others.some((v) => v > 1e-6) ? [{ row: -1, name: "other seeds", share: others }] : []),
      ...(unknown.some((v) => v > 1e-6) ? [{ row: -2, name: "unknown", share: unknown }] : []),
    ];
    // Each layer is drawn down to the axis; those above come first, so that the lower ones cover them.
    const tops = [];
    let below = new Float64Array(at.length);
    for (const { share } of parts) tops.push((below = below.map((v, g) => v + share[g])));
    const xText = (/** @type {number} */ value) => (by === "generation" ? (Number.isInteger(value) ? whole(value) : "") : by === "time" ? clock(value) : whole(Math.round(value)));
    const name = { generation: "generation", time: "time", order: "row" }[by];
    const when = { generation: "of each generation", time: "over time", order: "in the order of arrival" }[by];
    const last = at.length - 1;
    const order = parts.map((_, i) => i).sort((a, b) => parts[b].share[last] - parts[a].share[last]);
    // Large areas are quieter than lines.
    const paint = (colours) => parts.map(({ row }, i) => (colours.bg ? mixed(row < 0 ? colours.faint : colours.names[i % colours.names.length], colours.bg, row === -1 ? 0.7 : row === -2 ? 0.32 : 0.66) : ""));
    this.chart.show({
      summary: `Part of the population that descends from each seed, ${when}. In the end: ${order.slice(0, 4).map((i) => `${parts[i].name} ${percent(parts[i].share[last])}`).join(", ")}.`,
      data: [at, ...tops.slice().reverse().map((t) => [...t])],
      xText, yText: (v) => percent(v), yRange: [0, 1], xRange: [at[0], at[last]], seconds: by === "time",
      series: (colours) => {
        const own = paint(colours);
        return parts.map((part, i) => ({ label: part.name, width: 1, stroke: colours.panel, fill: own[i] })).reverse();
      },
      spot: (left, top, u) => {
        const x = u.posToVal(left, "x");
        const y = u.posToVal(top, "y");
        const g = nearestTo(at, x);
        const i = tops.findIndex((t) => y <= t[g] + 1e-9);
        if (i < 0) return null;
        const { row, share } = parts[i];
        return { x: at[g], y: tops[i][g] - share[g] / 2, ...(row >= 0 ? { row } : {}), lines: [parts[i].name, `${percent(share[g])} of ${name === "generation" ? `generation ${xText(at[g])}` : counted(told.size[g], "individual")}`] };
      },
      stops: () => at.map((x, g) => ({ x, y: tops[0][g], lines: [`${name} ${xText(x)}`, ...order.filter((i) => parts[i].share[g] >= 0.005).slice(0, 4).map((i) => `${parts[i].name} ${percent(parts[i].share[g])}`)] })),
    });
    const colours = this.chart.colours;
    const own = colours ? paint(colours) : [];
    const alive = seeds.filter((_, i) => shares[i][last] > 0).length;
    this.renderTitle([seeds.length, alive, others[last] > 0], () => [heading("Seeds' shares ", h("span.mute", null, when))]);
    this.renderList([parts.map((p) => [p.name, percent(p.share[last])]), own], () => [
      h("div.keys", { "aria-label": "Seeds, with their part of the last group" }, parts.map(({ row, name, share }, i) => {
        const mark = h("i.tint");
        mark.style.color = own[i] ?? "";
        return h(row >= 0 ? "button.key" : "span.key", { title: row >= 0 ? `Select ${name}` : null, "data-row": row >= 0 ? row : null, onclick: () => row >= 0 && this.app.show(row) }, mark, h(row >= 0 ? "span.mono" : "span", null, name), h("span.mute", null, percent(share[last])));
      })),
    ]);
  }

  destroy() {
    this.work.stop();
    this.chart.destroy();
  }
}
