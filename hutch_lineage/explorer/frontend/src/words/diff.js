// What changed between two texts, line by line: Myers' algorithm, bounded; and the reading of unified diffs.

/**
 * A line of a diff. `a` and `b` are its numbers in the old and in the new text, 0 where it is not in one or that is not known;
 * `old` is the old line where it differs in white space that does not count.
 * @typedef {{kind: "same"|"add"|"del"|"skip"|"head", text: string, a?: number, b?: number, old?: string, lines?: Line[]}} Line
 */

/** Beyond so many changed lines no alignment is tried: all of the old goes, all of the new comes. */
export const MAX_CHANGES = 1000;

/**
 * @param {string} before
 * @param {string} after
 * @param {{whitespace?: boolean}} [options] `whitespace: false` takes lines for equal that differ in white space alone
 * @returns {Line[]} every line of both texts, deletions before additions, numbered
 */
export function lineDiff(before, after, { whitespace = true } = {}) {
  const [a, b] = [splitLines(before), splitLines(after)];
  const key = whitespace ? (/** @type {string} */ line) => line : (/** @type {string} */ line) => line.replace(/\s+/g, " ").trim();
  const kinds = sequenceDiff(a.map(key), b.map(key));
  let [i, j] = [0, 0];
  /** @type {Line[]} */
  const lines = kinds.map((kind) => {
    if (kind === "del") return { kind, text: a[i], a: ++i, b: 0 };
    if (kind === "add") return { kind, text: b[j], a: 0, b: ++j };
    const line = { kind, text: b[j], ...(a[i] === b[j] ? null : { old: a[i] }), a: i + 1, b: j + 1 };
    i++;
    j++;
    return line;
  });
  return grouped(lines);
}

/**
 * What became of each item of two lists, in order.
 * @param {string[]} a
 * @param {string[]} b
 * @returns {("same"|"add"|"del")[]}
 */
export function sequenceDiff(a, b) {
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  const same = (/** @type {number} */ n) => new Array(n).fill("same");
  return [...same(head), ...middle(a.slice(head, a.length - tail), b.slice(head, b.length - tail)), ...same(tail)];
}

const splitLines = (/** @type {string} */ text) => (text === "" ? [] : text.replace(/\r\n?/g, "\n").replace(/\n$/, "").split("\n"));

/** @returns {("same"|"add"|"del")[]} */
function middle(a, b) {
  const all = () => [...a.map(() => /** @type {const} */ ("del")), ...b.map(() => /** @type {const} */ ("add"))];
  if (!a.length || !b.length) return all();
  const most = Math.min(a.length + b.length, MAX_CHANGES);
  const size = 2 * most + 2;
  let v = new Int32Array(size);
  const trace = [];
  for (let d = 0; d <= most; d++) {
    trace.push(v.slice(most - d, most + d + 2));
    const next = v;
    for (let k = -d; k <= d; k += 2) {
      let x = k === -d || (k !== d && v[most + k - 1] < v[most + k + 1]) ? v[most + k + 1] : v[most + k - 1] + 1;
      while (x < a.length && x - k < b.length && x - k >= 0 && a[x] === b[x - k]) x++;
      next[most + k] = x;
      if (x >= a.length && x - k >= b.length) return walkBack(a, b, trace, d);
    }
    v = next;
  }
  return all();
}

/** From the end back to the start, through the furthest points of every round. @returns {("same"|"add"|"del")[]} */
function walkBack(a, b, trace, rounds) {
  /** @type {("same"|"add"|"del")[]} */
  const kinds = [];
  let x = a.length;
  let y = b.length;
  for (let d = rounds; d > 0; d--) {
    const before = trace[d]; // before[k + d] is the furthest x on diagonal k after round d - 1
    const k = x - y;
    const down = k === -d || (k !== d && before[k - 1 + d] < before[k + 1 + d]);
    const from = down ? k + 1 : k - 1;
    const px = before[from + d];
    const py = px - from;
    for (; x > px && y > py; x--, y--) kinds.push("same");
    kinds.push(down ? "add" : "del");
    if (down) y--;
    else x--;
  }
  for (; x > 0; x--) kinds.push("same");
  return kinds.reverse();
}

/** Within a block of changes, deletions first. @returns {Line[]} */
function grouped(lines) {
  const out = [];
  for (let i = 0; i < lines.length; ) {
    if (lines[i].kind === "same") {
      out.push(lines[i++]);
      continue;
    }
    const block = [];
    while (i < lines.length && lines[i].kind !== "same") block.push(lines[i++]);
    for (const kind of ["del", "add"]) for (const line of block) if (line.kind === kind) out.push(line);
  }
  return out;
}

/**
 * A unified diff, or any text whose lines begin with + and -, as lines; numbered where its heads say where it begins.
 * @returns {Line[]}
 */
export function readUnified(/** @type {string} */ text) {
  let [a, b] = [0, 0];
  return splitLines(text).map((line) => {
    const at = /^@@ -(\d+)(?:,\d+)? \+(\d+)/.exec(line);
    if (at) [a, b] = [+at[1], +at[2]];
    if (/^(@@|diff |index |\+\+\+ |--- )/.test(line)) return { kind: "head", text: line };
    const sign = line[0];
    if (sign === "+") return { kind: "add", text: line.slice(1), a: 0, b: b && b++ };
    if (sign === "-") return { kind: "del", text: line.slice(1), a: a && a++, b: 0 };
    return { kind: "same", text: sign === " " ? line.slice(1) : line, a: a && a++, b: b && b++ };
  });
}

/** Whether a text reads as a diff. */
export const looksUnified = (/** @type {string} */ text) => /^@@ /m.test(text) || (/^[+-]/m.test(text) && /^[ +-]/.test(text));

/** Only the changes with `context` lines around; what is left out becomes one line that says how much. @returns {Line[]} */
export function hunks(/** @type {Line[]} */ lines, context = 3) {
  const keep = new Uint8Array(lines.length);
  lines.forEach((line, i) => {
    if (line.kind === "same") return;
    for (let j = Math.max(0, i - context); j <= Math.min(lines.length - 1, i + context); j++) keep[j] = 1;
  });
  /** @type {Line[]} */
  const out = [];
  for (let i = 0; i < lines.length; ) {
    if (keep[i]) {
      out.push(lines[i++]);
      continue;
    }
    const left = [];
    while (i < lines.length && !keep[i]) left.push(lines[i++]);
    if (left.length === 1) out.push(left[0]);
    else out.push({ kind: "skip", text: `${left.length} lines unchanged`, lines: left });
  }
  return out;
}

/** How many lines came and went. */
export function tally(/** @type {Line[]} */ lines) {
  return { added: lines.filter((l) => l.kind === "add").length, removed: lines.filter((l) => l.kind === "del").length };
}
