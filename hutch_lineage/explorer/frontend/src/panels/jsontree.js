// JSON as it is, to be folded. Text nodes only; what is folded does not exist until it is opened.
import { h } from "../frame/dom.js";

/** Deeper values, and lists with more entries, are shown as one line. */
const DEEP = 30;
const LONG = 500;
const SHORT = 90;

/** @returns {HTMLElement} */
export function jsonTree(/** @type {any} */ value, { open = 2 } = {}) {
  return h("div.code.plain.json", { tabindex: "0", role: "region", "aria-label": "JSON" }, entry(null, value, open, 0));
}

function entry(key, value, open, depth) {
  const name = key === null ? [] : [h("span.j-key", null, JSON.stringify(key)), ": "];
  if (value === null || typeof value !== "object") return h("div.jrow", null, name, scalar(value));
  const list = Array.isArray(value);
  const entries = list ? value.map((each) => [null, each]) : Object.entries(value);
  const [left, right] = list ? "[]" : "{}";
  if (!entries.length) return h("div.jrow", null, name, left + right);
  if (depth >= DEEP) return h("div.jrow", null, name, JSON.stringify(value).slice(0, 2000));
  const short = JSON.stringify(value);
  const box = h("details.jrow", null, h("summary", null, name, left, h("span.mute", null, short.length <= SHORT ? ` ${short.slice(1, -1)} ` : ` ${entries.length} ${list ? (entries.length === 1 ? "entry" : "entries") : entries.length === 1 ? "field" : "fields"} `, right)));
  let filled = false;
  const fill = () => {
    if (filled) return;
    filled = true;
    box.append(...entries.slice(0, LONG).map(([k, v]) => entry(k, v, open, depth + 1)), ...(entries.length > LONG ? [h("div.jrow.mute", null, `… ${entries.length - LONG} more`)] : []));
  };
  box.addEventListener("toggle", () => box.open && fill());
  if (depth < open) {
    fill();
    box.open = true;
  }
  return box;
}

function scalar(value) {
  return h(typeof value === "string" ? "span.j-text" : "span.j-num", null, JSON.stringify(value) ?? "null");
}
