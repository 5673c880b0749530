// Where the camera stands, as the view and Python tell each other.

const STILL_MS = 400;

export class Whereabouts {
  /** @param {import("../data/store.js").Store} store @param {import("../drawing/camera.js").Camera} camera @param {() => void} fit shows everything */
  constructor(store, camera, fit) {
    this.store = store;
    this.camera = camera;
    this.fit = fit;
    /** What was last in view, as told to Python. */
    this.told = "null";
    this.timer = 0;
  }

  /** Take the camera where Python wants it, now or as soon as there is room. */
  follow() {
    const { window: wanted } = this.store;
    if (this.camera.width < 2) return;
    this.told = JSON.stringify(wanted);
    if (wanted) this.camera.look(wanted);
    else this.fit();
  }

  /** There is room now: go where Python has wanted the camera meanwhile. */
  begin() {
    if (this.store.window && this.told === "null") this.follow();
  }

  /** Tell Python where the camera stands, once it stands still. */
  tell() {
    const { window: seen } = this.camera;
    const key = JSON.stringify(seen);
    if (key === this.told) return;
    this.told = key;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.store.look(seen), STILL_MS);
  }

  destroy() {
    clearTimeout(this.timer);
  }
}
