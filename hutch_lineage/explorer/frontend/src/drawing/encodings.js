// What the foot says of sizes, of edges in colours and of densities; each as name, sign, words, and the long of it.
import { nameIndex } from "../picture/colour.js";
import { money, tokens, whole } from "../words/format.js";

/** Operators named beside the picture; the others are told on hover. */
const NAMED = 6;

/**
 * @typedef {{name: string, sign: string, text: string, title: string, colour?: string}} Told
 * @param {import("../data/store.js").Store} store
 * @param {import("../drawing/draw.js").Drawn} drawn
 * @param {string[]} palette
 * @returns {Told[]}
 */
export function encodings(store, drawn, palette) {
  const { scene, view } = store;
  const found = [];
  const { sizes } = scene;
  if (sizes && drawn.full) {
    const most = sizes.unit === "$" ? money(sizes.high) : view.size === "tokens" ? tokens(sizes.high) : whole(sizes.high);
    found.push({ name: "size", sign: "●", text: Number.isNaN(sizes.high) ? `no ${view.size}` : `area: ${view.size}, up to ${most}`, title: `Areas are in proportion to ${sizes.label}, within bounds: from the 95th percentile (${most}) on all are of one size` });
  } else if (sizes) found.push({ name: "size", sign: "●", text: "sizes closer up", title: `Sizes by ${sizes.label} are shown where individuals are drawn one by one` });
  if (view.edges === "operator") {
    const kinds = scene.operatorKinds;
    const title = drawn.edges === "strands" || drawn.edges === "none" ? "Shown where edges are drawn one by one" : "Edges by operator";
    for (const { kind, name } of kinds.slice(0, NAMED)) found.push({ name: "edge", sign: "─", text: name, title, colour: palette[nameIndex(kind)] });
    if (kinds.length > NAMED) found.push({ name: "edge", sign: "─", text: `+${kinds.length - NAMED}`, title: kinds.slice(NAMED).map((each) => each.name).join("\n") });
  }
  if (!drawn.full) {
    const ramp = scene.colouring.legend.kind === "ramp";
    found.push({ name: "density", sign: "▒", text: ramp ? "mean of a spot" : "most of a spot", title: `Where many stand together a spot shows ${ramp ? "the mean of their values" : "the name that most of them have"}, and is the more opaque the more they are (logarithmically)` });
  }
  return found;
}
