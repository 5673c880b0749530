// The explorer's own bundle, as a notebook gets it, on a model without a kernel. Nothing of it is changed or left out.
import widget from "/explorer.js";
import { fakeModel, status } from "/synth.mjs";

/** What a person works with, details and minimap among it: in a notebook it follows the graph. */
const hands = Promise.all(["/hands.js", "/hands.css"].map(async (url) => (await fetch(url)).text()));

export async function draw(host, lineage) {
  const [js, css] = await hands;
  const model = fakeModel({ height: 600, theme: "light", status: status({ running: true }) });
  const made = await widget();
  made.initialize({ model });
  made.render({ model, el: host });
  const root = host.querySelector(".hl-explorer");
  const { app, store } = root.__hl;
  /** @type {Set<() => void>} */
  const waiting = new Set();
  const picture = {
    onDrawn() {},
    look(zoom, x, y) {
      const { camera } = app;
      const { x0, x1, y0, y1 } = store.scene.index.bounds;
      const [ax, ay] = [fitted.ax * zoom, fitted.ay * zoom];
      camera.place({ ax, ay, bx: camera.width / 2 - (x0 + x * (x1 - x0)) * ax, by: camera.height / 2 - (y0 + y * (y1 - y0)) * ay });
    },
    append: (more) => told(more),
    places: () => Array.from({ length: store.nodes.count }, (_, row) => `${store.scene.x[row]} ${store.scene.y[row]}`),
    facts: () => ({ nodes: store.nodes.count, edges: store.edges.count, first: began.first, messages: lineage.length }),
  };
  const { paint } = app;
  app.paint = () => {
    paint.call(app);
    picture.onDrawn();
    for (const check of waiting) check();
  };
  /** Hand over messages as a socket does, each by itself; resolves when all of it is drawn. */
  function told(messages) {
    const { content } = messages.at(-1);
    const { nodes } = content.tables;
    const drawn = new Promise((resolve) => {
      const check = () => {
        if (store.nodes.count < nodes.start + nodes.count || root.dataset.version !== String(content.version)) return;
        waiting.delete(check);
        resolve(null);
      };
      waiting.add(check);
    });
    const [first, ...others] = messages;
    model.push(first.content, first.buffers);
    for (const each of others) setTimeout(() => model.push(each.content, each.buffers));
    return drawn;
  }
  const start = performance.now();
  const began = { first: 0 };
  waiting.add(function first() {
    if (!store.nodes.count) return;
    began.first = performance.now() - start;
    waiting.delete(first);
  });
  const whole = told(lineage);
  setTimeout(() => model.push({ op: "asset", name: "hands", js, css }));
  await whole;
  const fitted = { ax: app.camera.ax, ay: app.camera.ay };
  return picture;
}
