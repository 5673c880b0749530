// The words of the wire: flags and names the Python side and the view agree on.

/** Flags of a node. */
export const NODE = { seed: 1, ghost: 2, invalid: 4, cycle: 8, rejected: 16 };
/** Flags of an edge. */
export const EDGE = { cycle: 1, rejected: 2 };
/** Flags of an operator that is a self-modification. */
export const OPERATOR = { accepted: 1, rejected: 2, pending: 4 };
/** Values of the node column `kind`. */
export const KINDS = { individual: 0, agent: 1 };

/**
 * @typedef {{mode: "ancestors"|"descendants"|"both"|"path", row: number}} Focus
 * @typedef {{kind: "individual"|"agent", run: string|null, colour: string, focus: Focus|null, query: string, tab: string}} View
 * @typedef {{mode: string, state: string, endpoint: string, backend: string, captured: number, sent: number, queued: number,
 *   failed: number, rejected: number, last_error: string|null, running: boolean, can_go_live: boolean, source: string}} Status
 * @typedef {{name: string, direction: "higher"|"lower", declared: boolean}} Metric
 * @typedef {{get(name: string): any, on(name: string, f: Function): void, off(name: string, f?: Function): void, send(content: any): void, widget_manager?: any}} Model
 */

/** @returns {View} */
export const defaultView = () => ({ kind: "individual", run: null, colour: "", focus: null, query: "", tab: "details" });

/** @returns {Status} */
export const defaultStatus = () => ({
  mode: "memory", state: "memory", endpoint: "", backend: "generic", captured: 0, sent: 0, queued: 0, failed: 0, rejected: 0,
  last_error: null, running: false, can_go_live: true, source: "",
});

/** A key that is equal for equal views, whatever the order of their fields. */
export function viewKey(/** @type {Partial<View>} */ view) {
  const v = { ...defaultView(), ...view };
  return JSON.stringify([v.kind, v.run, v.colour, v.focus?.mode ?? null, v.focus?.row ?? null, v.query, v.tab]);
}
