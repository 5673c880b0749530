// The keyboard: arrows walk the lineage, letters focus, signs move the camera. The sheet in hands/help.js lists them and those of hands/.

/** What Esc does, a press at a time; the sheet of keys, the overview of Details and docs/explorer.md say the same. */
export const ESCAPE = "clear the search, the focus, the marks, the selection: one at a time";

const FIELDS = "textarea,select,input:not([type=checkbox],[type=radio])";

/**
 * @param {import("../data/store.js").Store} store
 * @param {any} app
 * @returns {(e: KeyboardEvent) => void}
 */
export function keyboard(store, app) {
  const walk = (/** @type {number[]} */ rows) => rows.length && app.show(rows[0]);
  const here = () => (store.selected >= 0 ? store.selected : -1);
  const start = () => app.show(store.scene.path.best >= 0 ? store.scene.path.best : (store.scene.index.rows[0] ?? -1));
  const actions = {
    ArrowLeft: () => walk(byScore(store, parents(store, here()))),
    ArrowRight: () => walk(byScore(store, children(store, here()))),
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
    // Beside the picture letters and signs alone are ours, and not while one is typed.
    if (e.target !== app.canvas && (e.key.length > 1 || e.key === " " || e.target.matches(FIELDS))) return;
    const key = e.key.length === 1 ? e.key.toLowerCase() : e.key;
    const action = actions[key] ? (here() < 0 ? start : actions[key]) : others[key];
    if (!action && !app.hands?.key(e)) return;
    // The notebook has keys of its own (a: add a cell, d d: delete it); they must not hear ours.
    e.preventDefault();
    e.stopPropagation();
    action?.();
  };
}

/** Parents, over bridges too. */
const parents = (store, row) => [...store.links.parents(row), ...store.scene.shown.bridges.filter((b) => b.dst === row).map((b) => b.src)];
const children = (store, row) => [...store.links.children(row), ...store.scene.shown.bridges.filter((b) => b.src === row).map((b) => b.dst)];

function byScore(store, rows) {
  const { score, lower, index } = store.scene;
  const rank = (row) => (Number.isNaN(score[row] ?? NaN) ? -Infinity : lower ? -score[row] : score[row]);
  return rows.filter((row) => index.visible[row] && row !== store.selected).sort((a, b) => rank(b) - rank(a));
}

/** The next one above or below: in the same layer, and where a layout has no layers, among the siblings. */
function neighbour(store, row, step) {
  const { start, rows, first, visible } = store.scene.index;
  const { x, y, layout } = store.scene;
  const layer = Math.floor(x[row]) - first;
  const layered = layout !== "radial" && layout !== "time";
  const near = layered ? rows.subarray(start[layer] ?? 0, start[layer + 1] ?? 0) : parents(store, row).slice(0, 1).flatMap((parent) => children(store, parent)).filter((each) => visible[each]);
  const mates = [...near].sort((a, b) => y[a] - y[b] || a - b);
  const next = mates[mates.indexOf(row) + step];
  return next === undefined ? [] : [next];
}
