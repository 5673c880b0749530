// A diff as it is shown: one column or two, numbered, coloured, folded where nothing changed. Text nodes only.
import { hunks } from "../words/diff.js";
import { h } from "../frame/dom.js";
import { whole } from "../words/format.js";
import { sideBySide, unified } from "../words/words.js";
import { highlightLines } from "./highlight.js";

/** Rows shown at first; each "more" shows as many again. */
const SCREEN = 500;
/** Longer texts stay plain, or opening a diff would be felt. */
const AT_ONCE = 40_000;
const SIGNS = { add: "+", del: "−", same: "", skip: "", head: "" };

/** @typedef {import("../words/diff.js").Line} Line */

/**
 * @param {Line[]} lines every line
 * @param {{split: boolean, folded: boolean, language: string|null}} how
 */
export function diffView(lines, { split, folded, language }) {
  const kept = folded ? hunks(lines) : lines;
  const colours = colourer(lines, language);
  const numbered = lines.some((line) => line.a || line.b);
  const holder = h(`div.code.changes${split ? ".split" : ""}${numbered ? "" : ".unnumbered"}`, { tabindex: "0", role: "region", "aria-label": "Changes" });
  const show = (/** @type {Line[]} */ some) => (split ? sideBySide(some).map((row) => pairOf(row, colours, open)) : unified(some).map((row) => lineOf(row, colours, open)));
  // The lines that a fold hides take its place.
  const open = (/** @type {Line} */ fold, /** @type {HTMLElement} */ element) => element.replaceWith(...show(fold.lines ?? []));
  let at = 0;
  const more = h("button.link", { onclick: () => next() });
  const next = () => {
    holder.append(...show(kept.slice(at, at + SCREEN)));
    at += SCREEN;
    const rest = kept.length - at;
    more.hidden = rest <= 0;
    more.textContent = `${whole(Math.max(0, rest))} more lines`;
  };
  next();
  return [holder, more];
}

/** Pieces of a line by its place in the old or the new text, so that what spans lines keeps its colour. */
function colourer(lines, language) {
  const size = lines.reduce((sum, line) => sum + line.text.length, 0);
  /** @type {Map<Line, [string, string][]>} */
  const pieces = new Map();
  if (size > AT_ONCE) return (line) => [["", line.text]];
  for (const gone of ["add", "del"]) {
    const side = lines.filter((line) => line.kind !== gone && line.kind !== "head");
    const coloured = highlightLines(side.map((line) => line.text).join("\n"), language);
    side.forEach((line, i) => coloured[i] && pieces.set(line, /** @type {any} */ (coloured[i])));
  }
  return (line) => pieces.get(line) ?? [["", line.text]];
}

/** Pieces with what changed within them set apart. */
export function marked(/** @type {[string, string][]} */ pieces, /** @type {[number, number][]} */ marks) {
  const out = [];
  let at = 0;
  for (const [kind, text] of pieces) {
    const end = at + text.length;
    for (let from = at; from < end; ) {
      const inside = marks.find(([a, b]) => a <= from && from < b);
      const to = Math.min(end, inside ? inside[1] : (marks.find(([a]) => a > from)?.[0] ?? end));
      out.push({ kind, text: text.slice(from - at, to - at), changed: !!inside });
      from = to;
    }
    at = end;
  }
  return out;
}

const nodes = (pieces, marks) => marked(pieces, marks).map(({ kind, text, changed }) => (kind || changed ? h(changed ? "mark" : "span", kind ? { class: `hl-t-${kind}` } : null, text) : text));

const number = (/** @type {number|undefined} */ n) => h("i.no", { "aria-hidden": "true" }, n ? String(n) : "");

const foldOf = (line, open) => {
  const row = h("button.line.skip", { "aria-expanded": "false", title: "Show them", onclick: () => open(line, row) }, "⋯ ", line.text);
  return row;
};

/** What a screen reader hears before a changed line. */
const said = (kind) => (kind === "add" ? h("span.hidden", null, "added: ") : kind === "del" ? h("span.hidden", null, "removed: ") : null);

function lineOf({ line, marks }, colours, open) {
  if (line.kind === "skip") return foldOf(line, open);
  return h(`div.line.${line.kind}`, null, number(line.a), number(line.b), h("i.sign", { "aria-hidden": "true" }, SIGNS[line.kind]), said(line.kind), h("span", null, nodes(colours(line), marks)));
}

function pairOf({ left, right, marks }, colours, open) {
  if (left?.kind === "skip") return foldOf(left, open);
  if (left?.kind === "head") return h("div.line.head", null, left.text);
  const half = (line, n, text, own, kind) => (line ? h(`div.half.${line.kind}`, null, number(n), said(kind), h("span", null, text === line.text ? nodes(colours(line), own ?? []) : text)) : h("div.half.blank"));
  return h("div.pair", null, half(left, left?.a, left?.old ?? left?.text, marks?.del, left?.kind), half(right, right?.b, right?.text, marks?.add, right?.kind));
}
