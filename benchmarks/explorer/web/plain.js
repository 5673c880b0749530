// A lineage as the peers get it: places in a box, edges by number, a shade for each node.

const SHADES = ["#440154", "#3b528b", "#21918c", "#5ec962", "#fde725"];

/** @param {{content: any, buffers: DataView[]}[]} lineage */
export function plain([{ content, buffers }]) {
  const [x, y, src, dst, shade] = [Float32Array, Float32Array, Uint32Array, Uint32Array, Uint8Array].map((Type, i) => new Type(buffers[i].buffer));
  return { first: content.first, firstEdge: content.first_edge, x, y, src, dst, colour: (/** @type {number} */ i) => SHADES[shade[i]] };
}
