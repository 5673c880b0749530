// Reads {messages, pairs} from standard input, answers with what the view finds the pairs to have in common.
import { readFileSync } from "node:fs";
import { compareTwo } from "../../hutch_lineage/explorer/frontend/src/lineage/common.js";
import { Store } from "../../hutch_lineage/explorer/frontend/src/data/store.js";

const { messages, pairs } = JSON.parse(readFileSync(0, "utf8"));
const store = new Store(null);
for (const { content, buffers } of messages) store.receive(content, buffers);
const sum = ({ operators, cost, tokensIn, tokensOut }) => [operators, cost, tokensIn, tokensOut];
const answers = pairs.map(([a, b]) => {
  const c = compareTwo(store, a, b);
  return { mrca: c.mrca, shared: c.shared, only: [c.onlyA, c.onlyB], steps: [c.lineA, c.lineB].map((line) => (line ? line.length - 1 : null)), costs: [sum(c.costA), sum(c.costB)] };
});
process.stdout.write(JSON.stringify(answers));
