// What part of each individual comes from which seed, for the seeds from which most descend.
import { longer } from "../../data/growth.js";
import { EDGE, NODE } from "../../data/protocol.js";
import { population } from "./population.js";

/**
 * The definition of `LineageGraph.seed_shares`. A known individual without parents is a seed and descends wholly from itself. Any other is the
 * mean of its parents, each counted once. The individuals of a cycle share one mixture, the mean of what leads into the cycle from outside.
 * Where nothing known is at the beginning (a parent never seen, a closed cycle), the origin is unknown.
 *
 * What is new is the mean of what its parents are made of. Which seeds come first is known as long as all of them are followed; of those that are
 * not, only how much came from them together, and where that could be enough for another order, all is made anew.
 */
export class Descent {
  constructor(/** @type {number} */ top) {
    this.top = top;
    /** So many seeds are followed: more than are shown, as the others catch up. */
    this.room = 2 * top;
    /** The unit of each row: itself, or the first row of its cycle; and how many edges lead into it from outside. */
    this.unit = new Int32Array(0);
    this.degree = new Int32Array(0);
    /** Whether a row counts: it is shown and was seen. */
    this.counts = new Uint8Array(0);
    /** By unit, side by side: what part of it comes from each seed that is followed, and last what part from where nothing known is. */
    this.parts = new Float32Array(0);
    /** The seeds that are followed, and how many individuals, in parts, descend from each. */
    this.seeds = /** @type {number[]} */ ([]);
    this.totals = new Float64Array(this.room);
    /** By generation that somebody who counts is in (-1: not known): how many they are, and their parts added up. @type {Map<number, {size: number, sums: Float64Array}>} */
    this.generations = new Map();
    /** The generation that each row was counted in. */
    this.bred = new Int32Array(0);
    /** Of the other seeds: what the largest had at first, and how much has come from any of them since. */
    this.others = { most: 0, since: 0 };
  }

  get width() {
    return this.room + 1;
  }

  /** Take in what is new. */
  follow(/** @type {import("../../data/store.js").Store} */ store, /** @type {import("../../data/growth.js").Grown|null} */ grown) {
    if (!grown || !this.#more(store, grown)) this.#anew(store);
    return this;
  }

  /** The seeds from which most descend, by their place among those that are followed. @returns {number[]} */
  get shown() {
    const places = this.seeds.map((_, k) => k).filter((k) => this.totals[k] > 0);
    return places.sort((a, b) => before(this.totals[a], this.totals[b], this.seeds[a], this.seeds[b])).slice(0, this.top);
  }

  /** What came after the rows that are known. @returns {boolean} false where what is known would be another */
  #more(store, { nodes: from, edges: edgesFrom, rows, tied }) {
    const { nodes, edges } = store;
    const [src, dst, flags] = ["src", "dst", "flags"].map((name) => edges.get(name));
    const seen = nodes.get("flags");
    for (let e = edgesFrom; e < edges.count; e++) if (dst[e] < from || flags[e] & EDGE.cycle) return false;
    for (const e of tied) if (flags[e] & EDGE.cycle || this.unit[src[e]] === this.unit[dst[e]]) return false;
    const visible = population(store);
    // Whether somebody was seen matters for who counts and for what is a seed; beside it only the generation does.
    const generation = nodes.get("generation");
    for (const row of rows) if (this.counts[row] !== +counted(visible, seen, row) || (visible[row] ? this.bred[row] !== (generation[row] ?? -1) : !this.degree[row])) return false;
    this.#grow(nodes.count);
    for (let row = from; row < nodes.count; row++) this.unit[row] = row;
    for (let e = edgesFrom; e < edges.count; e++) this.degree[dst[e]] += +(src[e] !== dst[e]);
    const order = lateOrder(store, from, edgesFrom);
    for (const row of order) {
      const seed = !this.degree[row] && !(seen[row] & NODE.ghost);
      if (seed) this.#begin(row, this.#followed(row, visible[row] === 1));
      else this.#carry(store, row, [row]);
      if (this.#count(nodes, visible, row) && !seed) this.others.since += this.#unfollowed(row);
    }
    return order.length === nodes.count - from && this.#isSure();
  }

  /** The place of a new seed among those that are followed; -1 where there is none for it. */
  #followed(/** @type {number} */ row, /** @type {boolean} */ visible) {
    const { others } = this;
    if (visible && this.seeds.length < this.room && others.most + others.since < UNIT) return this.seeds.push(row) - 1;
    if (visible) others.most = Math.max(others.most, 1);
    return -1;
  }

