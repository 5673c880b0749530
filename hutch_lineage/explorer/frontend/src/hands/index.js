// What a person does with a picture beyond looking, searching and selecting: gestures, keys, the card at the pointer, the minimap, the way back, crumbs, marks, folds,
// ranges, the menus of views and files, the path to the best, the sheet of keys, the picture in words. It comes behind the graph, so the first picture does not wait for it.
import { h } from "../frame/dom.js";
import { HoverCard } from "../frame/hovercard.js";
import { keyboard } from "../frame/keys.js";
import { Minimap } from "../frame/minimap.js";
import { DetailsPanel } from "../panels/details.js";
import { Strip } from "../frame/strip.js";
import { Beyond } from "./beyond.js";
import { boxSelect } from "./box.js";
import { Crumbs } from "./crumbs.js";
import { ExportMenu } from "./exportmenu.js";
import { Gestures } from "./gestures.js";
import { Help } from "./help.js";
import { History } from "./history.js";
import { Popover } from "./popover.js";
import { Presets } from "./presets.js";
import { RangeBar } from "./rangebar.js";
import { steady } from "./steady.js";
import { Summary } from "./summary.js";
import { ViewMenu } from "./viewmenu.js";

/** The panel that is open at first; see panels/list.js. */
export const PANELS = [{ id: "details", make: DetailsPanel }];

export class Hands {
  /** @param {import("../data/store.js").Store} store @param {import("../frame/app.js").App} app */
  constructor(store, app) {
    this.store = store;
    this.app = app;
    this.history = new History(store);
    this.crumbs = new Crumbs(store, this);
    this.strip = new Strip(store, app);
    this.summary = new Summary(store);
    this.help = new Help(() => app.canvas.focus({ preventScroll: true }));
    this.view = new ViewMenu(store, this);
    this.card = new HoverCard(store);
    this.minimap = new Minimap(store, app.camera);
    app.stage.append(this.card.element, this.minimap.element, this.crumbs.element, this.help.element);
    app.stage.after(this.summary.element);
    app.toolbar.colour.element.before(app.toolbar.layout.element);
    this.files = new ExportMenu(store, app);
    this.presets = new Presets(store, app.toolbar);
    app.toolbar.colour.element.after(this.view.button, this.files.element);
    app.tools.append(h("button", { "aria-label": "Keys (?)", title: "Keys (?)", onclick: () => this.help.toggle() }, "?"));
    const { legend } = app.foot;
    this.unsteady = steady(app.foot);
    this.beyond = new Beyond(store, app.toolbar);
    this.range = new RangeBar(store, legend);
    this.notes = new Popover("Notes", app.foot.notes, () => store.summary.notes.map((note) => h("p", null, note)));
    this.names = new Popover("All names", legend.more, () => [h("div.names", null, ...legend.buttons())]);
    this.box = boxSelect(app.canvas, app.stage, {
      rowsIn: (box) => this.#rowsIn(box),
      marked: (rows, add) => store.setGroup(add ? [...store.group, ...rows] : rows),
    });
    this.onClick = (e) => {
      if (!(e.altKey || e.ctrlKey || e.metaKey)) return;
      const row = app.at(e);
      if (row < 0) return;
      e.stopImmediatePropagation();
      this.compareWith(row);
    };
    this.onDouble = (e) => {
      const row = app.at(e);
      if (!store.scene.shown.folded.has(row)) return;
      e.stopImmediatePropagation();
      this.fold(row);
    };
    this.gestures = new Gestures(app.canvas, app.camera);
    // On the picture before the app's own answers to them; then beside it.
    const keys = keyboard(store, app);
    app.canvas.addEventListener("keydown", keys);
    app.root.addEventListener("keydown", keys);
    app.canvas.addEventListener("click", this.onClick, true);
    app.canvas.addEventListener("dblclick", this.onDouble, true);
    this.update(new Set(["graph", "view"]));
    app.draw();
  }

  /** What is drawn beside the picture. */
  draw(/** @type {string[]} */ palette, /** @type {Record<string, string>} */ colours, /** @type {number} */ ratio) {
    this.minimap.update(palette, colours, ratio);
    this.range.update();
  }

  /** The picture has another width. */
  resize() {
    this.strip.update();
  }

  update(/** @type {Set<string>} */ changes) {
    if (changes.has("view") || changes.has("select")) this.history.record();
    this.summary.update(!changes.has("view"));
    if (changes.has("graph") || changes.has("view") || changes.has("select")) this.strip.update();
    if (changes.has("graph") || changes.has("view") || changes.has("select")) this.crumbs.update();
    this.view.update();
    this.files.update();
    this.beyond.update();
    if (this.names.open && (changes.has("graph") || changes.has("view"))) this.names.refresh();
  }

