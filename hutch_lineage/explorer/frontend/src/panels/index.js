// The last bundle: the panels that are brought in when one of them is first opened.
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
 * What makes each tab of list.js that does not come early.
 * @type {import("./list.js").Making[]}
 */
export const PANELS = [
  { id: "diff", make: DiffPanel },
  { id: "compare", make: ComparePanel },
  { id: "progress", make: ProgressPanel },
  { id: "cost", make: CostPanel },
  { id: "efficacy", make: EfficacyPanel },
  { id: "islands", make: IslandsPanel },
  { id: "agents", make: AgentsPanel },
  { id: "table", make: TablePanel },
  { id: "events", make: EventsPanel },
  { id: "delivery", make: DeliveryPanel },
];

export { changesOf } from "./changes.js";
export { firstChanges } from "./firstchanges.js";
export { saveShown } from "./export.js";
export { highlightLines, languageOf } from "./highlight.js";
