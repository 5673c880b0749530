// The tree of self-modifications: agents in the order of their descent, each with what its overseer said and how the score changed.
import { KINDS, NODE, OPERATOR } from "../../data/protocol.js";

/**
 * @typedef {"accepted"|"rejected"|"pending"|""} Verdict
 * @typedef {{row: number, depth: number, operator: number, verdict: Verdict, before: number, after: number, cost: number, benchmark: string, target: string,
 *   children: number, last: boolean, also: number}} Agent `also`: how many parents beside the one it stands under
 */

/**
 * The agents of the run that is shown, each under its first parent, children in the order they came. What hangs on a cycle alone begins a tree of its own.
 * @param {import("../../data/store.js").Store} store
 * @returns {Agent[]}
 */
export function agentTree(store) {
  const { nodes, links, view, categories } = store;
  const [kind, run] = ["kind", "run"].map((name) => nodes.get(name));
  const wantedRun = view.run == null ? -1 : categories.run.indexOf(view.run);
  const shown = (/** @type {number} */ row) => kind[row] === KINDS.agent && (view.run == null || run[row] === wantedRun);
  /** @type {Map<number, number[]>} */
  const below = new Map();
  const roots = [];
  const rows = [];
  /** @type {Map<number, number>} */
  const others = new Map();
  for (let row = 0; row < nodes.count; row++) {
    if (!shown(row)) continue;
    rows.push(row);
    const parents = links.parents(row).filter((parent) => parent !== row && shown(parent));
    others.set(row, Math.max(0, parents.length - 1));
    if (!parents.length) roots.push(row);
    else if (below.has(parents[0])) below.get(parents[0])?.push(row);
    else below.set(parents[0], [row]);
  }
  /** @type {Agent[]} */
  const tree = [];
  const seen = new Set();
  const walk = (/** @type {number} */ from) => {
    const stack = [{ row: from, depth: 0, last: true }];
    while (stack.length) {
      const { row, depth, last } = /** @type {{row: number, depth: number, last: boolean}} */ (stack.pop());
      if (seen.has(row)) continue;
      seen.add(row);
      const children = (below.get(row) ?? []).filter((child) => !seen.has(child));
      tree.push({ row, depth, last, children: children.length, also: others.get(row) ?? 0, ...modification(store, row) });
      for (let i = children.length - 1; i >= 0; i--) stack.push({ row: children[i], depth: depth + 1, last: i === children.length - 1 });
    }
  };
  roots.forEach(walk);
  for (const row of rows) if (!seen.has(row)) walk(row);
  return tree;
}

/** What the newest self-modification that made an agent says. */
export function modification(/** @type {import("../../data/store.js").Store} */ store, /** @type {number} */ row) {
  const { operators, nodes, links } = store;
  const operator = links.operators(row).at(-1) ?? -1;
  const flags = operators.get("flags")[operator] ?? 0;
  const named = (/** @type {string} */ list) => store.category(list, operators.get(list)[operator] ?? -1);
  const verdict = flags & OPERATOR.accepted ? "accepted" : flags & OPERATOR.rejected || store.flag(row, NODE.rejected) ? "rejected" : flags & OPERATOR.pending ? "pending" : "";
  return {
    operator, verdict: /** @type {Verdict} */ (verdict),
    before: operators.get("score_before")[operator] ?? NaN, after: operators.get("score_after")[operator] ?? NaN,
    cost: nodes.get("cost")[row] ?? NaN, benchmark: named("benchmark"), target: named("target"),
  };
}

/** How many there are of each verdict, and what all of them cost. */
export function tallyOf(/** @type {Agent[]} */ tree) {
  const tally = { agents: tree.length, accepted: 0, rejected: 0, pending: 0, cost: 0, priced: 0 };
  for (const { verdict, cost } of tree) {
    if (verdict) tally[verdict]++;
    if (!Number.isNaN(cost)) {
      tally.cost += cost;
      tally.priced++;
    }
  }
  return tally;
}

/** The agents of a line: from the root to `row`. */
export function lineOf(/** @type {Agent[]} */ tree, /** @type {number} */ row) {
  const at = tree.findIndex((agent) => agent.row === row);
  const line = new Set();
  for (let i = at, depth = Infinity; i >= 0; i--) {
    if (tree[i].depth >= depth) continue;
    depth = tree[i].depth;
    line.add(tree[i].row);
    if (!depth) break;
  }
  return line;
}
