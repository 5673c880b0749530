// What follows from store and view: who is shown, in which colour, what a search finds.
import assert from "node:assert/strict";
import { test } from "node:test";
import { NONE, STEPS, colouring, palette } from "../../hutch_lineage/explorer/frontend/src/picture/colour.js";
import { completeness } from "../../hutch_lineage/explorer/frontend/src/frame/foot.js";
import { told } from "../../hutch_lineage/explorer/frontend/src/frame/strip.js";
import { nodeColumns } from "../../hutch_lineage/explorer/frontend/src/panels/nodecolumns.js";
import { ids, storeOf } from "./small.mjs";

const run = () => storeOf(
  [["s", 0, { flags: 1, score: 1, loss: 9 }], ["a", 1, { score: 2, loss: 4, op: 0, model: 1, cost: 0.5 }], ["b", 1, { score: 3, loss: 1, op: 1, island: 1, cost: 0.1 }], ["bad", 2, { flags: 4, op: 0 }], ["lost", 0, { flags: 2, generation: -1 }], ["agent", 0, { kind: 1 }], ["other", 0, { run: 1, score: 100 }]],
  [["s", "a"], ["s", "b"], ["lost", "b", 1], ["a", "bad"]],
);

test("only the chosen kind and run are shown, and counted", () => {
  const store = run();
  store.view.run = "r1";
  const { rows, counts } = store.scene.index;
  assert.deepEqual(ids(store, rows), ["s", "lost", "a", "b", "bad"]);
  assert.deepEqual([counts.total, counts.ghosts, counts.seeds, counts.invalid, counts.edges, counts.second], [4, 1, 1, 1, 4, 1]);
  store.setView({ kind: "agent" });
  assert.deepEqual(ids(store, store.scene.index.rows), ["agent"]);
});

test("the best end of the ramp is the best value, whichever direction that is", () => {
  const store = run();
  store.view.run = "r1";
  for (const [colour, left, right] of [["metric:score", 1, 3], ["metric:loss", 9, 1]]) {
    store.setView({ colour });
    const { index, legend } = store.scene.colouring;
    assert.deepEqual([index[0], index[2]], [0, STEPS - 1]);
    assert.deepEqual([legend.left, legend.right], [left, right]);
    assert.deepEqual([index[3], index[4]], [NONE, NONE]);
    assert.equal(store.id(store.scene.path.best), "b");
  }
});

test("names take a colour each, in the order of the categories", () => {
  const store = run();
  store.setView({ colour: "operator", run: "r1" });
  const { index, legend } = store.scene.colouring;
  assert.deepEqual(legend.entries.map((e) => [e.name, e.count]), [["mutate", 2], ["crossover", 1]]);
  assert.notEqual(index[1], index[2]);
  assert.equal(index[0], NONE);
  assert.equal(new Set(palette("light")).size, palette("light").length);
});

test("operator, model, island, agent and run each have a colour for each of their names; a run is called by its name", () => {
  const categories = { run: ["r1", "r2"], operator: ["mutate", "crossover"], model: ["m-small", "m-large"], island: ["north", "south"], kind: ["program"], agent: ["coder", "judge"] };
  const first = { op: 0, model: 0, island: 0, agent: 0, run: 0 };
  const second = { op: 1, model: 1, island: 1, agent: 1, run: 1 };
  const store = storeOf([["a", 0, first], ["b", 1, second], ["c", 1, second], ["none", 1, { run: 1 }]], [], [], { categories });
  for (const colour of ["operator", "model", "island", "agent", "run"]) {
    store.setView({ colour });
    const { index, legend } = store.scene.colouring;
    const names = colour === "run" ? ["one", "two"] : categories[colour];
    assert.deepEqual(legend.entries.map(({ name, text, count }) => [name, text, count]), [[categories[colour][0], names[0], 1], [categories[colour][1], names[1], colour === "run" ? 3 : 2]]);
    assert.notEqual(index[0], index[1]);
    assert.equal(index[1], index[2]);
    assert.equal(index[3] === NONE, colour !== "run", colour);
  }
});

test("cost, age and generation have a ramp", () => {
  const store = storeOf([["a", 0, { cost: 1, time: 5 }], ["b", 1, { cost: 3, time: 9 }], ["c", 2, { cost: 2, time: 7 }]], []);
  for (const [colour, least, most] of [["cost", 0, 1], ["age", 0, 1], ["generation", 0, 2]]) {
    store.setView({ colour });
    const { index, legend } = store.scene.colouring;
    assert.deepEqual([legend.kind, index[least], index[most]], ["ramp", 0, STEPS - 1], colour);
  }
});

test("a few stray values do not hide the others, and the legend says so", () => {
  const nodes = Array.from({ length: 100 }, (_, i) => [`n${i}`, 0, { score: i === 50 ? -1e9 : i / 100 }]);
  const store = storeOf(nodes, []);
  const { legend, index } = colouring(store, "metric", store.scene.index.visible, { name: "score", lower: false });
  assert.equal(legend.clipped, true);
  assert.ok(legend.left > -1 && legend.right === 0.99);
  assert.deepEqual([index[50], index[99]], [0, STEPS - 1]);
});

