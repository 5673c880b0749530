// The second bundle: the panels that are brought in when one of them is first opened.
import { AgentsPanel } from "./charts/agents.js";
import { CostPanel } from "./charts/cost.js";
import { DeliveryPanel } from "./charts/delivery.js";
import { EfficacyPanel } from "./charts/efficacy.js";
import { IslandsPanel } from "./charts/islands.js";
import { ProgressPanel } from "./charts/progress.js";
import { ComparePanel } from "./compare.js";
import { DiffPanel } from "./diff.js";
import { EventsPanel } from "./events.js";
import { TablePanel } from "./table.js";

/**
 * One entry for each tab of list.js that is not in the first bundle.
 * @type {{id: string, title: string, make: import("./list.js").PanelClass, available?: (store: import("../store.js").Store) => boolean}[]}
 */
export const PANELS = [
  { id: "diff", title: "Diff", make: DiffPanel },
  { id: "compare", title: "Compare", make: ComparePanel },
  { id: "progress", title: "Progress", make: ProgressPanel },
  { id: "cost", title: "Cost", make: CostPanel },
  { id: "efficacy", title: "Efficacy", make: EfficacyPanel },
  { id: "islands", title: "Islands", make: IslandsPanel },
  { id: "agents", title: "Agents", make: AgentsPanel },
  { id: "table", title: "Table", make: TablePanel },
  { id: "events", title: "Events", make: EventsPanel },
  { id: "delivery", title: "Delivery", make: DeliveryPanel },
];

export { changesOf } from "./changes.js";
export { firstChanges } from "./firstchanges.js";
export { savePicture } from "./export.js";
export { highlightLines, languageOf } from "./highlight.js";