  /** A key that the app has no answer to. @returns {boolean} whether there was one */
  key(/** @type {KeyboardEvent} */ e) {
    if (e.altKey) {
      if (!/^Arrow(Left|Right)$/.test(e.key)) return false;
      this.travel(e.key === "ArrowLeft" ? -1 : 1);
      return true;
    }
    const { selected } = this.store;
    const { hover } = this.app;
    const acts = {
      s: () => this.stepsAround(1),
      S: () => this.stepsAround(-1),
      w: () => this.focusBetween(),
      i: () => this.improvements(),
      c: () => this.compareWith(hover >= 0 && hover !== selected ? hover : selected),
      m: () => this.mark(selected),
      x: () => this.fold(selected),
      "[": () => this.travel(-1),
      "]": () => this.travel(1),
      "?": () => this.help.toggle(),
    };
    const act = Object.hasOwn(acts, e.key) && acts[e.key];
    if (act) act();
    return !!act;
  }

  // ---- acts

  show(/** @type {number} */ row) {
    this.app.show(row);
  }

  focus(/** @type {import("../data/protocol.js").FocusMode} */ mode, /** @type {number} */ row, more) {
    this.app.focus(mode, row, more);
  }

  /** One step more or less around the selected. */
  stepsAround(/** @type {1|-1} */ by) {
    const { view, selected } = this.store;
    const steps = view.focus?.mode === "steps" && view.focus.row === selected ? (view.focus.steps ?? 1) + by : by;
    if (steps > 0) this.app.focus("steps", selected, { steps });
    else if (view.focus?.mode === "steps") this.store.setView({ focus: null });
  }

  /** What lies between the selected and the one it is compared with. */
  focusBetween() {
    const { view, selected } = this.store;
    if (view.compare >= 0 && view.compare !== selected) this.app.focus("between", selected, { other: view.compare });
  }

  improvements() {
    const on = this.store.view.focus?.mode === "improvements";
    this.store.setView({ focus: on ? null : { mode: "improvements", row: -1 } });
  }

  /** Make a row the other one of Diff and Compare; the same again ends it. */
  compareWith(/** @type {number} */ row) {
    if (row < 0) return;
    const { view } = this.store;
    if (view.compare === row) return this.store.setView({ compare: -1 });
    this.store.setView({ compare: row, tab: view.tab === "diff" ? "diff" : "compare" });
  }

  /** Mark a row, or take its mark away. */
  mark(/** @type {number} */ row) {
    const { group } = this.store;
    if (row >= 0) this.store.setGroup(group.includes(row) ? group.filter((each) => each !== row) : [...group, row]);
  }

  zoomToGroup() {
    const { group, scene } = this.store;
    const { x, y } = scene;
    const bounds = { x0: Infinity, x1: -Infinity, y0: Infinity, y1: -Infinity };
    for (const row of group) {
      bounds.x0 = Math.min(bounds.x0, x[row]);
      bounds.x1 = Math.max(bounds.x1, x[row]);
      bounds.y0 = Math.min(bounds.y0, y[row]);
      bounds.y1 = Math.max(bounds.y1, y[row]);
    }
    this.app.camera.fit(bounds, true);
    this.app.camera.follow = false;
    this.app.draw();
  }

  /** Fold the subtree of a row into it, or unfold it. */
  fold(/** @type {number} */ row) {
    if (row < 0) return;
    const { collapsed } = this.store.view;
    this.store.setView({ collapsed: collapsed.includes(row) ? collapsed.filter((each) => each !== row) : [...collapsed, row] });
  }

  /** Back to the picture before, or forward again. */
  travel(/** @type {-1|1} */ step) {
    if (!this.history.go(step)) return;
    const { selected, scene } = this.store;
    const { camera } = this.app;
    if (selected >= 0 && scene.index.visible[selected] && !camera.follow) camera.reveal(scene.x[selected], scene.y[selected]);
  }

  /** Rows that are shown within a part of the screen. */
  #rowsIn({ x0, y0, x1, y1 }) {
    const { camera } = this.app;
    const { x, y, index } = this.store.scene;
    const [left, right, top, bottom] = [(x0 - camera.bx) / camera.ax, (x1 - camera.bx) / camera.ax, (y0 - camera.by) / camera.ay, (y1 - camera.by) / camera.ay];
    return [...index.rows].filter((row) => x[row] >= left && x[row] <= right && y[row] >= top && y[row] <= bottom);
  }

  destroy() {
    this.gestures.destroy();
    this.summary.destroy();
    this.view.popover.close();
    this.names.close();
    this.notes.close();
    this.range.destroy();
    this.unsteady();
    this.beyond.destroy();
  }
}
