// Which rows are shown at all: those of the chosen kind and run.
import { KINDS } from "./protocol.js";

/**
 * @param {import("./store.js").Store} store
 * @param {string} kind
 * @returns {{mask: Uint8Array}} a mark for every row that is shown
 */
export function visibleRows({ nodes, view, categories }, kind) {
  const kinds = nodes.get("kind");
  const runs = nodes.get("run");
  const wantedKind = KINDS[kind] ?? 0;
  const wantedRun = view.run == null ? -1 : categories.run.indexOf(view.run);
  const mask = new Uint8Array(nodes.count);
  for (let row = 0; row < nodes.count; row++) mask[row] = +(kinds[row] === wantedKind && (view.run == null || runs[row] === wantedRun));
  return { mask };
}
