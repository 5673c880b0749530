// The one toolbar: where events go, what is shown, how it is arranged and coloured, the search.
import { fillSelect, h } from "./dom.js";
import { counted, destination, directed, ending, whole } from "../words/format.js";

/** How long a click may stay without an answer before the toolbar says that it waits. */
const PATIENCE_MS = 500;

export class Toolbar {
  /**
   * @param {import("../data/store.js").Store} store
   * @param {any} app
   */
  constructor(store, app) {
    this.store = store;
    this.pending = /** @type {null|{mode: string, since: number, timer: any}} */ (null);
    this.editing = false;

    this.memory = h("button", { "aria-pressed": "true", onclick: () => this.#go(false) }, "In memory");
    this.live = h("button", { "aria-pressed": "false", onclick: () => this.#go(true) }, "Live");
    this.toggle = h("div.seg", { role: "group", "aria-label": "Where events go" }, this.memory, this.live);
    this.endpoint = h("input.endpoint", {
      type: "text", "aria-label": "Endpoint", placeholder: "http://localhost:5000", spellcheck: "false", autocomplete: "off",
      title: "The OpenLineage backend for Live",
      onkeydown: (e) => {
        if (e.key === "Enter") this.#go(true);
        else if (e.key === "Escape" && this.editing) this.#edit(false);
        else return;
        e.preventDefault();
        e.stopPropagation();
      },
      onblur: () => this.editing && this.endpoint.value === this.store.status.endpoint && this.#edit(false),
    });
    this.dot = h("i.dot");
    this.where = h("span.where");
    this.chip = h("button.chip.status", { onclick: () => this.#edit(true) }, this.dot, this.where);
    this.bar = h("i");
    this.progress = h("div.progress", { role: "progressbar", "aria-label": "Events delivered", "aria-valuemin": "0", "aria-valuemax": "100" }, this.bar);
    this.counts = h("span.counts");
    this.stop = h("button.stop", { title: "Stop the run at its next step", onclick: () => this.#stop() }, "Stop");

    this.run = menu("Run", "run", (run) => store.setView({ run: run || null, focus: null }));
    this.kind = menu("Kind of nodes", "", (kind) => store.setView({ kind: /** @type {any} */ (kind), focus: null }));
    this.layout = menu("Layout", "", (layout) => store.setView({ layout }));
    this.colour = menu("Colour by", "colour", (colour) => store.setView({ colour }));
    this.query = h("input.search", {
      type: "search", "aria-label": "Search id, operator, model, island", placeholder: "Search…  /", spellcheck: "false", autocomplete: "off",
      oninput: () => store.setView({ query: this.query.value }),
      onkeydown: (e) => {
        if (e.key === "Enter") app.search(e.shiftKey ? -1 : 1);
        else if (e.key === "Escape") {
          this.query.value = "";
          store.setView({ query: "" });
          this.query.blur();
        } else return;
        e.preventDefault();
        e.stopPropagation();
      },
    });
    this.found = h("span.found", { "aria-live": "polite" });
    this.element = h("div.bar", { role: "toolbar", "aria-label": "Lineage explorer" },
      h("div.send", null, this.toggle, this.endpoint, this.chip, this.progress, this.counts, this.stop),
      h("div.show", null, this.run.element, this.kind.element, this.colour.element, (this.searchbox = h("div.searchbox", null, this.query, this.found))));
  }

  #go(/** @type {boolean} */ on) {
    const { status } = this.store;
    const endpoint = this.endpoint.value.trim();
    const mode = on ? "live" : "memory";
    if (status.mode === mode && (!on || !this.editing || endpoint === status.endpoint)) return this.#edit(false);
    this.store.live(on, endpoint);
    clearTimeout(this.pending?.timer);
    if (this.store.connected) this.pending = { mode, since: Date.now(), timer: setTimeout(() => this.update(), PATIENCE_MS) };
    this.editing = false;
    this.update();
  }

  #edit(/** @type {boolean} */ on) {
    this.editing = on;
    this.endpoint.value = this.store.status.endpoint;
    this.update();
    if (on) this.endpoint.focus();
  }

  #stop() {
    this.stop.disabled = true;
    this.stop.textContent = "Stopping…";
    this.store.stop();
  }

  /** The status trait came: an answer to what was clicked, if anything was. */
  answered() {
    clearTimeout(this.pending?.timer);
    this.pending = null;
    this.update();
  }

  update() {
    const { store } = this;
    const { status } = store;
    const alone = store.standalone;
    const live = (this.pending?.mode ?? status.mode) === "live";
    const waiting = !!this.pending && Date.now() - this.pending.since >= PATIENCE_MS - 20;
    this.toggle.hidden = alone || !status.can_go_live;
    this.memory.setAttribute("aria-pressed", String(!live));
    this.live.setAttribute("aria-pressed", String(live));
    this.toggle.classList.toggle("hl-pending", !!this.pending);
    this.endpoint.hidden = alone || !status.can_go_live || (live && !this.editing);
    if (document.activeElement !== this.endpoint && !this.endpoint.value && status.endpoint) this.endpoint.value = status.endpoint;

    this.chip.hidden = !(status.mode === "live" && live) || this.editing || alone;
    const trouble = { waiting: "waiting", failing: "failing", closed: "closed" }[status.state];
    this.where.textContent = [destination(status.endpoint, status.backend) || "live", trouble].filter(Boolean).join(" · ");
    this.chip.title = [status.endpoint, status.last_error, "Click to change the endpoint"].filter(Boolean).join("\n");
    this.dot.dataset.state = status.state;
    const due = status.sent + status.queued;
    this.progress.hidden = this.chip.hidden;
    const percent = due ? Math.floor((100 * status.sent) / due) : 100;
    this.bar.style.width = `${percent}%`;
    this.progress.dataset.state = status.state;
    this.progress.setAttribute("aria-valuenow", String(percent));
    this.#count(status, live, waiting, alone);

    this.stop.hidden = !status.running || alone || !store.connected;
    if (!status.running) {
      this.stop.disabled = false;
      this.stop.textContent = "Stop";
    }
    this.#menus();
  }

  #count(status, live, waiting, alone) {
    const failed = status.state === "ok" ? 0 : status.failed; // all tried again with success
    let text = counted(status.captured, "event");
    if (!this.store.connected) text = "no kernel: run the cell again";
    else if (waiting) text = "waiting for the kernel…";
    else if (this.pending) text = this.pending.mode === "live" ? "going live…" : "back to memory…";
    else if (alone || !status.can_go_live) text = status.source;
    else if (live) text = [`${whole(status.sent)} sent`, status.queued && `${whole(status.queued)} queued`, failed && `${whole(failed)} failed tries`, status.rejected && `${whole(status.rejected)} rejected`].filter(Boolean).join(" · ");
    else if (status.last_error) text = status.last_error;
    this.counts.textContent = text;
    this.counts.title = [status.last_error, `${counted(status.captured, "OpenLineage event")} captured, ${whole(status.sent)} sent, ${whole(status.queued)} queued, ${whole(status.rejected)} rejected`].filter(Boolean).join("\n");
    this.counts.classList.toggle("hl-bad", !this.pending && (!!status.last_error || failed + status.rejected > 0) && !alone);
  }

  #menus() {
    const { store } = this;
    const { view, runs, categories } = store;
    const name = (run) => run.name || run.id;
    const twice = (run) => runs.some((other) => other !== run && name(other) === name(run));
    const options = runs.map((run) => ({ value: run.id, text: `${name(run)}${twice(run) ? ` (${run.id.slice(0, 8)})` : ""}${ending(run)}` }));
    if (runs.length !== 1) options.unshift({ value: "", text: runs.length ? "all runs" : "none yet" });
    fillSelect(this.run.select, options, view.run ?? (runs.length === 1 ? runs[0].id : ""));
    this.kind.element.hidden = !store.summary.agents && view.kind === "individual";
    fillSelect(this.kind.select, [{ value: "individual", text: "Individuals" }, { value: "agent", text: "Agents" }], store.scene.kind);
    const metrics = store.metrics.map((m) => ({ value: `metric:${m.name}`, text: directed(m), group: "Metrics (↑ higher is better, ↓ lower)" }));
    const named = ["operator", "model", "island", "agent", "run"].filter((list) => (categories[list] ?? []).length > +(list === "run"));
    const names = named.map((value) => ({ value, text: value, group: "Names" }));
    const numbers = ["cost", "age", "generation"].map((value) => ({ value, text: value, group: "Numbers" }));
    const metric = store.scene.coloured;
    const colours = [...metrics, ...names, ...numbers];
    const shown = colours.some((c) => c.value === view.colour) ? view.colour : metric ? `metric:${metric.name}` : (colours.unshift({ value: "", text: "no metric" }), "");
    fillSelect(this.colour.select, colours, shown);
    const { waitingFor } = store.scene;
    fillSelect(this.layout.select, LAYOUTS.map(([value, text]) => ({ value, text: value === waitingFor ? `${text} …` : text })), view.layout);
    this.layout.element.title = waitingFor ? (store.connected && !store.standalone ? "The layout waits for the kernel" : "Only the kernel can make this layout") : "Layout";

    if (document.activeElement !== this.query && this.query.value !== view.query) this.query.value = view.query;
    const { hits } = store.scene;
    this.found.textContent = hits ? (hits.length ? whole(hits.length) : "none") : "";
    this.found.title = hits?.length === 0 ? "Comparisons (cost>0.01): in the Table" : "";
  }
}

const LAYOUTS = [["generations", "Generations"], ["layered", "Layered"], ["time", "Time"], ["tree", "Tree"], ["radial", "Radial"], ["islands", "Islands"]];

/** A native select dressed as a chip. */
function menu(label, word, changed) {
  const select = h("select", { "aria-label": label, onchange: () => changed(select.value) });
  return { select, element: h("label.chip.menu", { title: label }, word && h("span", { "aria-hidden": "true" }, `${word}: `), select) };
}
