// The menu that saves the picture. What makes the files is in the last bundle, which is brought in for it.
import { h } from "../frame/dom.js";
import { bundleOf } from "../panels/bundle.js";

const KINDS = { png: "PNG of what is seen", svg: "SVG of what is seen" };

/** A native select: it looks like its neighbours, and keys and screen readers know it. */
export function exportMenu(/** @type {import("../data/store.js").Store} */ store, /** @type {any} */ app) {
  const bundle = bundleOf(store, "panels");
  const option = (value, text) => h("option", { value }, text);
  const select = h("select", { "aria-label": "Export the picture", title: "Save what the picture shows as a file", onchange: async () => {
    const kind = select.value;
    select.value = "";
    await bundle.load();
    let failed = bundle.error || (bundle.module ? "" : "waiting for the kernel");
    try {
      await bundle.module?.savePicture(app, kind);
    } catch (error) {
      failed = String(/** @type {any} */ (error)?.message ?? error);
    }
    app.live.textContent = failed ? `Not saved: ${failed}` : `Saved as ${kind.toUpperCase()}`;
    first.textContent = failed ? `Not saved: ${failed}` : "Export";
  } });
  const first = option("", "Export");
  select.append(first, ...Object.entries(KINDS).map(([value, text]) => option(value, text)));
  return h("label.chip.menu", null, select);
}
