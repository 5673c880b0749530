// What is extended by what is new is what it would be, made anew: random runs grow message by message, and everything is compared.
import assert from "node:assert/strict";
import { test } from "node:test";
import { columns } from "../../hutch_lineage/explorer/frontend/dev/synth.mjs";
import { manyMessage, manyRows } from "../../hutch_lineage/explorer/frontend/dev/many.mjs";
import { Growth, longer } from "../../hutch_lineage/explorer/frontend/src/data/growth.js";
import { rowsIn } from "../../hutch_lineage/explorer/frontend/src/picture/layers.js";
import { ridgeOf } from "../../hutch_lineage/explorer/frontend/src/drawing/ridge.js";
import { Scene } from "../../hutch_lineage/explorer/frontend/src/picture/scene.js";
import { Store } from "../../hutch_lineage/explorer/frontend/src/data/store.js";

const NODES = { id: "json", kind: "u1", run: "i4", x: "f4", y: "f4", generation: "i4", flags: "u2", island: "i4", op: "i4", model: "i4", cost: "f8", time: "f8", "m:score": "f8" };
const EDGES = { src: "u4", dst: "u4", order: "u1", op: "i4", flags: "u1" };

function chance(seed) {
  let state = seed;
  return (/** @type {number} */ below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** A run that grows as runs do: mostly at its end; ghosts are seen, values come late, cycles close, and now and then a place moves. */
class Run {
  constructor(seed) {
    this.pick = chance(seed);
    this.nodes = [];
    this.edges = [];
    this.version = 0;
  }

  message(/** @type {number} */ many) {
    const { pick, nodes, edges } = this;
    const [before, edgesBefore] = [nodes.length, edges.length];
    for (let i = 0; i < many; i++) {
      const row = nodes.length;
      const x = pick(40) ? Math.floor(row / 12) : pick(Math.floor(row / 6) + 3);
      nodes.push({ id: `n${row}`, kind: +!pick(30), run: pick(2), x: pick(50) ? x : NaN, y: pick(60) ? pick(12) : pick(60) - 20, generation: x, flags: pick(6) ? 0 : [1, 2, 4, 8, 16, 12][pick(6)], island: pick(3), op: pick(3), model: pick(2), cost: pick(100) / 100, time: 1000 + row, score: pick(5) ? pick(400) / 7 : NaN });
      for (let p = 0; row && p < 1 + +!pick(3); p++) edges.push({ src: pick(5) ? Math.max(0, row - 1 - pick(20)) : pick(row), dst: row, order: p, op: -1, flags: 0 });
      if (row > 5 && !pick(20)) edges.push({ src: row, dst: pick(row), order: 1, op: -1, flags: 1 });
    }
    const touched = [...new Set(Array.from({ length: before ? pick(8) : 0 }, () => pick(before)))].sort((a, b) => a - b);
    const moved = !pick(12);
    for (const row of touched) Object.assign(nodes[row], { flags: [0, 1, 4, 9][pick(4)], score: pick(3) ? pick(500) / 7 : NaN, op: pick(3), cost: pick(100) / 100, ...(moved && { x: pick(20), y: pick(15) }) });
    const mended = edgesBefore && !pick(6) ? [pick(edgesBefore)] : [];
    for (const e of mended) edges[e].flags ^= 1;
    const buffers = [];
    const part = (rows, start, types) => ({ start, count: rows.length - start, columns: columns(rows.slice(start), types, buffers) });
    const patch = (rows, numbers, types) => {
      const index = buffers.push(Uint32Array.from(numbers)) - 1;
      const { id, ...others } = types;
      return numbers.length ? [{ rows: { t: "u4", b: index }, columns: columns(numbers.map((n) => rows[n]), others, buffers) }] : [];
    };
    const content = {
      op: "graph", reset: !before, version: ++this.version,
      tables: { nodes: part(nodes, before, NODES), edges: part(edges, edgesBefore, EDGES) },
      patches: { nodes: patch(nodes, touched, NODES), edges: patch(edges, mended, EDGES) },
      categories: { run: ["r0", "r1"], operator: ["a", "b", "c"], model: ["m", "n"], island: ["0", "1", "2"], agent: [], kind: [] },
      metrics: [{ name: "score", direction: "higher", declared: true }],
      runs: ["r0", "r1"].map((id) => ({ id, name: id, default_metric: "score" })),
    };
    return [content, buffers];
  }
}

/** All that follows for the picture, in an order that does not depend on how it came about. */
function picture(scene, pick) {
  const { index, shown, path, colouring } = scene;
  const column = (l) => [...index.rows.subarray(index.start[l], index.start[l + 1])].sort((a, b) => a - b);
  const boxes = Array.from({ length: 4 }, () => [pick(40) - 2, pick(40) + 2, pick(30) - 20, pick(30)]);
  return {
    mask: [...shown.mask], why: [...shown.why], hidden: scene.hiddenCounts, counts: index.counts, bounds: index.bounds, first: index.first, wide: index.wide,
    layers: index.layers, unit: index.unit, start: [...index.start], rows: Array.from({ length: index.layers }, (_, l) => column(l)), long: [...index.long].sort((a, b) => a - b),
    found: boxes.map((box) => rowsIn(index, ...box).sort((a, b) => a - b)), path: { ...path }, colours: [...colouring.index], legend: colouring.legend, ridge: ridgeOf(scene), decimals: scene.decimals,
  };
}

/** What the index promises of its own order. */
function sound({ index, x, y }) {
  const { rows, xs, ys, cells, bands, band, low, first, wide } = index;
  assert.equal(cells.at(-1), rows.length);
  rows.forEach((row, i) => assert.deepEqual([xs[i], ys[i]], [x[row], y[row]]));
  for (let cell = 0; cell + 1 < cells.length; cell++) {
    for (let i = cells[cell]; i < cells[cell + 1]; i++) {
      const b = Math.max(0, Math.min(bands - 1, Math.floor((ys[i] - low) * band)));
      assert.equal(Math.floor((xs[i] - first) / wide) * bands + b, cell);
    }
  }
}

const VIEWS = [{}, { colour: "operator" }, { colour: "cost" }, { run: "r1" }, { colour: "age" }, { hidden: { operator: ["b"] } }, { kind: "agent" }, { chains: true }, { dead_ends: true }];

for (const [number, view] of VIEWS.entries()) {
  test(`a picture that grew is the picture made anew: ${JSON.stringify(view)}`, () => {
    for (let seed = 1; seed <= 4; seed++) {
      const run = new Run(100 * number + seed);
      const store = new Store();
      store.receive(...run.message(150));
      store.view = { ...store.view, colour: "metric:score", ...view };
      for (let step = 0; step < 25; step++) {
        for (let messages = run.pick(3); messages >= 0; messages--) store.receive(...run.message(run.pick(12)));
        const fresh = new Scene(store);
        assert.deepEqual(picture(store.scene, chance(step + 1)), picture(fresh, chance(step + 1)), `seed ${seed}, step ${step}`);
        sound(store.scene);
      }
    }
  });
}

test("pure growth at the end keeps the index; nothing is made anew", () => {
  const data = manyRows({ individuals: 4000, generations: 40 });
  const store = new Store();
  store.receive(...Object.values(manyMessage(data, { to: 3000 })));
  const { root } = store.scene.index;
  for (let to = 3100, version = 2; to <= 3600; to += 100, version++) {
    store.receive(...Object.values(manyMessage(data, { from: to - 100, to, version })));
    assert.equal(store.scene.index.root, root);
    assert.equal(store.scene.index.rows.length, to);
  }
});

test("of many, what is new is coloured on the scale as it was; once it is quiet all is as if made at once", async () => {
  const data = manyRows({ individuals: 21_300, generations: 100 });
  const store = new Store();
  store.receive(...Object.values(manyMessage(data, { to: 21_000 })));
  const { legend } = store.scene.colouring;
  store.receive(...Object.values(manyMessage(data, { from: 21_000, to: 21_300, version: 2 })));
  const grown = store.scene.colouring;
  assert.equal(grown.index.length, 21_300);
  assert.equal(grown.legend, legend);
  const fresh = new Scene(store).colouring;
  const off = grown.index.reduce((most, colour, row) => Math.max(most, Math.abs(colour - fresh.index[row])), 0);
  assert.ok(off <= 2, `${off} steps of the ramp`);
  await new Promise((resolve) => store.listen(resolve) && setTimeout(resolve, 1500));
  await new Promise((resolve) => setTimeout(resolve, 1100));
  assert.deepEqual(store.scene.colouring.legend, fresh.legend);
  assert.deepEqual(store.scene.colouring.index, fresh.index);
});

test("who is too far behind, or was told of something else, begins anew", () => {
  const growth = new Growth();
  growth.note(1, null);
  for (let revision = 2; revision < 90; revision++) growth.note(revision, { nodes: 10 * revision, edges: 0, rows: [revision, 3] });
  assert.equal(growth.since(1), null);
  assert.deepEqual(growth.since(87), { nodes: 880, edges: 0, rows: [88, 3, 89] });
  growth.note(90, null);
  assert.equal(growth.since(88), null);
});

test("a longer column begins as the one before", () => {
  const held = Int32Array.of(4, 5);
  const grown = longer(held, 5);
  assert.deepEqual([...grown], [4, 5, 0, 0, 0]);
  assert.equal(longer(grown, 6).buffer, grown.buffer);
});
