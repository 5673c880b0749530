// What is shown: names hidden by the legend, collapsed subtrees, chains, dead ends, improvements. Nothing is lost silently.
import assert from "node:assert/strict";
import { test } from "node:test";
import { HIDDEN, unhiding } from "../../hutch_lineage/explorer/frontend/src/lineage/visible.js";
import { ids, storeOf } from "./small.mjs";

const shown = (store) => ids(store, [...store.scene.shown.mask.keys()].filter((row) => store.scene.shown.mask[row])).join(" ");
const bridges = (store) => store.scene.shown.bridges.map(({ src, dst, count }) => `${store.id(src)}-${count}-${store.id(dst)}`).sort();
const folded = (store) => Object.fromEntries([...store.scene.shown.folded].map(([row, n]) => [store.id(row), n]));
const at = (store, ...names) => names.map((name) => Array.from({ length: store.nodes.count }, (_, i) => i).find((i) => store.id(i) === name));
const collapsed = (store, ...names) => (store.setView({ collapsed: at(store, ...names) }), store);

const tree = () => storeOf(
  [["s", 0, { flags: 1, score: 1 }], ["t", 0, { flags: 1, score: 0 }], ["a", 1, { score: 2 }], ["b", 2, { score: 3 }], ["c", 2, { score: 1 }], ["d", 3, { score: 2.5 }], ["e", 3, { score: 4 }]],
  [["s", "a"], ["a", "b"], ["a", "c"], ["b", "d"], ["t", "d", 1], ["b", "e"]],
);

test("with nothing hidden the picture is the rows of the kind and run", () => {
  const store = tree();
  assert.equal(shown(store), "s t a b c d e");
  assert.equal(store.scene.shown.mask, store.scene.within);
});

test("a name hidden by the legend hides its rows, and the others keep their colours", () => {
  const store = storeOf([["s", 0, { flags: 1, score: 1 }], ["m", 1, { op: 0, score: 9 }], ["x", 1, { op: 1, score: 5 }]], [["s", "m"], ["s", "x"]]);
  const colours = [...store.scene.colouring.index];
  store.setView({ hidden: { operator: ["mutate", "unheard of"], agent: ["nobody"], nonsense: ["a"] } });
  assert.equal(shown(store), "s x");
  assert.deepEqual([...store.scene.colouring.index], colours);
  assert.equal(store.id(store.scene.path.best), "x");
  assert.deepEqual([...store.scene.shown.why], [0, HIDDEN.name, 0]);
});

test("what lies outside a range, or has no value for it, is hidden and told apart; the others keep their colours", () => {
  const store = storeOf([["s", 0, { flags: 1, score: 1, cost: 0.1 }], ["m", 1, { score: 9, cost: 0.5 }], ["x", 1, { score: 5 }], ["bad", 2, { score: 5, flags: 4 }], ["none", 2]], [["s", "m"], ["s", "x"]]);
  const colours = [...store.scene.colouring.index];
  const range = (name, low, high, missing = false) => store.setView({ ranges: { ...store.view.ranges, [name]: { low, high, missing } } });
  range("metric:score", 5, null);
  assert.equal(shown(store), "m x");
  assert.deepEqual([...store.scene.shown.why], [HIDDEN.range, 0, 0, HIDDEN.missing, HIDDEN.missing]);
  assert.deepEqual([...store.scene.colouring.index], colours);
  range("metric:score", null, 5, true);
  assert.equal(shown(store), "s x bad none");
  assert.equal(store.id(store.scene.path.best), "x");
  range("cost", 0.1, 0.2);
  assert.equal(shown(store), "s");
  assert.equal(store.scene.hiddenCounts.total, 4);
  store.setView(unhiding(store, 1));
  assert.deepEqual(store.view.ranges, {});
});

test("ages and generations have ranges, in the numbers of the legend", () => {
  const store = storeOf([["s", 0, { time: 100 }], ["a", 1, { time: 130 }], ["b", 2, { time: 190 }], ["lost", 0, { flags: 2, generation: -1 }]], [["s", "a"], ["a", "b"]]);
  store.setView({ ranges: { age: { low: 30, high: 60, missing: false } } });
  assert.equal(shown(store), "a");
  store.setView({ ranges: { generation: { low: 1, high: null, missing: false } } });
  assert.equal(shown(store), "a b");
});

test("a collapsed subtree hides what only it leads to; a child with another parent stays, on a bridge", () => {
  const store = collapsed(tree(), "a");
  assert.equal(shown(store), "s t a d");
  assert.deepEqual(folded(store), { a: 3 });
  assert.deepEqual(bridges(store), ["a-1-d"]);
  assert.equal(store.id(store.scene.path.best), "e");
});

test("a root within a collapsed subtree is folded too; each hidden one is counted once", () => {
  const store = collapsed(tree(), "a", "b");
  assert.deepEqual(folded(store), { a: 3 });
  assert.equal(shown(collapsed(store, "b")), "s t a b c d");
});

test("two roots that lead to one child fold it together", () => {
  const store = collapsed(storeOf([["p", 0], ["q", 0], ["x", 1], ["y", 2]], [["p", "x"], ["q", "x", 1], ["x", "y"]]), "p");
  assert.equal(shown(store), "p q x y");
  assert.equal(shown(collapsed(store, "p", "q")), "p q");
  assert.deepEqual(folded(store), { p: 2 });
});

