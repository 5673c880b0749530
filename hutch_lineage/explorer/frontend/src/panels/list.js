// The tabs in their order: what the strip needs to know of a panel before its code is here.

/**
 * A panel: an element, and `update`, called when the panel is open and something changed.
 * @typedef {import("../data/store.js").Store} Store
 * @typedef {{element: HTMLElement, update(changes: Set<string>): void, destroy?(): void}} PanelPart
 * @typedef {new (store: Store, app: import("../frame/app.js").App) => PanelPart} PanelClass
 * @typedef {{id: string, make: PanelClass}} Making what a bundle brings for a tab
 */

/**
 * `early` is said of what comes with hands/index.js; the others are made by the entry of the same id in index.js, the last
 * bundle. A tab whose `available` says no is not shown.
 * @type {{id: string, title: string, early?: boolean, available?: (store: Store) => boolean, keepsScroll?: boolean}[]}
 */
export const TABS = [
  { id: "details", title: "Details", early: true },
  { id: "progress", title: "Progress" },
  { id: "diff", title: "Diff" },
  { id: "compare", title: "Compare" },
  { id: "cost", title: "Cost" },
  { id: "efficacy", title: "Efficacy" },
  { id: "islands", title: "Islands", available: (store) => store.categories.island.length > 0 },
  { id: "agents", title: "Agents", available: (store) => store.summary.agents > 0 },
  { id: "table", title: "Table", keepsScroll: true },
  { id: "events", title: "Events" },
  { id: "delivery", title: "Delivery", available: (store) => !store.standalone && store.status.can_go_live, keepsScroll: true },
];
