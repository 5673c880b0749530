// sigma, for the versions 3 and 4: WebGL. Labels off, which is faster.
import Graph from "graphology";
import { plain } from "./plain.js";

function fill(graph, { first, firstEdge, x, y, src, dst, colour }) {
  for (let i = 0; i < x.length; i++) graph.addNode(first + i, { x: x[i], y: -y[i], size: 2, color: colour(i) });
  for (let i = 0; i < src.length; i++) graph.addEdgeWithKey(firstEdge + i, src[i], dst[i], { size: 0.5, color: "#999" });
}

export const drawing = (Sigma) => async (host, lineage) => {
  const graph = new Graph();
  fill(graph, plain(lineage));
  const sigma = new Sigma(graph, host, { renderLabels: false, minCameraRatio: null, maxCameraRatio: null });
  const rendered = () => new Promise((resolve) => sigma.once("afterRender", resolve));
  const picture = {
    onDrawn() {},
    look(zoom, x, y) {
      sigma.getCamera().setState({ x, y, ratio: 1 / zoom });
      sigma.scheduleRender();
    },
    async append(more) {
      const drawn = rendered();
      fill(graph, plain(more));
      await drawn;
    },
    places: () => graph.mapNodes((_, n) => n.y),
    facts: () => ({ nodes: graph.order, edges: graph.size }),
  };
  sigma.on("afterRender", () => picture.onDrawn());
  return picture;
};
