// Made-up runs in the words of the wire: for the development page and the tests. No Node APIs: a page can import it too.

const SEED = 1, GHOST = 2, INVALID = 4, CYCLE = 8, REJECTED = 16;
const OPERATORS = ["seed", "mutate", "refine", "crossover", "migrate", "restart"];
const MODELS = ["claude-sonnet-4-6", "gpt-5-mini", "qwen3-32b"];

/** A small deterministic source of numbers in [0, 1). */
export function random(seed = 7) {
  let s = seed;
  return () => (s = (s * 16807) % 2147483647) / 2147483647;
}

/**
 * A run as rows.
 * @param {{generations?: number, individuals?: number, ghosts?: number, agents?: number, cycles?: boolean, seed?: number, run?: string, lower?: boolean}} wanted
 */
export function makeRun({ generations = 26, individuals = 1859, ghosts = 12, agents = 14, cycles = false, seed = 7, run = "circle-packing" } = {}) {
  const R = random(seed);
  const nodes = [];
  const edges = [];
  const operators = [];
  const layers = Array.from({ length: generations }, () => []);
  const t0 = 1_760_000_000;
  const per = (g) => (g === 0 ? 4 : Math.max(1, Math.round(((individuals - 4) / (generations - 1)) * (0.65 + 0.5 * Math.sin((Math.PI * g) / generations) + 0.18 * (R() - 0.5)))));
  const add = (node) => nodes.push({ row: nodes.length, kind: 0, run: 0, flags: 0, island: -1, op: -1, model: -1, itype: 0, cost: NaN, time: NaN, sum_radii: NaN, seconds: NaN, valid: NaN, ...node }) - 1;
  let left = individuals;
  for (let g = 0; g < generations; g++) {
    const n = g === generations - 1 ? Math.max(1, left) : Math.min(left - (generations - 1 - g), per(g));
    left -= n;
    const pool = [...(layers[g - 1] ?? []), ...(layers[g - 2] ?? [])].filter((r) => !(nodes[r].flags & INVALID)).sort((a, b) => nodes[b].f - nodes[a].f);
    for (let i = 0; i < n; i++) {
      const parents = [];
      if (g) {
        parents.push(pool[Math.floor(R() * R() * pool.length)]);
        if (R() < 0.3) {
          const second = pool[Math.floor(R() * pool.length)];
          if (second !== parents[0]) parents.push(second);
        }
      }
      const base = parents.length ? Math.max(...parents.map((p) => nodes[p].f)) : 0.1 + R() * 0.1;
      const f = Math.max(0.01, Math.min(0.985, base + (R() - 0.62) * 0.13));
      const bad = g > 0 && R() < 0.05;
      const model = g ? Math.floor(R() * R() * MODELS.length) : -1;
      const op = g ? (parents.length > 1 ? 3 : [1, 2, 2, 1, 4, 5][Math.floor(R() * R() * 6)]) : 0;
      const cost = g ? 0.004 + R() * 0.02 * (3 - model) : NaN;
      const time = t0 + g * 97 + (i / n) * 90;
      const row = add({ id: `ind-${(0x1000 + ((nodes.length * 40503) % 0xefff)).toString(16)}`, generation: g, x: g, f, flags: (g ? 0 : SEED) | (bad ? INVALID : 0), island: g ? (nodes[parents[0]].island + (R() < 0.03 ? 1 : 0)) % 4 : i % 4, op, model, itype: 0, cost, time, sum_radii: bad ? NaN : 2.1 + f * 0.54, seconds: bad ? NaN : 9 - 6 * f + R(), valid: bad ? 0 : 1 });
      layers[g].push(row);
      const o = g ? operators.push({ id: `op-${1000 + operators.length}`, kind: op, model, cost, tokens_in: Math.round(80 + R() * 900), tokens_out: Math.round(30 + R() * 400), child: row, time, flags: 0 }) - 1 : -1;
      parents.forEach((p, order) => edges.push({ src: p, dst: row, order, op: o, flags: 0 }));
    }
  }
  // Slots: near the first parent, in order; centred on the layer.
  const slot = new Map();
  layers.forEach((layer, g) => {
    if (g) layer.sort((a, b) => want(a) - want(b) || a - b);
    layer.forEach((row, i) => slot.set(row, i - (layer.length - 1) / 2 + (g % 2 ? 0.2 : -0.15)));
  });
  function want(row) {
    const first = edges.find((e) => e.dst === row);
    return first ? slot.get(first.src) : 0;
  }
  for (const node of nodes) node.y = slot.get(node.row);
  const deepest = Math.max(...layers.map((l) => l.length)) / 2;
  for (let i = 0; i < ghosts; i++) {
    const child = layers[1 + (i % Math.max(1, generations - 1))]?.[i] ?? layers[0][0];
    const ghost = add({ id: `lost-${i}`, generation: -1, x: Math.max(0, nodes[child].x - 1), y: deepest + 2 + (i % 2), flags: GHOST });
    edges.push({ src: ghost, dst: child, order: 2, op: -1, flags: 0 });
  }
  if (cycles) {
    nodes[layers[1][0]].flags |= CYCLE;
    edges.push({ src: layers[1][0], dst: layers[1][0], order: 1, op: -1, flags: 1 });
    nodes[layers[3][1]].flags |= CYCLE;
    edges.push({ src: layers[3][1], dst: layers[2][1], order: 1, op: -1, flags: 1 });
  }
  for (let a = 0; a < agents; a++) {
    const parent = a ? nodes.length - 1 - Math.floor(R() * Math.min(a, 3)) : -1;
    const rejected = a > 2 && R() < 0.3;
    const row = add({ id: `agent-v${a}`, kind: 1, generation: -1, x: a ? nodes[parent].x + 1 : 0, y: a ? nodes[parent].y + (R() - 0.5) * 4 : 0, flags: (a ? 0 : SEED) | (rejected ? REJECTED : 0), op: a ? 6 : -1, model: a ? 0 : -1, itype: 1, sum_radii: 2.2 + a * 0.03, cost: a ? 0.2 : NaN, time: t0 + a * 180 });
    if (!a) continue;
    const o = operators.push({ id: `self-mod:${nodes[parent].id}->agent-v${a}`, kind: 6, model: 0, cost: 0.2, tokens_in: 4000, tokens_out: 900, child: row, time: t0 + a * 180, flags: rejected ? 2 : 1, score_before: 0.4 + 0.01 * (a - 1), score_after: 0.4 + 0.01 * a - (rejected ? 0.06 : 0), benchmark: 0, target: 0 }) - 1;
    edges.push({ src: parent, dst: row, order: 0, op: o, flags: rejected ? 2 : 0 });
  }
  // Who stands on another island than its first parent has moved there.
  const moves = [];
  for (const { src, dst, order } of edges) {
    const [from, to] = [nodes[src].island, nodes[dst].island];
    if (!order && from >= 0 && to >= 0 && from !== to) moves.push({ node: dst, from, to, time: nodes[dst].time });
  }
  return { run, nodes, edges, operators, moves };
}

