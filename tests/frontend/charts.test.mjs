// What the charts compute, against cases worked out by hand: no scores, ghosts, cycles, both directions, several runs.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Deliveries } from "../../hutch_lineage/explorer/frontend/src/data/deliveries.js";
import { csv } from "../../hutch_lineage/explorer/frontend/src/panels/files.js";
import { agentTree, lineOf, tallyOf } from "../../hutch_lineage/explorer/frontend/src/panels/data/agents.js";
import { edge, listed } from "../../hutch_lineage/explorer/frontend/src/panels/data/delivery.js";
import { efficacy } from "../../hutch_lineage/explorer/frontend/src/panels/data/efficacy.js";
import { operatorGains, operatorsShown } from "../../hutch_lineage/explorer/frontend/src/panels/data/gains.js";
import { islands, matrix } from "../../hutch_lineage/explorer/frontend/src/panels/data/islands.js";
import { evaluated } from "../../hutch_lineage/explorer/frontend/src/panels/data/order.js";
import { BestSoFar, medians, valueRange } from "../../hutch_lineage/explorer/frontend/src/panels/data/progress.js";
import { seedShares } from "../../hutch_lineage/explorer/frontend/src/panels/data/seeds.js";
import { courseOfRun, cumulative, spending, spendingOfRun } from "../../hutch_lineage/explorer/frontend/src/panels/data/spending.js";
import { countCells, ends, extremes, joined, nearestTo } from "../../hutch_lineage/explorer/frontend/src/panels/data/thin.js";
import { costOf } from "../../hutch_lineage/explorer/frontend/src/lineage/lineage.js";
import { ids, storeOf } from "./small.mjs";

const SEED = 1, GHOST = 2, INVALID = 4, REJECTED = 16;
const scored = (/** @type {any} */ store, axis = "evaluations") => {
  const all = evaluated(store, /** @type {any} */ (axis));
  return { all, found: all.found };
};
const bestSoFar = (found, group, /** @type {boolean} */ lower) => new BestSoFar().of(found, group, lower, { points: 0, of: found }, "");
const round = (/** @type {ArrayLike<number>} */ values) => Array.from(values, (v) => Math.round(v * 1e6) / 1e6);

const family = (more = {}) => storeOf(
  [["s", 0, { score: 1, flags: SEED, time: 10 }], ["a", 1, { score: 3, time: 20 }], ["b", 1, { score: 2, time: 25 }], ["c", 2, { score: 9, flags: INVALID, time: 30 }], ["d", 2, { score: 4, time: 41 }], ["g", 0, { flags: GHOST, generation: -1 }], ["e", 2, { time: 50 }]],
  [["s", "a", 0, { op: 0 }], ["s", "b", 0, { op: 1 }], ["a", "c", 0, { op: 2 }], ["a", "d", 0, { op: 3 }], ["b", "d", 1, { op: 3 }], ["g", "e", 0, { op: 4 }]],
  [["o1", "a", 1, { time: 20 }], ["o2", "b", 1, { time: 25 }], ["o3", "c", 1, { time: 30 }], ["o4", "d", 2, { kind: 1, time: 41 }], ["o5", "e", NaN, { kind: 1, time: 50 }]], more);

test("evaluations count what was scored or found invalid, in the order of time", () => {
  const { all, found } = scored(family());
  assert.deepEqual([Array.from(all.x), all.unscored, all.can.time, all.can.generation], [[1, 2, 3, 4, 5], 1, true, true]);
  assert.deepEqual([Array.from(found.x), Array.from(found.y), all.unfit], [[1, 2, 3, 5], [1, 3, 2, 4], 1]);
  assert.deepEqual(Array.from(scored(family(), "time").found.x), [0, 10, 15, 31]);
  assert.deepEqual(Array.from(scored(family(), "generation").found.x), [0, 1, 1, 2]);
});

test("without times the order is that of arrival, and time is no axis", () => {
  const store = storeOf([["a", 0, { score: 1 }], ["b", 0, { score: 2, time: 5 }]], []);
  const { all } = scored(store, "time");
  assert.deepEqual([all.axis, Array.from(all.x)], ["evaluations", [1, 2]]);
});

