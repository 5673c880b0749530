// The menu of files. Those of what is shown are made in the page, by what is in the last bundle; those of the run come from Python, which says what there is.
import { fillSelect, h } from "../frame/dom.js";
import { fileName, save } from "../panels/files.js";
import { download } from "./download.js";

const SHOWN = { png: "Picture (PNG)", svg: "Picture (SVG)", csv: "Table (CSV)" };
const TITLE = "Save what is shown, or the whole graph, as a file";

/** A native select: it looks like its neighbours, and keys and screen readers know it. */
export class ExportMenu {
  /** @param {import("../data/store.js").Store} store @param {import("../frame/app.js").App} app */
  constructor(store, app) {
    this.store = store;
    this.app = app;
    /** What is said in place of the menu's name: how far a file is, or why there is none. */
    this.said = "";
    /** Whether Python is at a file. */
    this.busy = false;
    /** What Python makes: how a file ends -> what it is. @type {Record<string, string>?} */
    this.forms = null;
    this.select = h("select", { "aria-label": "Export", title: TITLE, onchange: () => this.#choose() });
    this.element = h("label.chip.menu", null, this.select);
    this.update();
  }

  update() {
    const { standalone, connected } = this.store;
    const group = (/** @type {Record<string, string>} */ kinds, /** @type {string} */ name) => Object.entries(kinds).map(([value, text]) => ({ value, text, group: name }));
    const python = standalone || !connected || this.busy ? [] : group(this.#made(), "The whole graph");
    fillSelect(this.select, [{ value: "", text: this.said || "Export" }, ...group(SHOWN, "What is shown"), ...python], "");
  }

  #made() {
    if (!this.forms) {
      this.forms = {};
      this.store.ask({ op: "export", forms: 1 }).then((answer) => {
        this.forms = answer?.forms ?? null;
        if (answer) this.update();
      });
    }
    return this.forms;
  }

  #say(/** @type {string=} */ text = "") {
    this.said = text;
    this.select.title = text || TITLE;
    this.update();
  }

  async #choose() {
    const kind = this.select.value;
    this.select.value = "";
    try {
      const lost = await (kind in SHOWN ? this.#shown(kind) : this.#run(kind));
      this.app.live.textContent = `Saved as ${kind.toUpperCase()}. ${lost ?? ""}`;
      this.#say(lost && `Saved: ${lost}`);
    } catch (error) {
      const text = `Not saved: ${/** @type {any} */ (error)?.message ?? error}`;
      this.app.live.textContent = text;
      this.#say(text);
    }
  }

  async #shown(/** @type {string} */ kind) {
    const { bundle } = this.app.panel;
    while (!bundle.module) {
      if (bundle.error) throw new Error(bundle.error);
      if (!bundle.here && (this.store.standalone || !this.store.connected)) throw new Error("what makes the file is not here, and there is no kernel");
      await bundle.load();
      if (bundle.module) break;
      this.#say(bundle.here ? "Loading…" : "Waiting for the kernel…");
      await this.#news();
    }
    await bundle.module.saveShown(this.app, kind);
  }

  /** Once a bundle has come or run, or the kernel has gone. */
  #news() {
    return new Promise((/** @type {(_: void) => void} */ resolve) => {
      const end = this.store.listen((changes) => {
        if (!changes.has("assets") && !changes.has("status")) return;
        end();
        resolve();
      });
    });
  }

  async #run(/** @type {any} */ kind) {
    this.busy = true;
    try {
      const { file, notes } = await download(this.store, kind, (text) => this.#say(text));
      save(fileName(this.store, kind), file);
      return notes;
    } finally {
      this.busy = false;
    }
  }
}
