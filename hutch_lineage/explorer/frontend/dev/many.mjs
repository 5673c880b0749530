// Made-up runs of any size, straight as columns: a hundred thousand in a blink, a million in some seconds. No Node APIs.

const OPERATORS = ["seed", "mutate", "refine", "crossover", "migrate", "restart"];
const MODELS = ["claude-sonnet-4-6", "gpt-5-mini", "qwen3-32b"];
const NODE_TYPES = { kind: "u1", run: "i4", x: "f4", y: "f4", generation: "i4", flags: "u2", island: "i4", agent: "i4", op: "i4", model: "i4", itype: "i4", cost: "f8", tokens: "f8", time: "f8", "m:score": "f8", "m:seconds": "f8" };
const EDGE_TYPES = { src: "u4", dst: "u4", order: "u1", op: "i4", flags: "u1" };
const OPERATOR_TYPES = { kind: "i4", model: "i4", agent: "i4", cost: "f8", tokens_in: "f8", tokens_out: "f8", child: "u4", time: "f8", flags: "u1", score_before: "f8", score_after: "f8" };
const ARRAYS = { f4: Float32Array, f8: Float64Array, i4: Int32Array, u4: Uint32Array, u2: Uint16Array, u1: Uint8Array };
const ISLANDS = 4;
const RING = 12;
const T0 = 1_760_000_000;

const table = (types, rows) => Object.fromEntries(Object.entries(types).map(([name, t]) => [name, new ARRAYS[t](rows)]));

/**
 * A run as columns.
 * @param {{individuals?: number, generations?: number, seed?: number, invalid?: number, second?: number}} wanted
 */
export function manyRows({ individuals = 100_000, generations = Math.max(2, Math.round(Math.sqrt(individuals) / 3)), seed = 7, invalid = 0.04, second = 0.3 } = {}) {
  let s = seed;
  const R = () => (s = (s * 16807) % 2147483647) / 2147483647;
  const n = individuals;
  const nodes = table(NODE_TYPES, n);
  const edges = table(EDGE_TYPES, 2 * n);
  const operators = table(OPERATOR_TYPES, n);
  const fitness = new Float64Array(n);
  const starts = [0];
  let m = 0;
  const seeds = Math.min(24, n);
  const weight = (g) => 0.55 + 0.6 * Math.sin((Math.PI * (g + 1)) / (generations + 2)) + 0.15 * Math.sin(g * 1.7);
  let whole = 0;
  for (let g = 1; g < generations; g++) whole += weight(g);
  for (let g = 0, row = 0; g < generations; g++) {
    const count = g === 0 ? seeds : g === generations - 1 ? n - row : Math.min(n - row, Math.max(1, Math.round(((n - seeds) * weight(g)) / whole)));
    const from = starts[Math.max(0, g - 1)];
    // The pool of parents, the fittest first.
    const pool = g ? Array.from({ length: starts[g] - from }, (_, i) => from + i).sort((a, b) => fitness[b] - fitness[a]) : [];
    for (let i = 0; i < count; i++, row++) {
      const first = g ? pool[Math.floor(R() ** 1.6 * pool.length)] : -1;
      const further = g && R() < second ? pool[Math.floor(R() * pool.length)] : -1;
      const base = g ? Math.max(fitness[first], further >= 0 ? fitness[further] : 0) : 0.1 + R() * 0.08;
      const f = Math.max(0.01, base + (1 - base) * (R() - 0.93) * 0.11 * (R() + 0.2));
      const bad = g > 0 && R() < invalid;
      fitness[row] = bad ? 0 : f;
      const model = g ? Math.floor(R() * R() * 3) : -1;
      const op = g ? (further >= 0 && further !== first ? 3 : [1, 2, 2, 1, 4, 5][Math.floor(R() * R() * 6)]) : 0;
      const cost = g ? (0.004 + R() ** 6 * 0.4) * (3 - model) : NaN;
      const time = T0 + g * 97 + (i / count) * 90;
      const tokens = g ? 110 + Math.round(R() ** 3 * 4000) : NaN;
      const island = g ? (nodes.island[first] + (R() < 0.02 ? 1 : 0)) % ISLANDS : i % ISLANDS;
      nodes.x[row] = nodes.generation[row] = g;
      nodes.flags[row] = (g ? 0 : 1) | (bad ? 4 : 0);
      nodes.island[row] = island;
      nodes.agent[row] = g ? Math.floor(g / 8) % 6 : -1;
      nodes.op[row] = op;
      nodes.model[row] = model;
      nodes.cost[row] = cost;
      nodes.tokens[row] = tokens;
      nodes.time[row] = time;
      nodes["m:score"][row] = bad ? NaN : 2.1 + f * 0.54;
      nodes["m:seconds"][row] = bad ? NaN : 9 - 6 * f + R();
      operators.kind[row] = op;
      operators.model[row] = model;
      operators.agent[row] = nodes.agent[row];
      operators.cost[row] = cost;
      operators.tokens_in[row] = tokens;
      operators.child[row] = row;
      operators.time[row] = time;
      for (const [order, parent] of [first, further].entries()) {
        if (parent < 0 || (order && parent === first)) continue;
        edges.src[m] = parent;
        edges.dst[m] = row;
        edges.order[m] = order;
        edges.op[m++] = row;
      }
    }
    place(nodes, edges, starts[g], row, m, g);
    starts.push(row);
  }
  return { n, m, nodes, edges, operators, generations, starts };
}

