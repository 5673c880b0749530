// Answers from the browser's side: reads the messages of a scene from stdin, as JSON with base64 buffers, and writes what the panels compute.
import { EDGE, HIDEABLE, NODE, OPERATOR, wholeView } from "../../hutch_lineage/explorer/frontend/src/data/protocol.js";
import { Store } from "../../hutch_lineage/explorer/frontend/src/data/store.js";
import { efficacy } from "../../hutch_lineage/explorer/frontend/src/panels/data/efficacy.js";
import { seedShares } from "../../hutch_lineage/explorer/frontend/src/panels/data/seeds.js";
import { spendingOfRun } from "../../hutch_lineage/explorer/frontend/src/panels/data/spending.js";

let text = "";
for await (const chunk of process.stdin) text += chunk;
const { messages, view } = JSON.parse(text);
const store = new Store();
store.view = { ...store.view, ...view };
for (const { content, buffers } of messages) store.receive(content, buffers);

const plain = (value) => (typeof value === "number" && !Number.isFinite(value) ? null : value);
const rows = (list) => list.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plain(value)])));
const { seeds, shares, others, unknown, at, by } = seedShares(store);
const { operators, cost, unpriced, tokensIn, tokensOut } = spendingOfRun(store);
process.stdout.write(JSON.stringify({
  metric: store.scene.metric?.name ?? null,
  best: store.scene.path.best < 0 ? null : store.id(store.scene.path.best),
  operator: rows(efficacy(store, "operator")),
  model: rows(efficacy(store, "model")),
  shares: { by, at, seeds: seeds.map((row) => store.id(row)), shares: shares.map((s) => [...s]), others: [...others], unknown: [...unknown] },
  cost: { operators, cost, unpriced, tokensIn, tokensOut },
  words: { node: NODE, edge: EDGE, operator: OPERATOR, hideable: Object.keys(HIDEABLE), view: wholeView({}) },
}));