const NODE_TYPES = { id: "json", kind: "u1", run: "i4", x: "f4", y: "f4", generation: "i4", flags: "u2", island: "i4", op: "i4", model: "i4", itype: "i4", cost: "f8", time: "f8" };
const METRIC_TYPES = { "m:sum_radii": "f8", "m:seconds": "f8", "m:valid": "f8" };
const EDGE_TYPES = { src: "u4", dst: "u4", order: "u1", op: "i4", flags: "u1" };
const OPERATOR_TYPES = { id: "json", kind: "i4", model: "i4", cost: "f8", tokens_in: "f8", tokens_out: "f8", child: "u4", time: "f8", flags: "u1", score_before: "f8", score_after: "f8", benchmark: "i4", target: "i4" };
const MOVE_TYPES = { node: "u4", from: "i4", to: "i4", time: "f8" };
const ARRAYS = { f4: Float32Array, f8: Float64Array, i4: Int32Array, u4: Uint32Array, u2: Uint16Array, u1: Uint8Array };

/** Columns of rows; the values go to `buffers` as DataViews, the way anywidget hands them over. */
export function columns(rows, types, buffers) {
  const out = {};
  for (const [name, t] of Object.entries(types)) {
    const values = rows.map((r) => r[name.replace(/^m:/, "")] ?? (t === "i4" ? -1 : NaN));
    if (t === "json") out[name] = { t, v: values };
    else {
      out[name] = { t, b: buffers.length };
      buffers.push(new DataView(ARRAYS[t].from(values).buffer));
    }
  }
  return out;
}

