// What became of each event: queued, sent, or rejected with the backend's answer.
import { h, renderer } from "../../frame/dom.js";
import { counted, destination, whole } from "../../words/format.js";
import { bare, edge, listed } from "../data/delivery.js";
import { heading } from "../parts.js";
import { choice } from "./chart.js";
import { paced } from "../pace.js";
import { Rows } from "../rows.js";

const ROW = 40;
const PAGE = 500;
const SIGNS = { memory: "○", queued: "…", sent: "✓", rejected: "✕" };
const STATES = { failing: "not answering, tried again", waiting: "on their way", ok: "all delivered", closed: "closed", memory: "kept in memory" };

export class DeliveryPanel {
  constructor(/** @type {import("../../data/store.js").Store} */ store, /** @type {any} */ app) {
    this.store = store;
    this.app = app;
    this.state = "";
    this.open = -1;
    this.asking = 0;
    this.key = "";
    this.missing = 0;
    /** The filter that Python has searched all events for, and how many it found. */
    this.searched = { filter: "", total: 0 };
    this.shown = /** @type {import("../../data/deliveries.js").Delivery[]} */ ([]);
    this.head = h("div");
    this.renderHead = renderer(this.head);
    this.filter = h("div");
    this.renderFilter = renderer(this.filter);
    this.query = h("input", { type: "search", placeholder: "Filter…", "aria-label": "Filter the events", oninput: () => this.#again() });
    this.scroll = h("div.scroll.sendings", { tabindex: "0", role: "list", "aria-label": "Events, newest first" });
    this.rows = new Rows(this.scroll, ROW, (at) => this.#row(this.shown[at]));
    this.reason = h("div");
    this.renderReason = renderer(this.reason);
    this.foot = h("div.tally.sendfoot");
    this.renderFoot = renderer(this.foot);
    this.element = h("div.delivery", null, this.head, h("div.controls", null, this.filter, this.query), this.reason, this.scroll, this.foot);
    this.work = paced(app, () => this.#draw());
  }

  update(/** @type {Set<string>} */ changes) {
    if (changes.has("status") || changes.has("delivery")) this.work();
  }

  #again() {
    this.key = "";
    this.scroll.scrollTop = 0;
    this.#draw();
  }

  #draw() {
    const { store } = this;
    const { status, deliveries: log } = store;
    this.renderHead([status.mode, status.state, status.endpoint, status.backend, status.sent, status.queued, status.rejected, status.failed, status.captured, status.last_error, log.endpoint], () => [
      h("div.big", null, h("b", null, whole(status.mode === "live" ? status.sent : status.captured)), h("span.mute", null, status.mode === "live" ? `of ${whole(status.captured)} sent` : "captured")),
      h("p.sums", null, status.mode === "live" ? destination(status.endpoint, status.backend) : log.endpoint ? `In memory; last to ${destination(log.endpoint, log.backend)}` : "In memory: nothing is posted."),
      h("p.sums", null,
        h(`span.${status.state === "failing" ? "bad" : "mute"}`, null, STATES[status.state] ?? status.state),
        status.mode === "live" && status.queued > 0 && ` · ${whole(status.queued)} queued`,
        status.rejected > 0 && h("span.bad", null, ` · ${whole(status.rejected)} rejected`),
        status.failed > 0 && h("span.mute", null, ` · ${whole(status.failed)} failed tries`)),
      status.last_error && h("div.reason", null, h("b", null, "Last error: "), status.last_error),
    ]);
    this.renderFilter([this.state], () => [choice("State", [["", "all"], ["queued", "queued"], ["sent", "sent"], ["rejected", "rejected"]], this.state, (state) => {
      this.state = state;
      this.#again();
    })]);
    const key = [log.revision, this.state, this.query.value].join("|");
    if (key !== this.key) {
      this.key = key;
      const { events, missing } = listed(log, { state: this.state, query: this.query.value });
      this.shown = events;
      this.rows.size(events.length);
      this.missing = missing;
    }
    const filter = `${this.state}|${this.query.value.trim()}`;
    const filtered = filter !== "|";
    const all = !this.missing || (filtered && this.searched.filter === filter);
    const found = filtered && all && this.missing ? Math.max(this.searched.total, this.shown.length) : this.shown.length;
    this.scroll.hidden = !this.shown.length;
    this.renderFoot([this.shown.length, found, this.missing, filter, all, this.asking, store.connected, log.total], () => [
      h("span.mute", null, !log.total ? "No event has been captured yet." : filtered ? `${whole(found)} found in ${all ? "" : `the newest ${whole(log.total - this.missing)} of `}${counted(log.total, "event")}${found > this.shown.length ? `, the newest ${whole(this.shown.length)} here` : ""}` : this.missing ? `the newest ${whole(this.shown.length)} of ${whole(log.total)}` : counted(log.total, "event")),
      h("span.spring"),
      this.asking > 0 && h("span.waiting", null, store.connected ? "waiting for the kernel…" : "the kernel has ended"),
      !this.asking && !all && h("button.link", { onclick: () => this.#older(filter) }, filtered ? "search the older ones" : "older"),
    ]);
    this.#paint();
  }

  /** Ask for more: those before what is here, or the newest that the filter finds among all. */
  async #older(/** @type {string} */ filter) {
    const { store } = this;
    const log = store.deliveries;
    const end = edge(log);
    const offset = Math.max(0, end - PAGE);
    const range = filter === "|" ? { offset, limit: end - offset } : { offset: -PAGE, limit: PAGE, state: this.state || null, query: this.query.value.trim() };
    this.asking++;
    this.#draw();
    const answer = await store.ask({ op: "delivery", ...range });
    this.asking--;
    if (answer) {
      log.take({ ...answer, total: log.total, endpoint: log.endpoint });
      if (filter !== "|") this.searched = { filter, total: answer.total };
    }
    this.key = "";
    this.#draw();
  }

  #paint() {
    this.rows.paint();
    const open = this.open >= 0 ? this.store.deliveries.events.get(this.open) : null;
    this.renderReason([open?.position, open?.state, open?.reason], () => (open ? [
      heading(`Event ${whole(open.position + 1)} `, h("span.mute", null, open.state), h("span.spring"), h("button.link", { onclick: () => this.#toggle(-1) }, "close")),
      h("p.note", null, [open.event_type, open.event_time, open.job].filter(Boolean).join(" · ")),
      open.reason ? h("div.reason", null, open.reason) : h("p.note", null, { sent: "The backend accepted it.", queued: "The backend has not had it yet.", memory: "It is kept in memory; no endpoint is owed it." }[open.state] ?? ""),
    ] : []));
  }

  #toggle(/** @type {number} */ position) {
    this.open = this.open === position ? -1 : position;
    this.#paint();
  }

  #row(/** @type {import("../../data/deliveries.js").Delivery} */ event) {
    const { store } = this;
    const time = event.event_time.slice(11, 19);
    const child = event.outputs[0] ? bare(event.outputs[0]) : "";
    return h("button.sending", { role: "listitem", class: `hl-sending hl-${event.state}${event.position === this.open ? " hl-on" : ""}`, "data-position": event.position, title: `${event.state}${event.reason ? `: ${event.reason}` : ""}`, onclick: () => {
      this.#toggle(event.position);
      const row = child ? this.#rowOf(event.outputs[0]) : -1;
      if (row >= 0 && row !== store.selected) this.app.show(row);
    } },
    h("i.sign", { "aria-label": event.state }, SIGNS[event.state]),
    h("span.agenttext", null,
      h("span.agentline", null, h("span", null, event.what || event.event_type), child && h("span.id.cut", null, child), h("span.spring"), h("span.mute", null, time)),
      h("span.agentline.mute", null, h("span.cut", null, event.reason || [event.state, event.job].filter(Boolean).join(" · ")))));
  }

  /** The row that a dataset names: individuals and agents are called after their kind. */
  #rowOf(/** @type {string} */ name) {
    const { store } = this;
    const id = bare(name);
    const kind = name.startsWith("agent:") ? 1 : 0;
    const kinds = store.nodes.get("kind");
    for (let row = store.nodes.count - 1; row >= 0; row--) if (kinds[row] === kind && store.id(row) === id) return row;
    return -1;
  }

  destroy() {
    this.work.stop();
    this.rows.stop();
  }
}
