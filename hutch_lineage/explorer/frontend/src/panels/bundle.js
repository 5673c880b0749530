// The second bundle as a view has it: its text waits in the store and is run when a panel needs it.

/** @typedef {{PANELS: {id: string, title: string, make: import("./list.js").PanelClass, available?: (store: any) => boolean}[], [name: string]: any}} Module */

/** Modules of a page are never freed, so one text is run once, however many explorers the page has. */
const run = () => (globalThis.hutchLineage.modules ??= new Map());

export class Bundle {
  constructor(/** @type {import("../store.js").Store} */ store) {
    this.store = store;
    /** @type {Module|null} */
    this.module = null;
    this.css = "";
    this.error = "";
    this.loading = false;
  }

  /** Whether it runs already or could be run without Python. */
  get here() {
    return !!this.module || this.store.assets.has("panels");
  }

  /** Bring it in; without its text, ask for it. The store tells of "assets" when there is something new. */
  async load() {
    const { store } = this;
    if (this.module || this.loading || this.error) return;
    const text = store.assets.get("panels");
    if (!text) return store.askAsset("panels");
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
    this.store.assets.delete("panels");
    this.store.askedAssets.delete("panels");
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

/** @type {WeakMap<import("../store.js").Store, Bundle>} */
const bundles = new WeakMap();

/** The bundle of a store: its views share it. */
export function bundleOf(/** @type {import("../store.js").Store} */ store) {
  let bundle = bundles.get(store);
  if (!bundle) bundles.set(store, (bundle = new Bundle(store)));
  return bundle;
}
