// The first lines that changed, as the details show them.
import { hunks } from "../words/diff.js";
import { h } from "../frame/dom.js";
import { clip, counted } from "../words/format.js";

const MOST = 9;
const LONG_LINE = 400;
const SIGNS = { add: "+", del: "−", same: " ", skip: "⋯", head: "" };

/** Null where nothing did. */
export function firstChanges(/** @type {import("../words/diff.js").Line[]} */ all, /** @type {() => void} */ onMore) {
  if (!all.some((line) => line.kind === "add" || line.kind === "del")) return null;
  const lines = hunks(all, 1).filter((line) => line.kind !== "head");
  const rest = lines.length - MOST;
  return [
    h("div.code", { tabindex: "0", role: "region", "aria-label": "Changes" }, lines.slice(0, MOST).map(({ kind, text }) => h(`div.line.${kind}`, null, h("i", { "aria-hidden": "true" }, SIGNS[kind]), h("span", null, clip(text, LONG_LINE))))),
    rest > 0 && h("button.link", { onclick: onMore }, counted(rest, "more line", "more lines")),
  ].filter(Boolean);
}
