// The words of the wire: flags and names the Python side and the view agree on.

/** Flags of a node. */
export const NODE = { seed: 1, ghost: 2, invalid: 4, cycle: 8, rejected: 16 };
/** Flags of an edge. */
export const EDGE = { cycle: 1, rejected: 2 };
/** Flags of an operator that is a self-modification. */
export const OPERATOR = { accepted: 1, rejected: 2, pending: 4 };
/** Values of the node column `kind`. */
export const KINDS = { individual: 0, agent: 1 };

/** Categories whose names the legend can hide, and the node column that holds each. */
export const HIDEABLE = { operator: "op", model: "model", island: "island", agent: "agent", run: "run" };

/**
 * @typedef {"ancestors"|"descendants"|"both"|"path"|"steps"|"between"|"improvements"} FocusMode
 * @typedef {{mode: FocusMode, row: number, other?: number, steps?: number}} Focus `other`: the end of "between"; `steps`: how far "steps" reaches
 * @typedef {{low: number|null, high: number|null, missing: boolean}} Range null is no bound; `missing`: whether those without a number are shown
 * @typedef {object} View
 * @property {"individual"|"agent"} kind
 * @property {string|null} run null is all runs
 * @property {string} query
 * @property {string} tab the open panel
 * @property {string} layout "generations", "layered", "time", "tree", "radial" or "islands"
 * @property {string} best the metric that says who is the best; "" is that of the colours, else the run's own
 * @property {string} colour "" (the run's own metric), "metric:NAME", a category, or "cost", "age", "generation"
 * @property {"linear"|"log"|"rank"} scale
 * @property {""|"cost"|"tokens"|"descendants"} size
 * @property {""|"operator"} edges
 * @property {Focus|null} focus
 * @property {Record<string, string[]>} hidden names that are not shown, by category; see HIDEABLE
 * @property {Record<string, Range>} ranges what numbers are shown, by "metric:NAME", "cost", "age" or "generation"
 * @property {number[]} collapsed rows whose subtree is folded away
 * @property {boolean} chains whether linear chains are folded
 * @property {boolean} dead_ends whether dead ends are hidden
 * @property {number} compare the other individual of Diff and Compare, -1 for none
 */

/**
 * @typedef {{mode: string, state: string, endpoint: string, backend: string, captured: number, sent: number, queued: number,
 *   failed: number, rejected: number, last_error: string|null, running: boolean, can_go_live: boolean, source: string}} Status
 * @typedef {{name: string, direction: "higher"|"lower", declared: boolean}} Metric
 * @typedef {{get(name: string): any, on(name: string, f: Function): void, off(name: string, f?: Function): void, send(content: any): void, widget_manager?: any}} Model
 */

/** @returns {View} */
const defaultView = () => ({
  kind: "individual", run: null, query: "", tab: "details", layout: "generations", best: "", colour: "", scale: "linear", size: "", edges: "",
  focus: null, hidden: {}, ranges: {}, collapsed: [], chains: false, dead_ends: false, compare: -1,
});

/** A whole view state from one of another time: what is missing, or of the wrong type, takes its default. @returns {View} */
export function wholeView(/** @type {any} */ given) {
  const view = /** @type {any} */ (defaultView());
  for (const [name, value] of Object.entries(given ?? {})) {
    const known = view[name];
    if (name === "run" || name === "focus") view[name] = value ?? null;
    else if (known === undefined || (typeof value === typeof known && value !== null && Array.isArray(value) === Array.isArray(known))) view[name] = value;
  }
  return view;
}

/** @returns {Status} */
export const defaultStatus = () => ({
  mode: "memory", state: "memory", endpoint: "", backend: "generic", captured: 0, sent: 0, queued: 0, failed: 0, rejected: 0,
  last_error: null, running: false, can_go_live: true, source: "",
});

/** A key that is equal for equal views, whatever the order of their fields. */
export function viewKey(/** @type {Partial<View>} */ given) {
  const v = wholeView(given);
  const hidden = Object.keys(v.hidden).sort().map((list) => [list, [...v.hidden[list]].sort()]);
  const ranges = Object.keys(v.ranges).sort().map((name) => [name, v.ranges[name].low, v.ranges[name].high, v.ranges[name].missing]);
  const focus = v.focus && [v.focus.mode, v.focus.row, v.focus.other ?? -1, v.focus.steps ?? 0];
  return JSON.stringify([v.kind, v.run, v.query, v.tab, v.layout, v.best, v.colour, v.scale, v.size, v.edges, focus, hidden, ranges, [...v.collapsed].sort((a, b) => a - b), v.chains, v.dead_ends, v.compare]);
}