  /** Whether none of the seeds that are not followed can be among the first. */
  #isSure() {
    const { others, totals, shown } = this;
    const least = shown.length < this.top ? 0 : totals[shown[shown.length - 1]];
    return others.since < UNIT ? least >= others.most : least > others.most + others.since + UNIT;
  }

  #grow(/** @type {number} */ count) {
    const { width } = this;
    const known = this.unit.length;
    for (const name of /** @type {const} */ (["unit", "degree", "counts", "bred"])) /** @type {any} */ (this)[name] = longer(/** @type {any} */ (this[name]), count);
    this.parts = longer(this.parts, count * width);
    // The memory may have been used before.
    this.degree.fill(0, known);
    this.parts.fill(0, known * width);
  }

  #begin(/** @type {number} */ unit, /** @type {number} */ place) {
    if (place >= 0) this.parts[unit * this.width + place] = 1;
  }

  /** The mean of what leads into a unit; `members` are its rows. */
  #carry({ links, nodes }, /** @type {number} */ unit, /** @type {number[]} */ members) {
    const { parts, width, degree } = this;
    const { inHead, inNext, src } = links;
    const to = unit * width;
    if (!degree[unit]) {
      parts[to + width - 1] = 1;
      return;
    }
    const weight = 1 / degree[unit];
    for (const row of members) {
      for (let e = inHead[row] ?? -1; e >= 0; e = inNext[e]) {
        const from = this.unit[src[e]] * width;
        if (from === to) continue;
        for (let k = 0; k < width; k++) parts[to + k] += weight * parts[from + k];
      }
    }
  }

  /** Add a row to what descends from each seed, and to its generation, if it counts. */
  #count(nodes, visible, /** @type {number} */ row) {
    const { parts, totals, width, generations } = this;
    const generation = (this.bred[row] = nodes.get("generation")[row] ?? -1);
    if (!(this.counts[row] = +counted(visible, nodes.get("flags"), row))) return false;
    let group = generations.get(generation);
    if (!group) generations.set(generation, (group = { size: 0, sums: new Float64Array(width) }));
    group.size++;
    const at = this.unit[row] * width;
    for (let k = 0; k < width; k++) group.sums[k] += parts[at + k];
    for (let k = 0; k < width - 1; k++) totals[k] += parts[at + k];
    return true;
  }

  /** What part of a row comes from seeds that are not followed. */
  #unfollowed(/** @type {number} */ row) {
    const { parts, width } = this;
    let rest = 1;
    for (let k = 0, at = row * width; k < width; k++) rest -= parts[at + k];
    return rest > UNIT ? rest : 0;
  }

  #anew(/** @type {import("../../data/store.js").Store} */ store) {
    const { nodes } = store;
    const { count } = nodes;
    const seen = nodes.get("flags");
    const visible = population(store);
    const { unit, members } = units(store);
    this.unit = new Int32Array(0);
    this.#grow(count);
    this.unit.set(unit);
    const [src, dst] = ["src", "dst"].map((name) => store.edges.get(name));
    for (let e = 0; e < store.edges.count; e++) if (unit[src[e]] !== unit[dst[e]]) this.degree[unit[dst[e]]]++;
    const order = parentsFirst(store, unit, members, this.degree);
    const isSeed = (/** @type {number} */ u) => !this.degree[u] && !members.has(u) && !(seen[u] & NODE.ghost);

    const totals = this.#flowBack(store, order, members, visible, seen);
    const seeds = [];
    for (const u of order) if (isSeed(u) && totals[u] > 0) seeds.push(u);
    seeds.sort((a, b) => before(totals[a], totals[b], a, b));
    this.seeds = seeds.slice(0, this.room);
    this.others = { most: totals[seeds[this.room]] ?? 0, since: 0 };

    const place = new Map(this.seeds.map((u, k) => [u, k]));
    for (const u of order) {
      if (isSeed(u)) this.#begin(u, place.get(u) ?? -1);
      else this.#carry(store, u, members.get(u) ?? [u]);
    }
    this.totals.fill(0);
    this.generations.clear();
    for (let row = 0; row < count; row++) this.#count(nodes, visible, row);
  }

  /** By unit, how many individuals, in parts, descend from it. */
  #flowBack({ links }, /** @type {Int32Array} */ order, members, visible, seen) {
    const { unit, degree } = this;
    const { inHead, inNext, src } = links;
    const total = new Float64Array(unit.length);
    for (let row = 0; row < unit.length; row++) if (counted(visible, seen, row)) total[unit[row]]++;
    for (let i = order.length - 1; i >= 0; i--) {
      const u = order[i];
      const share = total[u] / degree[u];
      for (const row of members.get(u) ?? [u]) for (let e = inHead[row] ?? -1; e >= 0; e = inNext[e]) if (unit[src[e]] !== u) total[unit[src[e]]] += share;
    }
    return total;
  }
}