/** Slots of one generation: in the order of the first parents' slots, centred. */
function place(nodes, edges, from, to, m, g) {
  const want = new Float64Array(to - from);
  for (let e = m - 1; e >= 0 && edges.dst[e] >= from; e--) if (!edges.order[e]) want[edges.dst[e] - from] = nodes.y[edges.src[e]];
  const order = Array.from(want, (_, i) => i).sort((a, b) => want[a] - want[b] || a - b);
  order.forEach((i, slot) => (nodes.y[from + i] = slot - (order.length - 1) / 2 + (g % 2 ? 0.2 : -0.15)));
}

/** Places of another layout, as the Python side would send them: columns and what they mean. */
export function placesOf(data, layout) {
  const { n, m, nodes, edges } = data;
  const x = new Float32Array(n);
  const y = new Float32Array(n);
  const parent = new Int32Array(n).fill(-1);
  for (let e = 0; e < m; e++) if (!edges.order[e]) parent[edges.dst[e]] = edges.src[e];
  if (layout === "time") {
    // Layers of the clock, each filled from the middle.
    const unit = 60;
    const taken = new Map();
    for (let i = 0; i < n; i++) {
      x[i] = Math.floor((nodes.time[i] - T0) / unit);
      const at = taken.get(x[i]) ?? 0;
      taken.set(x[i], at + 1);
      y[i] = at % 2 ? (at + 1) / 2 : -at / 2;
    }
    return { x, y, meaning: { axis: "time", t0: T0, unit_s: unit, lanes: [], rings: 0 } };
  }
  if (layout === "islands") {
    const tall = Math.max(...nodes.y) / ISLANDS + 1;
    const count = new Map();
    const lanes = Array.from({ length: ISLANDS }, (_, i) => ({ name: String(i), y0: i * 2 * tall, y1: (i * 2 + 1.9) * tall }));
    const size = new Map();
    const key = (i) => nodes.generation[i] * ISLANDS + nodes.island[i];
    for (let i = 0; i < n; i++) size.set(key(i), (size.get(key(i)) ?? 0) + 1);
    for (let i = 0; i < n; i++) {
      const at = count.get(key(i)) ?? 0;
      count.set(key(i), at + 1);
      const lane = lanes[nodes.island[i]];
      x[i] = nodes.generation[i];
      y[i] = (lane.y0 + lane.y1) / 2 + ((at - (size.get(key(i)) - 1) / 2) * Math.min(1, (lane.y1 - lane.y0) / size.get(key(i))));
    }
    return { x, y, meaning: { axis: "generation", lanes, rings: 0 } };
  }
  // A tree along first parents: leaves in order, parents above the middle of theirs.
  const children = Array.from({ length: n }, () => /** @type {number[]} */ ([]));
  const roots = [];
  for (let i = 0; i < n; i++) (parent[i] < 0 ? roots : children[parent[i]]).push(i);
  let leaves = 0;
  const stack = roots.reverse().slice();
  const after = [];
  while (stack.length) {
    const row = stack.pop();
    after.push(row);
    x[row] = parent[row] < 0 ? 0 : x[parent[row]] + 1;
    if (!children[row].length) y[row] = leaves++;
    else for (let i = children[row].length - 1; i >= 0; i--) stack.push(children[row][i]);
  }
  for (let i = n - 1; i >= 0; i--) {
    const row = after[i];
    const own = children[row];
    if (own.length) y[row] = (y[own[0]] + y[own.at(-1)]) / 2;
  }
  if (layout !== "radial") return { x, y, meaning: { axis: "depth", lanes: [], rings: 0 } };
  let rings = 0;
  for (let i = 0; i < n; i++) {
    const [r, a] = [x[i] + 1, (y[i] / leaves) * 2 * Math.PI];
    rings = Math.max(rings, r);
    [x[i], y[i]] = [RING * r * Math.cos(a), RING * r * Math.sin(a)];
  }
  return { x, y, meaning: { axis: "none", lanes: [], rings, ring: RING } };
}

