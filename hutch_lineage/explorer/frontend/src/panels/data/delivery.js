// The log of deliveries as the panel shows it: newest first, filtered, with what is known to be missing.

/** @typedef {import("../../data/deliveries.js").Delivery} Delivery */

/**
 * What is here of the log. `missing` is how many older events would have to be asked for.
 * @param {import("../../data/deliveries.js").Deliveries} log
 * @param {{state?: string, query?: string}} wanted
 */
export function listed(log, { state = "", query = "" } = {}) {
  const text = query.trim().toLowerCase();
  const found = [];
  for (const event of log.events.values()) {
    if (state && event.state !== state) continue;
    if (text && !textOf(event).includes(text)) continue;
    found.push(event);
  }
  found.sort((a, b) => b.position - a.position);
  return { events: found, missing: Math.max(0, log.total - log.events.size) };
}

const textOf = (/** @type {Delivery} */ event) => [event.event_type, event.job, event.what, event.reason, event.status ?? "", ...event.inputs, ...event.outputs].join("\n").toLowerCase();

/** The name of a dataset without its kind: "individual:a" -> "a". */
export const bare = (/** @type {string} */ name) => name.replace(/^\w+:/, "");

/** The lowest position from which on everything is here: what to ask for ends there. */
export function edge(/** @type {import("../../data/deliveries.js").Deliveries} */ log) {
  let at = log.total;
  while (at > 0 && log.events.has(at - 1)) at--;
  return at;
}
