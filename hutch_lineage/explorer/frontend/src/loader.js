// What each widget brings: a few lines that run the bundle in its trait, once a page. A page never frees a module, and every
// widget would bring 120 KB of its own.

/** @typedef {import("./data/protocol.js").Model} Model */
/** @typedef {{initialize(given: {model: Model}): any, render(given: {model: Model, el: HTMLElement}): any}} Widget */

const shared = (globalThis.hutchLineage ??= {});
/** @type {Map<string, Promise<{default: Widget & (() => Widget)}>>} by the bundle's text */
const modules = (shared.modules ??= new Map());

function bundle(/** @type {Model} */ model) {
  const text = model.get("_bundle");
  let module = modules.get(text);
  if (!module) {
    const url = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
    module = import(url).finally(() => URL.revokeObjectURL(url));
    modules.set(text, module);
    module.catch(() => modules.delete(text));
  }
  return module;
}

/** @param {(model: Model) => Promise<Widget>} widget */
const through = (widget) => ({
  /** @param {{model: Model}} given */
  initialize: async (given) => (await widget(given.model)).initialize(given),
  /** @param {{model: Model, el: HTMLElement}} given */
  render: async (given) => (await widget(given.model)).render(given),
});

/** One widget of the bundle for one model. */
function one() {
  /** @type {Promise<Widget>|undefined} */
  let made;
  return through((model) => (made ??= bundle(model).then((module) => module.default())));
}

/** A function for hosts that call it once per model, an object for the others; as the bundle itself. */
export default Object.assign(one, through((model) => bundle(model).then((module) => module.default)));
