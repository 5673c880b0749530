// The foot: what the colours and marks mean, what is shown and what is not.
import { ramp } from "./colour.js";
import { h, renderer } from "./dom.js";
import { counted, decimalsFor, money, number, whole } from "./format.js";

export class Foot {
  constructor(/** @type {import("./store.js").Store} */ store) {
    this.store = store;
    this.legend = h("div.legend");
    this.marks = h("div.marks");
    this.counts = h("div.total");
    this.element = h("div.foot", null, this.legend, this.marks, this.counts);
    this.renderLegend = renderer(this.legend);
    this.renderMarks = renderer(this.marks);
  }

  /** @param {import("./theme.js").Theme} theme @param {string[]} palette */
  update(theme, palette, /** @type {import("./draw.js").Drawn} */ drawn) {
    const { legend } = this.store.scene.colouring;
    const { counts } = this.store.scene.index;
    this.renderLegend([legend, theme.name], () => (legend.kind === "ramp" ? rampLegend(legend, theme.name) : namesLegend(legend, palette)));
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
    const told = [...marks, ...(drawn.told ?? [])];
    this.renderMarks([told.map((m) => `${m.name} ${m.text} ${m.colour}`)], () => told.map(mark));
    this.#count(counts, drawn, agents);
  }

  #count(counts, drawn, agents) {
    const { summary } = this.store;
    const notes = summary.notes ?? [];
    const text = [
      counted(counts.total, agents ? "agent" : "individual"),
      counted(counts.edges, "edge"),
      counts.ghosts && `${whole(counts.ghosts)} not seen`,
      completeness(drawn),
      notes.length && counted(notes.length, "note"),
    ].filter(Boolean).join(" · ");
    this.counts.textContent = text;
    this.counts.title = notes.join("\n");
    this.counts.classList.toggle("hl-noted", notes.length > 0);
  }
}

function mark({ name, sign, text, title, colour = "" }) {
  const shape = h(`i.mark.${name}`, { "aria-hidden": "true" }, sign);
  shape.style.color = colour;
  return h("span", { title }, shape, text);
}

/** What of the picture is not drawn in full, said plainly. */
export function completeness(/** @type {import("./draw.js").Drawn} */ drawn) {
  const { total, nodes, inView, full } = drawn;
  const whom = full ? inView === total ? "all drawn" : `${whole(inView)} of ${whole(total)} in view, all drawn` : `${nodes ? `${whole(nodes)} one by one, ` : ""}${inView === total ? "all" : `${whole(inView)} of ${whole(total)}`} as density`;
  const share = `${whole(drawn.edgesDrawn)} of ${whole(drawn.edgesInView)} edges`;
  const edges = { all: "", some: drawn.edgesDrawn < drawn.edgesInView ? share : "edges of those in view", strands: `${share} in ${counted(drawn.strands, "strand")}`, sample: `${share}, an even sample`, none: drawn.edgesInView ? "no edges drawn at this scale" : "" }[drawn.edges];
  return edges ? `${whom}, ${edges}` : whom;
}

function rampLegend(legend, theme) {
  if (Number.isNaN(legend.left)) return [h("span", null, legend.label), h("span.mute", null, "no values")];
  const stops = Array.from({ length: 9 }, (_, i) => ramp(i / 8, theme));
  const bar = h("i.ramp");
  bar.style.background = `linear-gradient(90deg, ${stops.join(", ")})`;
  const decimals = Math.max(0, decimalsFor(legend.left, legend.right) - 2);
  const show = (v) => (legend.unit === "$" ? money(v) : legend.whole ? whole(v) : number(v, decimals));
  const range = legend.left === legend.right ? show(legend.left) : `${show(legend.left)} – ${show(legend.right)}`;
  return [h("span", null, legend.label), bar, h("span", { title: legend.clipped ? "A few stray values lie outside and take the end colours" : null }, range + (legend.clipped ? " (clipped)" : ""))];
}

function namesLegend(legend, palette) {
  const shown = legend.entries.slice(0, 8);
  const rest = legend.entries.length - shown.length;
  return [
    ...shown.map((entry) => {
      const swatch = h("i.swatch");
      swatch.style.background = palette[entry.index];
      return h("span.name", { title: `${entry.name}: ${whole(entry.count)}` }, swatch, h("span", null, entry.name));
    }),
    rest > 0 && h("span.mute", { title: legend.entries.slice(8).map((e) => `${e.name}: ${whole(e.count)}`).join("\n") }, `+${rest}`),
    !legend.entries.length && h("span.mute", null, `no ${legend.label} known`),
  ];
}
