import assert from "node:assert/strict";
import { test } from "node:test";
import { lineDiff, readUnified, sequenceDiff } from "../../hutch_lineage/explorer/frontend/src/words/diff.js";
import { sideBySide, unified, wordDiff } from "../../hutch_lineage/explorer/frontend/src/words/words.js";

const cut = (text, marks) => marks.map(([a, b]) => text.slice(a, b));
const random = (seed) => () => (seed = (seed * 16807) % 2147483647) / 2147483647;

test("within a line only the words that changed are marked", () => {
  const [a, b] = ["    r = hex_grid(n, 0.1)", "    r = hex_grid(m, 0.096)"];
  const { del, add, alike } = wordDiff(a, b);
  assert.deepEqual([cut(a, del), cut(b, add)], [["n", "1"], ["m", "096"]]);
  assert.ok(alike > 0.7);
});

test("words are those of any script, and a surrogate pair is never cut", () => {
  const { add } = wordDiff("größe = 1 😀", "größe = 1 😁");
  assert.deepEqual(cut("größe = 1 😁", add), ["😁"]);
});

test("a line that became another one stands beside it; the others have nothing beside them", () => {
  const rows = sideBySide(lineDiff("a\nx = compute(1, 2)\nz\n", "a\nnew first\nx = compute(1, 3)\nz\n"));
  assert.deepEqual(rows.map(({ left, right }) => [left?.text ?? null, right?.text ?? null]), [["a", "a"], [null, "new first"], ["x = compute(1, 2)", "x = compute(1, 3)"], ["z", "z"]]);
  assert.deepEqual(rows[2].marks, { del: [[15, 16]], add: [[15, 16]] });
});

test("in one column the old lines of a block come before its new ones", () => {
  const lines = lineDiff("p = 1\nq = 2\n", "p = 3\nq = 4\n");
  assert.deepEqual(unified(lines).map(({ line }) => line.kind), ["del", "del", "add", "add"]);
  assert.deepEqual(unified(lines).map(({ marks }) => marks.length), [1, 1, 1, 1]);
});

test("both texts can be read from the sides, in order, whatever changed", () => {
  const next = random(5);
  const text = () => Array.from({ length: 1 + Math.floor(next() * 30) }, () => `${"abcd"[Math.floor(next() * 4)]} = ${Math.floor(next() * 3)}`).join("\n");
  for (let i = 0; i < 200; i++) {
    const [a, b] = [text(), text()];
    const lines = lineDiff(a, b);
    const rows = sideBySide(lines);
    assert.equal(rows.filter((r) => r.left).map((r) => r.left.text).join("\n"), a);
    assert.equal(rows.filter((r) => r.right).map((r) => r.right.text).join("\n"), b);
    const [olds, news] = [lines.filter((l) => l.a), lines.filter((l) => l.b)];
    assert.deepEqual([olds.map((l) => l.a), news.map((l) => l.b)], [a, b].map((t) => t.split("\n").map((_, n) => n + 1)));
  }
});

test("lines that differ in white space alone are the same when that does not count", () => {
  const lines = lineDiff("if x:\n    y\n", "if x:\n\ty  \n", { whitespace: false });
  assert.deepEqual(lines.map((l) => l.kind), ["same", "same"]);
  assert.deepEqual([lines[1].old, lines[1].text], ["    y", "\ty  "]);
  assert.deepEqual(lineDiff("a\n", "a \n").map((l) => l.kind), ["del", "add"]);
});

test("a very long line is one change and takes no time", () => {
  const [a, b] = ["x".repeat(200_000), "y".repeat(200_000)];
  const start = performance.now();
  assert.deepEqual(wordDiff(a, b), { del: [], add: [], alike: 0 });
  assert.ok(performance.now() - start < 1000);
});

test("a unified diff is numbered where its heads say so", () => {
  const lines = readUnified("@@ -10,3 +20,3 @@\n same\n-old\n+new\n");
  assert.deepEqual(lines.slice(1).map(({ a, b }) => [a, b]), [[10, 20], [11, 0], [0, 21]]);
});

test("lists in common, head, middle and tail", () => {
  assert.deepEqual(sequenceDiff(["a", "b", "c"], ["a", "x", "c"]), ["same", "del", "add", "same"]);
});
