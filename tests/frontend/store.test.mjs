// The store: messages in, changes out once a frame, local acts at once and told to Python.
import assert from "node:assert/strict";
import { test } from "node:test";
import { answering, detail, fakeModel, graphMessage, growth, makeRun } from "../../hutch_lineage/explorer/frontend/dev/synth.mjs";
import { Store } from "../../hutch_lineage/explorer/frontend/src/data/store.js";
import { ids, messageOf, storeOf } from "./small.mjs";

const frame = () => new Promise((done) => setTimeout(done, 40));

test("a run heard in pieces is the run heard at once", () => {
  const data = makeRun({ individuals: 300, generations: 12 });
  const whole = new Store();
  const { content, buffers } = graphMessage(data);
  whole.receive(content, buffers);
  const pieces = new Store();
  for (const message of growth(data, 17)) pieces.receive(message.content, message.buffers);
  for (let row = 0; row < whole.nodes.count; row++) {
    assert.deepEqual(pieces.links.parents(row), whole.links.parents(row));
    assert.deepEqual(pieces.links.operators(row), whole.links.operators(row));
  }
  assert.deepEqual(pieces.scene.path.rows, whole.scene.path.rows);
  assert.deepEqual([...pieces.scene.colouring.index], [...whole.scene.colouring.index]);
});

test("many messages in one frame are told to the views once", async () => {
  const data = makeRun({ individuals: 200 });
  const store = new Store();
  const heard = [];
  store.listen((changes) => heard.push([...changes]));
  for (const { content, buffers } of growth(data, 20)) store.receive(content, buffers);
  await frame();
  assert.deepEqual(heard, [["graph"]]);
});

test("a reset replaces everything; details of rows that stay the same are kept", () => {
  const data = makeRun({ individuals: 60, generations: 6 });
  const store = new Store();
  const again = () => store.receive(...Object.values(graphMessage(data)));
  again();
  store.receive({ op: "details", details: { 3: detail(data, 3) } });
  again();
  assert.equal(store.nodes.count, data.nodes.length);
  assert.equal(store.details.size, 1);
  store.receive(...Object.values(messageOf([["other", 0]], [])));
  assert.deepEqual([store.nodes.count, store.edges.count, store.details.size], [1, 0, 0]);
});

test("a view change is applied at once and sent; its late echo does not undo a newer one", () => {
  const model = fakeModel();
  const store = new Store(model);
  store.setView({ query: "a" });
  store.setView({ query: "ab" });
  assert.deepEqual(model.sent.map((m) => m.view.query), ["a", "ab"]);
  model.change("view", { ...store.view, query: "a" });
  store.trait("view");
  assert.equal(store.view.query, "ab");
  model.change("view", { ...store.view, query: "from Python" });
  store.trait("view");
  assert.equal(store.view.query, "from Python");
});

test("selecting is local and sent once; Python may select too", () => {
  const model = fakeModel();
  const store = new Store(model);
  store.select(4);
  store.select(4);
  assert.deepEqual(model.sent, [{ op: "select", row: 4 }]);
  model.change("selected_row", 7);
  store.trait("selected_row");
  assert.equal(store.selected, 7);
});

test("details are asked for once and kept", () => {
  const data = makeRun({ individuals: 60, generations: 6 });
  const silent = fakeModel();
  const store = new Store(silent);
  store.receive(...Object.values(graphMessage(data)));
  assert.equal(store.detail(2), null);
  assert.equal(store.detail(2), null);
  assert.deepEqual(silent.sent, [{ op: "details", rows: [2] }]);
  answering(data)({ op: "details", rows: [2] }, { push: (content) => store.receive(content) });
  assert.equal(store.detail(2).genome_lang, "python");
});

test("a kernel that cannot be reached disturbs nothing", () => {
  const store = new Store({ get: () => undefined, on() {}, off() {}, send: () => { throw new Error("closed"); } });
  const warn = console.warn;
  console.warn = () => {};
  store.select(1);
  console.warn = warn;
  assert.equal(store.selected, 1);
});

test("messages of an unknown op are left alone", () => {
  const store = new Store();
  store.receive({ op: "something new" }, []);
  store.receive(null, []);
  assert.equal(store.nodes.count, 0);
});

test("one failing view does not keep another from its update", () => {
  const store = new Store();
  const heard = [];
  const error = console.error;
  console.error = () => {};
  store.listen(() => { throw new Error("broken"); });
  store.listen(() => heard.push("told"));
  store.changed("graph");
  store.flush();
  console.error = error;
  assert.deepEqual(heard, ["told"]);
});

test("a corrected edge moves between its ends", () => {
  const store = storeOf([["a", 0], ["b", 0], ["c", 1]], [["a", "c"]]);
  store.receive({ op: "graph", reset: false, version: 2, tables: {}, patches: { edges: [{ rows: { t: "u4", b: 0 }, columns: { src: { t: "u4", b: 1 } } }] } }, [Uint32Array.of(0).buffer, Uint32Array.of(1).buffer]);
  assert.deepEqual(ids(store, store.links.parents(2)), ["b"]);
  assert.deepEqual(store.links.children(0), []);
});

test("a patch of very many rows is taken whole", () => {
  const store = new Store();
  const count = 300_000;
  const number = (/** @type {any} */ values) => buffers.push(values) - 1;
  let buffers = [];
  const col = (t, values) => ({ t, b: number(values) });
  const nodes = { kind: col("u1", new Uint8Array(count)), run: col("i4", new Int32Array(count)), flags: col("u2", new Uint16Array(count)) };
  store.receive({ op: "graph", reset: true, tables: { nodes: { start: 0, count, columns: nodes } } }, buffers);
  buffers = [];
  const rows = col("u4", Uint32Array.from({ length: count }, (_, row) => row));
  store.receive({ op: "graph", patches: { nodes: [{ rows, columns: { flags: col("u2", new Uint16Array(count).fill(4)) } }] } }, buffers);
  assert.equal(store.revision, 2);
  assert.equal(store.flag(count - 1, 4), true);
});