test("a search finds ids, operators, models and islands, all words must match, without regard to case", () => {
  const store = run();
  store.view.run = "r1";
  const find = (query) => (store.setView({ query }), store.scene.hits && ids(store, store.scene.hits));
  assert.deepEqual(find("BAD"), ["bad"]);
  assert.deepEqual(find("mutate"), ["a", "bad"]);
  assert.deepEqual(find("m-large"), ["a"]);
  assert.deepEqual(find("mutate bad"), ["bad"]);
  assert.deepEqual(find("crossover bad"), []);
  assert.deepEqual(find("no such thing"), []);
  assert.equal(find("  "), null);
});

test("layers of individuals are generations where Python says so, else depths", () => {
  const unit = (layouts, more) => storeOf([["a", 0, more], ["b", 1, more]], [["a", "b"]], [], { layouts }).scene.unit;
  assert.equal(unit({ generations: { axis: "generation" } }), "gen");
  assert.equal(unit({ generations: { axis: "generation" } }, { kind: 1 }), "depth");
  assert.equal(unit({ generations: { axis: "depth" } }), "depth");
  assert.equal(unit(undefined), "depth");
});

test("penalties do not take the digits of the others", () => {
  const nodes = Array.from({ length: 100 }, (_, i) => [`n${i}`, 0, { score: i % 10 ? 0.9 + i / 1250 : -1e6, loss: i % 10 ? 0.1 + i / 1250 : 1e6 }]);
  const store = storeOf(nodes, []);
  const columns = nodeColumns(store, store.scene.index.rows);
  for (const key of ["m:score", "m:loss"]) {
    const { text } = columns.find((column) => column.key === key);
    assert.equal(new Set(nodes.map((_, row) => text(row))).size, 91, key);
  }
});

test("the strip keeps the first, the last and the largest gains, and has the others in their places", () => {
  const gains = [0, 5, 0, 1, 9, 0, 2];
  const gain = (/** @type {number} */ row) => gains[row];
  const rows = [0, 1, 2, 3, 4, 5, 6];
  assert.deepEqual(told(rows, 910, gain), rows);
  assert.deepEqual(told(rows, 720, gain), [0, 1, [2, 3], 4, [5], 6]);
  assert.deepEqual(told(rows, 200, gain), [0, 1, [2, 3], 4, [5], 6], "where there is no room for them, they scroll");
  assert.deepEqual(told(rows, 720, gain, new Set([2, 3])), [0, 1, 2, 3, 4, [5], 6]);
  assert.deepEqual(told([0], 0, gain), [0]);
});

test("the best follows the metric chosen for it, else that of the colours, else the run's own", () => {
  const store = storeOf([["a", 0, { score: 1, loss: 3 }], ["b", 1, { score: 2, loss: 5 }]], [["a", "b"]]);
  const is = (/** @type {any} */ patch) => {
    store.setView(patch);
    return [store.id(store.scene.path.best), store.scene.metric.name, store.scene.colouring.legend.label];
  };
  assert.deepEqual(is({}), ["b", "score", "score ↑"]);
  assert.deepEqual(is({ colour: "metric:loss" }), ["a", "loss", "loss ↓"]);
  assert.deepEqual(is({ colour: "operator" }), ["b", "score", "operator"]);
  assert.deepEqual(is({ colour: "metric:score", best: "loss" }), ["a", "loss", "score ↑"]);
  assert.deepEqual(is({ colour: "", best: "loss" }), ["a", "loss", "score ↑"]);
  assert.deepEqual(is({ best: "gone" }), ["b", "score", "score ↑"]);
});

test("the foot says what is drawn, and what is not", () => {
  const all = { nodes: 9, full: true, inView: 9, total: 9, edges: "all", edgesInView: 8, edgesDrawn: 8, strands: 0 };
  assert.equal(completeness(all), "all drawn");
  assert.equal(completeness({ ...all, total: 100_000 }), "9 of 100,000 in view, all drawn");
  assert.equal(completeness({ ...all, edges: "some", edgesInView: 9000, edgesDrawn: 4500 }), "all drawn, 4,500 of 9,000 edges");
  const many = { ...all, nodes: 0, full: false, inView: 20_000, total: 20_000, edges: "strands", edgesInView: 25_000, edgesDrawn: 21_000, strands: 900 };
  assert.equal(completeness(many), "all as density, 21,000 of 25,000 edges in 900 strands");
  assert.equal(completeness({ ...many, edges: "none", nodes: 40, inView: 7000 }), "40 one by one, 7,000 of 20,000 as density, no edges drawn at this scale");
});

test("a run with agents alone shows them, until there is an individual", () => {
  const agents = [["first", 0, { kind: 1 }], ["second", 1, { kind: 1 }]];
  const store = storeOf(agents, [["first", "second"]]);
  assert.equal(store.scene.kind, "agent");
  assert.deepEqual(ids(store, store.scene.index.rows), ["first", "second"]);
  const both = storeOf([...agents, ["one", 0, {}]], [["first", "second"]]);
  assert.equal(both.scene.kind, "individual");
  assert.equal(storeOf([], []).scene.kind, "individual");
  const runs = storeOf([["s", 0], ["first", 0, { kind: 1, run: 1 }], ["lost", 0, { flags: 2, run: 1 }]], []);
  runs.setView({ run: "r2" });
  assert.equal(runs.scene.kind, "agent");
  assert.deepEqual(ids(runs, runs.scene.index.rows), ["first"]);
  runs.setView({ run: null });
  assert.equal(runs.scene.kind, "individual");
});
