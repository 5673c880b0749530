// What a focus leaves bright: a mark for every row. Nothing recurses, every row and edge is met at most a few times, and
// cycles, loops and parents that were never seen need no care of their own.
import { ancestors, descendants, pathTo } from "./lineage.js";

/** @typedef {import("../data/links.js").Links} Links */

/** Rows at most `reach` edges away, up or down the lineage in any mixture: siblings are two steps apart. */
export function around(/** @type {Links} */ links, /** @type {number} */ count, /** @type {number} */ row, /** @type {number} */ reach) {
  const mask = new Uint8Array(count);
  mask[row] = 1;
  let ring = [row];
  for (let step = 0; step < reach && ring.length; step++) {
    const next = [];
    const meet = (other) => {
      if (mask[other]) return;
      mask[other] = 1;
      next.push(other);
    };
    for (const at of ring) {
      for (let e = links.inHead[at] ?? -1; e >= 0; e = links.inNext[e]) meet(links.src[e]);
      for (let e = links.outHead[at] ?? -1; e >= 0; e = links.outNext[e]) meet(links.dst[e]);
    }
    ring = next;
  }
  return mask;
}

/**
 * All that lies on the way between two rows: every directed path from one to the other; where neither descends from the other,
 * every path from their most recent common ancestors down to both. Without a common ancestor the two stand alone.
 */
export function between(/** @type {Links} */ links, /** @type {number} */ count, /** @type {number} */ a, /** @type {number} */ b) {
  const up = [ancestors(links, count, a), ancestors(links, count, b)];
  const mask = new Uint8Array(count);
  if (up[0][b] || up[1][a]) {
    for (const [top, above] of /** @type {[number, Uint8Array][]} */ ([[a, up[1]], [b, up[0]]])) {
      if (!above[top]) continue;
      const down = descendants(links, count, top);
      for (let row = 0; row < count; row++) mask[row] |= down[row] & above[row];
    }
    return mask;
  }
  for (const top of recentCommon(links, count, up)) descendants(links, count, top, mask);
  for (let row = 0; row < count; row++) mask[row] &= up[0][row] | up[1][row];
  mask[a] = mask[b] = 1;
  return mask;
}

/** Common ancestors of which no child is one too: the most recent. Where a cycle leaves none, all of them. */
function recentCommon(links, count, [a, b]) {
  const common = [];
  const recent = [];
  for (let row = 0; row < count; row++) {
    if (!(a[row] & b[row])) continue;
    common.push(row);
    let last = true;
    for (let e = links.outHead[row] ?? -1; e >= 0 && last; e = links.outNext[e]) {
      const child = links.dst[e];
      last = child === row || !(a[child] & b[child]);
    }
    if (last) recent.push(row);
  }
  return recent.length ? recent : common;
}

/** The mask of a focus; null when it leaves everything bright. "improvements" hides instead: see folds.js. */
export function focusMask(/** @type {Links} */ links, count, /** @type {import("../data/protocol.js").Focus} */ focus, score, lower) {
  const { mode, row } = focus;
  if (!(row >= 0) || row >= count) return null;
  if (mode === "ancestors") return ancestors(links, count, row);
  if (mode === "descendants") return descendants(links, count, row);
  if (mode === "both") {
    const mask = ancestors(links, count, row);
    const down = descendants(links, count, row);
    for (let i = 0; i < count; i++) mask[i] |= down[i];
    return mask;
  }
  if (mode === "steps") return around(links, count, row, focus.steps ?? 1);
  if (mode === "between") return focus.other != null && focus.other >= 0 && focus.other < count ? between(links, count, row, focus.other) : null;
  if (mode !== "path") return null;
  const mask = new Uint8Array(count);
  for (const r of pathTo(links, row, score, lower).rows) mask[r] = 1;
  return mask;
}
