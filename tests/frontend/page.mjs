// What the browser tests do inside the page, by name: `window.t.<name>(...)`.
import * as synth from "/synth.mjs";

const app = () => document.querySelector("#app");
const frames = async (n) => {
  for (let i = 0; i < n; i++) await new Promise(requestAnimationFrame);
};
const look = () => {
  window.root = document.querySelector(".hl-explorer");
  window.hl = window.root.__hl;
};

/** A bundle, as Python sends it after the graph. */
const late = async (name) => {
  const [js, css] = await Promise.all([`/${name}.js`, `/${name}.css`].map(async (path) => (await fetch(path)).text()));
  return { op: "asset", name, js, css };
};

export const t = {
  frames,

  async asset(patch = {}) {
    t.push({ content: { ...(await late("panels")), ...patch } });
  },

  /** A made-up run on a model without a kernel, shown the way anywidget shows it. */
  async start(run, traits) {
    const { default: widget } = await import("/explorer.js");
    window.synth = synth;
    window.data = synth.makeRun(run);
    window.model = synth.fakeModel(traits, synth.answering(window.data));
    window.widget = await widget();
    window.endModel = window.widget.initialize({ model: window.model });
    window.endView = window.widget.render({ model: window.model, el: app() });
    t.push(synth.graphMessage(window.data, { notes: ["1 line was not JSON"] }));
    t.push({ content: await late("hands") });
    if (!run.bare) t.push({ content: await late("panels") });
    look();
  },

  /** The view as made from a notebook's saved state: the host says that there is no kernel, and no graph comes. */
  async saved(traits) {
    const { default: widget } = await import("/explorer.js");
    app().className = "jupyter-widgets-disconnected";
    window.data = synth.makeRun({});
    window.model = synth.fakeModel(traits);
    const made = await widget();
    made.initialize({ model: window.model });
    made.render({ model: window.model, el: app() });
    look();
  },

  /** What a host tells a model when its kernel restarts, dies, or is shut down. */
  gone: (how) => (how === "died" ? window.model.kernel.tell("autorestarting") : window.model.tell(how === "restarted" ? "comm_live_update" : "disposed")),

  graph: () => t.push(synth.graphMessage(window.data)),

  push: ({ content, buffers }) => window.model.push(content, buffers),

  status: (patch) => window.model.change("status", synth.status(patch)),

  view: (patch) => window.model.change("view", { ...window.model.get("view"), ...patch }),

  pixel(row) {
    const { left, top } = window.hl.screenOf(row);
    const r = window.devicePixelRatio;
    return [...window.hl.app.context.getImageData(left * r, top * r, 1, 1).data];
  },

  column: (name) => [...window.hl.store.nodes.get(name).slice(0, window.hl.store.nodes.count)],

  id: (row) => window.hl.store.id(row),

  /** The whole graph again, of another shape. */
  regrow(individuals, generations, version) {
    t.push(synth.graphMessage(synth.makeRun({ individuals, generations }), { version }));
  },

  inPieces(n) {
    for (const message of synth.growth(window.data, n)) t.push(message);
  },

  /** The same rows once more, as a late repetition of the last message would bring them. */
  repeat() {
    const { content, buffers } = synth.graphMessage(window.data);
    t.push({ content: { ...content, reset: false, version: 2 }, buffers });
  },

  /** How often the view is drawn within some frames. */
  async paints(n) {
    const view = window.hl.app;
    const { paint } = view;
    let count = 0;
    view.paint = () => {
      count++;
      return paint.call(view);
    };
    await frames(n);
    return count;
  },

  /** An individual with two parents whose genomes differ from its own. */
  crossover: () => window.data.edges.find((e) => e.order === 1 && !(window.data.nodes[e.dst].flags & 6) && e.dst % 97 !== e.src % 97).dst,

  open(row, tab) {
    window.hl.store.select(row);
    window.hl.store.setView({ tab });
  },

  /** Of the whole run, what its agents spent on themselves included. */
  spent: () => window.data.operators.reduce((sum, o) => sum + o.cost, 0),
  /** The details of a row, changed. */
  give: (row, patch) => t.push({ content: { op: "details", details: { [row]: { ...synth.detail(window.data, row), ...patch } } } }),


  cheapest: () => window.data.nodes.filter((n) => n.kind === 0 && n.cost > 0).sort((a, b) => a.cost - b.cost)[0].row,

  /** Runs that ended, or not: the first is the one that is shown. */
  ended(statuses) {
    const message = synth.graphMessage(window.data);
    const [run] = message.content.runs;
    message.content.runs = statuses.map((status, i) => ({ ...run, id: i ? `${run.id}-${i}` : run.id, status }));
    t.push(message);
  },

  /** The same run on islands of its own for every few individuals; some of them move. */
  archipelago(islands) {
    const nodes = window.data.nodes.map((n) => ({ ...n, island: n.kind ? -1 : n.row % islands }));
    const moves = nodes.filter((n) => !n.kind && !(n.row % 9)).map((n) => ({ node: n.row, from: (n.row + 1) % islands, to: n.row % islands, time: n.time }));
    const message = synth.graphMessage({ ...window.data, nodes, moves });
    message.content.categories.island = Array.from({ length: islands }, (_, i) => `isle ${i}`);
    t.push(message);
  },

  /** An individual of which everything is as long as `length`. */
  lengthen(row, length) {
    const long = "x".repeat(length);
    const nodes = window.data.nodes.map((n) => (n.row === row ? { ...n, id: `${long}!` } : n));
    t.push(synth.graphMessage({ ...window.data, nodes }));
    t.give(row, { genome: long, diff: null, invalid_reason: long, metadata: { note: long, list: [long] } });
    t.open(row, "details");
  },

  /** Everything that can hold text holds markup. */
  poison(row) {
    const evil = '<img src=x onerror="window.hacked=1">';
    const bad = structuredClone({ nodes: window.data.nodes, edges: window.data.edges, operators: window.data.operators, run: evil });
    bad.nodes[row].id = evil;
    const message = synth.graphMessage(bad, { notes: [evil] });
    message.content.categories.operator = message.content.categories.operator.map(() => evil);
    message.content.metrics[0].name = evil;
    t.push(message);
    const detail = { ...synth.detail(window.data, row), genome: evil, diff: `+${evil}`, invalid_reason: evil, metadata: { [evil]: evil }, events: [{ eventType: evil }] };
    t.push({ content: { op: "details", details: { [row]: detail } } });
    t.open(row, "details");
  },

  hacked: () => [window.root.querySelectorAll("img").length, window.hacked ?? null],

  /** A kernel that does not answer, until `answer`. */
  busy() {
    window.model.send = (message) => window.model.sent.push(message);
  },

  answer: (row) => t.push({ content: { op: "details", details: { [row]: synth.detail(window.data, row) } } }),

  /** Parts of the view that stick out of it or have no width. */
  cut() {
    const edge = window.root.getBoundingClientRect();
    const parts = window.root.querySelectorAll(".hl-bar, .hl-bar :is(button, input, select), .hl-tab, .hl-tools button, .hl-foot, .hl-side, .hl-stage");
    const outside = (b) => b.left < edge.left - 1 || b.right > edge.right + 1 || b.bottom > edge.bottom + 1 || b.width < 8;
    return [...parts].filter((e) => e.checkVisibility() && outside(e.getBoundingClientRect())).map((e) => `${e.className} ${e.textContent}`);
  },

  /** Whether the panel is under the picture, and whether the page scrolls sideways. */
  arrangement: () => [
    window.root.querySelector(".hl-side").getBoundingClientRect().top >= window.root.querySelector(".hl-stage").getBoundingClientRect().bottom,
    document.documentElement.scrollWidth > innerWidth,
  ],

  styles: () =>
    [...window.root.querySelectorAll(".hl-bar :is(button, select, input), .hl-tab, .hl-kv :is(dt, dd), .hl-body h4, .hl-body kbd")].map((e) => {
      const s = getComputedStyle(e);
      return [s.fontSize, s.width, s.margin, s.padding, s.borderTopWidth, s.textTransform, s.backgroundColor];
    }),

  host(theme, paper) {
    document.body.style.setProperty("--jp-layout-color0", paper);
    document.body.dataset.jpThemeLight = String(theme === "light");
  },

  /** A second view of the same model, through a proxy of its own as anywidget hands out. */
  second() {
    const el = document.body.appendChild(document.createElement("div"));
    window.endSecond = window.widget.render({ model: { ...window.model }, el });
    window.other = el.querySelector(".hl-explorer");
  },

  /** JupyterLab renders into an element that is put into the page afterwards. */
  async detached() {
    const el = document.createElement("div");
    window.widget.render({ model: window.model, el });
    await frames(2);
    document.body.append(el);
    await frames(4);
    const { app } = el.querySelector(".hl-explorer").__hl;
    return [app.theme.colours.bg, app.drawn.nodes];
  },

  /** A host that never calls initialize. */
  async bare() {
    const { default: widget } = await import("/explorer.js");
    const model = synth.fakeModel();
    const el = document.body.appendChild(document.createElement("div"));
    widget.render({ model, el });
    const { content, buffers } = synth.graphMessage(window.data);
    model.push(content, buffers);
    await frames(4);
    return [model.sent[0].op, el.querySelector(".hl-explorer").dataset.total];
  },

  /** Close everything, then show the run as a saved page does. */
  async standalone(selected) {
    window.endView();
    window.endModel();
    const base64 = (buffer) => btoa(Array.from(new Uint8Array(buffer.buffer), (c) => String.fromCharCode(c)).join(""));
    const { content, buffers } = synth.graphMessage(window.data);
    const details = { content: { op: "details", details: { [selected]: synth.detail(window.data, selected) } } };
    const traits = { height: 600, theme: "light", status: synth.status({ source: "run.ndjson" }), selected_row: selected };
    const saved = JSON.parse(JSON.stringify({ messages: [{ content, buffers: buffers.map(base64) }, details, { content: await late("hands") }], traits }));
    globalThis.hutchLineage.mount(app(), saved);
    look();
  },

  empty() {
    const categories = { run: [], operator: [], model: [], island: [], kind: [] };
    const summary = { individuals: 0, agents: 0, edges: 0, ghosts: 0, notes: [] };
    t.push({ content: { op: "graph", reset: true, version: 9, tables: {}, patches: {}, metrics: [], runs: [], categories, summary } });
  },

  leftovers: () => [window.model.listeners(), document.querySelectorAll(".hl-explorer, style").length, window.hl.store.listeners.size],
};

window.t = t;
