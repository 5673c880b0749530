// Which individual is under the pointer: the nearest of those that the index of the picture has around it.
import { rowsIn } from "./layers.js";

export class Picker {
  constructor(/** @type {import("../data/store.js").Store} */ store) {
    this.store = store;
  }

  /** The row nearest to a point of the screen within `reach` pixels, -1 for none. */
  at(/** @type {import("../drawing/camera.js").Camera} */ camera, px, py, reach = 12) {
    const { index, x, y } = this.store.scene;
    const from = (/** @type {number} */ at, origin, scale) => (at - origin) / scale;
    const near = rowsIn(index, from(px - reach, camera.bx, camera.ax), from(px + reach, camera.bx, camera.ax), from(py - reach, camera.by, camera.ay), from(py + reach, camera.by, camera.ay));
    let found = -1;
    let least = reach * reach;
    for (const row of near) {
      const d = (camera.x(x[row]) - px) ** 2 + (camera.y(y[row]) - py) ** 2;
      if (d <= least) {
        least = d;
        found = row;
      }
    }
    return found;
  }
}
