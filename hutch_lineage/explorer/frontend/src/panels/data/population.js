// Who a chart is about: everybody of the kind and the run that are shown, whatever the picture folds away or its legend hides.
import { KINDS } from "../../data/protocol.js";

/** @type {WeakMap<import("../../data/store.js").Store, {key: string, mask: Uint8Array}>} */
const held = new WeakMap();

/** What a panel's answers depend on: a new key is a new question. */
export const keyOf = (/** @type {import("../../data/store.js").Store} */ { revision, view, scene }) => `${revision}|${scene.kind}|${view.run}|${scene.metric?.name}`;

/**
 * A mark for every row that belongs to it; ghosts are marked too.
 * @param {import("../../data/store.js").Store} store
 * @returns {Uint8Array}
 */
export function population(store) {
  const { nodes, view, categories, scene, revision } = store;
  const key = `${revision}|${scene.kind}|${view.run}`;
  const known = held.get(store);
  if (known?.key === key) return known.mask;
  const kinds = nodes.get("kind");
  const runs = nodes.get("run");
  const kind = KINDS[scene.kind] ?? 0;
  const run = view.run == null ? -1 : categories.run.indexOf(view.run);
  const mask = new Uint8Array(nodes.count);
  for (let row = 0; row < nodes.count; row++) mask[row] = +(kinds[row] === kind && (view.run == null || runs[row] === run));
  held.set(store, { key, mask });
  return mask;
}
