// Words and numbers: short, aligned, rounded to what is known.
import assert from "node:assert/strict";
import { test } from "node:test";
import * as f from "../../hutch_lineage/explorer/frontend/src/words/format.js";

const table = (name, fn, rows) => test(name, () => {
  for (const [expected, ...given] of rows) assert.equal(fn(...given), expected);
});

table("scores take fixed decimals, an exponent where those would hide them, a dash where there is none", f.number, [
  ["2.6358", 2.6358, 4], ["0.10", 0.1, 2], ["−3.000", -3, 3], ["1,204", 1204, 3], ["1.500e−9", 1.5e-9, 4], ["0.0014", 0.001433, 2], ["1.000e12", 1e12, 2], ["–", NaN], ["–", null], ["∞", Infinity], ["−∞", -Infinity], ["0.0000", 0, 4],
]);
table("metrics drop the zeros that say nothing", f.short, [["1", 1], ["3.41", 3.41], ["1,000", 1000], ["–", undefined]]);
table("differences carry their sign", f.signed, [["+0.0046", 0.0046, 4], ["−0.20", -0.2, 2], ["±0", 0], ["–", NaN]]);
table("money is rounded to what matters", f.money, [["$0.012", 0.012], ["$1.24", 1.24], ["$1,205", 1204.6], ["$0", 0], ["–", NaN], ["$0.00012", 0.00012], ["$0.0095", 0.0095], ["$0.0010", 0.001], ["$0.010", 0.00999], ["$0.637", 0.637]]);
table("tokens are short", f.tokens, [["845", 845], ["9,999", 9999], ["12.3k", 12345], ["235k", 234567], ["4.1M", 4.1e6], ["–", NaN]]);
table("times read as people say them", f.duration, [["3.4 s", 3.4], ["59 s", 59], ["1 min 0 s", 59.6], ["2 min 5 s", 125], ["50 min 0 s", 2999.9], ["1 h 0 min", 3599.8], ["1 h 12 min", 4330], ["–", NaN]]);
table("a range decides the decimals", f.decimalsFor, [[4, 2.1, 2.64], [1, 0, 500], [6, 0.001, 0.004], [4, 1, 1]]);
table("one and many", f.counted, [["1 edge", 1, "edge"], ["2,410 edges", 2410, "edge"], ["0 children", 0, "child", "children"]]);
table("a destination is its backend and host", f.destination, [
  ["Marquez · localhost:5000", "http://localhost:5000/api/v1/lineage", "marquez"], ["127.0.0.1:8080", "http://127.0.0.1:8080", "generic"], ["not a url", "not a url", "generic"], ["", "", "generic"],
]);

test("a direction that nobody declared is said to be assumed, an end that is none is named", () => {
  assert.deepEqual([f.directed({ name: "loss", direction: "lower", declared: true }), f.directed({ name: "loss", lower: false, declared: false })], ["loss ↓", "loss ↑ assumed"]);
  assert.deepEqual([f.ending({ status: "failed" }), f.ending({ status: "cancelled" }), f.ending({ status: "finished" }), f.ending({ status: null }), f.ending(undefined)], [" · failed", " · cancelled", "", "", ""]);
});

test("a long text is cut between characters", () => {
  assert.deepEqual([f.clip("abc", 3), f.clip("abcd", 3), f.clip("ab😀", 3)], ["abc", "abc…", "ab…"]);
});
