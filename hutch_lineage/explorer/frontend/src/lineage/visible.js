// Which rows are shown: those of the chosen kind and run, without the names and numbers that are left out and what is folded away.
import { StandIns, bridgesOver, collapse, foldChains, hideDeadEnds, onlyImprovements } from "./folds.js";
import { longer } from "../data/growth.js";
import { ancestors } from "./lineage.js";
import { numbersOf } from "./numbers.js";
import { HIDEABLE, KINDS, NODE } from "../data/protocol.js";

/** Why a row is not shown. */
export const HIDDEN = { elsewhere: 1, name: 2, deadEnd: 3, collapsed: 4, noImprovement: 5, chain: 6, range: 7, missing: 8 };

/**
 * @typedef {object} Shown
 * @property {Uint8Array} mask a mark for every row that is shown
 * @property {Uint8Array} why by row: 0 when it is shown, else a reason of HIDDEN
 * @property {Map<number, number>} folded for every collapsed root how many it hides
 * @property {import("./folds.js").Bridge[]} bridges edges in place of ways through what is folded
 * @property {StandIns|null} into what stands for a folded row
 */

/** The rows of the chosen kind and run; from a row on, where those before are known. */
export function rowsOf({ nodes, view, categories }, /** @type {string} */ kind, mask = new Uint8Array(nodes.count), from = 0) {
  const kinds = nodes.get("kind");
  const runs = nodes.get("run");
  const wantedKind = KINDS[kind] ?? 0;
  const wantedRun = view.run == null ? -1 : categories.run.indexOf(view.run);
  for (let row = from; row < nodes.count; row++) mask[row] = +(kinds[row] === wantedKind && (view.run == null || runs[row] === wantedRun));
  return mask;
}

/**
 * Those of `within` whose names are not hidden and whose numbers lie in the ranges, and why the others are left out. The same mask
 * when that is nobody.
 * @param {import("../data/store.js").Store} store
 */
export function narrowedRows(store, /** @type {Uint8Array} */ within) {
  const { nodes, view, categories } = store;
  const why = new Uint8Array(nodes.count);
  let mask = within;
  const leave = (/** @type {(row: number) => number} */ reason) => {
    for (let row = 0; row < nodes.count; row++) {
      if (!mask[row] || !(why[row] = reason(row))) continue;
      if (mask === within) mask = within.slice();
      mask[row] = 0;
    }
  };
  for (const [list, column] of Object.entries(HIDEABLE)) {
    const hidden = new Set((view.hidden[list] ?? []).map((name) => categories[list]?.findIndex((each) => String(each) === name) ?? -1));
    hidden.delete(-1);
    const values = nodes.get(column);
    if (hidden.size && values.length) leave((row) => (hidden.has(values[row]) ? HIDDEN.name : 0));
  }
  for (const name of Object.keys(view.ranges)) leave(outside(store, name, within));
  return { mask, why };
}

/** Why a row is not within a range, 0 where it is. @returns {(row: number) => number} */
function outside({ nodes, view }, /** @type {string} */ name, within) {
  const { low, high, missing } = view.ranges[name];
  const { values, counts } = numbersOf(nodes, name, within);
  return (row) => (!counts(row) ? (missing ? 0 : HIDDEN.missing) : values[row] < (low ?? -Infinity) || values[row] > (high ?? Infinity) ? HIDDEN.range : 0);
}

/** Where nothing is hidden or folded: what came from a row on is shown as well. @returns {Shown} */
export function shownMore(/** @type {Shown} */ held, /** @type {Uint8Array} */ mask, /** @type {number} */ from) {
  const why = longer(held.why, mask.length);
  for (let row = from; row < mask.length; row++) why[row] = mask[row] ? 0 : HIDDEN.elsewhere;
  return { ...held, mask, why };
}

/** Whether anything of the view's state folds the picture. */
export const folds = ({ view }) => view.chains || view.dead_ends || view.collapsed.length > 0 || view.focus?.mode === "improvements";

/**
 * @param {import("../data/store.js").Store} store
 * @param {{within: Uint8Array, base: Uint8Array, barred: Uint8Array, path: {best: number, rows: number[]}, score: ArrayLike<number>, lower: boolean}} scene
 * @returns {Shown}
 */
export function shownRows(store, { within, base, barred, path, score, lower }) {
  const { nodes, links, view } = store;
  const { count } = nodes;
  const mask = folds(store) ? base.slice() : base;
  const why = new Uint8Array(count);
  const because = (reason) => {
    for (let row = 0; row < count; row++) if (!mask[row] && !why[row]) why[row] = reason;
  };
  for (let row = 0; row < count; row++) why[row] = within[row] ? barred[row] : HIDDEN.elsewhere;
  if (mask === base) return { mask, why, folded: new Map(), bridges: [], into: null };

  const flags = nodes.get("flags");
  const into = new StandIns(count);
  if (view.dead_ends) {
    const generations = nodes.get("generation");
    const known = generations.some((value, row) => row < count && mask[row] && value >= 0);
    hideDeadEnds(links, mask, { path: path.rows, score, flags, age: known ? generations : nodes.get("x") });
    because(HIDDEN.deadEnd);
  }
  const folded = collapse(links, mask, view.collapsed, into);
  because(HIDDEN.collapsed);
  let chains = [];
  if (view.focus?.mode === "improvements" && score.length) {
    onlyImprovements(links, mask, { score, flags, lower }, into);
    because(HIDDEN.noImprovement);
  } else if (view.chains) {
    const beside = besideFolds(links, into, folded.size > 0);
    const marked = NODE.seed | NODE.ghost | NODE.cycle;
    chains = foldChains(links, mask, (row) => row === path.best || folded.has(row) || !!(flags[row] & marked) || beside(row));
    because(HIDDEN.chain);
  }
  return { mask, why, folded, bridges: [...chains, ...bridgesOver(links, mask, into)], into };
}

/** Whether a row has a parent that is folded: a bridge will lead to it, so it is no link of a chain. */
const besideFolds = (links, into, any) => (row) => {
  for (let e = any ? (links.inHead[row] ?? -1) : -1; e >= 0; e = links.inNext[e]) if (into.row[links.src[e]] >= 0) return true;
  return false;
};

/** What of the view's state has to change for a row to be shown; null when nothing hides it. @returns {Partial<import("../data/protocol.js").View>|null} */
export function unhiding(/** @type {import("../data/store.js").Store} */ store, /** @type {number} */ row) {
  const { view, nodes, scene } = store;
  const reason = scene.shown.why[row];
  if (reason === HIDDEN.name) {
    const own = (list) => store.category(list, nodes.get(HIDEABLE[list])[row] ?? -1);
    return { hidden: Object.fromEntries(Object.entries(view.hidden).map(([list, names]) => [list, names.filter((name) => name !== own(list))])) };
  }
  if (reason >= HIDDEN.range) return { ranges: Object.fromEntries(Object.entries(view.ranges).filter(([name]) => !outside(store, name, scene.within)(row))) };
  if (reason === HIDDEN.deadEnd) return { dead_ends: false };
  if (reason === HIDDEN.chain) return { chains: false };
  if (reason === HIDDEN.noImprovement) return { focus: null };
  if (reason !== HIDDEN.collapsed) return null;
  // Other roots above it may fold it just as well: open all that do.
  const above = ancestors(store.links, nodes.count, row);
  return { collapsed: view.collapsed.filter((root) => root === row || !above[root]) };
}
