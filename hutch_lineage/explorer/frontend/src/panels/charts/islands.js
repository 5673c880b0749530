// Islands: how large and how good each is, its best so far, and who moved from where to where.
import { h, renderer } from "../../frame/dom.js";
import { scoreText } from "../../words/facts.js";
import { counted, duration, short, whole } from "../../words/format.js";
import { islands, matrix } from "../data/islands.js";
import { looksOf } from "../data/following.js";
import { evaluated } from "../data/order.js";
import { keyOf } from "../data/population.js";
import { BestSoFar } from "../data/progress.js";
import { sorted } from "../data/sorted.js";
import { extremes, joined } from "../data/thin.js";
import { heading, idChip } from "../parts.js";
import { Chart, clock, steps } from "./chart.js";
import { nearest } from "./marks.js";
import { paced } from "../pace.js";

const MOST_CURVES = 10;
const MOST_CELLS = 12;
const PAGE = 60;
/** Of more islands than this the best come first, and these are in the table. */
const MOST_ISLANDS = 60;

export class IslandsPanel {
  constructor(/** @type {import("../../data/store.js").Store} */ store, /** @type {any} */ app) {
    this.store = store;
    this.app = app;
    this.key = "";
    this.most = PAGE;
    this.mostIslands = MOST_ISLANDS;
    this.best = new BestSoFar();
    this.chart = new Chart(app, { height: 150 });
    this.head = h("div");
    this.renderHead = renderer(this.head);
    this.figure = h("div", null, (this.title = heading("Best so far")), this.chart.element);
    this.moves = h("div");
    this.renderMoves = renderer(this.moves);
    this.element = h("div.islands", null, this.head, this.figure, this.moves);
    this.work = paced(app, () => this.#draw());
    this.chart.onTheme = () => {
      this.key = "";
      this.#draw();
    };
  }

  update() {
    this.work();
  }

  #draw() {
    const { store } = this;
    const key = [keyOf(store), this.most, this.mostIslands].join("|");
    if (key === this.key) return;
    this.key = key;
    const found = islands(store);
    const list = this.#first(found.islands);
    this.#curves(list);
    const names = this.chart.colours?.names ?? [];
    const colour = (/** @type {number} */ i) => (i < MOST_CURVES ? names[list[i].key % names.length] : null);
    this.renderHead([list, found.islands.length, found.homeless, names, store.scene.metric?.name], () => (list.length ? this.#table(list, found, colour) : [h("p.mute.hint", null, "No individual of this run is on an island.")]));
    this.renderMoves([found.moves.length, found.moves.at(-1)?.node, list.map((i) => i.key), found.islands.length, this.most], () => this.#migrations(found.moves, found.islands));
  }

  /** The islands of the table: all of a few, by name; of many the best. */
  #first(/** @type {import("../data/islands.js").Island[]} */ all) {
    if (all.length <= MOST_ISLANDS) return all;
    const { score, lower } = this.store.scene;
    const bySize = sorted([...all.keys()], { number: true, value: (i) => all[i].size }, true);
    const byBest = sorted(bySize, { number: true, value: (i) => score[all[i].best] }, !lower);
    return Array.from(byBest.subarray(0, this.mostIslands), (i) => all[i]);
  }

  /** What the table leaves out, and the way to it. */
  #rest(/** @type {import("../data/islands.js").Island[]} */ list, /** @type {import("../data/islands.js").Island[]} */ all) {
    const rest = all.length - list.length;
    if (!rest) return [];
    const { metric } = this.store.scene;
    return [h("p.note", null, `${metric ? `The best by ${metric.name}` : "The largest"} come first. ${counted(rest, "island")} not listed. `, h("button.link", { onclick: () => {
      this.mostIslands += 5 * MOST_ISLANDS;
      this.#draw();
    } }, `${whole(Math.min(rest, 5 * MOST_ISLANDS))} more`))];
  }

  #table(list, { islands: all, homeless }, colour) {
    const { store, app } = this;
    const { metric, score } = store.scene;
    const largest = all.reduce((most, { size }) => Math.max(most, size), 1);
    const improved = all.some((i) => i.improvements > 0);
    const moved = all.some((i) => i.arrived + i.left > 0);
    return [
      h("div.big", null, h("b", null, whole(all.length)), h("span.mute", null, all.length === 1 ? "island" : "islands")),
      h("div.wide", { tabindex: "0", role: "region", "aria-label": "Islands" }, h("table.sums.spread", null,
        h("thead", null, h("tr", null, h("th", { scope: "col" }, "island"), h("th", { scope: "col" }, "size"), metric && h("th", { scope: "col" }, metric.name), improved && h("th", { scope: "col", title: "Children better than their best parent" }, "improved"), moved && h("th", { scope: "col", title: "Moved in / moved out" }, "in / out"))),
        h("tbody", null, list.map((one, i) => {
          const bar = h("i.share");
          bar.style.width = `${Math.max(1, (100 * one.size) / largest)}%`;
          const mark = h("i.tint");
          mark.style.color = colour(i) ?? "transparent";
          return h("tr", null,
            h("td", null, h("span.keys", null, h("button.key", { title: `Search for island ${one.name}`, onclick: () => store.setView({ query: one.name, colour: "island" }) }, mark, h("span.wrap", null, one.name))), bar),
            h("td", null, whole(one.size)),
            metric && h("td", null, one.best < 0 ? "–" : h("button.link.plain", { title: `Select ${store.id(one.best)}`, "data-row": one.best, onclick: () => app.show(one.best) }, scoreText(store, score[one.best]))),
            improved && h("td", null, whole(one.improvements)),
            moved && h("td", null, `${whole(one.arrived)} / ${whole(one.left)}`));
        })))),
      ...this.#rest(list, all),
      homeless > 0 && h("p.note", null, `${counted(homeless, "individual")} on no island.`),
    ].filter(Boolean);
  }