test("the best so far only ever gets better, in the metric's direction", () => {
  const { found } = scored(family());
  const one = { length: 0 };
  assert.deepEqual(bestSoFar(found, one, false).map(({ x, y, end }) => ({ x, y, end })), [{ x: [1, 2, 5], y: [1, 3, 4], end: 5 }]);
  assert.deepEqual(bestSoFar(found, one, true)[0].y, [1]);
});

test("each run has a line of its own, and its own count of evaluations", () => {
  const store = storeOf([["a", 0, { score: 1 }], ["b", 0, { score: 5, run: 1 }], ["c", 1, { score: 2 }]], []);
  const { found } = scored(store);
  assert.deepEqual(bestSoFar(found, store.nodes.get("run"), false).map(({ key, x, y }) => [key, x, y]), [[0, [1, 2], [1, 2]], [1, [1], [5]]]);
});

test("over generations the best so far is that of the generations, though they were not evaluated in turn", () => {
  const store = storeOf([["a", 0, { score: 1 }], ["b", 2, { score: 2 }], ["c", 1, { score: 9 }]], []);
  const { found } = scored(store, "generation");
  assert.deepEqual(bestSoFar(found, { length: 0 }, false)[0].x, [0, 1]);
});

test("the median is the middle of each generation", () => {
  const { found } = scored(family(), "generation");
  assert.deepEqual(medians(found, family().nodes.get("generation")), { x: [0, 1, 2], y: [1, 2.5, 4] });
});

test("nothing scored leaves nothing to draw", () => {
  const store = storeOf([["a", 0], ["b", 1, { flags: GHOST }]], []);
  const { all, found } = scored(store);
  assert.deepEqual([all.rows.length, all.unscored, found.rows.length], [0, 1, 0]);
  assert.deepEqual(bestSoFar(found, { length: 0 }, false), []);
  assert.deepEqual(medians(found, []), { x: [], y: [] });
  assert.ok(Number.isNaN(valueRange(found.y, false).low));
});

test("a few that are far worse do not flatten the scale, and are counted", () => {
  const y = Float64Array.from({ length: 100 }, (_, i) => (i < 2 ? -1e6 : i));
  const range = valueRange(y, false);
  assert.deepEqual([range.high, range.beyond, range.low > -300], [99, 2, true]);
  assert.equal(valueRange(y.map((v) => -v), true).beyond, 2);
  assert.equal(valueRange(y, false, true).lost, 2);
});

test("thinning keeps each pixel's extremes, the ends, and counts every point", () => {
  const n = 10_000;
  const x = Float64Array.from({ length: n }, (_, i) => i);
  const y = x.map((i) => (i === 5_003 ? 1e6 : i === 5_004 ? -1e6 : Math.sin(i)));
  const kept = extremes(x, y, 100);
  assert.ok(kept.length <= 202 && kept.includes(5_003) && kept.includes(5_004) && kept[0] === 0 && kept.at(-1) === n - 1);
  assert.ok(kept.every((at, i) => !i || at > kept[i - 1]));
  assert.deepEqual(ends(x, 100), extremes(x, x, 100));
  assert.deepEqual([ends([1, 2, 9], 5), nearestTo([1, 4, 9], 7), nearestTo([1, 4, 9], 99), nearestTo([1, 4, 9], -1)], [[0, 1, 2], 2, 2, 0]);
  const plain = { from: 0, factor: 1, start: 0, log: false };
  const { cells, most } = countCells([0.2, 0.9, 1.5, 7, -1], [0, 0, 99, 0, 0], plain, plain, 2, 2);
  assert.deepEqual([...countCells([1, 100], [5, 6], { ...plain, log: true }, { ...plain, from: 5, factor: -1, start: 1 }, 3, 2).cells], [0, 0, 1, 1, 0, 0]);
  assert.deepEqual([[...cells], most], [[2, 0, 0, 1], 2]);
  assert.deepEqual(joined([{ x: [1, 3], y: [5, 6] }, { x: [2], y: [7] }]), [[1, 2, 3], [5, null, 6], [null, 7, null]]);
});

