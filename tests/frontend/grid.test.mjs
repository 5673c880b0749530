import assert from "node:assert/strict";
import { test } from "node:test";
import { sorted } from "../../hutch_lineage/explorer/frontend/src/panels/data/sorted.js";
import { filterOf } from "../../hutch_lineage/explorer/frontend/src/panels/grid.js";
import { csv } from "../../hutch_lineage/explorer/frontend/src/panels/files.js";

const column = (values, number = true) => ({ key: "v", title: "v", number, value: (i) => values[i], text: (i) => String(values[i]) });

test("sorting is stable, both ways, and what has no value comes last", () => {
  const values = [2, NaN, 1, 2, NaN, 0];
  assert.deepEqual([...sorted([0, 1, 2, 3, 4, 5], column(values), false)], [5, 2, 0, 3, 1, 4]);
  assert.deepEqual([...sorted([0, 1, 2, 3, 4, 5], column(values), true)], [0, 3, 2, 5, 1, 4]);
  assert.deepEqual([...sorted([0, 1, 2], column(["b", "", "a"], false), true)], [0, 2, 1]);
});

test("100,000 rows are sorted at once", () => {
  const values = Float64Array.from({ length: 100_000 }, (_, i) => (i * 7919) % 100_003);
  const start = performance.now();
  const out = sorted(Int32Array.from(values.keys()), column(values), true);
  assert.ok(performance.now() - start < 2_000);
  assert.ok(out.every((row, i) => i === 0 || values[out[i - 1]] >= values[row]));
});

test("a filter takes words of texts and comparisons of numbers", () => {
  const columns = [{ key: "op", title: "operator", value: (i) => ["refine", "crossover"][i % 2], text: String }, { key: "cost", title: "cost", number: true, value: (i) => i / 10, text: String }, { key: "m:loss", title: "loss", number: true, value: (i) => -i, shownValue: (i) => i, text: String }];
  const kept = (text) => [0, 1, 2, 3, 4, 5].filter(filterOf(text, columns) ?? (() => true));
  assert.deepEqual(kept("CROSS cost>0.1"), [3, 5]);
  assert.deepEqual(kept("loss<=2"), [0, 1, 2]);
  assert.deepEqual(kept("cost=0.3 refine"), []);
  assert.deepEqual(kept("  "), [0, 1, 2, 3, 4, 5]);
  assert.deepEqual(kept("unknown>3"), []);
});

test("a text that a spreadsheet would run is saved as a text, a number as a number", () => {
  const text = csv(["id", "gain"], [["=HYPERLINK(1)", -0.5], ["+x", NaN], ["a,\"b\"\n", 1e-7]]);
  assert.equal(text, "id,gain\r\n'=HYPERLINK(1),-0.5\r\n'+x,\r\n\"a,\"\"b\"\"\n\",1e-7\r\n");
});
