// What follows from the store and the view state for the picture: computed when first asked for, kept until its causes change.
import { colouredMore, colouring } from "./colour.js";
import { decimalsFor } from "../words/format.js";
import { focusMask } from "../lineage/focus.js";
import { longer } from "../data/growth.js";
import { byBirth } from "../lineage/births.js";
import { best, better, pathTo } from "../lineage/lineage.js";
import { grownLayers, layers } from "./layers.js";
import { HIDEABLE, KINDS, NODE } from "../data/protocol.js";
import { domain } from "./scale.js";
import { sizesOf } from "./sizes.js";
import { HIDDEN, folds, narrowedRows, rowsOf, shownMore, shownRows } from "../lineage/visible.js";

/** Of so many the colours are made anew at most once in a while as they grow. */
const MANY = 20_000;
const RESCALED_MS = 1000;

export class Scene {
  /** @param {import("../data/store.js").Store} store */
  constructor(store) {
    this.store = store;
    this.memo = new Map();
    this.rescaling = 0;
  }

  #once(name, key, compute) {
    const held = this.memo.get(name);
    if (held && held.key === key) return held.value;
    const value = compute();
    this.memo.set(name, { key, value });
    return value;
  }

  /** The same for what can be extended by what is new: `more` says how, or null where it has to be made anew. */
  #grown(name, key, compute, more) {
    const { growth, revision } = this.store;
    const held = this.memo.get(name);
    if (held?.key === key && held.revision === revision) return held.value;
    const grown = held?.key === key && growth.since(held.revision);
    const value = (grown && more(held.value, grown)) || compute();
    this.memo.set(name, { key, revision, value });
    return value;
  }

  get #looks() {
    const { view } = this.store;
    return `${view.kind}|${view.run}`;
  }

  get #shape() {
    return `${this.store.revision}|${this.#looks}`;
  }

  /** Whether all of the chosen kind and run are shown. */
  get #whole() {
    return this.base === this.within && !folds(this.store);
  }

  /** The kind of the nodes that are shown: the wanted one, or agents where no event tells of anything else. */
  get kind() {
    const { nodes, view, categories } = this.store;
    return this.#once("kind", this.#shape, () => {
      const [kinds, runs, flags] = ["kind", "run", "flags"].map((name) => nodes.get(name));
      const run = categories.run.indexOf(view.run);
      const has = (/** @type {number} */ kind) => kinds.some((each, row) => row < nodes.count && each === kind && (view.run == null || runs[row] === run) && !(flags[row] & NODE.ghost));
      return view.kind === "individual" && !has(KINDS.individual) && has(KINDS.agent) ? "agent" : view.kind;
    });
  }

  /** The layout in effect: the chosen one once its places are here, until then the generations. */
  get layout() {
    const { view, nodes } = this.store;
    const wanted = view.layout;
    return nodes.has(`x:${wanted}`) && nodes.has(`y:${wanted}`) ? wanted : "generations";
  }

  /** The layout whose places have not come yet, "" for none. */
  get waitingFor() {
    const wanted = this.store.view.layout;
    return wanted === this.layout ? "" : wanted;
  }

  /** What the places of the layout mean: its axis, rings, and the lanes of what is shown by their names. */
  get meaning() {
    const { layout, store, kind } = this;
    const told = { axis: "depth", rings: 0, lanes: [], ...store.layouts[layout] };
    return this.#once("meaning", `${this.#shape}|${layout}`, () => ({
      ...told,
      lanes: (told.lanes ?? [])
        .filter((lane) => (lane.kind ?? KINDS[kind]) === KINDS[kind] && (lane.run === undefined || store.view.run == null || store.category("run", lane.run) === store.view.run))
        .map((lane) => ({ ...lane, name: lane.name ?? (lane.island < 0 ? "no island" : store.category("island", lane.island)) })),
    }));
  }

  /** What a layer is called: Python knows whether layers are generations. */
  get unit() {
    return this.meaning.axis === "generation" && this.kind === "individual" ? "gen" : "depth";
  }

  /** Where the rows stand in the layout in effect: layers and slots, indexed by row. */
  get x() {
    return this.store.nodes.get(this.layout === "generations" ? "x" : `x:${this.layout}`);
  }

  get y() {
    return this.store.nodes.get(this.layout === "generations" ? "y" : `y:${this.layout}`);
  }

  /** Rows of the chosen kind and run: what colours and values are measured on, so that hiding some changes none of the others. */
  get within() {
    const { store, kind } = this;
    return this.#grown("within", `${this.#looks}|${kind}`, () => rowsOf(store, kind), (held, { nodes }) => rowsOf(store, kind, longer(held, store.nodes.count), nodes));
  }

  get #narrowed() {
    const { within } = this;
    const { hidden, ranges } = this.store.view;
    return this.#once("narrowed", `${this.#shape}|${JSON.stringify([hidden, ranges])}`, () => narrowedRows(this.store, within));
  }

  /** Of these, the ones whose names are not hidden and that are within the ranges: among them is the best. */
  get base() {
    return this.#narrowed.mask;
  }

  /** Why the others are not among these, by row. */
  get barred() {
    return this.#narrowed.why;
  }

  /** The names of a category that some row of the chosen kind and run has. @returns {string[]} */
  names(/** @type {string} */ list) {
    const { within, store } = this;
    return this.#once(`names ${list}`, `${this.#shape}`, () => {
      const values = store.nodes.get(HIDEABLE[list]);
      const met = new Uint8Array((store.categories[list] ?? []).length);
      for (let row = 0; row < within.length; row++) if (within[row] && values[row] >= 0) met[values[row]] = 1;
      return store.categories[list]?.map(String).filter((_, i) => met[i]) ?? [];
    });
  }

  /** What is shown and what is folded: see visible.js. */
  get shown() {
    const { view } = this.store;
    const narrowed = view.focus?.mode === "improvements" || view.dead_ends || view.chains;
    const key = `${this.#shape}|${JSON.stringify([view.hidden, view.ranges, view.collapsed, view.chains, view.dead_ends, view.focus?.mode === "improvements"])}|${narrowed && this.metric?.name}`;
    const compute = () => shownRows(this.store, this);
    return this.#whole ? this.#grown("shown", this.#looks, compute, (held, { nodes }) => shownMore(held, this.within, nodes)) : this.#once("shown", key, compute);
  }

  /** What is shown, counted and sorted by layer: see layers.js. */
  get index() {
    const { store, shown, layout } = this;
    const compute = () => layers(store, shown.mask, this);
    if (this.#whole) return this.#grown("index", `${this.#looks}|${layout}`, compute, (held, grown) => grownLayers(store, shown.mask, this, held, grown));
    const held = this.memo.get("index");
    if (held?.shown === shown && held.key === layout) return held.value;
    const value = compute();
    this.memo.set("index", { shown, key: layout, value });
    return value;
  }

  /** The metric that says who is the best: the one chosen for it, else the one coloured by, else the run's own. Null when nothing was measured. */
  get metric() {
    const { best, colour } = this.store.view;
    return this.#metric("metric", best, colour);
  }

  /** The metric of the colours, where they are those of a metric. */
  get coloured() {
    return this.#metric("coloured", "", this.store.view.colour);
  }

  /** The first of those named, else of the run's own, else of all that a visible row has. */
  #metric(/** @type {string} */ memo, /** @type {string} */ name, /** @type {string} */ colour) {
    const { store } = this;
    const { view } = store;
    return this.#once(memo, `${this.#shape}|${name}|${colour}`, () => {
      const run = store.runs.find((r) => r.id === view.run) ?? (store.runs.length === 1 ? store.runs[0] : null);
      const { within } = this;
      const measured = (/** @type {string} */ name) => store.nodes.get(`m:${name}`)?.some((value, row) => within[row] && !Number.isNaN(value));
      const wanted = [name, colour.startsWith("metric:") && colour.slice(7), run?.default_metric, ...store.runs.map((r) => r.default_metric), ...store.metrics.map((m) => m.name)].find((name) => name && measured(name));
      const metric = store.metrics.find((m) => m.name === wanted) ?? store.metrics[0];
      return metric ? { name: metric.name, lower: metric.direction === "lower", declared: metric.declared } : null;
    });
  }

  /** Values of the metric in use by row. */
  get score() {
    return this.metric ? this.store.nodes.get(`m:${this.metric.name}`) : [];
  }

  get lower() {
    return this.metric?.lower ?? false;
  }

  /** Decimals for values of the metric in use. */
  get decimals() {
    return this.decimalsOf(this.metric?.name, this.lower);
  }

  /** Decimals that tell the values of a metric apart, strays left aside. */
  decimalsOf(/** @type {string|undefined} */ name, /** @type {boolean} */ lower) {
    return this.#once(`decimals ${name}`, `${this.#shape}|${lower}`, () => {
      const { within, store } = this;
      const { legend } = this.colouring;
      // Where the metric is what is coloured by, its range is known already.
      if (name === this.coloured?.name && /^$|^metric:/.test(store.view.colour) && legend.kind === "ramp" && legend.scale === "linear") return decimalsFor(legend.left, legend.right);
      const flags = store.nodes.get("flags");
      const score = store.nodes.get(`m:${name}`);
      const known = new Float64Array(store.nodes.count);
      let n = 0;
      for (let row = 0; row < known.length; row++) if (within[row] && Math.abs(score[row]) < Infinity && !(flags[row] & (NODE.ghost | NODE.invalid))) known[n++] = score[row];
      const { low, high } = domain(known.subarray(0, n), lower);
      return decimalsFor(low, high);
    });
  }

  /**
   * What is coloured how. With every new value the scale may be another, and all colours with it: of many individuals it is made
   * anew once a second at most. In between what is new is coloured on the scale as it was; once it is quiet all is as if made at once.
   */
  get colouring() {
    const { store, within, coloured: metric } = this;
    const { colour, scale } = store.view;
    const compute = () => ({ ...colouring(store, colour, within, metric), made: performance.now() });
    return this.#grown("colouring", `${this.#looks}|${colour}|${scale}|${metric?.name}|${metric?.lower}|${metric?.declared}`, compute, (held, grown) => {
      const rest = held.made + RESCALED_MS - performance.now();
      const more = store.nodes.count > MANY && rest > 0 ? colouredMore(store, held, within, grown) : null;
      if (more) this.rescaling ||= setTimeout(() => this.#rescale(), rest);
      return more;
    });
  }

  #rescale() {
    this.rescaling = 0;
    this.memo.delete("colouring");
    this.memo.delete(`decimals ${this.metric?.name}`);
    this.store.changed("graph");
  }

  /** How large individuals are drawn, null when all are of one size: see sizes.js. */
  get sizes() {
    const { size } = this.store.view;
    return !size ? null : this.#once("sizes", `${this.#shape}|${size}`, () => sizesOf(this.store, size, this.within));
  }

  /** The kinds of the operators, those that made most first. @returns {{kind: number, name: string, count: number}[]} */
  get operatorKinds() {
    const { store } = this;
    return this.#once("operatorKinds", `${store.revision}`, () => {
      const kinds = store.operators.get("kind");
      const counts = new Uint32Array(store.categories.operator.length);
      for (let row = 0; row < store.operators.count; row++) counts[kinds[row]]++;
      return [...counts].flatMap((count, kind) => (count ? [{ kind, name: store.category("operator", kind), count }] : [])).sort((a, b) => b.count - a.count);
    });
  }

  /** The best individual and the way to it from a seed. */
  get path() {
    const { store, score, lower, base: visible } = this;
    const given = { count: store.nodes.count, score, flags: store.nodes.get("flags"), visible, lower, byBirth: byBirth(store) };
    const to = (/** @type {number} */ row) => {
      const path = row < 0 ? { rows: [], edges: [] } : pathTo(store.links, row, score, lower);
      return { best: row, ...path, rowSet: new Set(path.rows), edgeSet: new Set(path.edges) };
    };
    return this.#grown("path", `${this.#looks}|${this.metric?.name}|${lower}|${JSON.stringify([store.view.hidden, store.view.ranges])}`, () => to(best(given)), (held, { nodes, edges, rows }) => {
      // Of the older ones only those that changed can have overtaken it; where it has itself changed, all are looked at.
      if (visible !== this.within || rows.includes(held.best)) return null;
      let row = held.best;
      for (const each of rows) row = better(given, each, row);
      for (let each = nodes; each < given.count; each++) row = better(given, each, row);
      let same = row === held.best && !rows.length;
      for (let e = edges; same && e < store.edges.count; e++) same = !held.rowSet.has(store.links.dst[e]);
      return same ? held : to(row);
    });
  }

  /** What is in focus: a mark by row, or null when everything is. */
  get focus() {
    const { store } = this;
    const { focus } = store.view;
    if (!focus && store.groupOnly) return this.#group;
    if (!focus || focus.mode === "improvements") return null;
    return this.#once("focus", `${this.#shape}|${this.metric?.name}|${JSON.stringify(focus)}`, () => focusMask(store.links, store.nodes.count, focus, this.score, this.lower));
  }

  /** A mark for every row that a person has marked. */
  get #group() {
    const { group, nodes } = this.store;
    const held = this.memo.get("group");
    if (held?.group === group && held.value.length === nodes.count) return held.value;
    const value = new Uint8Array(nodes.count);
    for (const row of group) value[row] = 1;
    this.memo.set("group", { group, value });
    return value;
  }

  /** How many of the chosen kind and run are not shown: by reason (see visible.js), and in total. */
  get hiddenCounts() {
    const { shown, store } = this;
    const held = this.memo.get("hidden");
    if (held?.shown === shown) return held.value;
    const value = { total: 0, ...Object.fromEntries(Object.values(HIDDEN).map((reason) => [reason, 0])) };
    const { counts } = this.index;
    if (this.#whole) value[HIDDEN.elsewhere] = store.nodes.count - counts.total - counts.ghosts;
    else for (const reason of shown.why) if (reason) value[reason]++;
    value.total = Object.values(HIDDEN).reduce((sum, reason) => sum + (reason === HIDDEN.elsewhere ? 0 : value[reason]), 0);
    this.memo.set("hidden", { shown, value });
    return value;
  }

  /** Rows that the search finds, in the order of the layers; null without a search. */
  get hits() {
    const query = this.store.view.query.trim().toLowerCase();
    if (!query) return null;
    const { index } = this;
    const held = this.memo.get("hits");
    if (held?.index === index && held.query === query) return held.value;
    const value = search(this.store, index.rows, query);
    this.memo.set("hits", { index, query, value });
    return value;
  }
}

/** Those of `rows` of which each word of a query in lower case stands in the id, operator, model or island. @returns {number[]} */
export function search(store, /** @type {ArrayLike<number> & Iterable<number>} */ rows, /** @type {string} */ query) {
  const { nodes } = store;
  const tests = query.split(/\s+/).map((word) => {
    const named = nodes.holding("id", word);
    const columns = [["operator", "op"], ["model", "model"], ["island", "island"]].map(([list, column]) => {
      const matching = new Set();
      store.categories[list].forEach((name, i) => String(name).toLowerCase().includes(word) && matching.add(i));
      return { values: nodes.get(column), matching };
    });
    return (/** @type {number} */ row) => named(row) || columns.some((c) => c.matching.has(c.values[row]));
  });
  const found = [];
  for (const row of rows) if (tests.every((test) => test(row))) found.push(row);
  return found;
}
