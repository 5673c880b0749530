// What became of the events that were captured: the newest as Python tells of them unasked, older ones as they were asked for.

/**
 * @typedef {"memory"|"queued"|"sent"|"rejected"} State
 * @typedef {{position: number, state: State, event_type: string, event_time: string, job: string, what: string, inputs: string[], outputs: string[], status: number|null, reason: string}} Delivery
 */

export class Deliveries {
  constructor() {
    this.endpoint = "";
    this.backend = "";
    /** How many events there are in all. */
    this.total = 0;
    this.revision = 0;
    /** @type {Map<number, Delivery>} by position */
    this.events = new Map();
  }

  take(/** @type {{endpoint: string, backend: string, total: number, events: Delivery[]}} */ { endpoint, backend, total, events }) {
    // Another endpoint, or another session: what was known is about something else.
    if (endpoint !== this.endpoint || total < this.total) this.events.clear();
    Object.assign(this, { endpoint, backend, total });
    for (const event of events) this.events.set(event.position, event);
    this.revision++;
  }
}