/** Parts of an individual that are less than this come from rounding. */
const UNIT = 1e-4;

const counted = (visible, seen, /** @type {number} */ row) => visible[row] === 1 && !(seen[row] & NODE.ghost);

/** More descendants first, then the older. */
const before = (/** @type {number} */ a, /** @type {number} */ b, /** @type {number} */ rowA, /** @type {number} */ rowB) => Math.round(b / UNIT) - Math.round(a / UNIT) || rowA - rowB;

/** The unit of each row: itself, or the first row of its cycle; and the rows of those that are cycles. */
function units({ nodes, edges }) {
  const unit = Int32Array.from({ length: nodes.count }, (_, row) => row);
  const [src, dst, flags] = ["src", "dst", "flags"].map((name) => edges.get(name));
  const root = (/** @type {number} */ row) => {
    while (unit[row] !== row) row = unit[row] = unit[unit[row]];
    return row;
  };
  /** @type {Map<number, number[]>} */
  const members = new Map();
  let knots = false;
  for (let e = 0; e < edges.count; e++) {
    if (!(flags[e] & EDGE.cycle) || src[e] === dst[e]) continue;
    knots = true;
    const [a, b] = [root(src[e]), root(dst[e])];
    if (a !== b) unit[Math.max(a, b)] = Math.min(a, b);
  }
  for (let row = 0; knots && row < nodes.count; row++) {
    const own = (unit[row] = root(row));
    if (own === row) continue;
    if (!members.has(own)) members.set(own, [own]);
    members.get(own)?.push(row);
  }
  return { unit, members };
}

/** All units, parents before their children. @returns {Int32Array} */
function parentsFirst({ links, edges }, /** @type {Int32Array} */ unit, /** @type {Map<number, number[]>} */ members, /** @type {Int32Array} */ degree) {
  const [src, dst] = ["src", "dst"].map((name) => edges.get(name));
  const order = new Int32Array(unit.length);
  let end = 0;
  // Mostly the rows stand in such an order already.
  let sorted = !members.size;
  for (let e = 0; e < edges.count && sorted; e++) sorted = src[e] <= dst[e];
  const waiting = sorted ? degree : degree.slice();
  for (let u = 0; u < unit.length; u++) if (unit[u] === u && (sorted || !degree[u])) order[end++] = u;
  for (let i = 0; !sorted && i < end; i++) {
    for (const row of members.get(order[i]) ?? [order[i]]) {
      for (let e = links.outHead[row] ?? -1; e >= 0; e = links.outNext[e]) {
        const child = unit[dst[e]];
        if (child !== order[i] && --waiting[child] === 0) order[end++] = child;
      }
    }
  }
  return order.subarray(0, end);
}

/** The rows from one on, parents before their children; fewer where there is no such order. @returns {number[]} */
function lateOrder({ nodes, edges, links }, /** @type {number} */ from, /** @type {number} */ edgesFrom) {
  const [src, dst] = ["src", "dst"].map((name) => edges.get(name));
  const waiting = new Int32Array(nodes.count - from);
  for (let e = edgesFrom; e < edges.count; e++) if (src[e] >= from && src[e] !== dst[e]) waiting[dst[e] - from]++;
  const order = /** @type {number[]} */ ([]);
  for (let row = from; row < nodes.count; row++) if (!waiting[row - from]) order.push(row);
  for (const row of order) for (let e = links.outHead[row] ?? -1; e >= 0; e = links.outNext[e]) if (dst[e] !== row && --waiting[dst[e] - from] === 0) order.push(dst[e]); // grows while it is walked
  return order;
}
