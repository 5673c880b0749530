// Who is whose parent: adjacency as linked lists in typed arrays, extended by what is new, never rebuilt.

const grow = (array, length) => {
  if (array.length >= length) return array;
  const grown = new Int32Array(Math.max(length, array.length * 2, 256)).fill(-1);
  grown.set(array);
  return grown;
};

export class Links {
  constructor() {
    this.edgesSeen = 0;
    this.operatorsSeen = 0;
    /** First in-edge, out-edge and operator of a node; then the next one after each. */
    this.inHead = this.inNext = this.outHead = this.outNext = this.opHead = this.opNext = new Int32Array(0);
  }

  /** Take in the rows that came since the last call. */
  follow(/** @type {import("./store.js").Store} */ store) {
    const { nodes, edges, operators } = store;
    this.inHead = grow(this.inHead, nodes.count);
    this.outHead = grow(this.outHead, nodes.count);
    this.opHead = grow(this.opHead, nodes.count);
    this.inNext = grow(this.inNext, edges.count);
    this.outNext = grow(this.outNext, edges.count);
    this.opNext = grow(this.opNext, operators.count);
    this.src = edges.get("src");
    this.dst = edges.get("dst");
    this.order = edges.get("order");
    for (; this.edgesSeen < edges.count; this.edgesSeen++) {
      const edge = this.edgesSeen;
      this.inNext[edge] = this.inHead[this.dst[edge]];
      this.inHead[this.dst[edge]] = edge;
      this.outNext[edge] = this.outHead[this.src[edge]];
      this.outHead[this.src[edge]] = edge;
    }
    const child = operators.get("child");
    for (; this.operatorsSeen < operators.count; this.operatorsSeen++) {
      const operator = this.operatorsSeen;
      this.opNext[operator] = this.opHead[child[operator]];
      this.opHead[child[operator]] = operator;
    }
  }

  /** Edges into a node, first parent first. */
  edgesIn(/** @type {number} */ row) {
    const found = [];
    for (let e = this.inHead[row] ?? -1; e >= 0; e = this.inNext[e]) found.push(e);
    return found.sort((a, b) => this.order[a] - this.order[b] || a - b);
  }

  /** Rows of the parents, first parent first, each once. */
  parents(/** @type {number} */ row) {
    return [...new Set(this.edgesIn(row).map((e) => this.src[e]))];
  }

  /** Rows of the children in the order they came, each once. */
  children(/** @type {number} */ row) {
    const found = [];
    for (let e = this.outHead[row] ?? -1; e >= 0; e = this.outNext[e]) found.push(this.dst[e]);
    return [...new Set(found.reverse())];
  }

  /** Rows of the operators that made a node, oldest first. */
  operators(/** @type {number} */ row) {
    const found = [];
    for (let o = this.opHead[row] ?? -1; o >= 0; o = this.opNext[o]) found.push(o);
    return found.reverse();
  }
}
