// Files for the person: a table as text, and anything saved.

/** Comma-separated values after RFC 4180; what is not known is empty. A text that a spreadsheet would run as a formula is quoted. */
export function csv(/** @type {readonly string[]} */ names, /** @type {(string|number)[][]} */ rows) {
  const cell = (/** @type {string|number} */ value) => {
    if (typeof value === "number") return Number.isFinite(value) ? String(value) : "";
    const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
    return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return [names, ...rows].map((row) => row.map(cell).join(",")).join("\r\n") + "\r\n";
}

/** What a file of the view is called: after the run. */
export function fileName(/** @type {import("../data/store.js").Store} */ { runs, view }, /** @type {string} */ suffix) {
  const run = runs.find((r) => r.id === view.run) ?? runs[0];
  return `${String(run?.name || run?.id || "lineage").replace(/[^\p{L}\p{N}._-]+/gu, "-").slice(0, 80)}.${suffix}`;
}

/** Hand a file to the person; a text is taken for a table. */
export function save(/** @type {string} */ name, /** @type {string|Blob} */ content) {
  const file = typeof content === "string" ? new Blob([content], { type: "text/csv;charset=utf-8" }) : content;
  const url = URL.createObjectURL(file);
  Object.assign(document.createElement("a"), { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