test("a child belongs to its parents in equal parts; what descends from a ghost has no known seed", () => {
  const { seeds, shares, unknown, at } = seedShares(family());
  assert.deepEqual([ids(family(), seeds), at], [["s"], [0, 1, 2]]);
  assert.deepEqual(round(shares[0]), round([1, 1, 2 / 3]));
  assert.deepEqual(round(unknown), round([0, 0, 1 / 3]));
});

test("a cycle shares what leads into it, a self loop changes nothing", () => {
  const store = storeOf(
    [["a", 0, { flags: SEED }], ["b", 0, { flags: SEED }], ["x", 1, { flags: 8 }], ["y", 1, { flags: 8 }], ["z", 2]],
    [["a", "a"], ["a", "x"], ["b", "y"], ["y", "x", 1, { flags: 1 }], ["x", "y", 1, { flags: 1 }], ["x", "z"]],
  );
  const { seeds, shares, others } = seedShares(store, { top: 1 });
  assert.deepEqual(ids(store, seeds), ["a"]);
  assert.deepEqual([round(shares[0]), round(others)], [[0.5, 0.5, 0.5], [0.5, 0.5, 0.5]]);
});

test("without generations the shares are those of time windows, or of the order", () => {
  const timed = storeOf([["a", 0, { generation: -1, time: 0.5 }], ["b", 0, { generation: -1, time: 1.5 }]], []);
  assert.equal(seedShares(timed).by, "time");
  assert.equal(seedShares(storeOf([["a", 0, { generation: -1 }]], [])).by, "order");
  assert.deepEqual(seedShares(storeOf([], [])).at, []);
});

test("a try improves when the child is better than its best parent; an invalid one is a compared failure", () => {
  const store = family();
  const [crossover, mutate] = efficacy(store, "operator");
  assert.deepEqual([mutate.name, mutate.tries, mutate.compared, mutate.improvements, mutate.meanGain], ["mutate", 3, 3, 2, 1.5]);
  assert.deepEqual([crossover.tries, crossover.compared, crossover.bestGain, crossover.unknownCost], [2, 1, 1, 1]);
  assert.deepEqual([mutate.gainPerUsd, crossover.gainPerUsd], [1, 0.5]);
  assert.deepEqual([mutate.tokens, Math.round(mutate.gainPerKtoken * 100)], [45, 6667]);
});

test("gains follow the direction, and a self-modification brings its own scores", () => {
  const store = storeOf(
    [["p", 0, { loss: 3 }], ["c", 1, { loss: 1 }], ["n", 1], ["m", 1]], [["p", "c", 0, { op: 0 }]],
    [["o", "c", 1], ["s", "n", 1, { score_before: 0.5, score_after: 0.25, benchmark: 0 }], ["t", "m", 1, { score_before: 0, score_after: 9, benchmark: 1 }]],
    { metrics: [{ name: "loss", direction: "lower", declared: true }], categories: { run: ["r1"], operator: ["mutate"], model: ["m"], island: [], kind: ["program"], benchmark: ["loss", "other"], target: [] } },
  );
  assert.deepEqual([...operatorGains(store)], [2, 0.25, NaN]);
});

test("an operator with two children is paid once, and what has no price is said", () => {
  const store = storeOf([["a", 0], ["b", 1], ["c", 1]], [], [["twin", "b", 2, { time: 5 }], ["twin", "c", 2, { time: 5 }], ["free", "a", NaN, { time: 1 }]]);
  const spent = spendingOfRun(store);
  assert.deepEqual([spent.operators, spent.cost, spent.unpriced, spent.tokensIn], [2, 2, 1, 20]);
  const sum = costOf(store.operators, () => true);
  assert.deepEqual([sum.operators, sum.cost, costOf(store.operators, (o) => o === 1).cost], [2, 2, 2]);
  for (const { x, y } of [courseOfRun(store, true), cumulative(store, spent.rows, true)]) assert.deepEqual([[...x], [...y]], [[0, 4], [0, 2]]);
});

