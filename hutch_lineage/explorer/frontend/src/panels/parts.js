// Pieces that several panels show: ids to click, key-value rows, lines of a diff, bars.
import { h } from "../frame/dom.js";
import { clip, whole } from "../words/format.js";

/** Longer texts are cut where they stand among others. */
const LONG = 400;

/** An id as a chip that selects. */
export function idChip(store, app, /** @type {number} */ row) {
  const id = store.id(row);
  return h("button.chip.id", { title: `Select ${clip(id, LONG)}`, "data-row": row, "data-node": id, onclick: () => app.show(row) }, clip(id));
}

/** Chips for rows: the first few, then "+3" that shows the others. */
export function idChips(store, app, /** @type {number[]} */ rows, most = 3) {
  if (!rows.length) return [h("span.mute", null, "none")];
  const holder = h("span.chips", null, rows.slice(0, most).map((row) => idChip(store, app, row)));
  const rest = rows.slice(most);
  if (rest.length) {
    const more = h("button.chip", { title: `Show ${rest.length} more`, "aria-expanded": "false", onclick: () => more.replaceWith(...rest.slice(0, 400).map((row) => idChip(store, app, row)), rest.length > 400 ? ` and ${whole(rest.length - 400)} more` : "") }, `+${whole(rest.length)}`);
    holder.append(more);
  }
  return [holder];
}

/** Rows of a name and what it is; rows that are null are left out. */
export function keyValues(/** @type {([string, any]|null|false|undefined)[]} */ rows) {
  return h("dl.kv", null, rows.filter(Boolean).flatMap((row) => [h("dt", null, row[0]), h("dd", null, row[1])]));
}

export const heading = (/** @type {any[]} */ ...text) => h("h4", null, ...text);

/** A text to the clipboard, with a word back on the button. */
export function copyButton(/** @type {() => string} */ text, word = "Copy") {
  const button = h("button.link", { onclick: async () => {
    let done = true;
    try {
      await navigator.clipboard.writeText(text());
    } catch {
      done = copyByHand(text());
    }
    button.textContent = done ? "Copied" : "Copying is not allowed here";
    setTimeout(() => (button.textContent = word), 1500);
  } }, word);
  return button;
}

/** Where the clipboard is closed to scripts (http, some notebooks): through a selected field. */
function copyByHand(text) {
  const field = document.createElement("textarea");
  field.value = text;
  field.style.cssText = "position:fixed;opacity:0";
  document.body.append(field);
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  return done;
}

/** A text of any length: a long one is cut, with a way to all of it, and to the clipboard. */
export function longText(/** @type {string} */ text, most = LONG) {
  if (text.length <= most) return text;
  const shown = h("span", null, clip(text, most));
  const words = `Show all ${whole(text.length)} characters`;
  const more = h("button.link", { "aria-expanded": "false", onclick: () => {
    const open = more.getAttribute("aria-expanded") === "false";
    more.setAttribute("aria-expanded", String(open));
    more.textContent = open ? "Show less" : words;
    shown.textContent = open ? text : clip(text, most);
  } }, words);
  return h("span", null, shown, h("span.tally", null, more, copyButton(() => text)));
}

/** Instead of what is not here yet. */
export function waiting(store, row) {
  const since = store.asked.get(row);
  return h("p.waiting", null, !store.connected ? "Not here: the kernel has ended." : since && Date.now() - since > 400 ? "Waiting for the kernel…" : "Loading…");
}

/** Nothing is selected. */
export const nothing = (/** @type {string} */ what) => h("p.mute.hint", null, `Click an individual to see ${what}.`);