function texts(from, to, buffers) {
  const encoder = new TextEncoder();
  const offsets = new Uint32Array(to - from + 1);
  const bytes = encoder.encode(Array.from({ length: to - from }, (_, i) => {
    const id = `ind-${(0x10000 + (from + i)).toString(16)}`;
    offsets[i + 1] = offsets[i] + id.length;
    return id;
  }).join(""));
  return { t: "str", b: buffers.push(new DataView(bytes.buffer)) - 1, o: buffers.push(new DataView(offsets.buffer)) - 1 };
}

function part(columns, types, from, to, buffers) {
  return Object.fromEntries(Object.entries(types).map(([name, t]) => {
    const copy = columns[name].slice(from, to);
    return [name, { t, b: buffers.push(new DataView(copy.buffer)) - 1 }];
  }));
}

/** One message with the rows from..to. */
export function manyMessage(data, { from = 0, to = data.n, reset = from === 0, version = 1, layouts = [] } = {}) {
  const buffers = [];
  const edge = (row) => {
    let [low, high] = [0, data.m];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (data.edges.dst[middle] < row) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const [e0, e1] = [edge(from), edge(to)];
  const columns = { id: texts(from, to, buffers), ...part(data.nodes, NODE_TYPES, from, to, buffers) };
  const meanings = { generations: { axis: "generation" } };
  for (const layout of layouts) {
    const { x, y, meaning } = placesOf(data, layout);
    Object.assign(columns, part({ [`x:${layout}`]: x, [`y:${layout}`]: y }, { [`x:${layout}`]: "f4", [`y:${layout}`]: "f4" }, from, to, buffers));
    meanings[layout] = meaning;
  }
  return {
    content: {
      op: "graph", reset, version, layouts: meanings,
      tables: {
        nodes: { start: from, count: to - from, columns },
        edges: { start: e0, count: e1 - e0, columns: part(data.edges, EDGE_TYPES, e0, e1, buffers) },
        operators: { start: from, count: to - from, columns: part(data.operators, OPERATOR_TYPES, from, to, buffers) },
      },
      patches: {},
      categories: { run: ["many"], operator: OPERATORS, model: MODELS, island: ["0", "1", "2", "3"], agent: ["agent-0", "agent-1", "agent-2", "agent-3", "agent-4", "agent-5"], kind: ["program"] },
      metrics: [{ name: "score", direction: "higher", declared: true }, { name: "seconds", direction: "lower", declared: false }],
      runs: [{ id: "many", name: "many", project: "packing", status: "running", default_metric: "score" }],
      summary: { individuals: to, agents: 0, edges: e1, ghosts: 0, notes: [] },
    },
    buffers,
  };
}

/** A layout that Python was asked for: its places of all rows, as a whole-column patch. */
export function layoutMessage(data, layout, version = 2) {
  const { x, y, meaning } = placesOf(data, layout);
  const columns = { [`x:${layout}`]: { t: "f4", b: 0 }, [`y:${layout}`]: { t: "f4", b: 1 } };
  return {
    content: { op: "graph", reset: false, version, tables: {}, patches: { nodes: [{ rows: null, columns }] }, layouts: { [layout]: meaning } },
    buffers: [new DataView(x.buffer), new DataView(y.buffer)],
  };
}
