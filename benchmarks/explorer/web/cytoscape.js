// cytoscape.js, canvas renderer, with the edges that it draws fastest.
import cytoscape from "cytoscape";
import { plain } from "./plain.js";

const elements = ({ first, firstEdge, x, y, src, dst, colour }) => [
  ...Array.from(x, (_, i) => ({ group: "nodes", data: { id: `n${first + i}`, c: colour(i) }, position: { x: x[i], y: y[i] } })),
  ...Array.from(src, (_, i) => ({ group: "edges", data: { id: `e${firstEdge + i}`, source: `n${src[i]}`, target: `n${dst[i]}` } })),
];

export async function draw(host, lineage) {
  const cy = cytoscape({
    container: host,
    elements: elements(plain(lineage)),
    layout: { name: "preset", fit: true, padding: 20 },
    style: [
      { selector: "node", style: { width: 8, height: 8, "background-color": "data(c)" } },
      { selector: "edge", style: { width: 1, "curve-style": "haystack", "line-color": "#999" } },
    ],
    minZoom: 1e-4,
    maxZoom: 1e4,
  });
  const rendered = () => new Promise((resolve) => cy.one("render", resolve));
  await rendered();
  const { x1, y1, w, h } = cy.elements().boundingBox();
  const zoom = cy.zoom();
  const picture = {
    onDrawn() {},
    look(z, x, y) {
      const k = zoom * z;
      cy.viewport({ zoom: k, pan: { x: cy.width() / 2 - (x1 + x * w) * k, y: cy.height() / 2 - (y1 + y * h) * k } });
    },
    async append(more) {
      const drawn = rendered();
      cy.add(elements(plain(more)));
      await drawn;
    },
    places: () => cy.nodes().map((n) => n.position("y")),
    facts: () => ({ nodes: cy.nodes().length, edges: cy.edges().length }),
  };
  cy.on("render", () => picture.onDrawn());
  return picture;
}
