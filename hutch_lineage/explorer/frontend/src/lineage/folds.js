// What is folded away. A fold never loses anything: it says how many it hides, and where two shown individuals are linked
// through hidden ones a bridge stands in their place.
import { NODE } from "../data/protocol.js";

/**
 * @typedef {import("../data/links.js").Links} Links
 * @typedef {{src: number, dst: number, count: number}} Bridge an edge in place of a way over `count` hidden individuals
 */

/** For every row that is folded: the row that stands for it, and how many steps above it that is. */
export class StandIns {
  constructor(/** @type {number} */ count) {
    this.row = new Int32Array(count).fill(-1);
    this.steps = new Int32Array(count);
  }
}

/** What no judgement of fitness holds for. */
const UNJUDGED = NODE.ghost | NODE.invalid | NODE.rejected;

/** Calls `meet` with the other end of every shown edge into (or out of) a row. */
const shownParents = (links, mask, row, meet) => {
  for (let e = links.inHead[row] ?? -1; e >= 0; e = links.inNext[e]) if (links.src[e] !== row && mask[links.src[e]]) meet(links.src[e]);
};
const shownChildren = (links, mask, row, meet) => {
  for (let e = links.outHead[row] ?? -1; e >= 0; e = links.outNext[e]) if (links.dst[e] !== row && mask[links.dst[e]]) meet(links.dst[e]);
};

/** Marks in `met` all that `next` leads to from the rows given, through shown rows; those that `blocked` marks are met and not passed. */
function spread(links, mask, rows, next, met, blocked = null) {
  const stack = [...rows];
  while (stack.length) {
    const at = stack.pop();
    if (blocked?.[at]) continue;
    next(links, mask, at, (other) => {
      if (met[other]) return;
      met[other] = 1;
      stack.push(other);
    });
  }
  return met;
}

/**
 * Subtrees folded into their roots. In a lineage with several parents a subtree is not a tree: an individual is folded when every
 * shown way to it leads through a collapsed root; a child that also has a parent elsewhere stays. A collapsed root itself is
 * folded only into another one.
 * @param {Links} links
 * @param {Uint8Array} mask what is shown; changed
 * @param {number[]} collapsed
 * @param {StandIns} into changed
 * @returns {Map<number, number>} for every root that hides something, how many
 */
export function collapse(links, mask, collapsed, into) {
  const count = mask.length;
  const folded = new Map();
  const roots = [...new Set(collapsed)].filter((row) => row >= 0 && row < count && mask[row]).sort((a, b) => a - b);
  if (!roots.length) return folded;
  const blocked = new Uint8Array(count);
  for (const row of roots) blocked[row] = 1;
  // Whatever is below no root is shown; so is what it leads to past the roots.
  const below = spread(links, mask, roots, shownChildren, new Uint8Array(count));
  const alive = new Uint8Array(count);
  const free = [];
  for (let row = 0; row < count; row++) {
    if (!mask[row] || below[row]) continue;
    alive[row] = 1;
    free.push(row);
  }
  spread(links, mask, free, shownChildren, alive, blocked);
  // A root within a cycle is below itself: it stays unless another root that is shown leads to it.
  const covered = new Uint8Array(count);
  spread(links, mask, roots.filter((row) => alive[row]), shownChildren, covered);
  for (const row of roots) {
    if (alive[row] || covered[row]) continue;
    alive[row] = 1;
    spread(links, mask, [row], shownChildren, covered);
  }
  for (const root of roots) {
    if (!alive[root]) continue;
    const queue = [root];
    for (const at of queue) {
      shownChildren(links, mask, at, (child) => {
        if (alive[child] || into.row[child] >= 0) return;
        into.row[child] = root;
        into.steps[child] = at === root ? 1 : into.steps[at] + 1;
        queue.push(child);
      });
    }
    if (queue.length > 1) folded.set(root, queue.length - 1);
  }
  for (let row = 0; row < count; row++) if (into.row[row] >= 0) mask[row] = 0;
  return folded;
}

/**
 * Hides dead ends: individuals without a descendant of interest. Of interest are the way to the best, the last generation (where
 * generations are not known: the last layer), and what has not been evaluated yet; and so are all their ancestors.
 * @param {Links} links
 * @param {Uint8Array} mask changed
 * @param {{path: number[], score: ArrayLike<number>, flags: ArrayLike<number>, age: ArrayLike<number>}} given `age`: generation or layer
 */
export function hideDeadEnds(links, mask, { path, score, flags, age }) {
  let last = -Infinity;
  for (let row = 0; row < mask.length; row++) if (mask[row] && age[row] > last) last = age[row];
  const kept = new Uint8Array(mask.length);
  const targets = [];
  const keep = (row) => {
    if (kept[row] || !mask[row]) return;
    kept[row] = 1;
    targets.push(row);
  };
  path.forEach(keep);
  for (let row = 0; row < mask.length; row++) {
    const waiting = score.length > 0 && Number.isNaN(score[row] ?? NaN) && !(flags[row] & UNJUDGED);
    if (age[row] === last || waiting) keep(row);
  }
  spread(links, mask, targets, shownParents, kept);
  for (let row = 0; row < mask.length; row++) mask[row] &= kept[row];
}

/**
 * Leaves the improvements: individuals better than all their parents whose value is known, those that were the best when they
 * came, and the seeds from which they come. What is between is bridged along the first parents.
 * @param {Links} links
 * @param {Uint8Array} mask changed
 * @param {{score: ArrayLike<number>, flags: ArrayLike<number>, lower: boolean}} given
 * @param {StandIns} into changed
 */
