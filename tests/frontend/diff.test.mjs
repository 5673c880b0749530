// Line diffs: nothing is lost, little is changed, and large texts come back in bounded time.
import assert from "node:assert/strict";
import { test } from "node:test";
import { random } from "../../hutch_lineage/explorer/frontend/dev/synth.mjs";
import { MAX_CHANGES, hunks, lineDiff, looksUnified, readUnified, tally } from "../../hutch_lineage/explorer/frontend/src/words/diff.js";
import { unified } from "../../hutch_lineage/explorer/frontend/src/words/words.js";

const before = (lines) => lines.filter((l) => l.kind !== "add").map((l) => l.text).join("\n");
const after = (lines) => lines.filter((l) => l.kind !== "del").map((l) => l.text).join("\n");
const shown = (lines) => lines.map((l) => ({ same: " ", add: "+", del: "-" })[l.kind] + l.text);

test("a changed line goes and comes between the same ones", () => {
  assert.deepEqual(shown(lineDiff("a\nb\nc\n", "a\nB\nc\n")), [" a", "-b", "+B", " c"]);
});

test("equal texts, empty texts and line ends of Windows make no change", () => {
  assert.deepEqual(tally(lineDiff("a\nb", "a\r\nb\r\n")), { added: 0, removed: 0 });
  assert.deepEqual(lineDiff("", ""), []);
  assert.deepEqual(shown(lineDiff("", "x")), ["+x"]);
});

test("both texts can be read back from the diff, and it is as short as the longest common part allows", () => {
  const R = random(11);
  for (let round = 0; round < 300; round++) {
    const text = () => Array.from({ length: Math.floor(R() * 14) }, () => "abcd"[Math.floor(R() * 4)]);
    const [a, b] = [text(), text()];
    const lines = lineDiff(a.join("\n"), b.join("\n"));
    assert.deepEqual([before(lines), after(lines)], [a.join("\n"), b.join("\n")]);
    assert.equal(lines.filter((l) => l.kind === "same").length, common(a, b));
  }
});

function common(a, b) {
  const table = Array.from({ length: a.length + 1 }, () => new Array(b.length + 1).fill(0));
  for (let i = 1; i <= a.length; i++) for (let j = 1; j <= b.length; j++) table[i][j] = a[i - 1] === b[j - 1] ? table[i - 1][j - 1] + 1 : Math.max(table[i - 1][j], table[i][j - 1]);
  return table[a.length][b.length];
}

test("texts that differ beyond the bound are replaced whole", () => {
  const many = (word) => Array.from({ length: MAX_CHANGES }, (_, i) => `${word}${i}`).join("\n");
  const lines = lineDiff(many("x"), many("y"));
  assert.deepEqual(tally(lines), { added: MAX_CHANGES, removed: MAX_CHANGES });
  assert.deepEqual([before(lines), after(lines)], [many("x"), many("y")]);
});

test("a unified diff is read line by line, its heads apart", () => {
  const lines = readUnified("--- a\n+++ b\n@@ -1,2 +1,2 @@\n same\n-old\n+new\n");
  assert.deepEqual(lines.map((l) => l.kind), ["head", "head", "head", "same", "del", "add"]);
  assert.equal(looksUnified("-old\n+new"), true);
  assert.equal(looksUnified("a sentence about - something"), false);
});

test("only the changes and what is around them are kept, with a word on the rest", () => {
  const lines = lineDiff("1\n2\n3\n4\n5\n6\n7\n8", "1\n2\n3\n4\n5\n6\nX\n8");
  assert.deepEqual(hunks(lines, 1).map((l) => l.text), ["5 lines unchanged", "6", "7", "X", "8"]);
});

test("texts of very many lines that have nothing in common", () => {
  const lines = lineDiff("\n".repeat(199_000), "a");
  assert.equal(tally(lines).added, 1);
  assert.equal(unified(lines).length, lines.length);
  assert.equal(unified(lineDiff("a", "\n".repeat(199_000))).length, lines.length);
});
