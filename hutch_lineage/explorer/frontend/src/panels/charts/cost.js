// What it cost: in all, as it went, by operator and by model, for each improvement; of the run or of the selected lineage.
import { h, renderer } from "../../frame/dom.js";
import { counted, duration, money, tokens, whole } from "../../words/format.js";
import { ancestors } from "../../lineage/lineage.js";
import { keyOf } from "../data/population.js";
import { courseOfRun, cumulative, spending, spendingOfRun } from "../data/spending.js";
import { ends, nearestTo } from "../data/thin.js";
import { heading, idChip } from "../parts.js";
import { Chart, choice, clock, steps } from "./chart.js";
import { paced } from "../pace.js";
import { pale } from "./colours.js";

export class CostPanel {
  constructor(/** @type {import("../../data/store.js").Store} */ store, /** @type {any} */ app) {
    this.store = store;
    this.app = app;
    this.lineage = false;
    this.byTime = true;
    this.key = "";
    this.chart = new Chart(app, { height: 130 });
    this.head = h("div");
    this.renderHead = renderer(this.head);
    this.title = h("div");
    this.renderTitle = renderer(this.title);
    this.lists = h("div");
    this.renderLists = renderer(this.lists);
    this.figure = h("div", null, this.title, this.chart.element);
    this.element = h("div.cost", null, this.head, this.figure, this.lists);
    this.work = paced(app, () => this.#draw());
  }

  update() {
    this.work();
  }

  #set(/** @type {object} */ change) {
    Object.assign(this, change);
    this.#draw();
  }

  #draw() {
    const { store } = this;
    const lineage = this.lineage && store.selected >= 0;
    const key = [keyOf(store), lineage, this.byTime, lineage ? store.selected : store.selected >= 0].join("|");
    if (key === this.key) return;
    this.key = key;
    const spent = lineage ? spending(store, this.#lineage()) : spendingOfRun(store);
    const priced = spent.operators > spent.unpriced;
    this.renderHead([spent.operators, spent.unpriced, spent.cost, spent.tokensIn, spent.tokensOut, spent.improvements, lineage, store.selected], () => [
      h("div.controls", null, h("div.seg.small", { role: "group", "aria-label": "Costs of" },
        h("button", { "aria-pressed": String(!lineage), onclick: () => this.#set({ lineage: false }) }, "Whole run"),
        h("button", { "aria-pressed": String(lineage), disabled: store.selected < 0, title: store.selected < 0 ? "Select an individual first" : null, onclick: () => this.#set({ lineage: true }) }, "This lineage"))),
      ...(spent.operators ? this.#sums(spent, priced, lineage) : [h("p.mute.hint", null, lineage ? "No operator made this lineage." : "No operator has been logged yet.")]),
    ]);
    this.figure.hidden = !priced || spent.operators < 2;
    if (!this.figure.hidden) this.#curve(spent, lineage);
    this.renderLists([spent.kinds, spent.models, priced], () => (spent.operators ? [...shares("By operator", "operator", spent.kinds, priced), ...shares("By model", "model", spent.models, priced)] : []));
  }

  #lineage() {
    const { store } = this;
    const above = ancestors(store.links, store.nodes.count, store.selected);
    const child = store.operators.get("child");
    const wanted = new Uint8Array(store.operators.count);
    for (let o = 0; o < wanted.length; o++) wanted[o] = above[child[o]];
    return wanted;
  }

  #sums(spent, priced, lineage) {
    const each = spent.cost / (spent.operators - spent.unpriced);
    return [
      lineage && h("div.who", null, h("span.mute", null, "all ancestors of"), idChip(this.store, this.app, this.store.selected)),
      h("div.big", null, h("b", null, priced ? money(spent.cost) : "no prices"), h("span.mute", null, counted(spent.operators, "operator"))),
      h("p.sums", null,
        `${tokens(spent.tokensIn)} tokens in · ${tokens(spent.tokensOut)} out`,
        priced && ` · ${money(each)} each`,
        priced && spent.improvements > 0 && ` · ${money(spent.cost / spent.improvements)} per improvement`),
      spent.unpriced > 0 && priced && h("p.note", null, `${counted(spent.unpriced, "operator")} without a price ${spent.unpriced === 1 ? "is" : "are"} not in these sums.`),
    ].filter(Boolean);
  }

  #curve(spent, lineage) {
    const { store } = this;
    const byTime = this.byTime && spent.timed;
    const { x, y, rows } = lineage ? cumulative(store, spent.rows, byTime) : courseOfRun(store, byTime);
    const kept = ends(x, Math.max(200, this.chart.box.clientWidth));
    const child = store.operators.get("child");
    const price = store.operators.get("cost");
    const xText = (/** @type {number} */ value) => (byTime ? clock(value) : Number.isInteger(value) ? whole(value) : "");
    const spot = (/** @type {number} */ i) => ({
      x: x[i], y: y[i], row: child[rows[i]],
      lines: [money(y[i]), `${store.category("operator", store.operators.get("kind")[rows[i]]) || "operator"} ${Number.isNaN(price[rows[i]]) ? "without a price" : money(price[rows[i]])}`, byTime ? `after ${duration(x[i])}` : `${whole(i + 1)} of ${counted(rows.length, "operator")}`],
    });
    const end = y.length - 1;
    this.renderTitle([spent.timed, byTime], () => [
      h("div.titled", null, heading("Spent so far"), h("span.spring"), spent.timed && choice("Over", [["time", "time"], ["operators", "operators"]], byTime ? "time" : "operators", (over) => this.#set({ byTime: over === "time" }))),
    ]);
    this.chart.show({
      summary: `Money spent, ${byTime ? "over time" : "operator by operator"}: ${money(y[end])} after ${byTime ? duration(x[end]) : counted(rows.length, "operator")}.`,
      data: [kept.map((i) => x[i]), kept.map((i) => y[i])],
      xText, yText: (value) => money(value).replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, ""), seconds: byTime, xRange: [byTime ? 0 : 1, x[end]], yRange: [0, y[end] * 1.06 || 1],
      series: (colours) => [{ label: "spent", paths: steps(), stroke: colours.accent, fill: colours.accent && pale(colours.accent, 0.12) }],
      spot: (left, _, u) => spot(nearestTo(x, u.posToVal(left, "x"))),
      stops: () => (kept.length > 400 ? kept.filter((_, i) => i % Math.ceil(kept.length / 200) === 0 || i === kept.length - 1).map(spot) : kept.map(spot)),
    });
  }

  destroy() {
    this.work.stop();
    this.chart.destroy();
  }
}

function shares(title, word, list, priced) {
  const measure = (/** @type {any} */ share) => (priced ? share.cost : share.calls);
  const most = Math.max(...list.map(measure)) || 1;
  return [
    heading(title),
    h("table.sums", null,
      h("thead", null, h("tr", null, h("th", { scope: "col" }, word), ...["calls", "tokens", "cost"].map((text) => h("th", { scope: "col" }, text)))),
      h("tbody", null, list.map((share) => {
        const bar = h("i.share");
        bar.style.width = `${Math.max(1, (100 * measure(share)) / most)}%`;
        const price = share.calls === share.unpriced ? "–" : money(share.cost);
        return h("tr", null, h("td", null, h("span.wrap", null, share.name || "not said"), bar), h("td", null, whole(share.calls)), h("td", null, share.tokens ? tokens(share.tokens) : "–"), h("td", { title: share.unpriced ? `${whole(share.unpriced)} without a price` : null }, price, share.unpriced > 0 && share.calls > share.unpriced && h("span.mute", null, " +")));
      }))),
  ];
}
