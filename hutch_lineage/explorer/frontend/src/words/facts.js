// What is said about one individual, put together from the tables: used by the hover card, the details, the strip and the table.
import { clip, number, signed } from "./format.js";
import { gainOnParents } from "../lineage/lineage.js";
import { NODE } from "../data/protocol.js";

/** @param {import("../data/store.js").Store} store */
export function factsOf(store, /** @type {number} */ row) {
  const { nodes, links, scene } = store;
  const score = scene.score[row] ?? NaN;
  const { gain, parent } = scene.metric ? gainOnParents(links, row, scene.score, scene.lower) : { gain: NaN, parent: -1 };
  const generation = nodes.get("generation")[row] ?? -1;
  return {
    row,
    id: store.id(row),
    ghost: store.flag(row, NODE.ghost),
    seed: store.flag(row, NODE.seed),
    invalid: store.flag(row, NODE.invalid),
    cycle: store.flag(row, NODE.cycle),
    rejected: store.flag(row, NODE.rejected),
    best: row === scene.path.best,
    generation,
    score,
    gain,
    bestParent: parent,
    operator: clip(store.category("operator", nodes.get("op")[row] ?? -1)),
    model: clip(store.category("model", nodes.get("model")[row] ?? -1)),
    island: clip(store.category("island", nodes.get("island")[row] ?? -1)),
    type: clip(store.category("kind", nodes.get("itype")[row] ?? -1)),
    cost: nodes.get("cost")[row] ?? NaN,
  };
}

/** The score as text. */
export const scoreText = (store, value) => number(value, store.scene.decimals);

/** A gain as text and the class that colours it. The sign is that of the metric itself, the colour says better or worse. */
export function gainText(store, /** @type {number} */ gain, decimals = store.scene.decimals) {
  if (Number.isNaN(gain)) return { text: "–", tone: "mute" };
  const change = store.scene.lower ? -gain : gain;
  return { text: signed(change, decimals), tone: gain > 0 ? "good" : gain < 0 ? "bad" : "mute" };
}

/** What an individual is, in a few words: "seed", "invalid", "not seen", ... */
export function badges(facts) {
  return [
    facts.best && ["best", "warm"],
    facts.seed && ["seed", "mute"],
    facts.ghost && ["not seen", "mute"],
    facts.invalid && ["invalid", "bad"],
    facts.rejected && ["rejected", "bad"],
    facts.cycle && ["in a cycle", "bad"],
  ].filter(Boolean);
}
