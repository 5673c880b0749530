// What the panels compute follows a run: extended by what is new it is what it would be, asked once at the end.
import assert from "node:assert/strict";
import { test } from "node:test";
import { manyMessage, manyRows } from "../../hutch_lineage/explorer/frontend/dev/many.mjs";
import { Store } from "../../hutch_lineage/explorer/frontend/src/data/store.js";
import { Descent } from "../../hutch_lineage/explorer/frontend/src/panels/data/descent.js";
import { efficacy } from "../../hutch_lineage/explorer/frontend/src/panels/data/efficacy.js";
import { followed, looksOf, Running } from "../../hutch_lineage/explorer/frontend/src/panels/data/following.js";
import { operatorGains } from "../../hutch_lineage/explorer/frontend/src/panels/data/gains.js";
import { islands } from "../../hutch_lineage/explorer/frontend/src/panels/data/islands.js";
import { evaluated } from "../../hutch_lineage/explorer/frontend/src/panels/data/order.js";
import { BestSoFar } from "../../hutch_lineage/explorer/frontend/src/panels/data/progress.js";
import { seedShares } from "../../hutch_lineage/explorer/frontend/src/panels/data/seeds.js";
import { courseOfRun, spendingOfRun } from "../../hutch_lineage/explorer/frontend/src/panels/data/spending.js";
import { Run } from "./growing.mjs";

/** All that the panels ask, copied; the lines of the best are kept by who asks. */
function answers(store, lines = new BestSoFar()) {
  const { scene, nodes } = store;
  const { settled: _, ...bred } = evaluated(store, "generation");
  const { settled, ...timed } = evaluated(store, "time");
  const { settled: __, ...spent } = spendingOfRun(store);
  const moved = islands(store);
  return structuredClone({
    gains: operatorGains(store), kinds: efficacy(store, "operator"), models: efficacy(store, "model"), spent, course: courseOfRun(store, true), calls: courseOfRun(store, false), islands: moved, evaluated: timed,
    bred, best: lines.of(timed.found, nodes.get("island"), scene.lower, settled, looksOf(store)),
    shares: rounded(seedShares(store, { top: 2 })), windows: rounded(seedShares(store, { top: 2, windows: 5 })),
  });
}

/** Shares are sums of small floats: in another order they differ in the last digits. */
const rounded = ({ shares, others, unknown, ...rest }) => ({ ...rest, parts: [...shares, others, unknown].map((part) => Array.from(part, (value) => Math.round(value * 1e4) / 1e4)) });

for (const [number, view] of [{}, { run: "r1" }, { kind: "agent" }].entries()) {
  test(`answers that grew are those of one that hears of it at once: ${JSON.stringify(view)}`, (context) => {
    const { late } = Running;
    Running.late = 40;
    context.after(() => (Running.late = late));
    for (let seed = 1; seed <= 6; seed++) {
      const run = new Run(1000 * number + seed);
      const heard = [run.message(150)];
      const open = () => Object.assign(new Store(), { view: { ...new Store().view, ...view } });
      const store = open();
      const lines = new BestSoFar();
      store.receive(...heard[0]);
      for (let step = 0; step < 20; step++) {
        for (let messages = run.pick(3); messages >= 0; messages--) {
          heard.push(run.message(run.pick(12)));
          store.receive(...heard[heard.length - 1]);
        }
        const fresh = open();
        for (const message of heard) fresh.receive(...message);
        assert.deepEqual(answers(store, lines), answers(fresh), `seed ${seed}, step ${step}`);
      }
    }
  });
}

/** A run as it comes from dev/many.mjs, growing. */
function growing(/** @type {(store: Store) => void} */ each) {
  const data = manyRows({ individuals: 9000, generations: 60 });
  const store = new Store();
  store.receive(...Object.values(manyMessage(data, { to: 6000 })));
  each(store);
  for (let to = 6100, version = 2; to <= 9000; to += 100, version++) {
    store.receive(...Object.values(manyMessage(data, { from: to - 100, to, version })));
    each(store);
  }
  return store;
}

test("while a run grows at its end, nothing is added up anew", () => {
  let begun = 0;
  const store = growing((grown) => {
    followed(grown, "counting", "", () => begun++, () => null);
    answers(grown);
  });
  assert.equal(begun, 1);
  const fresh = new Store();
  fresh.receive(...Object.values(manyMessage(manyRows({ individuals: 9000, generations: 60 }))));
  assert.deepEqual(answers(store), answers(fresh));
});

test("of the seeds some are followed; where the others may have caught up, all are looked at", () => {
  const descent = new Descent(2);
  let anew = 0;
  growing((grown) => {
    const { seeds } = descent;
    descent.follow(grown, grown.growth.since(grown.revision - 1));
    anew += +(seeds !== descent.seeds);
    const fresh = new Descent(2).follow(grown, null);
    assert.deepEqual(descent.shown.map((place) => descent.seeds[place]), fresh.shown.map((place) => fresh.seeds[place]));
  });
  assert.ok(anew < 15, `${anew} times of 31`);
});

test("an answer that fails is not kept", () => {
  const store = new Store();
  assert.throws(() => followed(store, "q", "", () => 0, () => { throw new Error("no"); }));
  assert.equal(followed(store, "q", "", () => 1, (kept) => kept), 1);
});
