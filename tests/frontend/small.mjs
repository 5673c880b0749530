// A lineage drawn by hand, as a store: for tests that must know every answer.
import { columns } from "../../hutch_lineage/explorer/frontend/dev/synth.mjs";
import { Store } from "../../hutch_lineage/explorer/frontend/src/data/store.js";

const NODE_TYPES = { id: "json", kind: "u1", run: "i4", x: "f4", y: "f4", generation: "i4", flags: "u2", island: "i4", op: "i4", model: "i4", agent: "i4", itype: "i4", cost: "f8", tokens: "f8", time: "f8", "m:score": "f8", "m:loss": "f8" };
const EDGE_TYPES = { src: "u4", dst: "u4", order: "u1", op: "i4", flags: "u1" };
const OPERATOR_TYPES = { id: "json", kind: "i4", model: "i4", cost: "f8", tokens_in: "f8", tokens_out: "f8", child: "u4", time: "f8", flags: "u1", score_before: "f8", score_after: "f8", benchmark: "i4", target: "i4" };
const MOVE_TYPES = { node: "u4", from: "i4", to: "i4", time: "f8" };

/**
 * @param {[string, number, any?][]} nodes id, layer, and what differs from the usual
 * @param {[string, string, number?, any?][]} edges parent, child, order, and what differs
 * @param {[string, string, number, any?][]} operators id, child, cost, and what differs
 * @param {any} [rest] what the message says beside; `moves`: node, from, to, time of migrations
 */
export function messageOf(nodes, edges, operators = [], { moves = [], ...rest } = {}) {
  const row = new Map(nodes.map(([id], i) => [id, i]));
  const buffers = [];
  const table = (rows, types) => ({ start: 0, count: rows.length, columns: columns(rows, types, buffers) });
  return {
    content: {
      op: "graph", reset: true, version: 1,
      tables: {
        nodes: table(nodes.map(([id, x, more = {}], i) => ({ id, x, y: i, kind: 0, run: 0, generation: x, flags: 0, island: -1, op: -1, model: -1, agent: -1, itype: 0, cost: NaN, tokens: NaN, time: NaN, score: NaN, loss: NaN, ...more })), NODE_TYPES),
        edges: table(edges.map(([a, b, order = 0, more = {}]) => ({ src: row.get(a), dst: row.get(b), order, op: -1, flags: a === b ? 1 : 0, ...more })), EDGE_TYPES),
        operators: table(operators.map(([id, child, cost, more = {}]) => ({ id, kind: 0, model: 0, cost, tokens_in: 10, tokens_out: 5, child: row.get(child), time: NaN, flags: 0, score_before: NaN, score_after: NaN, benchmark: -1, target: -1, ...more })), OPERATOR_TYPES),
        migrations: table(moves.map(([id, from, to, time = NaN]) => ({ node: row.get(id), from, to, time })), MOVE_TYPES),
      },
      patches: {},
      categories: { run: ["r1", "r2"], operator: ["mutate", "crossover"], model: ["m-small", "m-large"], island: ["0", "1"], kind: ["program"], agent: [], benchmark: ["score", "other"], target: ["agent.py"] },
      metrics: [{ name: "score", direction: "higher", declared: true }, { name: "loss", direction: "lower", declared: true }],
      runs: [{ id: "r1", name: "one", project: "p", status: "running", default_metric: "score" }, { id: "r2", name: "two", project: "p", status: "running", default_metric: null }],
      summary: { individuals: nodes.length, agents: 0, edges: edges.length, ghosts: 0, notes: [] },
      ...rest,
    },
    buffers,
  };
}

export function storeOf(...given) {
  const store = new Store();
  const { content, buffers } = messageOf(...given);
  store.receive(content, buffers);
  return store;
}

export const ids = (store, rows) => Array.from(rows, (row) => store.id(row));
