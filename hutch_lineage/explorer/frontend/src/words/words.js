// What changed within lines, and which line became which: for a diff that is read closely.
import { sequenceDiff } from "./diff.js";

/** @typedef {import("./diff.js").Line} Line */
/** @typedef {[number, number][]} Marks from and to of what changed, in characters */

/** Longer lines are compared as a whole; blocks with more lines are paired in order. */
const MAX_LINE = 1_500;
const MAX_BLOCK = 40;
/** Two lines with less in common than this are another line rather than a changed one. */
const ALIKE = 0.45;

const wordsOf = (/** @type {string} */ line) => line.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? [];

/**
 * What of an old line went and what of the new one came; and how alike they are, 0 to 1, by characters that are not white space.
 * @returns {{del: Marks, add: Marks, alike: number}}
 */
export function wordDiff(/** @type {string} */ before, /** @type {string} */ after) {
  const none = { del: /** @type {Marks} */ ([]), add: /** @type {Marks} */ ([]), alike: before.trim() === after.trim() ? 1 : 0 };
  if (before.length > MAX_LINE || after.length > MAX_LINE) return none;
  const [a, b] = [wordsOf(before), wordsOf(after)];
  const [del, add] = [/** @type {Marks} */ ([]), /** @type {Marks} */ ([])];
  let [i, j, x, y, same, all] = [0, 0, 0, 0, 0, 0];
  for (const kind of sequenceDiff(a, b)) {
    const word = kind === "add" ? b[j] : a[i];
    const weight = word.trim().length;
    if (kind === "same") same += 2 * weight;
    all += kind === "same" ? 2 * weight : weight;
    if (kind === "del") mark(del, x, x + word.length);
    if (kind === "add") mark(add, y, y + word.length);
    if (kind !== "add") x += a[i++].length;
    if (kind !== "del") y += b[j++].length;
  }
  return { del, add, alike: all ? same / all : 1 };
}

/** Changes with only a space between them read as one. */
function mark(marks, from, to) {
  const last = marks[marks.length - 1];
  if (last && from - last[1] <= 1) last[1] = to;
  else marks.push([from, to]);
}

/**
 * Lines side by side: the old one, the new one, and what changed in them where one became the other.
 * @param {Line[]} lines
 * @returns {{left: Line|null, right: Line|null, marks: {del: Marks, add: Marks}|null}[]}
 */
export function sideBySide(lines) {
  const rows = [];
  for (let i = 0; i < lines.length; ) {
    const { kind } = lines[i];
    if (kind !== "del" && kind !== "add") {
      rows.push({ left: lines[i], right: lines[i], marks: null });
      i++;
      continue;
    }
    const dels = [];
    const adds = [];
    while (lines[i]?.kind === "del") dels.push(lines[i++]);
    while (lines[i]?.kind === "add") adds.push(lines[i++]);
    for (const row of paired(dels, adds)) rows.push(row);
  }
  return rows;
}

/** The pairing of a block's old and new lines that keeps their order and has most in common. */
function paired(dels, adds) {
  const [n, m] = [dels.length, adds.length];
  const row = (left, right, marks = null) => ({ left, right, marks });
  if (n > MAX_BLOCK || m > MAX_BLOCK || !n || !m) return Array.from({ length: Math.max(n, m) }, (_, i) => row(dels[i] ?? null, adds[i] ?? null));
  const words = dels.map((d) => adds.map((a) => wordDiff(d.text, a.text)));
  const most = Array.from({ length: n + 1 }, () => new Float64Array(m + 1));
  for (let i = n - 1; i >= 0; i--) {
    for (let j = m - 1; j >= 0; j--) {
      const { alike } = words[i][j];
      most[i][j] = Math.max(most[i + 1][j], most[i][j + 1], alike >= ALIKE ? alike + most[i + 1][j + 1] : 0);
    }
  }
  const rows = [];
  let [i, j] = [0, 0];
  // What is between two pairs stands side by side without marks.
  const loose = (toI, toJ) => {
    for (; i < toI || j < toJ; ) rows.push(row(i < toI ? dels[i++] : null, j < toJ ? adds[j++] : null));
  };
  for (let [p, q] = [0, 0]; p < n && q < m; ) {
    const { alike, del, add } = words[p][q];
    if (alike >= ALIKE && most[p][q] === alike + most[p + 1][q + 1]) {
      loose(p, q);
      rows.push(row(dels[p], adds[q], { del, add }));
      [i, j] = [++p, ++q];
    } else if (most[p + 1][q] >= most[p][q + 1]) p++;
    else q++;
  }
  loose(n, m);
  return rows;
}

/**
 * The same as one column: old lines of a block before its new ones, each with what changed in it.
 * @param {Line[]} lines
 * @returns {{line: Line, marks: Marks}[]}
 */
export function unified(lines) {
  const out = [];
  let adds = [];
  const flush = () => {
    for (const add of adds) out.push(add);
    adds = [];
  };
  for (const { left, right, marks } of sideBySide(lines)) {
    if (left && left === right) {
      flush();
      out.push({ line: left, marks: [] });
      continue;
    }
    if (left) out.push({ line: left, marks: marks?.del ?? [] });
    if (right) adds.push({ line: right, marks: marks?.add ?? [] });
  }
  flush();
  return out;
}
