// What is extended by what is new is what it would be, made anew: random runs grow message by message, and everything is compared.
import assert from "node:assert/strict";
import { test } from "node:test";
import { manyMessage, manyRows } from "../../hutch_lineage/explorer/frontend/dev/many.mjs";
import { Growth, longer } from "../../hutch_lineage/explorer/frontend/src/data/growth.js";
import { rowsIn } from "../../hutch_lineage/explorer/frontend/src/picture/layers.js";
import { ridgeOf } from "../../hutch_lineage/explorer/frontend/src/drawing/ridge.js";
import { Scene } from "../../hutch_lineage/explorer/frontend/src/picture/scene.js";
import { Store } from "../../hutch_lineage/explorer/frontend/src/data/store.js";
import { chance, Run } from "./growing.mjs";

/** All that follows for the picture, in an order that does not depend on how it came about. */
function picture(scene, pick) {
  const { index, shown, path, colouring } = scene;
  const column = (l) => [...index.rows.subarray(index.start[l], index.start[l + 1])].sort((a, b) => a - b);
  const boxes = Array.from({ length: 4 }, () => [pick(40) - 2, pick(40) + 2, pick(30) - 20, pick(30)]);
  return {
    mask: [...shown.mask], why: [...shown.why], hidden: scene.hiddenCounts, counts: index.counts, bounds: index.bounds, first: index.first, wide: index.wide,
    layers: index.layers, start: [...index.start], rows: Array.from({ length: index.layers }, (_, l) => column(l)), long: [...index.long].sort((a, b) => a - b),
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
  for (let revision = 2; revision < 90; revision++) growth.note(revision, { nodes: 10 * revision, edges: 0, operators: 9, makers: 1, rows: [revision, 3], tied: [], made: [revision % 12] });
  assert.equal(growth.since(1), null);
  assert.deepEqual(growth.since(87), { revision: 88, nodes: 880, edges: 0, operators: 9, makers: 1, rows: [88, 3, 89], tied: [], made: [4, 5] });
  growth.note(90, null);
  assert.equal(growth.since(88), null);
});

test("a longer column begins as the one before", () => {
  const held = Int32Array.of(4, 5);
  const grown = longer(held, 5);
  assert.deepEqual([...grown], [4, 5, 0, 0, 0]);
  assert.equal(longer(grown, 6).buffer, grown.buffer);
});
