// Beside the endpoint: which backend the events are written for. Who answers there is looked up and chosen; the person decides.
import { fillSelect, h } from "../frame/dom.js";

const PRESETS = ["generic", "marquez", "datahub", "openmetadata", "astro", "datadog"];

export class Presets {
  /** @param {import("../data/store.js").Store} store @param {import("../frame/toolbar.js").Toolbar} toolbar */
  constructor(store, { endpoint }) {
    this.chosen = "";
    this.select = h("select", {
      "aria-label": "Written for",
      onchange: () => {
        this.chosen = endpoint.value;
        store.preset = this.select.value;
        if (store.status.mode === "live") store.live(true, endpoint.value.trim());
      },
    });
    fillSelect(this.select, PRESETS.map((value) => ({ value, text: value })), store.status.backend);
    endpoint.after(h("label.chip.menu.preset", null, this.select));
    this.look = async () => {
      const asked = endpoint.value;
      this.select.value = store.preset ?? store.status.backend; // a notebook may have chosen another one
      const found = asked && asked !== this.chosen && (await store.ask({ op: "detect", endpoint: asked }));
      if (!found || asked !== endpoint.value || asked === this.chosen) return;
      this.select.title = found.why;
      if (found.backend) this.select.value = store.preset = found.backend;
    };
    endpoint.addEventListener("focus", this.look);
    endpoint.addEventListener("change", this.look);
  }
}
