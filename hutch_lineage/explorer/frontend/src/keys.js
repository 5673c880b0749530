// The keyboard: arrows walk the lineage, letters focus, signs move the camera.

/**
 * @param {import("./store.js").Store} store
 * @param {any} app
 * @returns {(e: KeyboardEvent) => void}
 */
export function keyboard(store, app) {
  const walk = (/** @type {number[]} */ rows) => rows.length && app.show(rows[0]);
  const here = () => (store.selected >= 0 ? store.selected : -1);
  const start = () => app.show(store.scene.path.best >= 0 ? store.scene.path.best : (store.scene.index.rows[0] ?? -1));
  const actions = {
    ArrowLeft: () => walk(byScore(store, store.links.parents(here()))),
    ArrowRight: () => walk(byScore(store, store.links.children(here()))),
    ArrowUp: () => walk(neighbour(store, here(), -1)),
    ArrowDown: () => walk(neighbour(store, here(), 1)),
  };
  const others = {
    Enter: () => app.open(),
    " ": () => app.open(),
    f: () => app.focus("both"),
    a: () => app.focus("ancestors"),
    d: () => app.focus("descendants"),
    p: () => app.focus("path"),
    b: () => app.best(),
    "+": () => app.camera.zoomBy(1.5),
    "=": () => app.camera.zoomBy(1.5),
    "-": () => app.camera.zoomBy(1 / 1.5),
    _: () => app.camera.zoomBy(1 / 1.5),
    0: () => app.fit(true),
    "/": () => app.toolbar.query.focus(),
    Escape: () => app.escape(),
  };
  return (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const key = e.key.length === 1 ? e.key.toLowerCase() : e.key;
    const action = actions[key] ? (here() < 0 ? start : actions[key]) : others[key];
    if (!action) return;
    // The notebook has keys of its own (a: add a cell, d d: delete it); they must not hear ours.
    e.preventDefault();
    e.stopPropagation();
    action();
  };
}

function byScore(store, rows) {
  const { score, lower, index } = store.scene;
  const rank = (row) => (Number.isNaN(score[row] ?? NaN) ? -Infinity : lower ? -score[row] : score[row]);
  return rows.filter((row) => index.visible[row] && row !== store.selected).sort((a, b) => rank(b) - rank(a));
}

/** The next one above or below in the same layer. */
function neighbour(store, row, step) {
  const { start, rows, first } = store.scene.index;
  const layer = Math.floor(store.scene.x[row]) - first;
  const y = store.scene.y;
  const mates = [...rows.subarray(start[layer] ?? 0, start[layer + 1] ?? 0)].sort((a, b) => y[a] - y[b] || a - b);
  const next = mates[mates.indexOf(row) + step];
  return next === undefined ? [] : [next];
}
