// Matches of the search that are not shown: counted by the reason, each with what shows them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { beyond } from "../../hutch_lineage/explorer/frontend/src/hands/beyond.js";
import { ids, storeOf } from "./small.mjs";

const run = () => storeOf(
  [["x-s", 0, { flags: 1, score: 1 }], ["x-a", 1, { op: 0, score: 2 }], ["b", 1, { op: 1, score: 3 }], ["end", 3, { score: 9 }], ["x-c", 2, { op: 1, score: 1 }], ["x-agent", 0, { kind: 1 }], ["x-other", 0, { run: 1 }], ["x-both", 0, { run: 1, kind: 1 }]],
  [["x-s", "x-a"], ["x-s", "b"], ["b", "end"], ["x-a", "x-c"]],
);
const told = (store) => beyond(store).reasons.map(({ text, act }) => `${text}: ${act}`);

test("without a search, or with all matches shown, nothing is told", () => {
  const store = run();
  assert.deepEqual(beyond(store), { total: 0, reasons: [] });
  store.setView({ query: "x-s", run: "r1", kind: "individual" });
  assert.equal(beyond(store).total, 0);
});

test("another kind, another run and both are told apart", () => {
  const store = run();
  store.setView({ query: "X-", run: "r1" });
  assert.deepEqual(told(store), ["1 agent: Show agents", "1 in other runs: Show all runs", "1 agent in other runs: Show agents of all runs"]);
  assert.deepEqual(ids(store, store.scene.hits), ["x-s", "x-a", "x-c"]);
});

test("what is offered shows them, whatever hides them", () => {
  const hiding = [
    { hidden: { operator: ["mutate", "crossover"] } }, { ranges: { "metric:score": { low: 5, high: null, missing: false } } }, { ranges: { cost: { low: 5, high: null, missing: false } } },
    { collapsed: [0] }, { dead_ends: true }, { focus: { mode: "improvements", row: -1 } }, { run: "r2" }, { kind: "agent" },
  ];
  for (const patch of hiding) {
    const store = run();
    store.setView({ query: "x-c", ...patch });
    assert.equal(store.scene.hits.length, 0, JSON.stringify(patch));
    const { total, reasons } = beyond(store);
    assert.deepEqual([total, reasons.length], [1, 1], JSON.stringify(patch));
    store.setView(reasons[0].patch);
    assert.deepEqual(ids(store, store.scene.hits), ["x-c"], JSON.stringify(patch));
    assert.equal(beyond(store).total, 0);
  }
});

test("of the hidden names only those of the matches come back", () => {
  const store = run();
  store.setView({ query: "x-a", hidden: { operator: ["mutate", "crossover"], model: ["m-small"] } });
  assert.deepEqual(beyond(store).reasons[0].patch, { hidden: { operator: ["crossover"], model: ["m-small"] } });
});
