// What the picture is computed from: cells, scales, sizes, densities, strands, the ridge. Every answer is checked against a plain count.
import assert from "node:assert/strict";
import { test } from "node:test";
import { manyMessage, manyRows, layoutMessage } from "../../hutch_lineage/explorer/frontend/dev/many.mjs";
import { elapsed } from "../../hutch_lineage/explorer/frontend/src/drawing/axis.js";
import { NONE, OTHER, STEPS, colouring, nameIndex, palette } from "../../hutch_lineage/explorer/frontend/src/picture/colour.js";
import { dashed } from "../../hutch_lineage/explorer/frontend/src/drawing/curve.js";
import { binned, colourOf } from "../../hutch_lineage/explorer/frontend/src/drawing/density.js";
import { familyEdges } from "../../hutch_lineage/explorer/frontend/src/drawing/edges.js";
import { encodings } from "../../hutch_lineage/explorer/frontend/src/drawing/encodings.js";
import { rowsIn } from "../../hutch_lineage/explorer/frontend/src/picture/layers.js";
import { Picker } from "../../hutch_lineage/explorer/frontend/src/picture/pick.js";
import { ridgeOf } from "../../hutch_lineage/explorer/frontend/src/drawing/ridge.js";
import { quantiles, scaleOf } from "../../hutch_lineage/explorer/frontend/src/picture/scale.js";
import { descendantsOf, sizesOf } from "../../hutch_lineage/explorer/frontend/src/picture/sizes.js";
import { Store } from "../../hutch_lineage/explorer/frontend/src/data/store.js";
import { ids, storeOf } from "./small.mjs";

const many = (individuals, layouts = []) => {
  const data = manyRows({ individuals, generations: 20 });
  const store = new Store();
  store.receive(...Object.values(manyMessage(data, { layouts })));
  store.view = { ...store.view, colour: "metric:score" };
  return { data, store };
};

test("the index finds just what stands in a rectangle, whatever the layout", () => {
  const { store } = many(3000, ["time", "tree", "radial", "islands"]);
  for (const layout of ["generations", "time", "tree", "radial", "islands"]) {
    store.view = { ...store.view, layout };
    const { index, x, y } = store.scene;
    assert.equal(store.scene.layout, layout);
    assert.equal(index.rows.length, 3000);
    const { x0, x1, y0, y1 } = index.bounds;
    for (const [a, b, c, d] of [[0, 1, 0, 1], [0.2, 0.4, 0.3, 0.7], [0.5, 0.5, 0, 1], [0.9, 2, 0.9, 2], [-2, -1, 0, 1]]) {
      const at = [x0 + (x1 - x0) * a, x0 + (x1 - x0) * b, y0 + (y1 - y0) * c, y0 + (y1 - y0) * d].map(Math.fround);
      const plain = [];
      for (let row = 0; row < 3000; row++) if (x[row] >= at[0] && x[row] <= at[1] && y[row] >= at[2] && y[row] <= at[3]) plain.push(row);
      assert.deepEqual([...rowsIn(index, ...at)].sort((p, q) => p - q), plain);
    }
  }
});

test("the nearest one within reach is under the pointer, and none where none is near", () => {
  const store = storeOf([["a", 0, { y: 0 }], ["b", 1, { y: 0 }], ["c", 1, { y: 1 }]], []);
  const camera = { ax: 40, ay: 30, bx: 10, by: 10, x: (v) => v * 40 + 10, y: (v) => v * 30 + 10 };
  const picker = new Picker(store);
  assert.deepEqual([[12, 9], [52, 19], [52, 33], [30, 60]].map(([px, py]) => picker.at(camera, px, py)), [0, 1, 2, -1]);
});

test("a layout that has not come is waited for in the generations, and takes effect when its places come", () => {
  const { data, store } = many(200);
  store.view = { ...store.view, layout: "time" };
  assert.deepEqual([store.scene.layout, store.scene.waitingFor], ["generations", "time"]);
  store.receive(...Object.values(layoutMessage(data, "time")));
  assert.deepEqual([store.scene.layout, store.scene.waitingFor, store.scene.meaning.axis], ["time", "", "time"]);
  assert.equal(store.scene.index.rows.length, 200);
});

test("a row without a place is counted as such and breaks nothing", () => {
  const store = storeOf([["a", 0], ["b", NaN], ["c", 1]], [["a", "b"]]);
  assert.deepEqual([...store.scene.index.rows], [0, 2]);
  assert.equal(store.scene.index.counts.unplaced, 1);
});

