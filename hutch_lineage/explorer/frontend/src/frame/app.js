// One view: builds the parts, hears the store, draws when something changed, takes the pointer and the keys.
import { Camera } from "../drawing/camera.js";
import { palette } from "../picture/colour.js";
import { h, icon } from "./dom.js";
import { FULL_DETAIL, draw, shapeOf } from "../drawing/draw.js";
import { encodings } from "../drawing/encodings.js";
import { Foot } from "./foot.js";
import { Panel } from "../panels/panel.js";
import { Picker } from "../picture/pick.js";
import { announce, describe } from "./spoken.js";
import { Theme } from "../drawing/theme.js";
import { Toolbar } from "./toolbar.js";
import { unhiding } from "../lineage/visible.js";
import { Whereabouts } from "./whereabouts.js";

const NARROW = 700;
const TINY = 460;
const WIDE = 1040;
/** Changes that are seen in the picture. */
const DRAWN = ["graph", "view", "select"];
let views = 0;
/** Of more than this the parts beside the picture follow its growth at this pace. */
const MANY = 5000;
const PARTS_MS = 500;
const SOON_MS = 40;

export class App {
  /**
   * @param {import("../data/store.js").Store} store
   * @param {HTMLElement} host
   * @param {{height: number, theme: string}} settings
   */
  constructor(store, host, settings) {
    this.store = store;
    this.settings = settings;
    this.hover = -1;
    this.frame = 0;
    this.later = 0;
    this.rested = 0;
    this.opened = false;
    /** While a button is held down inside the parts, they are not rebuilt, or the click would fall through. */
    this.pressed = false;
    /** @type {Set<string>} */
    this.postponed = new Set();
    /** @type {import("../drawing/draw.js").Drawn} */
    this.drawn = { nodes: 0, full: true, inView: 0, total: 0, edges: "all", edgesInView: 0, edgesDrawn: 0, strands: 0, more: false };
    this.#build();
    this.camera = new Camera(this.canvas, (byPerson) => {
      if (byPerson) this.#hoverOn(-1);
      this.draw();
    }, () => shapeOf(store.scene));
    this.whereabouts = new Whereabouts(store, this.camera, () => this.fit());
    this.picker = new Picker(store);
    this.theme = new Theme(this.root, () => this.settings.theme, () => {
      this.palette = palette(this.theme.name, this.theme.colours.faint);
      this.draw();
    });
    this.#listen();
    /** For tests and for a look inside. */
    /** @type {any} */ (this.root).__hl = { screenOf: (row) => this.screenOf(row), store, state: () => this.state(), app: this };
    host.append(this.root);
    this.setHeight(settings.height);
    this.theme.update();
    this.update(new Set(["graph", "view", "select", "status", "details"]));
  }

