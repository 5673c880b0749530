// Questions to the lineage: ancestors, descendants, the best and the way to it, money.
import assert from "node:assert/strict";
import { test } from "node:test";
import { byBirth } from "../../hutch_lineage/explorer/frontend/src/lineage/births.js";
import { ancestors, best, costOf, countOf, descendants, gainOnParents, pathTo } from "../../hutch_lineage/explorer/frontend/src/lineage/lineage.js";
import { focusMask } from "../../hutch_lineage/explorer/frontend/src/lineage/focus.js";
import { ids, storeOf } from "./small.mjs";

const marked = (store, mask) => ids(store, [...mask.keys()].filter((row) => mask[row]));

const family = () => storeOf(
  [["s1", 0, { flags: 1, score: 1 }], ["s2", 0, { flags: 1, score: 2 }], ["a", 1, { score: 3 }], ["b", 1, { score: 2 }], ["c", 2, { score: 5 }], ["bad", 2, { score: 9, flags: 4 }], ["alone", 1, { score: 4 }]],
  [["s1", "a"], ["s2", "a", 1], ["s2", "b"], ["a", "c"], ["b", "c", 1], ["b", "bad"]],
  [["o1", "a", 0.1], ["o2", "b", 0.2], ["o3", "c", 0.4], ["o4", "bad", NaN]],
);

test("ancestors and descendants hold the node and all above or below it", () => {
  const store = family();
  const n = store.nodes.count;
  assert.deepEqual(marked(store, ancestors(store.links, n, 4)), ["s1", "s2", "a", "b", "c"]);
  assert.deepEqual(marked(store, descendants(store.links, n, 1)), ["s2", "a", "b", "c", "bad"]);
  assert.equal(countOf(ancestors(store.links, n, 6)), 1);
});

test("parents come in their order, children in the order they were born", () => {
  const store = storeOf([["p", 0], ["q", 0], ["x", 1], ["y", 1]], [["q", "x", 1], ["p", "x", 0], ["p", "y", 0]]);
  assert.deepEqual(ids(store, store.links.parents(2)), ["p", "q"]);
  assert.deepEqual(ids(store, store.links.children(0)), ["x", "y"]);
});

test("the best is seen and valid, and follows the metric's direction", () => {
  const store = family();
  const given = { count: store.nodes.count, score: store.nodes.get("m:score"), flags: store.nodes.get("flags"), visible: new Uint8Array(7).fill(1), byBirth: byBirth(store) };
  assert.equal(store.id(best({ ...given, lower: false })), "c");
  assert.equal(store.id(best({ ...given, lower: true })), "s1");
  assert.equal(best({ ...given, score: [], lower: false }), -1);
});

test("the path steps to the parent with the best score; equal and unknown scores go to the first", () => {
  const store = family();
  const score = store.nodes.get("m:score");
  assert.deepEqual(ids(store, pathTo(store.links, 4, score, false).rows), ["s2", "a", "c"]);
  assert.deepEqual(ids(store, pathTo(store.links, 4, score, true).rows), ["s2", "b", "c"]);
  assert.deepEqual(ids(store, pathTo(store.links, 4, new Float64Array(7).fill(NaN), false).rows), ["s1", "a", "c"]);
});

test("a path ends where a cycle closes", () => {
  const store = storeOf([["a", 0], ["b", 1], ["c", 2]], [["a", "b"], ["b", "c"], ["c", "a"], ["b", "b", 1]]);
  const { rows, edges } = pathTo(store.links, 2, [], false);
  assert.deepEqual(ids(store, rows), ["a", "b", "c"]);
  assert.equal(edges.length, 2);
  assert.equal(countOf(ancestors(store.links, 3, 0)), 3);
});

test("a chain of 100,000 needs no recursion", () => {
  const n = 100_000;
  const nodes = Array.from({ length: n }, (_, i) => [`n${i}`, i]);
  const store = storeOf(nodes, nodes.slice(1).map(([id], i) => [`n${i}`, id]));
  assert.equal(countOf(ancestors(store.links, n, n - 1)), n);
  assert.equal(pathTo(store.links, n - 1, [], false).rows.length, n);
});

test("the gain is on the best parent and positive when better, whatever the direction", () => {
  const store = family();
  const score = store.nodes.get("m:score");
  assert.deepEqual(gainOnParents(store.links, 4, score, false), { gain: 2, parent: 2 });
  assert.deepEqual(gainOnParents(store.links, 4, score, true), { gain: -3, parent: 3 });
  assert.equal(gainOnParents(store.links, 0, score, false).gain, NaN);
});

test("each operator is paid once, and one without a price is counted as such", () => {
  const store = family();
  const child = store.operators.get("child");
  const up = ancestors(store.links, store.nodes.count, 4);
  const lineage = costOf(store.operators, (o) => up[child[o]] === 1);
  assert.deepEqual([lineage.operators, lineage.cost.toFixed(2), lineage.tokensIn], [3, "0.70", 30]);
  assert.equal(costOf(store.operators, () => true).unpriced, 1);
});

test("each focus marks what its name says", () => {
  const store = family();
  const score = store.nodes.get("m:score");
  const of = (mode, row) => marked(store, focusMask(store.links, store.nodes.count, { mode, row }, score, false));
  assert.deepEqual(of("ancestors", 3), ["s2", "b"]);
  assert.deepEqual(of("descendants", 3), ["b", "c", "bad"]);
  assert.deepEqual(of("both", 3), ["s2", "b", "c", "bad"]);
  assert.deepEqual(of("path", 4), ["s2", "a", "c"]);
});
