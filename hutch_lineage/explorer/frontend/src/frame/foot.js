// The foot: what the colours and marks mean, what is shown and what is not.
import { h, renderer } from "./dom.js";
import { counted, ending, whole } from "../words/format.js";
import { LegendBar } from "./legend.js";
import { HIDDEN } from "../lineage/visible.js";

const REASONS = [[HIDDEN.name, "by the legend"], [HIDDEN.range, "outside a range"], [HIDDEN.missing, "without a value for a range"], [HIDDEN.deadEnd, "as dead ends"], [HIDDEN.collapsed, "in folded subtrees"], [HIDDEN.noImprovement, "as no improvement"], [HIDDEN.chain, "in folded chains"]];

export class Foot {
  constructor(/** @type {import("../data/store.js").Store} */ store) {
    this.store = store;
    this.legend = new LegendBar(store);
    this.marks = h("div.marks");
    this.said = h("span");
    /** What hands/ opens. */
    this.notes = h("button.link", { hidden: true });
    this.counts = h("div.total", null, this.said, this.notes);
    this.element = h("div.foot", null, this.legend.element, this.marks, this.counts);
    this.renderMarks = renderer(this.marks);
  }

  /** @param {import("../drawing/theme.js").Theme} theme @param {string[]} palette @param {boolean} pressed */
  update(theme, palette, /** @type {import("../drawing/draw.js").Drawn} */ drawn, pressed = false) {
    const { legend } = this.store.scene.colouring;
    const { counts } = this.store.scene.index;
    this.legend.update(theme.name, palette, pressed);
    const agents = this.store.scene.kind === "agent";
    const marks = [
      counts.seeds && ["seed", "●", "seed", "a seed: no parents"],
      counts.ghosts && ["ghost", "◌", "parent not seen", "named as a parent, but no event about it has come"],
      counts.invalid && ["invalid", "✕", "invalid", "evaluated and found invalid"],
      counts.rejected && ["rejected", "⊘", "rejected", "a self-modification that was rejected"],
      counts.second && ["second", "┄", "second parent", "an edge from a further parent"],
      counts.cycles && ["cycle", "◎", "cycle", "is its own ancestor"],
      legend.missing && !agents && ["unscored", "○", "no value", "has no value of this colour"],
    ].filter(Boolean).map(([name, sign, text, title]) => ({ name, sign, text, title }));
    /** What the marks mean: also for a picture that becomes a file. */
    const told = (this.told = [...marks, ...(drawn.told ?? [])]);
    this.renderMarks([told.map((m) => `${m.name} ${m.text} ${m.colour}`)], () => told.map(mark));
    this.#count(counts, drawn, agents);
  }

  #count(counts, drawn, agents) {
    const { summary, scene, runs, view } = this.store;
    const ended = runs.filter((run) => ending(run) && (view.run ?? run.id) === run.id);
    const notes = summary.notes ?? [];
    const hidden = scene.hiddenCounts;
    const text = [
      counted(counts.total, agents ? "agent" : "individual"),
      counted(counts.edges, "edge"),
      counts.ghosts && `${whole(counts.ghosts)} not seen`,
      hidden.total && `${whole(hidden.total)} hidden`,
      ended.length > 1 ? `${whole(ended.length)} runs did not finish` : ended.length && `run ${ended[0].status}`,
      completeness(drawn),
      notes.length && " ",
    ].filter(Boolean).join(" · ");
    if (this.said.textContent !== text) this.said.textContent = text;
    this.notes.hidden = !notes.length;
    this.notes.textContent = notes.length ? counted(notes.length, "note") : "";
    this.counts.title = [...REASONS.filter(([reason]) => hidden[reason]).map(([reason, words]) => `${whole(hidden[reason])} hidden ${words}`), ...notes].join("\n");
    this.counts.classList.toggle("hl-noted", this.counts.title !== "");
  }
}

function mark({ name, sign, text, title, colour = "" }) {
  const shape = h(`i.mark.${name}`, { "aria-hidden": "true" }, sign);
  shape.style.color = colour;
  return h("span", { title }, shape, text);
}

/** What of the picture is not drawn in full, said plainly. */
export function completeness(/** @type {import("../drawing/draw.js").Drawn} */ drawn) {
  const { total, nodes, inView, full } = drawn;
  const whom = full ? inView === total ? "all drawn" : `${whole(inView)} of ${whole(total)} in view, all drawn` : `${nodes ? `${whole(nodes)} one by one, ` : ""}${inView === total ? "all" : `${whole(inView)} of ${whole(total)}`} as density`;
  const share = `${whole(drawn.edgesDrawn)} of ${whole(drawn.edgesInView)} edges`;
  const edges = { all: "", some: drawn.edgesDrawn < drawn.edgesInView ? share : "edges of those in view", strands: `${share} in ${counted(drawn.strands, "strand")}`, sample: `${share}, an even sample`, none: drawn.edgesInView ? "no edges drawn at this scale" : "" }[drawn.edges];
  return edges ? `${whom}, ${edges}` : whom;
}
