// A bundle that follows the graph, as a view has it: its text waits in the store and is run when it is needed.

/** @typedef {{PANELS: import("./list.js").Making[], [name: string]: any}} Module */

/** Modules of a page are never freed, so one text is run once, however many explorers the page has. */
const run = () => (globalThis.hutchLineage.modules ??= new Map());

export class Bundle {
  /** @param {import("../data/store.js").Store} store @param {"hands"|"panels"} name */
  constructor(store, name) {
    this.store = store;
    this.name = name;
    /** @type {Module|null} */
    this.module = null;
    this.css = "";
    this.error = "";
    this.loading = false;
  }

  /** Whether it runs already or could be run without Python. */
  get here() {
    return !!this.module || this.store.assets.has(this.name);
  }

  /** Bring it in; without its text, ask for it. The store tells of "assets" when there is something new. */
  async load() {
    const { store } = this;
    if (this.module || this.loading || this.error) return;
    const text = store.assets.get(this.name);
    if (!text) return store.askAsset(this.name);
    this.loading = true;
    try {
      this.module = await once(text.js);
      this.css = text.css;
    } catch (error) {
      this.error = String(/** @type {any} */ (error)?.message ?? error);
    }
    this.loading = false;
    store.changed("assets");
  }

  /** After a failure: with a new copy. */
  again() {
    this.error = "";
    this.store.assets.delete(this.name);
    this.store.askedAssets.delete(this.name);
    this.load();
    this.store.changed("assets");
  }
}

/** @returns {Promise<Module>} */
function once(/** @type {string} */ js) {
  const modules = run();
  let module = modules.get(js);
  if (!module) {
    const url = URL.createObjectURL(new Blob([js], { type: "text/javascript" }));
    module = import(url).finally(() => URL.revokeObjectURL(url));
    modules.set(js, module);
    module.catch(() => modules.delete(js));
  }
  return module;
}

/** @type {WeakMap<import("../data/store.js").Store, Map<string, Bundle>>} */
const bundles = new WeakMap();

/** A bundle of a store: its views share it. */
export function bundleOf(/** @type {import("../data/store.js").Store} */ store, /** @type {"hands"|"panels"} */ name) {
  let own = bundles.get(store);
  if (!own) bundles.set(store, (own = new Map()));
  let bundle = own.get(name);
  if (!bundle) own.set(name, (bundle = new Bundle(store, name)));
  return bundle;
}
