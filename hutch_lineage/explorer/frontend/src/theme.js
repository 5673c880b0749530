// Light or dark, and the colours of the canvas, which cannot read CSS variables by itself.

const NAMES = ["bg", "panel", "line", "ink", "mute", "faint", "accent", "warm", "good", "bad", "edge", "focus"];

export class Theme {
  /**
   * @param {HTMLElement} root
   * @param {() => string} wanted "auto", "light" or "dark"
   * @param {() => void} changed
   */
  constructor(root, wanted, changed) {
    this.root = root;
    this.wanted = wanted;
    this.changed = changed;
    /** @type {"light"|"dark"} */
    this.name = "light";
    this.colours = /** @type {Record<string, string>} */ ({});
    this.font = "11px sans-serif";
    this.ready = false;
    this.media = matchMedia("(prefers-color-scheme: dark)");
    this.observer = new MutationObserver(() => this.update());
    this.observer.observe(document.body, { attributes: true, attributeFilter: ["data-jp-theme-light", "data-jp-theme-name", "class"] });
    this.onMedia = () => this.update();
    this.media.addEventListener("change", this.onMedia);
  }

  update() {
    const host = document.body.dataset.jpThemeLight;
    const hostTheme = host === undefined ? null : host === "false" ? "dark" : "light";
    const wanted = this.wanted();
    this.name = wanted === "light" || wanted === "dark" ? wanted : (hostTheme ?? (this.media.matches ? "dark" : "light"));
    this.root.dataset.theme = this.name;
    // The host's variables fit only a view of the host's own theme.
    this.root.toggleAttribute("data-host", hostTheme === this.name);
    this.read();
    this.changed();
  }

  /** Read the colours as the browser resolves them; it does so only for what is in the page. */
  read() {
    this.ready = this.root.isConnected;
    const probe = document.createElement("i");
    probe.style.display = "none";
    this.root.append(probe);
    for (const name of NAMES) {
      probe.style.color = `var(--hl-${name})`;
      this.colours[name] = getComputedStyle(probe).color;
    }
    this.font = `11px ${getComputedStyle(this.root).fontFamily || "sans-serif"}`;
    probe.remove();
  }

  destroy() {
    this.observer.disconnect();
    this.media.removeEventListener("change", this.onMedia);
  }
}
