// The anywidget module: `initialize` once per model, `render` once per view; and `hutchLineage.mount` for a page without Python.
import { App } from "./frame/app.js";
import { Store } from "./data/store.js";

/** @typedef {import("./data/protocol.js").Model} Model */

/**
 * What a model's views share. anywidget hands `initialize` and `render` different proxies of one model, and calls the default
 * export once per model: so the store is found by the proxy, else by the enclosing call.
 */
function widget() {
  /** @type {WeakMap<object, {store: Store, close(): void}>} */
  const stores = new WeakMap();
  /** @type {{store: Store, close(): void}|null} */
  let own = null;
  let shared = true;

  const open = (/** @type {Model} */ model) => {
    const held = stores.get(model);
    if (held) return held;
    const session = connect(model);
    stores.set(model, session);
    own = session;
    return session;
  };

  return {
    /** @param {{model: Model}} given */
    initialize({ model }) {
      const session = open(model);
      return () => {
        session.close();
        stores.delete(model);
        if (own === session) own = null;
      };
    },
    /** @param {{model: Model, el: HTMLElement}} given */
    render({ model, el }) {
      const found = stores.get(model) ?? (shared ? own : null);
      const { store } = found ?? open(model);
      return view(store, model, el);
    },
    /** For the object form of the export, where one closure serves many models: trust the proxy alone. */
    apart() {
      shared = false;
      return this;
    },
  };
}

/** A store that hears the model. */
function connect(/** @type {Model} */ model) {
  const store = new Store(model);
  const onMessage = (content, buffers) => store.receive(content, buffers ?? []);
  const traits = /** @type {const} */ (["view", "status", "selected_row"]).map((name) => ({ event: `change:${name}`, heard: () => store.trait(name) }));
  model.on("msg:custom", onMessage);
  for (const { event, heard } of traits) model.on(event, heard);
  // ipywidgets tells of a restart that was asked for; of a kernel that died or was shut down, only the kernel itself does, where the host shows it.
  const onGone = () => store.setConnected(false);
  const onKernel = (_, /** @type {string} */ state) => /restarting|dead/.test(state) && onGone();
  const { statusChanged, disposed } = model.widget_manager?.kernel ?? {};
  model.on("comm_live_update", onGone);
  statusChanged?.connect(onKernel);
  disposed?.connect(onGone);
  model.send({ op: "ready" });
  return {
    store,
    close() {
      model.off("msg:custom", onMessage);
      for (const { event, heard } of traits) model.off(event, heard);
      model.off("comm_live_update", onGone);
      statusChanged?.disconnect(onKernel);
      disposed?.disconnect(onGone);
      store.listeners.clear();
    },
  };
}

/** One view of a store in an element. Returns what undoes it. */
function view(store, /** @type {Model} */ model, el) {
  const app = new App(store, el, { height: model.get("height") ?? 640, theme: model.get("theme") ?? "auto" });
  const onHeight = () => app.setHeight(model.get("height"));
  const onTheme = () => {
    app.settings.theme = model.get("theme");
    app.theme.update();
  };
  // A view made from a notebook's saved state has nothing to show: it leaves the place to the static picture.
  const onStatic = () => {
    const empty = !store.connected && !store.revision;
    app.root.classList.toggle("hl-away", empty);
    hideStatic(app, empty ? "" : model.get("static_class"));
  };
  if (el.closest(".jupyter-widgets-disconnected")) store.setConnected(false);
  onStatic();
  const heard = { "change:height": onHeight, "change:theme": onTheme, "change:static_class": onStatic };
  for (const [event, f] of Object.entries(heard)) model.on(event, f);
  const unlisten = store.listen((changes) => changes.has("graph") && onStatic());
  return () => {
    unlisten();
    for (const [event, f] of Object.entries(heard)) model.off(event, f);
    app.destroy();
  };
}

/** While a live view is mounted, the static picture of the same explorer is not shown. */
function hideStatic(app, name) {
  app.root.querySelector(":scope > style")?.remove();
  if (!/^[A-Za-z_][\w-]*$/.test(name ?? "")) return;
  const style = document.createElement("style");
  style.textContent = `.${name}{display:none}`;
  app.root.append(style);
}

/**
 * Show a saved run in a page of its own.
 * @param {HTMLElement} el
 * @param {{messages?: {content: any, buffers?: any[]}[], traits?: Record<string, any>}} saved buffers may be base64 text
 */
function mount(el, { messages = [], traits = {} } = {}) {
  const model = { get: (name) => traits[name], on() {}, off() {}, send() {} };
  const store = new Store(model);
  store.standalone = true;
  for (const { content, buffers } of messages) store.receive(content, buffers ?? []);
  const close = view(store, model, el);
  store.flush();
  return close;
}

globalThis.hutchLineage = Object.assign(globalThis.hutchLineage ?? {}, { mount });

/** Called by anywidget once per model; also an object with `initialize` and `render`. */
export default Object.assign(() => widget(), widget().apart());