/** One graph message with the rows from..to of each table. */
export function graphMessage(data, { from = [0, 0, 0], to = [Infinity, Infinity, Infinity], reset = true, version = 1, notes = [] } = {}) {
  const buffers = [];
  const table = (rows, i, types) => {
    const part = rows.slice(from[i], to[i]);
    return { start: from[i], count: part.length, columns: columns(part, types, buffers) };
  };
  const shown = data.nodes.slice(0, to[0]);
  const moves = (data.moves ?? []).filter((move) => move.node < shown.length);
  const agents = shown.filter((n) => n.kind === 1).length;
  const ghosts = shown.filter((n) => n.flags & GHOST).length;
  return {
    content: {
      op: "graph", reset, version, layouts: { generations: { axis: "generation" } },
      tables: { nodes: table(data.nodes, 0, { ...NODE_TYPES, ...METRIC_TYPES }), edges: table(data.edges, 1, EDGE_TYPES), operators: table(data.operators, 2, OPERATOR_TYPES), ...(reset ? { migrations: { start: 0, count: moves.length, columns: columns(moves, MOVE_TYPES, buffers) } } : {}) },
      patches: { nodes: [], edges: [], operators: [] },
      categories: { run: [data.run], operator: [...OPERATORS, "self_mod"], model: MODELS, island: ["0", "1", "2", "3"], kind: ["program", "agent"], agent: [], benchmark: ["sequences"], target: ["agent.py"] },
      metrics: [{ name: "sum_radii", direction: "higher", declared: true }, { name: "seconds", direction: "lower", declared: false }, { name: "valid", direction: "higher", declared: false }],
      runs: [{ id: data.run, name: data.run, project: "packing", status: "running", default_metric: "sum_radii" }],
      summary: { individuals: shown.length - agents - ghosts, agents, edges: Math.min(data.edges.length, to[1]), ghosts, notes },
    },
    buffers,
  };
}

/** The run in pieces, as it would grow: `steps` messages. */
export function growth(data, steps) {
  const order = data.nodes.map((n) => n.row);
  const messages = [];
  let from = [0, 0, 0];
  for (let s = 1; s <= steps; s++) {
    const nodes = Math.ceil((order.length * s) / steps);
    const edges = data.edges.findIndex((e) => e.src >= nodes || e.dst >= nodes);
    const operators = data.operators.findIndex((o) => o.child >= nodes);
    const to = [nodes, edges < 0 ? data.edges.length : edges, operators < 0 ? data.operators.length : operators];
    messages.push(graphMessage(data, { from, to, reset: s === 1, version: s }));
    from = to;
  }
  return messages;
}

const code = (n, extra) => `import numpy as np\n\n\ndef hex_grid(n, margin):\n    """Circles on a hexagonal grid."""\n    side = int(np.ceil(np.sqrt(n)))\n    return [(margin + i % side, margin + i // side) for i in range(n)]\n\n\ndef pack(n):\n    r = hex_grid(n, ${(0.1 - n * 0.0004).toFixed(4)})\n${extra ? "    r = slsqp(r, iters=400)\n" : ""}    return settle(r)\n`;

/** The details of a row. */
export function detail(data, row) {
  const node = data.nodes[row];
  const made = data.operators.filter((o) => o.child === row);
  const parents = data.edges.filter((e) => e.dst === row).map((e) => data.nodes[e.src].id);
  return {
    genome: node.flags & GHOST ? null : code(row % 97, row % 3 === 0), genome_lang: "python", genome_uri: null,
    diff: node.generation === 25 ? " def pack(n):\n-    r = hex_grid(n, 0.1)\n+    r = hex_grid(n, 0.096)\n+    r = slsqp(r, iters=400)\n     return settle(r)" : null,
    invalid_reason: node.flags & INVALID ? "circles overlap: 3 of 26" : null,
    metadata: node.generation > 20 ? { temperature: 0.7, note: "<b>not bold</b>" } : {},
    islands: [String(node.island)], migrations: node.island === 2 && row % 5 === 0 ? [{ from: "0", to: "2", time: 0, generation: 11 }] : [],
    operators: made.map((o) => ({ id: o.id, kind: OPERATORS[o.kind] ?? "self_mod", llm_id: MODELS[o.model] ?? null, cost_usd: o.cost, tokens_in: o.tokens_in, tokens_out: o.tokens_out, prompt: o.kind === 2 ? "Improve the packing. Keep every circle inside the unit square and do not overlap them." : null, verdict: o.kind === 6 ? (o.flags & 2 ? "rejected" : "accepted") : null, score_before: o.kind === 6 ? 0.41 : null, score_after: o.kind === 6 ? 0.47 : null, target_path: null, proposal: null })),
    agents: node.generation > 22 ? [{ id: "agent-v7", verdict: "accepted", score_before: 0.41, score_after: 0.47 }] : [],
    events: made.map((o) => ({ eventType: "RUNNING", eventTime: new Date((o.time || 0) * 1000).toISOString(), run: { runId: "0d5c7e9e-9f5a-4b5c-8f0e-1f2f3f4f5f6f", facets: { hutchOperator: { operator_id: o.id, kind: OPERATORS[o.kind] ?? "self_mod", cost_usd: o.cost, tokens_in: o.tokens_in, tokens_out: o.tokens_out } } }, job: { namespace: "hutch", name: data.run }, inputs: parents.map((id) => ({ namespace: "hutch", name: `individual:${id}` })), outputs: [{ namespace: "hutch", name: `individual:${node.id}` }], producer: "https://github.com/xyin-anl/hutch/v0.1.0" })),
  };
}

