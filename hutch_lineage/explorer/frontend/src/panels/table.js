// The individuals as a table: all that are shown, those found, those in focus, or the group.
import { fillSelect, h } from "../frame/dom.js";
import { counted, whole } from "../words/format.js";
import { Grid } from "./grid.js";
import { nodeColumns } from "./nodecolumns.js";
import { paced } from "./pace.js";

export class TablePanel {
  constructor(/** @type {import("../data/store.js").Store} */ store, /** @type {any} */ app) {
    this.store = store;
    this.app = app;
    this.wanted = "";
    this.of = h("select", { "aria-label": "Rows of the table", onchange: () => { this.wanted = this.of.value; this.#fill(); } });
    this.grid = new Grid({
      label: "Individuals", file: "individuals.csv", lead: [h("label.chip.menu", null, this.of)],
      pick: (row) => app.show(row), open: () => store.setView({ tab: "details" }), chosen: () => store.selected,
      mark: (row) => (row === store.scene.path.best ? "hl-best" : ""), id: (row) => ({ "data-row": row, "data-node": store.id(row) }),
    });
    this.element = this.grid.element;
    this.work = paced(app, () => this.#fill());
  }

  update(/** @type {Set<string>} */ changes) {
    if (changes.has("graph") && this.grid.items.length > 5_000) this.work();
    else this.#fill();
    if (changes.has("select")) this.grid.paint();
  }

  #sets() {
    const { scene, group } = this.store;
    const { hits, focus, index } = scene;
    /** @type {Record<string, {text: string, rows(): ArrayLike<number>}>} */
    const sets = {};
    if (group?.length) sets.group = { text: `group of ${whole(group.length)}`, rows: () => group };
    if (hits) sets.hits = { text: `${whole(hits.length)} found`, rows: () => (focus ? Array.from(hits).filter((row) => focus[row]) : hits) };
    if (focus) sets.focus = { text: "in focus", rows: () => Array.from(index.rows).filter((row) => focus[row]) };
    sets.all = { text: "all", rows: () => index.rows };
    return sets;
  }

  #fill() {
    const { store, grid } = this;
    const { scene, view } = store;
    const sets = this.#sets();
    const name = sets[this.wanted] ? this.wanted : Object.keys(sets)[0];
    fillSelect(this.of, Object.entries(sets).map(([value, { text }]) => ({ value, text })), name);
    const key = [store.revision, view.kind, view.run, scene.metric?.name, view.query, view.focus, view.hidden, view.ranges, view.collapsed, view.chains, view.dead_ends, name, name === "group" ? store.group : 0];
    const before = grid.sort.key;
    if (!before || (before.startsWith("m:") && !store.metrics.some((m) => `m:${m.name}` === before))) grid.sort = { key: scene.metric ? `m:${scene.metric.name}` : "id", down: !!scene.metric };
    if (JSON.stringify(key) === grid.key) return grid.paint();
    const rows = sets[name].rows();
    const { total, ghosts } = scene.index.counts;
    const all = `${counted(total, scene.kind)}${ghosts ? ` and ${whole(ghosts)} not seen` : ""}`;
    grid.show({ items: rows, columns: nodeColumns(store, rows), key, said: (n) => (n === scene.index.rows.length ? all : `${whole(n)} of ${all}`) });
  }

  destroy() {
    this.work.stop();
    this.grid.destroy();
  }
}