export function onlyImprovements(links, mask, { score, flags, lower }, into) {
  const count = mask.length;
  const sign = lower ? -1 : 1;
  const value = (row) => (flags[row] & UNJUDGED || !(Math.abs(score[row]) < Infinity) ? NaN : sign * score[row]);
  const kept = new Uint8Array(count);
  const rows = [];
  let best = -Infinity;
  for (let row = 0; row < count; row++) {
    if (!mask[row]) continue;
    const own = value(row);
    if (Number.isNaN(own)) continue;
    let parents = -Infinity;
    for (let e = links.inHead[row] ?? -1; e >= 0; e = links.inNext[e]) {
      const other = value(links.src[e]);
      if (links.src[e] !== row && other > parents) parents = other;
    }
    if (own > best || (parents > -Infinity && own > parents)) {
      kept[row] = 1;
      rows.push(row);
    }
    if (own > best) best = own;
  }
  const above = spread(links, mask, rows, shownParents, new Uint8Array(count));
  for (let row = 0; row < count; row++) if (mask[row] && above[row] && flags[row] & NODE.seed) kept[row] = 1;
  standIns(links, mask, kept, into);
  for (let row = 0; row < count; row++) mask[row] &= kept[row];
}

/** For every row that is shown and not kept: the nearest kept one up the line of first parents, or -1 where the line ends or turns in a circle. */
function standIns(links, mask, kept, into) {
  const done = new Uint8Array(mask.length);
  const way = [];
  for (let row = 0; row < mask.length; row++) {
    if (!mask[row] || kept[row] || done[row]) continue;
    let at = row;
    while (at >= 0 && !kept[at] && !done[at]) {
      done[at] = 1;
      way.push(at);
      at = firstParent(links, mask, at);
    }
    const end = at < 0 ? -1 : kept[at] ? at : into.row[at];
    let steps = at < 0 || kept[at] ? 0 : into.steps[at];
    while (way.length) {
      const hidden = way.pop();
      into.row[hidden] = end;
      into.steps[hidden] = ++steps;
    }
  }
}

function firstParent(links, mask, row) {
  let first = -1;
  let order = Infinity;
  for (let e = links.inHead[row] ?? -1; e >= 0; e = links.inNext[e]) {
    const parent = links.src[e];
    if (parent === row || !mask[parent] || links.order[e] > order) continue;
    first = parent;
    order = links.order[e];
  }
  return first;
}

/**
 * Folds linear chains: two or more individuals in a row that have one shown parent and one shown child each become one bridge.
 * @param {Links} links
 * @param {Uint8Array} mask changed
 * @param {(row: number) => boolean} stays rows that are never folded
 * @returns {Bridge[]}
 */
export function foldChains(links, mask, stays) {
  const count = mask.length;
  const only = (next, row) => {
    let found = -1;
    next(links, mask, row, (other) => (found = found < 0 || found === other ? other : -2));
    return found;
  };
  const parent = new Int32Array(count).fill(-1);
  const child = new Int32Array(count).fill(-1);
  const inner = new Uint8Array(count);
  for (let row = 0; row < count; row++) {
    if (!mask[row]) continue;
    parent[row] = only(shownParents, row);
    child[row] = only(shownChildren, row);
    inner[row] = +(parent[row] >= 0 && child[row] >= 0 && !stays(row));
  }
  const bridges = [];
  for (let row = 0; row < count; row++) {
    if (!inner[row] || inner[parent[row]]) continue;
    let end = row;
    let n = 0;
    for (; inner[end]; end = child[end]) n++;
    if (n < 2 || end === parent[row]) continue;
    for (let at = row; inner[at]; at = child[at]) mask[at] = 0;
    bridges.push({ src: parent[row], dst: end, count: n });
  }
  return bridges;
}

/** Bridges from what stands for hidden parents to their shown children, one for each pair. @returns {Bridge[]} */
export function bridgesOver(/** @type {Links} */ links, /** @type {Uint8Array} */ mask, /** @type {StandIns} */ into) {
  const bridges = [];
  for (let row = 0; row < mask.length; row++) {
    if (!mask[row]) continue;
    const first = bridges.length;
    for (let e = links.inHead[row] ?? -1; e >= 0; e = links.inNext[e]) {
      const parent = links.src[e];
      if (mask[parent]) continue;
      const { end, steps } = standIn(mask, into, parent);
      if (end < 0 || end === row || linked(links, end, row)) continue;
      let held = first;
      while (held < bridges.length && bridges[held].src !== end) held++;
      if (held === bridges.length) bridges.push({ src: end, dst: row, count: steps });
      else bridges[held].count = Math.min(bridges[held].count, steps);
    }
  }
  return bridges;
}

/** What stands for a row may itself have been folded by the next fold: follow. */
function standIn(mask, into, row) {
  let steps = 0;
  let at = row;
  for (let folds = 0; folds < 3 && at >= 0 && !mask[at]; folds++) {
    steps += into.steps[at];
    at = into.row[at];
  }
  return { end: at >= 0 && mask[at] ? at : -1, steps };
}

function linked(links, parent, row) {
  for (let e = links.inHead[row] ?? -1; e >= 0; e = links.inNext[e]) if (links.src[e] === parent) return true;
  return false;
}
