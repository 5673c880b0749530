// Which individual is under the pointer: a quadtree over layers and slots that takes in new rows as they come.
import { quadtree } from "d3-quadtree";

export class Picker {
  constructor(/** @type {import("./store.js").Store} */ store) {
    this.store = store;
    this.tree = null;
    this.index = null;
  }

  #follow() {
    const { index } = this.store.scene;
    if (this.index === index) return;
    const x = this.store.scene.x;
    const y = this.store.scene.y;
    this.tree = quadtree().x((row) => x[row]).y((row) => y[row]).addAll(index.rows);
    this.index = index;
  }

  /** The row nearest to a point of the screen within `reach` pixels, -1 for none. */
  at(/** @type {import("./camera.js").Camera} */ camera, px, py, reach = 12) {
    this.#follow();
    const xs = this.store.scene.x;
    const ys = this.store.scene.y;
    const dx = reach / camera.ax;
    const dy = reach / camera.ay;
    const x = (px - camera.bx) / camera.ax;
    const y = (py - camera.by) / camera.ay;
    let found = -1;
    let least = reach * reach;
    this.tree.visit((node, x0, y0, x1, y1) => {
      if (!node.length) {
        for (let leaf = node; leaf; leaf = leaf.next) {
          const row = leaf.data;
          const d = (camera.x(xs[row]) - px) ** 2 + (camera.y(ys[row]) - py) ** 2;
          if (d <= least) {
            least = d;
            found = row;
          }
        }
      }
      return x0 > x + dx || x1 < x - dx || y0 > y + dy || y1 < y - dy;
    });
    return found;
  }
}
