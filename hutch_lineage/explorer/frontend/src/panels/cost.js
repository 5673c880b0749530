// What it cost: in all, over time, by operator and by model; of the run or of the selected lineage. Each operator counts once.
import { h, renderer, svg } from "../dom.js";
import { counted, duration, money, tokens, whole } from "../format.js";
import { ancestors, costOf } from "../lineage.js";
import { heading, idChip } from "./parts.js";

export class CostPanel {
  constructor(/** @type {import("../store.js").Store} */ store, /** @type {any} */ app) {
    this.store = store;
    this.app = app;
    this.lineage = false;
    this.run = h("button", { "aria-pressed": "true", onclick: () => this.#scope(false) }, "Whole run");
    this.own = h("button", { "aria-pressed": "false", onclick: () => this.#scope(true) }, "This lineage");
    this.out = h("div");
    this.element = h("div.cost", null, h("div.seg.small", { role: "group", "aria-label": "Costs of" }, this.run, this.own), this.out);
    this.render = renderer(this.out);
  }

  #scope(lineage) {
    this.lineage = lineage;
    this.update();
  }

  update() {
    const { store } = this;
    const { selected } = store;
    const lineage = this.lineage && selected >= 0;
    this.own.disabled = selected < 0;
    this.run.setAttribute("aria-pressed", String(!lineage));
    this.own.setAttribute("aria-pressed", String(lineage));
    this.render([store.revision, store.view.kind, store.view.run, lineage, lineage && selected], () => this.#content(lineage));
  }

  #content(lineage) {
    const { store, app } = this;
    const { operators, nodes, links } = store;
    const mask = lineage ? ancestors(links, nodes.count, store.selected) : store.scene.index.visible;
    const child = operators.get("child");
    const wanted = (o) => mask[child[o]] === 1;
    const sum = costOf(operators, wanted);
    if (!sum.operators) return [h("p.mute.hint", null, lineage ? "No operator made this lineage." : "No operator has been logged yet.")];
    const priced = sum.operators > sum.unpriced;
    return [
      lineage && h("div.who", null, h("span.mute", null, "all ancestors of"), idChip(store, app, store.selected)),
      h("div.big", null, h("b", null, priced ? money(sum.cost) : "no prices"), h("span.mute", null, counted(sum.operators, "operator"))),
      h("p.sums", null, `${tokens(sum.tokensIn)} tokens in · ${tokens(sum.tokensOut)} out`, priced && ` · ${money(sum.cost / (sum.operators - sum.unpriced))} each`, sum.unpriced > 0 && priced && h("span.mute", null, ` · ${counted(sum.unpriced, "operator")} without a price`)),
      ...(priced ? chart(operators, wanted) : []),
      ...groups(store, operators, wanted, "By operator", "kind", "operator", priced),
      ...groups(store, operators, wanted, "By model", "model", "model", priced),
    ].filter(Boolean);
  }
}

function groups(store, operators, wanted, title, column, list, priced) {
  const values = operators.get(column);
  const cost = operators.get("cost");
  const tin = operators.get("tokens_in");
  const tout = operators.get("tokens_out");
  /** @type {Map<number, {n: number, cost: number, tokens: number}>} */
  const sums = new Map();
  for (let o = 0; o < operators.count; o++) {
    if (!wanted(o)) continue;
    const key = values[o] ?? -1;
    const sum = sums.get(key) ?? { n: 0, cost: 0, tokens: 0 };
    sum.n++;
    sum.cost += cost[o] || 0;
    sum.tokens += (tin[o] || 0) + (tout[o] || 0);
    sums.set(key, sum);
  }
  const measure = (s) => (priced ? s.cost : s.n);
  const sorted = [...sums].sort((a, b) => measure(b[1]) - measure(a[1]) || a[0] - b[0]);
  const most = Math.max(...sorted.map(([, s]) => measure(s))) || 1;
  return [
    heading(title),
    h("table.sums", null,
      h("thead", null, h("tr", null, h("th", null, list), h("th", null, "calls"), h("th", null, "tokens"), h("th", null, "cost"))),
      h("tbody", null, sorted.map(([key, s]) => {
        const bar = h("i.share");
        bar.style.width = `${Math.max(1, (100 * measure(s)) / most)}%`;
        return h("tr", null, h("td", null, h("span.wrap", null, store.category(list, key) || "not said"), bar), h("td", null, whole(s.n)), h("td", null, s.tokens ? tokens(s.tokens) : "–"), h("td", null, priced ? money(s.cost) : "–"));
      }))),
  ];
}

const W = 316;
const H = 96;
const LEFT = 2;
const BASE = 78;

/** Money spent so far, over time (or over the operators where their times are unknown). */
function chart(operators, wanted) {
  const cost = operators.get("cost");
  const time = operators.get("time");
  const points = [];
  let timed = true;
  for (let o = 0; o < operators.count; o++) {
    if (!wanted(o)) continue;
    if (!(time[o] > 0)) timed = false;
    points.push([time[o], cost[o] || 0]);
  }
  if (points.length < 2) return [];
  if (timed) points.sort((a, b) => a[0] - b[0]);
  const span = timed ? points[points.length - 1][0] - points[0][0] : 0;
  const at = (p, i) => (span > 0 ? (p[0] - points[0][0]) / span : i / (points.length - 1));
  const total = points.reduce((s, p) => s + p[1], 0) || 1;
  let sum = 0;
  let path = "";
  let lastX = -1;
  points.forEach((p, i) => {
    sum += p[1];
    const x = LEFT + at(p, i) * (W - 2 * LEFT);
    if (x - lastX < 0.4 && i < points.length - 1) return;
    lastX = x;
    path += `${path ? "H" : `M${LEFT} ${BASE}H`}${x.toFixed(1)}V${(BASE - (sum / total) * (BASE - 16)).toFixed(1)}`;
  });
  const text = (x, y, anchor, words) => {
    const element = svg("text", { x, y, "text-anchor": anchor });
    element.textContent = words;
    return element;
  };
  return [
    heading("Spent so far"),
    svg("svg", { viewBox: `0 0 ${W} ${H}`, class: "hl-chart", role: "img", "aria-label": `Cumulative cost, ${money(total)} in the end` },
      svg("path", { d: `${path}V${BASE}H${LEFT}Z`, class: "hl-area" }),
      svg("path", { d: path, class: "hl-curve" }),
      svg("path", { d: `M${LEFT} ${BASE + 0.5}H${W - LEFT}`, class: "hl-base" }),
      text(W - LEFT, 10, "end", money(total)),
      text(LEFT, H - 4, "start", timed && span > 0 ? "start" : "first operator"),
      text(W - LEFT, H - 4, "end", timed && span > 0 ? `after ${duration(span)}` : counted(points.length, "operator"))),
  ];
}
