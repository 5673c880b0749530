import assert from "node:assert/strict";
import { test } from "node:test";
import { fitting } from "../../hutch_lineage/explorer/frontend/src/panels/tabs.js";

const tabs = ["details", "diff", "compare", "cost", "table"].map((id) => ({ id, width: 50 }));
const all = 5 * 50 + 4 * 16;

test("all tabs stand in the strip where there is room for them", () => {
  assert.deepEqual([...fitting(tabs, all, "diff")].sort(), tabs.map((t) => t.id).sort());
});

test("else the first ones, and the open one in any case", () => {
  assert.deepEqual([...fitting(tabs, all - 1, "details")], ["details", "diff", "compare"]);
  assert.deepEqual([...fitting(tabs, all - 1, "table")].sort(), ["details", "diff", "table"]);
});

test("the open one stays even where nothing fits", () => {
  assert.deepEqual([...fitting(tabs, 10, "cost")], ["cost"]);
});
