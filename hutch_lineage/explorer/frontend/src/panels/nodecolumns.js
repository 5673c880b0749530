// What a table of individuals says of each: columns for grid.js.
import { money, number, tokens, whole } from "../words/format.js";
import { costOf } from "../lineage/lineage.js";
import { NODE } from "../data/protocol.js";

/**
 * @param {import("../data/store.js").Store} store
 * @param {ArrayLike<number>} rows what will be shown: columns in which none of them has a value are left out
 * @returns {import("./grid.js").Column[]}
 */
export function nodeColumns(store, rows) {
  const { nodes, scene } = store;
  const get = (/** @type {string} */ name) => nodes.get(name);
  const some = (/** @type {(row: number) => boolean} */ test) => {
    for (let i = 0; i < rows.length; i++) if (test(rows[i])) return true;
    return false;
  };
  const named = (key, title, list, column, width, off = false) => {
    const text = (row) => store.category(list, get(column)[row] ?? -1);
    return some((row) => (get(column)[row] ?? -1) >= 0) && { key, title, text, value: text, width, off };
  };
  const counted = (key, title, column, say, width, off = false) => {
    const value = (row) => get(column)[row] ?? NaN;
    return some((row) => value(row) >= 0) && { key, title, number: true, value: (row) => (value(row) >= 0 ? value(row) : NaN), text: (row) => (value(row) >= 0 ? say(value(row)) : "–"), width, off };
  };
  const told = (key, title, text) => some((row) => text(row) !== "") && { key, title, text, value: text, width: "minmax(90px, .6fr)", off: true };
  const spent = (key, title, sum) => {
    const value = (row) => costOf(store.operators, store.links.operators(row))[sum] || NaN;
    return some((row) => value(row) > 0) && { key, title, number: true, value, text: (row) => tokens(value(row)), width: "64px", off: true };
  };
  const time = (row) => get("time")[row] ?? NaN;
  const stamp = (row) => (time(row) > 0 ? new Date(1000 * time(row)).toISOString() : "");
  const names = new Map(store.runs.map((run) => [run.id, run.name]));
  const metrics = [...store.metrics].sort((a, b) => +(b.name === scene.metric?.name) - +(a.name === scene.metric?.name));
  return [
    { key: "id", title: "id", text: (row) => store.id(row), value: (row) => store.id(row), width: "minmax(76px, 1fr)", mono: true },
    ...metrics.map((m, i) => metricColumn(store, m, i > 0)),
    named("op", "operator", "operator", "op", "minmax(62px, .6fr)"),
    counted("gen", "gen", "generation", whole, "30px"),
    counted("cost", "cost", "cost", money, "66px"),
    named("model", "model", "model", "model", "minmax(104px, .8fr)"),
    named("island", "island", "island", "island", "minmax(46px, .4fr)"),
    counted("tokens", "tokens", "tokens", tokens, "52px", true),
    named("agent", "agent", "agent", "agent", "minmax(70px, .6fr)", true),
    named("run", "run", "run", "run", "minmax(90px, .6fr)", true),
    told("run_name", "run name", (row) => names.get(store.category("run", get("run")[row] ?? -1)) ?? ""),
    some((row) => time(row) > 0) && { key: "time", title: "time", number: true, value: time, shownValue: stamp, text: stamp, width: "164px", off: true },
    spent("tokens_in", "tokens in", "tokensIn"),
    spent("tokens_out", "tokens out", "tokensOut"),
    told("invalid", "invalid", (row) => (store.flag(row, NODE.invalid) ? "invalid" : "")),
    told("parent_ids", "parent ids", (row) => store.links.parents(row).map((parent) => store.id(parent)).join("; ")),
    { key: "parents", title: "parents", number: true, value: (row) => store.links.parents(row).length, text: (row) => whole(store.links.parents(row).length), width: "50px", off: true },
    { key: "children", title: "children", number: true, value: (row) => store.links.children(row).length, text: (row) => whole(store.links.children(row).length), width: "54px", off: true },
  ].filter(Boolean);
}

/** Better first, whatever the metric's direction; the decimals tell its values apart, however bad a few are. */
function metricColumn(store, { name, direction }, off) {
  const values = store.nodes.get(`m:${name}`);
  const lower = direction === "lower";
  const decimals = store.scene.decimalsOf(name, lower);
  const sign = lower ? -1 : 1;
  const shownValue = (row) => values[row] ?? NaN;
  const text = (row) => (store.flag(row, NODE.ghost) ? "not seen" : store.flag(row, NODE.invalid) && Number.isNaN(shownValue(row)) ? "invalid" : number(shownValue(row), decimals));
  return { key: `m:${name}`, title: name, hint: `Sort by ${name}, ${direction} is better`, number: true, value: (row) => sign * shownValue(row), shownValue, text, width: `${Math.min(96, Math.max(58, 14 + 6.2 * name.length))}px`, off };
}
