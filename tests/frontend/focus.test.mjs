// Focus: steps around, the way between two; in diamonds, cycles, loops and with parents that were never seen.
import assert from "node:assert/strict";
import { test } from "node:test";
import { around, between, focusMask } from "../../hutch_lineage/explorer/frontend/src/lineage/focus.js";
import { ids, storeOf } from "./small.mjs";

const marked = (store, mask) => ids(store, [...mask.keys()].filter((row) => mask[row])).join(" ");
const row = (store, id) => Array.from({ length: store.nodes.count }, (_, i) => i).find((i) => store.id(i) === id);
const way = (store, a, b) => marked(store, between(store.links, store.nodes.count, row(store, a), row(store, b)));

//  s1 ── a ── c ── e        s2 ── b ── c,d      alone
const family = () => storeOf(
  [["s1", 0], ["s2", 0], ["a", 1], ["b", 1], ["c", 2], ["d", 2], ["e", 3], ["alone", 1], ["f", 3]],
  [["s1", "a"], ["s2", "b"], ["a", "c"], ["b", "c", 1], ["b", "d"], ["c", "e"], ["d", "f"]],
);

test("steps go up and down in any mixture", () => {
  const store = family();
  const reach = (id, k) => marked(store, around(store.links, store.nodes.count, row(store, id), k));
  assert.equal(reach("c", 0), "c");
  assert.equal(reach("c", 1), "a b c e");
  assert.equal(reach("c", 2), "s1 s2 a b c d e");
  assert.equal(reach("alone", 9), "alone");
});

test("between two of one line lies every directed path, whichever is named first", () => {
  const store = storeOf([["s", 0], ["l", 1], ["r", 1], ["x", 2], ["off", 2], ["end", 3]], [["s", "l"], ["s", "r"], ["l", "x"], ["r", "x", 1], ["l", "off"], ["x", "end"]]);
  assert.equal(way(store, "s", "end"), "s l r x end");
  assert.equal(way(store, "end", "s"), "s l r x end");
  assert.equal(way(store, "l", "l"), "l");
});

test("between two of different lines the way goes over their most recent common ancestors", () => {
  const store = family();
  assert.equal(way(store, "e", "f"), "b c d e f");
  const twins = storeOf([["p", 0], ["q", 0], ["a", 1], ["b", 1]], [["p", "a"], ["q", "a", 1], ["p", "b"], ["q", "b", 1]]);
  assert.equal(way(twins, "a", "b"), "p q a b");
});

test("two that share no ancestor stand alone", () => {
  assert.equal(way(family(), "e", "alone"), "e alone");
});

test("cycles and loops neither hang nor hide the way", () => {
  const store = storeOf([["a", 0], ["b", 1], ["c", 2], ["x", 3], ["y", 3]], [["a", "b"], ["b", "c"], ["c", "a"], ["b", "b", 1], ["c", "x"], ["b", "y"]]);
  assert.equal(way(store, "a", "c"), "a b c");
  assert.equal(way(store, "x", "y"), "a b c x y");
  assert.equal(marked(store, around(store.links, 5, 1, 1)), "a b c y");
});

test("a chain of 100,000 is no matter", () => {
  const n = 100_000;
  const nodes = Array.from({ length: n }, (_, i) => [`n${i}`, i]);
  const store = storeOf(nodes, nodes.slice(1).map(([id], i) => [`n${i}`, id]));
  assert.equal(between(store.links, n, 0, n - 1).reduce((a, b) => a + b), n);
  assert.equal(around(store.links, n, 0, n).reduce((a, b) => a + b), n);
});

test("a focus on what is not there leaves everything bright", () => {
  const { links } = family();
  for (const focus of [{ mode: "ancestors", row: 99 }, { mode: "between", row: 1 }, { mode: "between", row: 1, other: 99 }, { mode: "improvements", row: -1 }, { mode: "new", row: 1 }]) assert.equal(focusMask(links, 9, focus, [], false), null);
});
