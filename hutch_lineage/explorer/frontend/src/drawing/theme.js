// Light or dark, in usual or high contrast, and the colours of the canvas, which cannot read CSS variables by itself.

const NAMES = ["bg", "panel", "line", "ink", "mute", "faint", "accent", "warm", "good", "bad", "edge", "focus"];

export class Theme {
  /**
   * @param {HTMLElement} root
   * @param {() => string} wanted "auto", "light", "dark" or "contrast"
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
    /** Whether everything is drawn in high contrast. */
    this.strong = false;
    const [dark, more, forced] = ["(prefers-color-scheme: dark)", "(prefers-contrast: more)", "(forced-colors: active)"].map((query) => matchMedia(query));
    this.media = { dark, more, forced };
    this.observer = new MutationObserver(() => this.update());
    this.observer.observe(document.body, { attributes: true, attributeFilter: ["data-jp-theme-light", "data-jp-theme-name", "class"] });
    this.onMedia = () => this.update();
    for (const media of Object.values(this.media)) media.addEventListener("change", this.onMedia);
  }

  update() {
    const host = document.body.dataset.jpThemeLight;
    const hostTheme = host === undefined ? null : host === "false" ? "dark" : "light";
    const wanted = this.wanted();
    const { dark, more, forced } = this.media;
    this.name = wanted === "light" || wanted === "dark" ? wanted : ((forced.matches ? null : hostTheme) ?? (dark.matches ? "dark" : "light"));
    this.strong = wanted === "contrast" || more.matches || forced.matches || (wanted === "auto" && /high contrast/i.test(document.body.dataset.jpThemeName ?? ""));
    this.root.dataset.theme = this.name;
    this.root.dataset.contrast = this.strong ? "more" : "usual";
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
    for (const media of Object.values(this.media)) media.removeEventListener("change", this.onMedia);
  }
}
