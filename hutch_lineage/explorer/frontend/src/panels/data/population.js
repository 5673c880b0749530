// Who a chart is about: everybody of the kind and the run that are shown, whatever the picture folds away or its legend hides.

/** What a panel's answers depend on: a new key is a new question. */
export const keyOf = (/** @type {import("../../data/store.js").Store} */ { revision, view, scene }) => `${revision}|${scene.kind}|${view.run}|${scene.metric?.name}`;

/**
 * A mark for every row that belongs to it; ghosts are marked too.
 * @returns {Uint8Array}
 */
export const population = (/** @type {import("../../data/store.js").Store} */ store) => store.scene.within;