test("a root in a cycle, or with a loop, stays and folds the rest of it", () => {
  const cycle = () => storeOf([["a", 0], ["b", 1], ["c", 2], ["d", 3]], [["a", "b"], ["b", "c"], ["c", "a"], ["a", "a", 1], ["c", "d"]]);
  assert.equal(shown(collapsed(cycle(), "b")), "b");
  assert.equal(shown(collapsed(cycle(), "a", "b")), "a");
  assert.equal(shown(collapsed(cycle(), "d")), "a b c d");
});

test("rows that are not there, or not shown, collapse nothing", () => {
  const store = tree();
  store.setView({ collapsed: [99, -1] });
  assert.equal(shown(store), "s t a b c d e");
});

test("linear chains of two or more become a bridge with their number; the best and seeds stay", () => {
  const nodes = Array.from({ length: 7 }, (_, i) => [`n${i}`, i, { flags: i ? 0 : 1, score: i === 4 ? 9 : i }]);
  const store = storeOf(nodes, nodes.slice(1).map(([id], i) => [`n${i}`, id]));
  store.setView({ chains: true });
  assert.equal(shown(store), "n0 n4 n5 n6");
  assert.deepEqual(bridges(store), ["n0-3-n4"]);
  assert.equal(store.scene.shown.why[1], HIDDEN.chain);
});

test("a chain that is a circle stays, and a long one needs no recursion", () => {
  const circle = storeOf([["a", 0], ["b", 1], ["c", 2]], [["a", "b"], ["b", "c"], ["c", "a"]]);
  circle.setView({ chains: true });
  assert.equal(shown(circle), "a b c");
  const n = 100_000;
  const nodes = Array.from({ length: n }, (_, i) => [`n${i}`, i]);
  const long = storeOf(nodes, nodes.slice(1).map(([id], i) => [`n${i}`, id]));
  long.setView({ chains: true });
  assert.deepEqual(bridges(long), [`n0-${n - 2}-n${n - 1}`]);
  long.setView({ chains: false, collapsed: [0] });
  assert.deepEqual(folded(long), { n0: n - 1 });
  long.setView({ collapsed: [], dead_ends: true });
  assert.equal(long.scene.index.rows.length, n);
});

test("dead ends lead neither to the best, nor to the last generation, nor to what waits for its evaluation", () => {
  const store = storeOf(
    [["s", 0, { score: 1 }], ["dead", 1, { score: 1 }], ["best", 1, { score: 9 }], ["a", 1, { score: 2 }], ["last", 2, { score: 3 }], ["p", 0, { score: 1 }], ["waiting", 1], ["bad", 1, { flags: 4 }], ["g", 0, { flags: 2, generation: -1 }]],
    [["s", "dead"], ["s", "best"], ["s", "a"], ["a", "last"], ["p", "waiting"], ["p", "bad"], ["g", "dead", 1]],
  );
  store.setView({ dead_ends: true });
  assert.equal(shown(store), "s best a last p waiting");
  assert.equal(store.scene.shown.why[1], HIDDEN.deadEnd);
});

test("improvements are better than all their parents, or the best so far; what is between is bridged", () => {
  const store = storeOf(
    [["s", 0, { flags: 1, score: 1 }], ["worse", 1, { score: 0 }], ["mid", 2, { score: -1 }], ["up", 3, { score: 5 }], ["same", 4, { score: 5 }], ["bad", 4, { flags: 4, score: 99 }], ["top", 5, { score: 6 }], ["idle", 0, { flags: 1, score: 0.5 }], ["g", 0, { flags: 2 }], ["lone", 1, { score: 3 }]],
    [["s", "worse"], ["worse", "mid"], ["mid", "up"], ["up", "same"], ["up", "bad"], ["same", "top"], ["same", "same", 1], ["g", "lone"]],
  );
  store.setView({ focus: { mode: "improvements", row: -1 } });
  assert.equal(shown(store), "s up top");
  assert.deepEqual(bridges(store), ["s-2-up", "up-1-top"]);
  assert.equal(store.scene.focus, null);
});

test("improvements follow the metric's direction, and without a metric nothing is hidden", () => {
  const store = storeOf([["s", 0, { flags: 1, loss: 3 }], ["a", 1, { loss: 4 }], ["b", 2, { loss: 2 }]], [["s", "a"], ["a", "b"]]);
  store.setView({ colour: "metric:loss", focus: { mode: "improvements", row: -1 } });
  assert.equal(shown(store), "s b");
  const bare = storeOf([["s", 0], ["a", 1]], [["s", "a"]], [], { metrics: [] });
  bare.setView({ focus: { mode: "improvements", row: -1 } });
  assert.equal(shown(bare), "s a");
});

test("folds work together: every hidden one has its reason", () => {
  const store = collapsed(tree(), "b");
  store.setView({ dead_ends: true, chains: true });
  const { why, mask } = store.scene.shown;
  for (let row = 0; row < mask.length; row++) assert.equal(!mask[row], why[row] > 0);
  assert.equal(store.scene.index.rows.length + [...why].filter(Boolean).length, 7);
});
