// The OpenLineage events as they are: those of an individual, or all of them, searched.
import { h, renderer } from "../frame/dom.js";
import { counted, whole } from "../words/format.js";
import { jsonTree } from "./jsontree.js";
import { copyButton, nothing, waiting } from "./parts.js";

const PAGE = 50;
const TYPING_MS = 250;
const PATIENCE_MS = 400;

export class EventsPanel {
  constructor(/** @type {import("../data/store.js").Store} */ store) {
    this.store = store;
    this.all = false;
    this.timer = 0;
    /** What was asked for last, and what has come of it. */
    this.search = { query: "", events: /** @type {{position: number, event: any}[]} */ ([]), next: /** @type {number|null} */ (0), total: -1, since: 0, failed: false };
    this.own = h("button", { "aria-pressed": "true", onclick: () => this.#scope(false) }, "This individual");
    this.every = h("button", { "aria-pressed": "false", onclick: () => this.#scope(true) }, "All events");
    this.query = h("input.search.filter", { type: "search", "aria-label": "Search in all events", placeholder: "Search in all…", spellcheck: "false", autocomplete: "off", oninput: () => {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.#scope(true, true), TYPING_MS);
    } });
    this.out = h("div");
    this.element = h("div.events", null, h("div.tally", null, h("div.seg.small", { role: "group", "aria-label": "Events of" }, this.own, this.every), this.query), this.out);
    this.render = renderer(this.out);
  }

  #scope(all, anew = false) {
    this.all = all;
    if (all && (anew || this.search.total < 0)) this.#ask(true);
    this.update();
  }

  async #ask(anew) {
    const { store } = this;
    const query = this.query.value.trim();
    const search = anew ? { query, events: [], next: 0, total: -1, since: 0, failed: false } : { ...this.search };
    search.since = Date.now();
    this.search = search;
    setTimeout(() => this.search === search && search.since && this.update(), PATIENCE_MS);
    const answer = store.standalone ? inPage(store, query) : await store.ask({ op: "events", query, offset: search.next ?? 0, limit: PAGE });
    if (this.search !== search) return; // another question was asked meanwhile
    this.search = answer
      ? { ...search, events: [...search.events, ...answer.events], next: answer.next, total: answer.total, since: 0 }
      : { ...search, since: 0, failed: true };
    // A search that took too long goes on by itself until there is something to show.
    if (answer?.next != null && this.search.events.length < PAGE && this.query.value.trim() && this.element.isConnected) this.#ask(false);
    this.update();
  }

  update() {
    this.own.setAttribute("aria-pressed", String(!this.all));
    this.every.setAttribute("aria-pressed", String(this.all));
    if (this.all) this.#everything();
    else this.#ofOne();
  }

  #everything() {
    const { search, store } = this;
    const late = search.since > 0 && Date.now() - search.since >= PATIENCE_MS;
    this.render(["all", search, late, store.connected], () => {
      const { events, next, total, since, failed, query } = search;
      const wait = since > 0 ? [h("p.waiting", null, late ? "Waiting for the kernel…" : "Searching…")] : failed ? [h("p.waiting", null, "Not here: the kernel has ended."), h("button.link", { onclick: () => this.#ask(true) }, "Ask again")] : [];
      const said = total < 0 ? "" : next == null ? `${counted(events.length, "event")}${query ? ` of ${whole(total)}` : ""}` : `the first ${whole(events.length)} of ${whole(total)}${query ? ` (searched ${whole(next)})` : ""}`;
      return [
        total >= 0 && h("div.tally", null, h("span.mute", { "aria-live": "polite" }, said), h("span.spring"), events.length > 1 && copyButton(() => lines(events.map(({ event }) => event)), "Copy these")),
        ...events.flatMap(({ event, position }) => this.#event(event, position + 1)),
        ...wait,
        !since && !failed && next != null && h("button.link", { onclick: () => { this.#ask(false); this.update(); } }, "More"),
        !since && !failed && total >= 0 && !events.length && next == null && h("p.mute.hint", null, total ? "No event holds this." : "No event has been captured."),
      ];
    });
  }

  #ofOne() {
    const { store } = this;
    const row = store.selected;
    if (row < 0) return this.render([], () => [nothing("its OpenLineage events"), h("p.mute.hint", null, "Or look through all of them above.")]);
    const detail = store.detail(row);
    this.render([row, detail?.events ?? null], () => {
      if (!detail) return [waiting(store, row)];
      const events = detail.events ?? [];
      if (!events.length) return [h("p.mute.hint", null, "No OpenLineage event names this one by itself.")];
      return [
        h("div.tally", null, h("span.mute", null, (detail.events_total > events.length ? `the first ${events.length} of ${counted(detail.events_total, "event")} about ` : `${counted(events.length, "event")} about `)), h("span.id", null, store.id(row)), h("span.spring"), events.length > 1 && copyButton(() => lines(events), "Copy all")),
        ...events.flatMap((event) => this.#event(event)),
      ];
    });
  }

  #event(event, number = 0) {
    const when = String(event?.eventTime ?? "").replace("T", " ").replace(/(\.\d{3})\d*/, "$1");
    return [
      h("div.tally.event", null, number > 0 && h("span.mute", null, whole(number)), h("b", null, String(event?.eventType ?? "event")), h("span.mute", null, when), h("span.spring"), copyButton(() => JSON.stringify(event, null, 2))),
      jsonTree(event, { open: number ? 1 : 3 }),
    ];
  }

  destroy() {
    clearTimeout(this.timer);
  }
}

const lines = (events) => events.map((event) => JSON.stringify(event)).join("\n");

/** A saved page has the events of its individuals, each once. */
function inPage(store, query) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const known = new Map();
  for (const detail of store.details.values()) for (const event of detail.events ?? []) known.set(JSON.stringify(event), event);
  const all = [...known].map(([text, event], position) => ({ text: text.toLowerCase(), event, position }));
  return { events: all.filter(({ text }) => words.every((word) => text.includes(word))), next: null, total: all.length };
}