test("islands have their size, their best and their improvements; moves are counted between them", () => {
  const store = storeOf(
    [["a", 0, { island: 0, score: 1 }], ["b", 1, { island: 1, score: 4 }], ["c", 1, { island: 1, score: 9, flags: REJECTED }], ["h", 1]],
    [["a", "b", 0, { op: 0 }]], [["o", "b", 1]], { moves: [["b", 0, 1, 9], ["a", 0, 1, 3], ["a", 1, 0, 5]] },
  );
  const found = islands(store);
  assert.deepEqual(found.islands.map(({ name, size, best, improvements, arrived, left }) => [name, size, best, improvements, arrived, left]), [["0", 1, 0, 0, 1, 2], ["1", 2, 1, 1, 2, 1]]);
  assert.deepEqual([found.homeless, found.moves.map((m) => m.time)], [1, [3, 5, 9]]);
  assert.deepEqual(matrix(found.moves, found.islands), [[0, 2], [1, 0]]);
});

test("agents stand under their first parent; a rejected one is a leaf with its verdict; a cycle ends", () => {
  const agent = (/** @type {any} */ more = {}) => ({ kind: 1, ...more });
  const store = storeOf(
    [["root", 0, agent()], ["kept", 1, agent()], ["lost", 1, agent({ flags: REJECTED })], ["next", 2, agent()], ["x", 0, agent()], ["y", 0, agent()], ["i", 0]],
    [["root", "kept"], ["root", "lost"], ["kept", "next"], ["root", "next", 1], ["x", "y", 0, { flags: 1 }], ["y", "x", 0, { flags: 1 }]],
    [["s1", "kept", 1, { flags: 1, score_before: 0.2, score_after: 0.4, benchmark: 0, target: 0 }], ["s2", "lost", 1, { flags: 2 }], ["s3", "next", 1, { flags: 4 }]],
  );
  const tree = agentTree(store);
  assert.deepEqual(tree.map(({ row, depth, verdict }) => [store.id(row), depth, verdict]), [["root", 0, ""], ["kept", 1, "accepted"], ["next", 2, "pending"], ["lost", 1, "rejected"], ["x", 0, ""], ["y", 1, ""]]);
  assert.deepEqual([tree[1].before, tree[1].after, tree[1].benchmark, tree[1].target, tree[2].also], [0.2, 0.4, "score", "agent.py", 1]);
  assert.deepEqual(ids(store, lineOf(tree, 3)), ["next", "kept", "root"]);
  const { agents, accepted, rejected, pending } = tallyOf(tree);
  assert.deepEqual([agents, accepted, rejected, pending], [6, 1, 1, 1]);
});

test("the delivery log keeps the newest state of each event and knows what is missing", () => {
  const log = new Deliveries();
  const event = (/** @type {number} */ position, state = "queued", reason = "") => ({ position, state, reason, event_type: "RUNNING", event_time: "", job: "j", what: "mutate", inputs: [], outputs: ["individual:a"], status: null });
  const told = { endpoint: "http://x", backend: "generic" };
  log.take(/** @type {any} */ ({ ...told, total: 5, events: [event(3), event(4)] }));
  log.take(/** @type {any} */ ({ ...told, total: 5, events: [event(3, "rejected", "422: No"), event(0, "sent")] }));
  const { events, missing } = listed(log);
  assert.deepEqual([events.map((e) => [e.position, e.state]), missing, edge(log)], [[[4, "queued"], [3, "rejected"], [0, "sent"]], 2, 3]);
  assert.deepEqual(listed(log, { query: "no" }).events.map((e) => e.position), [3]);
  assert.deepEqual(listed(log, { state: "sent" }).events.length, 1);
  log.take(/** @type {any} */ ({ ...told, endpoint: "http://y", total: 5, events: [] }));
  assert.equal(listed(log).missing, 5);
});

test("a table is a file that no spreadsheet runs", () => {
  assert.equal(csv(["a", "b"], [["=1+1", NaN], ['say "hi", you', 0.5]]), 'a,b\r\n\'=1+1,\r\n"say ""hi"", you",0.5\r\n');
});