test("quantiles are exact, however the values lie", () => {
  let s = 1;
  const R = () => (s = (s * 16807) % 2147483647) / 2147483647;
  for (const of of [R, () => Math.floor(R() * 4), () => R() ** 20 * 1e9, () => (R() < 0.001 ? 1e12 : R()), () => 7]) {
    for (const n of [1, 2, 5, 5000, 30_000]) {
      const values = Float64Array.from({ length: n }, of);
      const sorted = Float64Array.from(values).sort();
      const plain = (q) => {
        const i = Math.floor(q * (n - 1));
        return sorted[i] + ((sorted[i + 1] ?? sorted[i]) - sorted[i]) * (q * (n - 1) - i);
      };
      const shares = [0, 0.25, 0.5, 0.75, 1];
      quantiles(values, shares).forEach((value, i) => assert.ok(Math.abs(value - plain(shares[i])) <= 1e-9 * Math.abs(value), `${n} ${shares[i]}`));
    }
  }
});

test("a log scale is even in ratios; it falls back and says so where values are 0 or below", () => {
  const log = scaleOf("log", Float64Array.of(1, 10, 100), false);
  assert.deepEqual([log.kind, log.at(10).toFixed(6), log.refused], ["log", "0.500000", ""]);
  const refused = scaleOf("log", Float64Array.of(0, 10, 100), false);
  assert.deepEqual([refused.kind, refused.at(50)], ["linear", 0.5]);
  assert.match(refused.refused, /values of 0 or below/);
});

test("by rank each colour is for as many as any other", () => {
  const rank = scaleOf("rank", Float64Array.of(1, 2, 3, 1000), false);
  assert.deepEqual([1, 2, 3, 1000].map(rank.at).map((t) => t.toFixed(3)), ["0.000", "0.333", "0.667", "1.000"]);
});

test("the legend names a scale that is not linear, and says why one was refused", () => {
  const nodes = [["a", 0, { cost: 1, score: 0 }], ["b", 0, { cost: 10, score: 3 }]];
  const label = (colour, scale) => {
    const store = storeOf(nodes, []);
    store.view = { ...store.view, colour, scale };
    return store.scene.colouring.legend.label;
  };
  assert.deepEqual(["linear", "log", "rank"].map((scale) => label("cost", scale)), ["cost", "cost, log", "cost, by rank"]);
  assert.equal(label("metric:score", "log"), "score ↑, not log (values of 0 or below)");
});

test("age runs from the oldest to the newest; names beyond the palette share a colour of their own", () => {
  const store = storeOf([["a", 0, { time: 10 }], ["b", 0, { time: 30 }], ["c", 0, { time: 20 }]], []);
  const { index, legend } = colouring(store, "age", new Uint8Array([1, 1, 1]), null);
  assert.deepEqual([index[0], index[1], legend.right], [0, STEPS - 1, 20]);
  assert.equal(nameIndex(-1), NONE);
  assert.equal(nameIndex(5000), OTHER);
  assert.equal(palette("dark").length, OTHER + 1);
});

test("every individual in view is counted in some cell, and a cell has the mean of its values", () => {
  const { store } = many(5000);
  const { index, colouring: colours } = store.scene;
  const camera = { ax: 40, ay: 0.25, bx: 30, by: 250 };
  const bins = binned(index, colours, camera, 900, 500);
  assert.equal(bins.inView, 5000);
  assert.equal(bins.count.slice(0, bins.across * bins.down).reduce((a, b) => a + b), 5000);
  const cell = bins.count.slice(0, bins.across * bins.down).findIndex((n) => n > 2);
  const [u, v] = [Math.floor(cell / bins.down), cell % bins.down];
  const inside = Array.from(index.rows).filter((row) => store.scene.x[row] - index.first === u && Math.floor((store.scene.y[row] * camera.ay + camera.by - bins.oy) / bins.tall) === v);
  assert.equal(inside.length, bins.count[cell]);
  const known = inside.map((row) => colours.index[row]).filter((i) => i !== NONE);
  assert.equal(colourOf(bins, cell), Math.round(known.reduce((a, b) => a + b, 0) / known.length));
});

test("a cell of names has the one that most of it have; only the rows asked for are counted", () => {
  const store = storeOf([["a", 0, { y: 0, op: 0 }], ["b", 0, { y: 0, op: 1 }], ["c", 0, { y: 0, op: 1 }], ["d", 3, { y: 9, op: 0 }]], []);
  store.view = { ...store.view, colour: "operator" };
  const { index, colouring: colours } = store.scene;
  const bins = binned(index, colours, { ax: 20, ay: 10, bx: 0, by: 0 }, 200, 200);
  const cell = bins.count.findIndex((n) => n === 3);
  assert.equal(colourOf(bins, cell), nameIndex(1));
  assert.equal(binned(index, colours, { ax: 20, ay: 10, bx: 0, by: 0 }, 200, 200, Uint8Array.of(1, 0, 0, 1)).inView, 2);
});

