// The OpenLineage events of an individual, as they are.
import { h, renderer } from "../dom.js";
import { counted } from "../format.js";
import { copyButton, nothing, waiting } from "./parts.js";

export class EventsPanel {
  constructor(/** @type {import("../store.js").Store} */ store) {
    this.store = store;
    this.element = h("div.events");
    this.render = renderer(this.element);
  }

  update() {
    const { store } = this;
    const row = store.selected;
    if (row < 0) return this.render([], () => [nothing("its OpenLineage events")]);
    const detail = store.detail(row);
    this.render([row, detail?.events ?? null], () => {
      if (!detail) return [waiting(store, row)];
      const events = detail.events ?? [];
      if (!events.length) return [h("p.mute.hint", null, "No OpenLineage event names this one by itself.")];
      return [
        h("div.tally", null, h("span.mute", null, (detail.events_total > events.length ? `the first ${events.length} of ${counted(detail.events_total, "event")} about ` : `${counted(events.length, "event")} about `)), h("span.id", null, store.id(row)), h("span.spring"), events.length > 1 && copyButton(() => events.map((e) => JSON.stringify(e)).join("\n"), "Copy all")),
        ...events.flatMap((event) => this.#event(event)),
      ];
    });
  }

  #event(event) {
    const when = String(event.eventTime ?? "").replace("T", " ").replace(/(\.\d{3})\d*/, "$1");
    return [
      h("div.tally.event", null, h("b", null, event.eventType ?? "event"), h("span.mute", null, when), h("span.spring"), copyButton(() => JSON.stringify(event, null, 2))),
      h("pre.code.plain", { tabindex: "0" }, ...coloured(JSON.stringify(event, null, 2))),
    ];
  }
}

/** JSON with its keys, texts and numbers apart; text nodes only. */
function coloured(/** @type {string} */ json) {
  const out = [];
  let at = 0;
  for (const match of json.matchAll(/("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g)) {
    out.push(json.slice(at, match.index));
    const kind = match[2] ? "key" : match[1] ? "text" : "num";
    out.push(h(`span.j-${kind}`, null, match[1] ?? match[0]));
    if (match[2]) out.push(match[2]);
    at = match.index + match[0].length;
  }
  out.push(json.slice(at));
  return out;
}
