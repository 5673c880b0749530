// A field for the id of a node, completed as it is typed.
import { h } from "../frame/dom.js";

const MOST = 12;
let serial = 0;

/** Rows of the shown kind whose id begins with, or else holds, what was typed. */
function completions(/** @type {import("../data/store.js").Store} */ store, /** @type {string} */ typed, most = MOST) {
  const wanted = typed.trim().toLowerCase();
  if (!wanted) return [];
  const begins = [];
  const holds = [];
  for (const row of store.scene.index.rows) {
    const at = store.id(row).toLowerCase().indexOf(wanted);
    if (at === 0) begins.push(row);
    else if (at > 0 && holds.length < most) holds.push(row);
    if (begins.length >= most) break;
  }
  return [...begins, ...holds].slice(0, most);
}

/**
 * @param {import("../data/store.js").Store} store
 * @param {{label: string, pick(row: number): void}} given
 */
export function idField(store, { label, pick }) {
  const list = h("datalist", { id: `hl-ids-${++serial}` });
  const field = h("input.idfield", {
    type: "text", list: list.id, "aria-label": label, placeholder: "id…", spellcheck: "false", autocomplete: "off",
    oninput: () => {
      const rows = completions(store, field.value);
      list.replaceChildren(...rows.map((row) => h("option", { value: store.id(row) })));
      const exact = rows.find((row) => store.id(row) === field.value.trim());
      if (exact !== undefined && rows.length === 1) take(exact);
    },
    onkeydown: (e) => {
      if (e.key !== "Enter") return;
      const [row] = completions(store, field.value);
      if (row !== undefined) take(row);
      field.setAttribute("aria-invalid", String(row === undefined));
      e.preventDefault();
    },
  });
  const take = (row) => {
    field.value = "";
    list.replaceChildren();
    pick(row);
  };
  return h("span", null, field, list);
}