  #curves(list) {
    const { store } = this;
    const { score, lower, metric } = store.scene;
    const all = evaluated(store, "time");
    const { found } = all;
    const shown = new Map(list.slice(0, MOST_CURVES).map((one, i) => [one.key, i]));
    const island = store.nodes.get("island");
    const lines = this.best.of(found, island, lower, all.settled, looksOf(store)).filter((line) => shown.has(line.key));
    this.figure.hidden = !metric || lines.length < 1 || found.rows.length < 2;
    if (this.figure.hidden || !metric) return;
    lines.sort((a, b) => /** @type {number} */ (shown.get(a.key)) - /** @type {number} */ (shown.get(b.key)));
    const width = Math.max(200, this.chart.box.clientWidth);
    const drawn = lines.map((line) => {
      const [x, y] = [[...line.x, line.end], [...line.y, line.y[line.y.length - 1]]];
      const kept = extremes(x, y, width);
      return { x: kept.map((i) => x[i]), y: kept.map((i) => y[i]) };
    });
    const flat = { x: lines.flatMap((l) => l.x), y: lines.flatMap((l) => l.y), rows: lines.flatMap((l) => l.rows) };
    const [low, high] = [flat.y.reduce((a, b) => Math.min(a, b), Infinity), flat.y.reduce((a, b) => Math.max(a, b), -Infinity)];
    const pad = (high - low) * 0.07 || Math.abs(high) * 0.05 || 1;
    const xText = (/** @type {number} */ v) => (all.axis === "time" ? clock(v) : Number.isInteger(v) ? whole(v) : "");
    const spot = (/** @type {number} */ i) => ({ x: flat.x[i], y: flat.y[i], row: flat.rows[i], lines: [`island ${store.category("island", island[flat.rows[i]])}`, `${metric.name} ${scoreText(store, flat.y[i])}`, `${store.id(flat.rows[i])}${all.axis === "time" ? `, after ${duration(flat.x[i])}` : ""}`] });
    this.title.textContent = `Best so far${list.length > MOST_CURVES ? ` of the first ${MOST_CURVES}` : ""}`;
    this.chart.show({
      summary: `Best ${metric.name} so far of ${counted(lines.length, "island")}, over ${all.axis}: ${lines.slice(0, 6).map((l) => `island ${store.category("island", l.key)} ${scoreText(store, l.y[l.y.length - 1])}`).join(", ")}.`,
      data: joined(drawn), xText, yText: (v) => short(v, 4), xRange: [found.first, found.last], seconds: all.axis === "time", yRange: [low - pad, high + pad],
      series: (colours) => lines.map((line) => ({ label: `island ${line.key}`, paths: steps(), width: 1.6, stroke: colours.names[line.key % (colours.names.length || 1)] })),
      spot: (left, top, u) => {
        const at = nearest(u, flat.x, flat.y, left, top, 16);
        return at < 0 ? null : spot(at);
      },
      stops: () => (flat.x.length <= 400 ? flat.x.map((_, i) => spot(i)) : []),
    });
  }

  #migrations(moves, list) {
    if (!moves.length) return list.length > 1 ? [h("p.note", null, "No migration has been logged.")] : [];
    const { store, app } = this;
    const some = list.filter((one) => one.arrived + one.left > 0);
    const counts = some.length <= MOST_CELLS ? matrix(moves, some) : [];
    const most = Math.max(...counts.flat(), 1);
    const newest = moves.slice(-this.most).reverse();
    const name = (/** @type {number} */ key) => store.category("island", key) || "?";
    return [
      heading("Migrations ", h("span.mute", null, whole(moves.length))),
      some.length <= MOST_CELLS && h("div.wide", { tabindex: "0", role: "region", "aria-label": "Migrations from island to island" }, h("table.matrix", null,
        h("thead", null, h("tr", null, h("th", null, h("span.mute", null, "from \\ to")), some.map((one) => h("th", { scope: "col" }, one.name)))),
        h("tbody", null, some.map((one, i) => h("tr", null, h("th", { scope: "row" }, one.name), some.map((other, j) => {
          const cell = h("td", { title: `${whole(counts[i][j])} from ${one.name} to ${other.name}` }, counts[i][j] ? whole(counts[i][j]) : "·");
          if (counts[i][j]) cell.style.setProperty("--hl-part", `${Math.round(10 + (60 * counts[i][j]) / most)}%`);
          return cell;
        })))))),
      some.length > MOST_CELLS && h("p.note", null, `Between ${whole(some.length)} islands: too many for a table of who moved from where to where.`),
      h("div.movelist", null, newest.map((move) => h("div.move", null, idChip(store, app, move.node), h("span.mute", null, `${name(move.from)} → ${name(move.to)}`)))),
      moves.length > newest.length && h("button.link", { onclick: () => {
        this.most += 10 * PAGE;
        this.#draw();
      } }, `${whole(moves.length - newest.length)} earlier`),
    ].filter(Boolean);
  }

  destroy() {
    this.work.stop();
    this.chart.destroy();
  }
}