test("the ridge has the best of each layer and the best so far, by the metric's direction", () => {
  const nodes = [["a", 0, { score: 1, loss: 5 }], ["b", 1, { score: 3, loss: 7 }], ["bad", 1, { score: 99, loss: 0, flags: 4 }], ["c", 2, { score: 2, loss: 1 }]];
  const store = storeOf(nodes, []);
  store.view = { ...store.view, colour: "metric:score" };
  assert.deepEqual([[...ridgeOf(store.scene).best], [...ridgeOf(store.scene).running]], [[1, 3, 2], [1, 3, 3]]);
  store.view = { ...store.view, colour: "metric:loss" };
  assert.deepEqual([[...ridgeOf(store.scene).best], [...ridgeOf(store.scene).running]], [[5, 7, 1], [5, 5, 1]]);
});

test("descendants are counted along first parents, a cycle or a second parent adds none", () => {
  const store = storeOf([["a", 0], ["b", 1], ["c", 2], ["d", 2], ["e", 0], ["loop", 0]], [["a", "b"], ["b", "c"], ["b", "d"], ["e", "d", 1], ["loop", "loop"]]);
  assert.deepEqual([...descendantsOf(store)], [3, 2, 0, 0, 0, 0]);
});

test("areas are in proportion to the values, within bounds", () => {
  const store = storeOf([["a", 0, { cost: 1 }], ["b", 0, { cost: 4 }], ["c", 0, { cost: 0 }], ["d", 0]], []);
  const { factor, label, unit } = sizesOf(store, "cost", store.scene.within);
  assert.ok(factor[1] > factor[0] && factor[0] >= factor[2] && factor[2] > 0.3);
  assert.deepEqual([label, unit], ["cost", "$"]);
  assert.equal(sizesOf(store, "", store.scene.within), null);
});

test("sizes follow tokens and descendants, too", () => {
  const store = storeOf([["a", 0, { tokens: 10 }], ["b", 1, { tokens: 1000 }], ["c", 2, { tokens: 100 }]], [["a", "b"], ["b", "c"]]);
  const order = (size) => [...sizesOf(store, size, store.scene.within).factor].map((factor, row) => [factor, store.id(row)]).sort((p, q) => q[0] - p[0]).map(([, id]) => id);
  assert.deepEqual(order("tokens"), ["b", "c", "a"]);
  assert.deepEqual(order("descendants"), ["a", "b", "c"]);
});

test("the family of a hovered one is its ancestors' and descendants' edges, so many at the most", () => {
  const store = storeOf([["a", 0], ["b", 1], ["c", 2], ["d", 3], ["x", 1]], [["a", "b"], ["b", "c"], ["c", "d"], ["a", "x"]]);
  const visible = new Uint8Array(5).fill(1);
  const names = (edges) => ids(store, edges.map((e) => store.links.dst[e])).sort();
  assert.deepEqual(names(familyEdges(store.links, visible, 2)), ["b", "c", "d"]);
  assert.equal(familyEdges(store.links, visible, 3, 2).length, 2);
});

test("dashes are put only where they are seen", () => {
  const lines = [];
  const c = { moveTo: (x, y) => lines.push([x, y]), lineTo: () => {} };
  dashed(c, -5000, 100, 5000, 100, false, 800, 400, 3);
  assert.ok(lines.length > 50 && lines.length < 400);
  assert.ok(lines.every(([x]) => x > -60 && x < 860));
  dashed(c, 0, -900, 100, -100, false, 800, 400, 3);
  assert.ok(lines.every(([, y]) => y === 100));
});

test("time since the beginning reads as a clock does", () => {
  assert.deepEqual([elapsed(95), elapsed(3725, 10), elapsed(7200, 3600), elapsed(172_800, 86_400)], ["+1:35", "+1:02:05", "+2:00 h", "+2 d"]);
});

test("the foot tells of sizes, of edges in colours and of densities", () => {
  const { store } = many(300);
  store.view = { ...store.view, size: "cost", edges: "operator" };
  const told = (drawn) => encodings(store, drawn, palette("light")).map((m) => m.text);
  const close = told({ full: true, edges: "all" });
  assert.match(close[0], /^area: cost, up to \$/);
  assert.ok(close.includes("refine"));
  assert.deepEqual([told({ full: false, edges: "none" }).at(0), told({ full: false, edges: "none" }).at(-1)], ["sizes closer up", "mean of a spot"]);
});

test("a place on the ramp and the value there lead to each other, on every scale", () => {
  const values = [1, 2, 4, 8, 100, 1000];
  for (const scale of ["linear", "log", "rank"]) {
    const { low, high, at, of } = scaleOf(scale, Float64Array.from(values), false, false);
    assert.deepEqual([low, high].map((end) => Math.round(end * 1e6) / 1e6), [1, 1000]);
    for (const value of values) assert.ok(Math.abs(of(at(value)) - value) < 1e-9 * value, `${scale} ${value}`);
  }
});