export const status = (patch = {}) => ({ mode: "live", state: "ok", endpoint: "http://localhost:5000", backend: "marquez", captured: 1207, sent: 1204, queued: 3, failed: 0, rejected: 0, last_error: null, running: false, can_go_live: true, source: "this session", ...patch });

/** A model as anywidget gives it, without a kernel: remembers what was sent, `answer` may reply. */
export function fakeModel(traits = {}, answer = null) {
  const values = { height: 640, theme: "auto", static_class: "", status: status({ mode: "memory", state: "memory" }), view: { kind: "individual", run: null, colour: "metric:sum_radii", focus: null, query: "", tab: "details" }, selected_row: -1, ...traits };
  const heard = {};
  const model = {
    sent: [],
    get: (name) => values[name],
    set: () => {
      throw new Error("only Python sets traits");
    },
    save_changes: () => {
      throw new Error("only Python sets traits");
    },
    on: (event, f) => (heard[event] ??= new Set()).add(f),
    off: (event, f) => (f ? heard[event]?.delete(f) : heard[event]?.clear()),
    send: (content) => {
      model.sent.push(content);
      answer?.(content, model);
    },
    /** As Python would. */
    push: (content, buffers = []) => heard["msg:custom"]?.forEach((f) => f(content, buffers)),
    change: (name, value) => {
      values[name] = value;
      heard[`change:${name}`]?.forEach((f) => f());
    },
    tell: (event) => heard[event]?.forEach((f) => f()),
    kernel: { disposed: { connect: (f) => (heard.disposed ??= new Set()).add(f), disconnect: (f) => heard.disposed?.delete(f) }, statusChanged: { connect: (f) => (heard.kernel ??= new Set()).add(f), disconnect: (f) => heard.kernel?.delete(f) }, tell: (state) => heard.kernel?.forEach((f) => f(null, state)) },
    get widget_manager() {
      return { kernel: model.kernel };
    },
    listeners: () => Object.values(heard).reduce((n, set) => n + set.size, 0),
  };
  return model;
}

/** All events of a made-up run, as Python finds them. */
function found(data, { query, offset, limit }) {
  const all = data.nodes.filter((n) => !(n.flags & GHOST)).flatMap((n) => detail(data, n.row).events);
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const events = [];
  let position = offset;
  for (; position < all.length && events.length < limit; position++) if (words.every((word) => JSON.stringify(all[position]).toLowerCase().includes(word))) events.push({ position, event: all[position] });
  return { events, next: position < all.length ? position : null, total: all.length };
}

/** So many bytes of a made-up file come in one message. */
const PART = 8;

/** What Python says of files: the form is the token. */
function exported(data, { forms, form, token, offset }) {
  if (forms) return [{ forms: { html: "Page (HTML)", graphml: "Graph (GraphML)", jsonl: "Hutch events (JSONL)", "frames.zip": "Every frame (CSV)" } }];
  if (form) return [{ token: form }];
  const file = new TextEncoder().encode(`${token} of ${data.run}`);
  return [{ size: file.length, offset, notes: token === "jsonl" ? "scores left out: 7" : "" }, [new DataView(file.buffer.slice(offset, offset + PART))]];
}

/** An answer for `fakeModel` that sends the details, events and files asked for. */
export const answering = (data) => (content, model) => {
  if (content.op === "export") {
    const [answer, buffers] = exported(data, content);
    model.push({ op: "answer", serial: content.serial, ...answer }, buffers);
  }
  if (content.op === "events") model.push({ op: "answer", serial: content.serial, ...found(data, content) });
  if (content.op === "details") model.push({ op: "details", details: Object.fromEntries(content.rows.map((row) => [row, detail(data, row)])) });
};