  #build() {
    const { store } = this;
    this.toolbar = new Toolbar(store, this);
    /** The path to the best; its steps come with the second bundle. */
    this.strip = h("section.strip", { "aria-label": "Path to best", hidden: true });
    this.foot = new Foot(store);
    /** What comes with the second bundle: see hands/index.js. @type {import("../hands/index.js").Hands|null} */
    this.hands = null;
    this.panel = new Panel(store, this);
    // The selected individual as an element, for the screen reader that follows it on the canvas.
    this.active = h("div", { id: `hl-active-${++views}`, role: "img", "aria-label": "Nothing selected" });
    this.canvas = h("canvas.canvas", { tabindex: "0", role: "application", "aria-roledescription": "lineage picture", "aria-label": "Lineage picture", "aria-activedescendant": this.active.id }, this.active);
    this.live = h("div.hidden", { "aria-live": "polite", role: "status" });
    this.empty = h("div.empty", { hidden: true });
    const tool = (name, label, act) => h("button", { "aria-label": label, title: label, onclick: act }, icon(name));
    this.tools = h("div.tools", { role: "group", "aria-label": "Camera" },
      tool("plus", "Zoom in (+)", () => this.camera.zoomBy(1.5)),
      tool("minus", "Zoom out (−)", () => this.camera.zoomBy(1 / 1.5)),
      (this.fitButton = tool("fit", "Show everything and follow growth (0)", () => this.fit(true))),
      (this.bestButton = tool("best", "Go to the best (b)", () => this.best())));
    this.stage = h("div.stage", null, this.canvas, this.empty, this.tools);
    this.root = h("div.explorer", null, this.toolbar.element, this.stage, this.panel.element, this.strip, this.foot.element, this.live);
    // Read back often (hit tests, screenshots, software drawing): keep the canvas in memory the CPU can reach.
    this.context = this.canvas.getContext("2d", { willReadFrequently: globalThis.hutchLineage?.willReadFrequently ?? true });
  }

  #listen() {
    const { canvas } = this;
    this.unlisten = this.store.listen((changes) => this.update(changes));
    this.observer = new ResizeObserver(() => this.#resize());
    this.observer.observe(this.stage);
    this.observer.observe(this.root);
    canvas.addEventListener("pointermove", (e) => e.buttons || this.#hoverOn(this.at(e)));
    canvas.addEventListener("pointerleave", () => this.#hoverOn(-1));
    canvas.addEventListener("click", (e) => {
      canvas.focus({ preventScroll: true });
      if (!e.shiftKey) this.store.select(this.at(e));
    });
    canvas.addEventListener("dblclick", (e) => this.at(e) >= 0 && this.focus("both", this.at(e)));
    this.root.addEventListener("pointerdown", (e) => {
      this.pressed = !(e.target instanceof HTMLCanvasElement);
    });
    this.onRelease = () => {
      if (!this.pressed) return;
      this.pressed = false;
      setTimeout(() => this.pressed || this.#parts()); // after the click
    };
    addEventListener("pointerup", this.onRelease, true);
    addEventListener("pointercancel", this.onRelease, true);
    // JupyterLab acts on keys before the page does, unless told not to: single keys are ours, those with Ctrl or ⌘ stay its own.
    this.onKey = (e) => {
      if (this.root.contains(e.target)) this.root.toggleAttribute("data-lm-suppress-shortcuts", !e.ctrlKey && !e.metaKey);
    };
    addEventListener("keydown", this.onKey, true);
    this.root.addEventListener("keydown", (e) => {
      if (!e.ctrlKey && !e.metaKey) e.stopPropagation();
      if (e.altKey && this.hands?.key(e)) e.preventDefault();
      else if (e.key === "/" && !/^(INPUT|TEXTAREA|SELECT)$/.test(e.target.tagName)) {
        e.preventDefault();
        this.toolbar.query.focus();
      } else if (e.key === "Escape") this.escape();
    });
  }

  /** The row under the pointer, -1 for none. */
  at(/** @type {MouseEvent} */ e) {
    const box = this.canvas.getBoundingClientRect();
    const k = box.width / (this.canvas.clientWidth || box.width || 1) || 1;
    return this.picker.at(this.camera, (e.clientX - box.left) / k, (e.clientY - box.top) / k);
  }

  #hoverOn(row) {
    if (row === this.hover) return;
    this.hover = row;
    this.canvas.style.cursor = row >= 0 ? "pointer" : "";
    this.hands?.card.show(row, this.camera);
    this.draw();
  }

  setHeight(/** @type {number} */ height) {
    this.settings.height = height;
    this.root.style.setProperty("--hl-height", `${Math.max(320, height || 640)}px`);
  }

  #resize() {
    if (!this.#measure()) return;
    this.hands?.resize();
    this.paint();
  }

  /** Fit the canvas and the camera into their room. @returns {boolean} whether it is another than before */
  #measure() {
    const width = this.root.offsetWidth;
    if (!width) return false;
    this.root.dataset.size = width < TINY ? "tiny" : width < NARROW ? "narrow" : width < WIDE ? "medium" : "wide";
    this.root.toggleAttribute("data-stacked", width < NARROW);
    const box = this.stage.getBoundingClientRect();
    const w = this.stage.clientWidth;
    const tall = this.stage.clientHeight;
    if (!w || !tall || !box.width) return false;
    const ratio = Math.min(3, globalThis.devicePixelRatio || 1);
    if (this.canvas.width !== Math.round(w * ratio) || this.canvas.height !== Math.round(tall * ratio)) {
      this.canvas.width = Math.round(w * ratio);
      this.canvas.height = Math.round(tall * ratio);
    }
    const before = [this.ratio, this.camera.width, this.camera.height].join();
    this.ratio = ratio;
    // Hosts may render into an element that enters the page later.
    const undressed = !this.theme.ready;
    if (undressed) this.theme.update();
    this.camera.resize(w, tall);
    if (this.camera.follow) this.camera.fit(this.store.scene.index.bounds);
    this.whereabouts.begin();
    return undressed || before !== [ratio, w, tall].join();
  }

  // ---- hearing the store

  update(/** @type {Set<string>} */ changes) {
    const { store } = this;
    const { scene } = store;
    const first = changes.has("graph") && !this.drawn.total;
    const pathless = scene.path.best < 0;
    if (first || pathless !== this.strip.hidden) {
      // Before anything is drawn: what is drawn needs not be drawn again in another size.
      this.strip.hidden = pathless;
      this.#foresee();
      this.#measure();
    }
    if (changes.has("graph") || changes.has("view")) {
      // Another layout, run or kind is another picture: the place that was looked at is elsewhere in it.
      const looks = [scene.layout, store.view.run, store.view.kind].join();
      if ((this.camera.follow || this.looks !== looks) && this.camera.width > 1) this.camera.fit(scene.index.bounds);
      this.looks = looks;
    }
    if (DRAWN.some((change) => changes.has(change))) describe(this);
    if (changes.has("select")) announce(this);
    // The store tells of changes within a frame: what is new is seen in this one.
    if (DRAWN.some((change) => changes.has(change))) this.paint();
    else this.#tell();
    if (changes.has("camera")) this.whereabouts.follow();
    for (const change of changes) this.postponed.add(change);
    // The first picture, and that of many, comes first, and what is written beside it right after.
    const many = changes.size === 1 && changes.has("graph") && scene.index.rows.length > MANY;
    const opening = !this.opened;
    this.opened = true;
    if (opening) this.toolbar.answered(); // the picture's room depends on it
    if (many || opening || (first && scene.index.rows.length)) this.later ||= setTimeout(() => this.#soon(), Math.max(SOON_MS, this.rested - performance.now()));
    else if (!this.pressed) this.#parts();
  }

  /** Let the foot say what will be drawn, so that it has its height. */
  #foresee() {
    const total = this.store.scene.index.rows.length;
    if (!total || !this.palette) return;
    const full = total <= FULL_DETAIL;
    /** @type {import("../drawing/draw.js").Drawn} */
    const drawn = { ...this.drawn, total, inView: total, full, edges: full ? "all" : "none", edgesInView: 1 };
    drawn.told = encodings(this.store, drawn, this.palette);
    this.foot.update(this.theme, this.palette, drawn);
  }

  #soon() {
    this.later = 0;
    if (!this.pressed) this.#parts();
    this.rested = performance.now() + PARTS_MS;
  }

  #parts() {
    const changes = this.postponed;
    this.postponed = new Set();
    if (!changes.size) return;
    if (changes.has("status")) this.toolbar.answered();
    else if (changes.has("graph") || changes.has("view")) this.toolbar.update();
    this.panel.update(changes);
    this.#hands(changes);
  }

  /** What the second bundle adds, once it is here. */
  #hands(changes) {
    const { hands: bundle } = this.panel;
    if (this.hands) this.hands.update(changes);
    else if (bundle.module) {
      this.panel.dress();
      this.hands = new bundle.module.Hands(this.store, this);
    } else if (bundle.here) bundle.load();
  }

  // ---- acts, by pointer, key or panel

  /** Select a row and bring it into view. */
  show(/** @type {number} */ row) {
    const { store } = this;
    if (!(row >= 0)) return;
    const kind = store.nodes.get("kind")[row] === 1 ? "agent" : "individual";
    if (kind !== store.scene.kind) store.setView({ kind, focus: null });
    const run = store.category("run", store.nodes.get("run")[row]);
    if (store.view.run != null && run !== store.view.run) store.setView({ run, focus: null });
    for (let folds = 0, patch; folds < 6 && (patch = unhiding(store, row)); folds++) store.setView(patch);
    store.select(row);
    if (!(this.camera.follow && this.camera.showsAll(store.scene.index.bounds))) this.camera.reveal(store.scene.x[row], store.scene.y[row]);
  }

  open() {
    if (this.store.selected < 0) return this.best();
    this.store.setView({ tab: "details" });
    this.panel.body.focus({ preventScroll: true });
  }

  /** Fade all but what is related to a row; the same again ends it. */
  focus(/** @type {import("../data/protocol.js").FocusMode} */ mode, row = this.store.selected, /** @type {{other?: number, steps?: number}} */ more = {}) {
    if (row < 0) return;
    const { focus } = this.store.view;
    const same = focus && focus.mode === mode && focus.row === row && focus.other === more.other && focus.steps === more.steps;
    this.store.focusGroup(false);
    this.store.setView({ focus: same ? null : { mode, row, ...more } });
  }

  fit(animate = false) {
    this.camera.fit(this.store.scene.index.bounds, animate);
    this.draw();
  }

  best() {
    const { best } = this.store.scene.path;
    if (best < 0) return;
    this.store.select(best);
    this.camera.goTo(this.store.scene.x[best], this.store.scene.y[best], this.store.scene.index.bounds);
  }

  search(/** @type {number} */ step) {
    const { hits } = this.store.scene;
    if (!hits?.length) return;
    const at = hits.indexOf(this.store.selected);
    this.show(hits[at < 0 ? (step > 0 ? 0 : hits.length - 1) : (at + step + hits.length) % hits.length]);
  }

  /** Esc: the search first, then the focus, the marks, the selection. */
  escape() {
    const { store } = this;
    if (store.view.query) store.setView({ query: "" });
    else if (store.view.focus) store.setView({ focus: null });
    else if (store.groupOnly) store.focusGroup(false);
    else if (store.group.length) store.setGroup([]);
    else store.select(-1);
  }

  // ---- drawing

  draw() {
    if (!this.frame) this.frame = requestAnimationFrame(() => this.paint());
  }

  /** What is seen, on any canvas: the view's own, or one that becomes a file. */
  drawOn(/** @type {CanvasRenderingContext2D} */ c, hover = -1) {
    const { store, camera, theme } = this;
    return draw(c, { width: camera.width, height: camera.height, camera, scene: store.scene, store, colours: theme.colours, palette: this.palette, font: theme.font, hover, hit: store.scene.hits ? store.scene.hits.indexOf(store.selected) : -1 });
  }

  paint() {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    const { store, camera, context: c, theme } = this;
    if (!this.canvas.width || camera.width < 2 || !this.palette) return;
    c.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    this.drawn = this.drawOn(c, this.hover);
    if (this.drawn.more) this.draw();
    this.hands?.draw(this.palette, theme.colours, this.ratio);
    this.foot.update(theme, this.palette, this.drawn, this.pressed);
    if (this.hover >= 0) this.hands?.card.show(this.hover, camera);
    this.whereabouts.tell();
    this.fitButton.classList.toggle("hl-on", camera.follow);
    this.#tell();
  }

  /** What is shown, as attributes: for style sheets and for tests. */
  #tell() {
    const { store } = this;
    const { dataset } = this.root;
    dataset.nodes = String(this.drawn.nodes);
    dataset.total = String(store.scene.index.rows.length);
    dataset.version = String(store.version);
    dataset.selected = String(store.selected);
    dataset.mode = store.status.mode;
    dataset.state = store.status.state;
  }

  /** Where a row stands: `x`, `y` in the viewport, as a mouse counts; `left`, `top` in the canvas. */
  screenOf(/** @type {number} */ row) {
    const left = this.camera.x(this.store.scene.x[row]);
    const top = this.camera.y(this.store.scene.y[row]);
    const box = this.canvas.getBoundingClientRect();
    return { x: box.left + left, y: box.top + top, left, top };
  }

  state() {
    const { store, camera } = this;
    const { scene } = store;
    return {
      view: store.view, status: store.status, selected: store.selected, version: store.version, total: scene.index.rows.length, drawn: this.drawn,
      best: scene.path.best, path: scene.path.rows, focus: scene.focus ? [...scene.focus].flatMap((m, row) => (m ? [row] : [])) : null, hits: scene.hits,
      theme: this.theme.name, camera: { ax: camera.ax, ay: camera.ay, bx: camera.bx, by: camera.by, follow: camera.follow },
    };
  }

  destroy() {
    cancelAnimationFrame(this.frame);
    clearTimeout(this.later);
    this.unlisten();
    removeEventListener("pointerup", this.onRelease, true);
    removeEventListener("pointercancel", this.onRelease, true);
    removeEventListener("keydown", this.onKey, true);
    this.observer.disconnect();
    this.theme.destroy();
    this.whereabouts.destroy();
    this.camera.destroy();
    this.hands?.destroy();
    this.panel.destroy();
    this.root.remove();
  }
}
