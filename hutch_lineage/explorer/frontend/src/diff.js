// What changed between two texts, line by line: Myers' algorithm, bounded; and the reading of unified diffs.

/** @typedef {{kind: "same"|"add"|"del"|"skip"|"head", text: string}} Line */

/** Beyond so many changed lines no alignment is tried: all of the old goes, all of the new comes. */
export const MAX_CHANGES = 1000;

/**
 * @param {string} before
 * @param {string} after
 * @returns {Line[]} every line of both texts, deletions before additions
 */
export function lineDiff(before, after) {
  const a = splitLines(before);
  const b = splitLines(after);
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  const same = (/** @type {string} */ text) => ({ kind: /** @type {const} */ ("same"), text });
  return [...a.slice(0, head).map(same), ...grouped(middle(a.slice(head, a.length - tail), b.slice(head, b.length - tail))), ...a.slice(a.length - tail).map(same)];
}

const splitLines = (/** @type {string} */ text) => (text === "" ? [] : text.replace(/\r\n?/g, "\n").replace(/\n$/, "").split("\n"));

/** @returns {Line[]} */
function middle(a, b) {
  const all = () => [...a.map((text) => ({ kind: "del", text })), ...b.map((text) => ({ kind: "add", text }))];
  if (!a.length || !b.length) return /** @type {Line[]} */ (all());
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
  return /** @type {Line[]} */ (all());
}

/** From the end back to the start, through the furthest points of every round. @returns {Line[]} */
function walkBack(a, b, trace, rounds) {
  /** @type {Line[]} */
  const lines = [];
  let x = a.length;
  let y = b.length;
  for (let d = rounds; d > 0; d--) {
    const before = trace[d]; // before[k + d] is the furthest x on diagonal k after round d - 1
    const k = x - y;
    const down = k === -d || (k !== d && before[k - 1 + d] < before[k + 1 + d]);
    const from = down ? k + 1 : k - 1;
    const px = before[from + d];
    const py = px - from;
    while (x > px && y > py) {
      lines.push({ kind: "same", text: a[--x] });
      y--;
    }
    if (down) lines.push({ kind: "add", text: b[--y] });
    else lines.push({ kind: "del", text: a[--x] });
  }
  while (x > 0) lines.push({ kind: "same", text: a[--x] });
  return lines.reverse();
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
    out.push(...block.filter((l) => l.kind === "del"), ...block.filter((l) => l.kind === "add"));
  }
  return out;
}

/**
 * A unified diff, or any text whose lines begin with + and -, as lines.
 * @returns {Line[]}
 */
export function readUnified(/** @type {string} */ text) {
  return splitLines(text).map((line) => {
    if (/^(@@|diff |index |\+\+\+ |--- )/.test(line)) return { kind: "head", text: line };
    if (line.startsWith("+")) return { kind: "add", text: line.slice(1) };
    if (line.startsWith("-")) return { kind: "del", text: line.slice(1) };
    return { kind: "same", text: line.startsWith(" ") ? line.slice(1) : line };
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
    let n = 0;
    while (i < lines.length && !keep[i]) {
      n++;
      i++;
    }
    if (n === 1) out.push(lines[i - 1]);
    else out.push({ kind: "skip", text: `${n} lines unchanged` });
  }
  return out;
}

/** How many lines came and went. */
export function tally(/** @type {Line[]} */ lines) {
  return { added: lines.filter((l) => l.kind === "add").length, removed: lines.filter((l) => l.kind === "del").length };
}
