// Code and prompts: folded, copied, coloured where the last bundle is here. Text nodes only.
import { h } from "../frame/dom.js";
import { clip, counted } from "../words/format.js";
import { copyButton } from "./parts.js";

/** Lines of a block. Blocks out of sight are neither coloured nor laid out. */
const BLOCK = 120;
/** Longer texts are coloured block by block when they are seen, where a string that goes on in the next block is not known as one. */
const AT_ONCE = 30_000;
/** Of longer lines the beginning is shown at first. */
const LONG_LINE = 1000;

/** A line of pieces as nodes. */
export const pieces = (/** @type {[string, string][]} */ line) => line.map(([kind, text]) => (kind ? h(`span.t-${kind}`, null, text) : text));

/**
 * A text in full or its first lines, with a way to the others, and to the clipboard.
 * @param {import("./bundle.js").Module|null} module the last bundle, where it runs
 * @param {{text: string, language?: string|null, plain?: boolean, lines?: number, label: string}} given `plain` for prose, which wraps
 */
export function codeView(module, { text, language = null, plain = false, lines: most = 14, label }) {
  const all = text.replace(/\r\n?/g, "\n").replace(/\n$/, "").split("\n");
  const colour = plain ? null : module?.highlightLines;
  const named = module?.languageOf(language, text) ?? null;
  const pre = h(`pre.code.plain${plain ? ".prose" : ""}`, { tabindex: "0", role: "region", "aria-label": label });
  const fill = (/** @type {number} */ count, open = false) => {
    const shown = open ? all : all.slice(0, count).map((line) => clip(line, LONG_LINE));
    const once = shown.length <= BLOCK || shown.join("\n").length <= AT_ONCE;
    const coloured = once ? colour?.(shown.join("\n"), language) : null;
    if (shown.length <= BLOCK) return pre.replaceChildren(...(coloured ? coloured.flatMap((line, i) => [i ? "\n" : "", ...pieces(line)]) : [shown.join("\n")]));
    const seen = new IntersectionObserver((entries) => entries.forEach(({ isIntersecting, target }) => {
      if (!isIntersecting || !colour) return;
      const from = Number(/** @type {HTMLElement} */ (target).dataset.line);
      const lines = coloured?.slice(from, from + BLOCK) ?? colour(shown.slice(from, from + BLOCK).join("\n"), named);
      target.replaceChildren(...lines.flatMap((line) => [...pieces(line), "\n"]));
      seen.unobserve(target);
    }), { root: null, rootMargin: "300px" });
    const blocks = Array.from({ length: Math.ceil(shown.length / BLOCK) }, (_, i) => {
      const block = h("span.block", { "data-line": i * BLOCK }, `${shown.slice(i * BLOCK, (i + 1) * BLOCK).join("\n")}\n`);
      block.style.containIntrinsicBlockSize = `${Math.min(BLOCK, shown.length - i * BLOCK) * 17.8}px`;
      seen.observe(block);
      return block;
    });
    pre.replaceChildren(...blocks);
  };
  fill(most);
  const rest = Math.max(0, all.length - most);
  const longer = all.slice(0, most).reduce((sum, line) => sum + Math.max(0, line.length - LONG_LINE), 0);
  const fold = h("button.link", { "aria-expanded": "false", onclick: () => {
    const open = fold.getAttribute("aria-expanded") === "false";
    fold.setAttribute("aria-expanded", String(open));
    fold.textContent = open ? (rest ? "Fewer lines" : "Less") : more;
    fill(open ? all.length : most, open);
  } });
  const more = [rest > 0 && counted(rest, "more line", "more lines"), longer > 0 && counted(longer, "more character", "more characters")].filter(Boolean).join(", ");
  fold.textContent = more;
  return [pre, h("div.tally", null, rest + longer > 0 && fold, h("span.spring"), copyButton(() => text))];
}
