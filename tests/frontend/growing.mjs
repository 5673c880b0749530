// A run that grows message by message, as runs do, and in all the other ways that the tables allow: for tests that extend what is known by what is new.
import { columns } from "../../hutch_lineage/explorer/frontend/dev/synth.mjs";

const NODES = { id: "json", kind: "u1", run: "i4", x: "f4", y: "f4", generation: "i4", flags: "u2", island: "i4", op: "i4", model: "i4", cost: "f8", time: "f8", "m:score": "f8" };
const OPERATORS = { kind: "i4", model: "i4", cost: "f8", tokens_in: "f8", tokens_out: "f8", child: "u4", time: "f8", flags: "u1", score_before: "f8", score_after: "f8", benchmark: "i4", id: "json" };
const MAKERS = { op: "u4", src: "u4" };
const MIGRATIONS = { node: "u4", from: "i4", to: "i4", time: "f8" };
const EDGES = { src: "u4", dst: "u4", order: "u1", op: "i4", flags: "u1" };

/** Numbers below one, the same each time. */
export function chance(seed) {
  let state = seed;
  return (/** @type {number} */ below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** A run that grows as runs do: mostly at its end; ghosts are seen, values come late, cycles close, and now and then a place moves. */
export class Run {
  constructor(seed) {
    this.pick = chance(seed);
    this.nodes = [];
    this.edges = [];
    this.operators = [];
    this.makers = [];
    this.migrations = [];
    this.version = 0;
  }

  message(/** @type {number} */ many) {
    const { pick, nodes, edges } = this;
    const { operators, makers, migrations } = this;
    const [before, edgesBefore, operatorsBefore, makersBefore, migrationsBefore] = [nodes, edges, operators, makers, migrations].map((table) => table.length);
    const looped = /** @type {Set<number>} */ (new Set());
    for (let i = 0; i < many; i++) {
      const row = nodes.length;
      const x = pick(40) ? Math.floor(row / 12) : pick(Math.floor(row / 6) + 3);
      nodes.push({ id: `n${row}`, kind: +!pick(30), run: pick(2), x: pick(50) ? x : NaN, y: pick(60) ? pick(12) : pick(60) - 20, generation: x, flags: pick(6) ? 0 : [1, 2, 4, 8, 16, 12][pick(6)], island: pick(3), op: pick(3), model: pick(2), cost: pick(100) / 100, time: 1000 + row, score: pick(5) ? pick(400) / 7 : NaN });
      const parents = row && pick(15) ? new Set(Array.from({ length: 1 + +!pick(3) }, () => (pick(5) ? Math.max(0, row - 1 - pick(20)) : pick(row)))) : new Set();
      const op = parents.size && pick(8) ? this.#operator(row) : -1;
      for (const [p, src] of [...parents].entries()) edges.push({ src, dst: row, order: p, op, flags: 0 });
      if (!pick(15)) migrations.push({ node: row, from: pick(3), to: pick(3), time: 1000 + row });
      if (row > 5 && !pick(40)) this.#close(row, pick(row), looped);
    }
    const touched = [...new Set(Array.from({ length: before ? pick(8) : 0 }, () => pick(before)))].sort((a, b) => a - b);
    const moved = !pick(12);
    for (const row of touched) Object.assign(nodes[row], { flags: [0, 1, 4, 9][pick(4)], score: pick(3) ? pick(500) / 7 : NaN, op: pick(3), cost: pick(100) / 100, ...(moved && { x: pick(20), y: pick(15) }) });
    const mended = edgesBefore && !pick(6) ? [pick(edgesBefore)] : [];
    for (const e of mended) edges[e].flags ^= 2;
    // A second operator made an older one, too: its edge names the newer, and both say what they used.
    const again = edgesBefore && !pick(4) ? [pick(edgesBefore)] : [];
    for (const e of again) {
      const held = edges[e].op;
      edges[e].op = this.#operator(edges[e].dst);
      for (const op of [held, edges[e].op]) if (op >= 0) makers.push({ op, src: edges[e].src });
    }
    const priced = operatorsBefore && !pick(3) ? [pick(operatorsBefore)] : [];
    for (const o of priced) Object.assign(operators[o], { cost: pick(4) ? pick(100) / 100 : NaN, kind: pick(3), score_after: pick(9) });
    const buffers = [];
    const part = (rows, start, types) => ({ start, count: rows.length - start, columns: columns(rows.slice(start), types, buffers) });
    const patch = (rows, numbers, types) => {
      const index = buffers.push(Uint32Array.from(numbers)) - 1;
      const { id, ...others } = types;
      return numbers.length ? [{ rows: { t: "u4", b: index }, columns: columns(numbers.map((n) => rows[n]), others, buffers) }] : [];
    };
    const content = {
      op: "graph", reset: !before, version: ++this.version,
      tables: {
        nodes: part(nodes, before, NODES), edges: part(edges, edgesBefore, EDGES), operators: part(operators, operatorsBefore, OPERATORS),
        makers: part(makers, makersBefore, MAKERS), migrations: part(migrations, migrationsBefore, MIGRATIONS),
      },
      patches: { nodes: patch(nodes, touched, NODES), edges: patch(edges, [...new Set([...mended, ...again, ...looped])].filter((e) => e < edgesBefore), EDGES), operators: patch(operators, priced, OPERATORS) },
      categories: { run: ["r0", "r1"], operator: ["a", "b", "c"], model: ["m", "n"], island: ["0", "1", "2"], agent: [], kind: [], benchmark: ["score", "other"] },
      metrics: [{ name: "score", direction: "higher", declared: true }],
      runs: ["r0", "r1"].map((id) => ({ id, name: id, default_metric: "score" })),
    };
    return [content, buffers];
  }

  /** An edge that closes a cycle: it and all others of the cycle are marked. */
  #close(/** @type {number} */ src, /** @type {number} */ dst, /** @type {Set<number>} */ looped) {
    const { edges } = this;
    edges.push({ src, dst, order: 1, op: -1, flags: 0 });
    const reach = (/** @type {number} */ row, from, to) => {
      const met = new Set([row]);
      for (const each of met) for (const edge of edges) if (edge[from] === each) met.add(edge[to]);
      return met;
    };
    const below = reach(dst, "src", "dst");
    if (!below.has(src)) return;
    const above = reach(src, "dst", "src");
    edges.forEach((edge, e) => {
      if (![edge.src, edge.dst].every((row) => below.has(row) && above.has(row))) return;
      edge.flags |= 1;
      looped.add(e);
    });
  }

  /** An operator that made a row; now and then its event names another child, too. */
  #operator(/** @type {number} */ child) {
    const { pick, operators } = this;
    const said = { id: `o${operators.length}`, kind: pick(4) - 1, model: pick(3) - 1, cost: pick(4) ? pick(100) / 100 : NaN, tokens_in: pick(5) ? pick(900) : NaN, tokens_out: pick(90), time: 1000 + operators.length, flags: 0, score_before: pick(9), score_after: pick(9), benchmark: pick(3) - 1 };
    if (!pick(10)) operators.push({ ...said, child: pick(child + 1) });
    return operators.push({ ...said, child }) - 1;
  }
}
