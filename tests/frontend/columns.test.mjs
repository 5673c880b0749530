// Columns and tables: what comes over the wire is what the view sees.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Table, bytesOf, decode } from "../../hutch_lineage/explorer/frontend/src/data/columns.js";
import { textsOf } from "../../hutch_lineage/explorer/frontend/src/data/text.js";

test("every column type is decoded to its values", () => {
  const given = { f4: Float32Array, f8: Float64Array, i4: Int32Array, u4: Uint32Array, u2: Uint16Array, u1: Uint8Array };
  for (const [t, Type] of Object.entries(given)) {
    assert.deepEqual([...decode({ t, b: 0 }, [new DataView(Type.from([1, 2, 3]).buffer)])], [1, 2, 3]);
  }
  assert.deepEqual(decode({ t: "json", v: ["a", null] }, []), ["a", null]);
});

test("texts are UTF-8 with offsets in bytes", () => {
  for (const texts of [["a", "", "bcd"], ["ä", "🐇x", ""], []]) {
    const parts = texts.map((text) => Buffer.from(text));
    const offsets = Uint32Array.from([0, ...parts.map((_, i) => Buffer.concat(parts.slice(0, i + 1)).length)]);
    assert.deepEqual(decode({ t: "str", b: 0, o: 1 }, [new Uint8Array(Buffer.concat(parts)), offsets.buffer]), texts);
  }
});

test("a patch without rows changes whole columns, and may bring new ones", () => {
  const table = new Table();
  table.append(0, 3, { x: { t: "f4", b: 0 } }, [Float32Array.of(1, 2, 3).buffer]);
  const columns = { x: { t: "f4", b: 0 }, "x:time": { t: "f4", b: 1 } };
  assert.deepEqual(table.patch(null, columns, [Float32Array.of(7, 8).buffer, Float32Array.of(4, 5, 6, 9).buffer]).altered, ["x", "x:time"]);
  assert.deepEqual([...table.get("x").slice(0, 3)], [7, 8, 3]);
  assert.deepEqual([...table.get("x:time").slice(0, 4)], [4, 5, 6, NaN]);
  assert.equal(table.count, 3);
});

test("a buffer that is not aligned is copied, not misread", () => {
  const bytes = new Uint8Array(25);
  bytes.set(new Uint8Array(Float64Array.from([1.5, -2, 1e300]).buffer), 1);
  assert.deepEqual([...decode({ t: "f8", b: 0 }, [new DataView(bytes.buffer, 1, 24)])], [1.5, -2, 1e300]);
});

test("base64 text, array buffers and views hold the same bytes", () => {
  const bytes = Uint8Array.from([1, 2, 250]);
  for (const buffer of [bytes, bytes.buffer, new DataView(bytes.buffer), Buffer.from(bytes).toString("base64")]) {
    assert.deepEqual([...bytesOf(buffer)], [1, 2, 250]);
  }
});

test("an unknown column type is refused by name", () => {
  assert.throws(() => decode({ t: "x9", b: 0 }, [new ArrayBuffer(8)]), /x9/);
});

test("rows keep their place while a table grows, and a message heard twice changes nothing", () => {
  const table = new Table();
  const add = (start, values) => table.append(start, values.length, { n: { t: "i4", b: 0 } }, [Int32Array.from(values).buffer]);
  for (let i = 0; i < 1000; i += 10) add(i, Array.from({ length: 10 }, (_, j) => i + j));
  add(990, Array.from({ length: 10 }, (_, j) => 990 + j));
  assert.equal(table.count, 1000);
  assert.deepEqual([...table.get("n").slice(0, 1000)], Array.from({ length: 1000 }, (_, i) => i));
});

test("a column that comes later is blank for the rows before it", () => {
  const table = new Table();
  table.append(0, 2, { a: { t: "json", v: ["x", "y"] } }, []);
  table.append(2, 1, { a: { t: "json", v: ["z"] }, m: { t: "f8", b: 0 }, c: { t: "i4", b: 1 } }, [Float64Array.of(7).buffer, Int32Array.of(4).buffer]);
  assert.deepEqual([...table.get("m").slice(0, 3)], [NaN, NaN, 7]);
  assert.deepEqual([...table.get("c").slice(0, 3)], [-1, -1, 4]);
  assert.deepEqual(table.get("nothing"), []);
});

test("a patch changes the rows it names and no others", () => {
  const table = new Table();
  table.append(0, 3, { n: { t: "i4", b: 0 } }, [Int32Array.of(1, 2, 3).buffer]);
  table.patch({ t: "u4", b: 0 }, { n: { t: "i4", b: 1 } }, [Uint32Array.of(2, 0).buffer, Int32Array.of(30, 10).buffer]);
  assert.deepEqual([...table.get("n").slice(0, 3)], [10, 2, 30]);
});

const texts = (...values) => {
  const { bytes, offsets } = textsOf(values);
  return { col: { t: "str", b: 0, o: 1 }, buffers: [bytes.buffer, offsets.buffer] };
};

test("texts come as bytes and are read one by one", () => {
  const table = new Table();
  const { col, buffers } = texts("ind-1", "", "Größe");
  table.append(0, 3, { id: col }, buffers);
  assert.deepEqual([0, 1, 2, 9].map((row) => table.text("id", row)), ["ind-1", "", "Größe", ""]);
  assert.deepEqual(decode(col, buffers), ["ind-1", "", "Größe"]);
  const more = texts("x", "y");
  table.append(3, 2, { id: more.col }, more.buffers);
  table.patch({ t: "u4", b: 2 }, { id: more.col }, [...more.buffers, Uint32Array.of(0, 1).buffer]);
  assert.deepEqual([0, 1, 2, 3, 4].map((row) => table.text("id", row)), ["x", "y", "Größe", "x", "y"]);
});

test("a search in texts needs no strings, and does not regard case", () => {
  for (const t of ["str", "json"]) {
    const table = new Table();
    const { col, buffers } = t === "str" ? texts("IND-1", "größer", "Ind-12") : { col: { t, v: ["IND-1", "größer", "Ind-12"] }, buffers: [] };
    table.append(0, 3, { id: col }, buffers);
    const found = (query) => [0, 1, 2].filter(table.holding("id", query));
    assert.deepEqual([found("ind-1"), found("d-12"), found("ß"), found("zzz")], [[0, 2], [2], [1], []]);
  }
});

test("a patch without rows is a whole column", () => {
  const table = new Table();
  table.append(0, 3, { n: { t: "i4", b: 0 } }, [Int32Array.of(1, 2, 3).buffer]);
  table.patch(null, { "x:time": { t: "f4", b: 0 } }, [Float32Array.of(7, 8, 9).buffer]);
  assert.deepEqual([...table.get("x:time").slice(0, 3)], [7, 8, 9]);
});
