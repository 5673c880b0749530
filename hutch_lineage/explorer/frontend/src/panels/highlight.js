// Code as lines of coloured pieces. Prism finds the pieces; what is shown are text nodes.
import { languages, tokenize } from "../vendor/prism.js";
import "prismjs/components/prism-markup.js";
import "prismjs/components/prism-clike.js";
import "prismjs/components/prism-c.js";
import "prismjs/components/prism-cpp.js";
import "prismjs/components/prism-javascript.js";
import "prismjs/components/prism-typescript.js";
import "prismjs/components/prism-python.js";
import "prismjs/components/prism-rust.js";
import "prismjs/components/prism-julia.js";
import "prismjs/components/prism-json.js";
import "prismjs/components/prism-yaml.js";
import "prismjs/components/prism-markdown.js";
import "prismjs/components/prism-bash.js";
import "prismjs/components/prism-diff.js";
import "prismjs/components/prism-latex.js";

/** Java by its words, names and annotations: Prism's own grammar is three times as long for little more. */
languages.java = languages.extend("clike", {
  keyword: /\b(?:abstract|assert|boolean|break|byte|case|catch|char|class|continue|default|double|do|else|enum|extends|final|finally|float|for|if|implements|import|instanceof|interface|int|long|new|null|package|private|protected|public|record|return|short|static|super|switch|synchronized|this|throws|throw|try|var|void|volatile|while|yield)\b/,
  "class-name": /\b[A-Z]\w*[a-z]\w*/,
  annotation: /@\w+/,
});

/** @typedef {[string, string]} Piece a kind ("" for plain) and a text without line breaks */

/** Longer texts, and texts with longer lines, stay plain: a grammar may need time that grows faster than its text. */
export const MAX_TEXT = 210_000;
export const MAX_LINE = 4_000;

const NAMES = {
  py: "python", python3: "python", ipython: "python", js: "javascript", mjs: "javascript", node: "javascript", ts: "typescript",
  "c++": "cpp", cc: "cpp", cxx: "cpp", hpp: "cpp", h: "c", cuda: "cpp", rs: "rust", jl: "julia", yml: "yaml", md: "markdown", sh: "bash", shell: "bash", zsh: "bash",
  patch: "diff", tex: "latex", html: "markup", xml: "markup", svg: "markup", jsonl: "json",
};

/** The grammar for what a genome says of its language; else what the text can hardly be else; "" for plain. */
export function languageOf(/** @type {string|null|undefined} */ named, /** @type {string} */ text) {
  const name = (named ?? "").trim().toLowerCase().replace(/^(text\/(x-)?|application\/(x-)?|\.)/, "");
  const known = NAMES[name] ?? name;
  if (known && typeof languages[known] === "object") return known;
  return known && !["code", "program", "source"].includes(known) ? "" : guess(text);
}

/** Two signs of one language, and more than of any other. @type {Record<string, RegExp[]>} */
const SIGNS = {
  python: [/^\s*def \w+\(.*\)\s*(->.*)?:\s*$/m, /^\s*(import [\w.]+( as \w+)?|from [\w.]+ import .+)$/m, /^\s*(if|for|while|class|elif|with) .*:\s*(#.*)?$/m, /^\s*return\b(?!.*;\s*$)/m, /^#!.*python/],
  javascript: [/^\s*(const|let|var) [\w{[].*=/m, /=>\s*[{(\w]/, /^\s*(export |async )?function\b.*\{\s*$/m, /^\s*(import .* from ['"]|export )/m, /^#!.*node/],
  cpp: [/^\s*#include\s*[<"]/m, /\bstd::\w/, /^\s*(template\s*<|namespace \w+)/m, /^\s*(int|void|double|auto) \w+\(.*\)\s*\{/m],
  java: [/^\s*(public|private|protected) (static |final )*[\w<>[\]]+ \w+\s*[({=;]/m, /^\s*(public )?(final )?class \w+.*\{/m, /^\s*(import java|package )[\w.]*;/m],
  rust: [/^\s*(pub )?fn \w+.*(->|\{)/m, /\blet mut \w/, /^\s*(use \w+::|impl\b|#\[derive)/m],
  julia: [/^\s*function \w+\(.*\)\s*$/m, /^end\s*$/m, /^\s*using [A-Z]\w*/m],
  bash: [/^#!.*\b(ba|z|da)?sh\b/, /^\s*(fi|done|esac)\s*$/m, /\$\{?\w+\}?/, /^\s*(echo|export|set -e)\b/m],
  latex: [/\\(documentclass|usepackage|begin)\b/, /\\(section|end|frac|item)\b/],
  diff: [/^@@ .* @@/m, /^(\+\+\+|---) /m],
  markdown: [/^#{1,6} \S/m, /^```/m, /^\s*[-*] \S/m, /\[[^\]\n]+\]\([^)\n]+\)/],
};

function guess(/** @type {string} */ whole) {
  const text = whole.slice(0, 20_000);
  if (/^\s*[[{]/.test(text)) {
    try {
      if (whole.length < MAX_TEXT && typeof JSON.parse(whole) === "object") return "json";
    } catch {
      // something else
    }
  }
  const counts = Object.entries(SIGNS).map(([name, signs]) => ({ name, n: signs.filter((sign) => sign.test(text)).length })).sort((a, b) => b.n - a.n);
  return counts[0].n >= 2 && counts[0].n > counts[1].n ? counts[0].name : "";
}

/** Prism's many types as the few that are coloured. */
const KINDS = {
  comment: "c", prolog: "c", doctype: "c", cdata: "c", shebang: "c", hr: "c", blockquote: "c",
  keyword: "k", boolean: "k", important: "k", atrule: "k", tag: "k", "control-flow": "k", title: "k", bold: "k",
  string: "s", "triple-quoted-string": "s", "template-string": "s", char: "s", regex: "s", "attr-value": "s", url: "s", "code-snippet": "s", code: "s", scalar: "s",
  number: "n", constant: "n", symbol: "n", null: "n", datetime: "n", equation: "n",
  function: "f", "function-definition": "f", macro: "f", decorator: "f", annotation: "f", builtin: "f",
  "class-name": "t", property: "t", "attr-name": "t", key: "t", variable: "t", "macro-name": "t", lifetime: "t",
  "deleted-sign": "del", "deleted-arrow": "del", "inserted-sign": "add", "inserted-arrow": "add", coord: "c",
};

/** A text that was coloured a moment ago is shown again when a row is selected again or a fold opens. @type {Map<string, Piece[][]>} */
const held = new Map();
const HELD = 12;

/**
 * Code by line. Without a language, or where that would take long, each line is one plain piece.
 * @returns {Piece[][]}
 */
export function highlightLines(/** @type {string} */ text, /** @type {string|null} */ named = null) {
  const language = text.length <= MAX_TEXT ? languageOf(named, text) : "";
  const lines = text.split("\n");
  if (!language || lines.some((line) => line.length > MAX_LINE)) return lines.map((line) => [["", line]]);
  const key = `${language}\n${text}`;
  const known = held.get(key);
  if (known) return known;
  /** @type {Piece[][]} */
  const out = [[]];
  spread(tokenize(text, languages[language]), "", out);
  held.set(key, out);
  if (held.size > HELD) held.delete(/** @type {string} */ (held.keys().next().value));
  return out;
}

function spread(tokens, outer, out) {
  for (const token of Array.isArray(tokens) ? tokens : [tokens]) {
    if (typeof token !== "string") {
      spread(token.content, KINDS[token.type] ?? KINDS[[token.alias].flat()[0]] ?? outer, out);
      continue;
    }
    token.split("\n").forEach((part, i) => {
      if (i) out.push([]);
      if (!part) return;
      const line = out[out.length - 1];
      const last = line[line.length - 1];
      if (last && last[0] === outer) last[1] += part;
      else line.push([outer, part]);
    });
  }
}
