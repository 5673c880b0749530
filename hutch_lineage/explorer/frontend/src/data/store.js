// What one explorer knows: the graph's tables, the details, the shared view state. One store per model, shared by its views.
import { Answers } from "./answers.js";
import { Table } from "./columns.js";
import { Deliveries } from "./deliveries.js";
import { altered as alter, Growth, stepFrom } from "./growth.js";
import { Links } from "./links.js";
import { defaultStatus, viewKey, wholeView } from "./protocol.js";
import { Scene } from "../picture/scene.js";

/** @typedef {import("./protocol.js").Model} Model */
/** @typedef {import("./protocol.js").View} View */

const frame = globalThis.requestAnimationFrame?.bind(globalThis) ?? ((f) => setTimeout(f, 16));

/** What tells where and whether a row is drawn: where one of these changes, a picture is not merely extended. */
const ROOTED = /^nodes ([xy]\b|kind|run)|^edges (src|dst|order)/;

export class Store {
  /** @param {Model|null} model */
  constructor(model = null) {
    this.model = model;
    this.standalone = false;
    /** Whether the kernel that feeds this view is there: the host says when it has gone, a message that it is back. */
    this.connected = true;
    /** @type {View} */
    this.view = wholeView(model?.get("view"));
    this.status = { ...defaultStatus(), ...(model?.get("status") ?? {}) };
    /** Whether Python knows of the view as it is. */
    this.settled = true;
    this.selected = model?.get("selected_row") ?? -1;
    /** Rows that a person has marked, and whether the others are faded. */
    this.group = /** @type {number[]} */ ([]);
    this.groupOnly = false;
    /** Where Python wants the camera: see camera.js. @type {number[]|null} */
    this.window = null;
    this.revision = 0;
    this.listeners = new Set();
    this.changes = new Set();
    this.deliveries = new Deliveries();
    this.preset = /** @type {string|undefined} */ (undefined);
    this.answers = new Answers((message) => this.#send(message));
    /** Bundles as text, by name: they are run when they are needed. @type {Map<string, {js: string, css: string}>} */
    this.assets = new Map();
    /** @type {Map<string, number>} name -> when it was asked for */
    this.askedAssets = new Map();
    this.sent = { view: /** @type {string[]} */ ([]), select: /** @type {number[]} */ ([]) };
    this.#clear();
    this.scene = new Scene(this);
  }

  #clear() {
    this.nodes = new Table();
    this.edges = new Table();
    this.operators = new Table();
    this.migrations = new Table();
    /** Which operator (`op`) used which parent (`src`), where several made one child: an edge names only the newest. */
    this.makers = new Table();
    this.links = new Links();
    this.growth = new Growth();
    this.categories = { run: [], operator: [], model: [], island: [], agent: [], kind: [], benchmark: [], target: [] };
    /** @type {import("./protocol.js").Metric[]} */
    this.metrics = [];
    this.runs = [];
    this.summary = { individuals: 0, agents: 0, edges: 0, ghosts: 0, notes: [] };
    /** @type {Record<string, import("./protocol.js").Layout>} by the name of a layout: what its places mean */
    this.layouts = {};
    this.version = 0;
    /** @type {Map<number, any>} */
    this.details = new Map();
    /** @type {Map<number, number>} row -> when it was asked for */
    this.asked = new Map();
    /** @type {Map<string, number>|null} */
    this.rowsById = null;
  }

  /** Hear of changes, once a frame: the listener gets a set of "graph", "details", "view", "select", "status", "assets", "delivery", "camera". */
  listen(/** @type {(changes: Set<string>) => void} */ listener) {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  changed(/** @type {string} */ what) {
    if (!this.changes.size) frame(() => this.flush());
    this.changes.add(what);
  }

  flush() {
    const changes = this.changes;
    if (!changes.size) return;
    this.changes = new Set();
    for (const listener of [...this.listeners]) {
      try {
        listener(changes);
      } catch (error) {
        console.error("[hutch_lineage] a view failed to update", error);
      }
    }
  }

  // ---- from Python

  /** Take one message. Messages of an op this view does not know are left alone. */
  receive(content, buffers = []) {
    this.setConnected(true);
    if (content?.op === "graph") this.#graph(content, buffers);
    else if (content?.op === "details") {
      for (const [row, detail] of Object.entries(content.details ?? {})) {
        this.details.set(+row, detail);
        this.asked.delete(+row);
      }
      this.changed("details");
    } else if (content?.op === "asset") {
      this.assets.set(String(content.name), { js: String(content.js), css: String(content.css) });
      this.askedAssets.delete(content.name);
      this.changed("assets");
    } else if (content?.op === "answer") this.answers.take(content, buffers);
    else if (content?.op === "delivery") {
      this.deliveries.take(content);
      this.changed("delivery");
    } else if (content?.op === "group") this.#regroup(content.rows ?? []);
    else if (content?.op === "camera") {
      this.window = content.window ?? null;
      this.changed("camera");
    }
  }

  #graph(message, buffers) {
    const before = message.reset ? { details: this.details, nodes: this.nodes } : null;
    if (before) this.#clear();
    let step = before ? null : stepFrom(this);
    for (const name of ["nodes", "edges", "operators", "migrations", "makers"]) {
      const added = message.tables?.[name];
      if (added?.start < this[name].count) step = null; // said before: what else it may change is not known
      if (added) this[name].append(added.start, added.count, added.columns, buffers);
      for (const patch of message.patches?.[name] ?? []) {
        const { rows, altered } = this[name].patch(patch.rows, patch.columns, buffers);
        if (step) alter(step, name, rows);
        if (altered.some((column) => ROOTED.test(`${name} ${column}`))) step = null;
        if (name !== "nodes" && ("src" in patch.columns || "dst" in patch.columns || "child" in patch.columns)) this.links = new Links();
      }
    }
    for (const name of ["categories", "metrics", "runs", "summary", "version", "layouts"]) if (message[name] != null) this[name] = message[name];
    this.links.follow(this);
    // The whole graph again (another window opened): what is known of the rows that are the same holds.
    for (const [row, detail] of before?.details ?? []) if (before.nodes.text("id", row) === this.id(row)) this.details.set(row, detail);
    this.rowsById = null;
    this.growth.note(++this.revision, step);
    if (this.selected >= this.nodes.count) this.selected = -1;
    if (this.group.some((row) => row >= this.nodes.count)) this.group = [];
    this.changed("graph");
  }

  /** A trait changed in Python. What merely echoes our own messages is skipped, so a late echo never undoes a newer act. */
  trait(/** @type {"view"|"status"|"selected_row"} */ name) {
    const value = this.model?.get(name);
    this.setConnected(true);
    if (name === "status") {
      this.status = { ...defaultStatus(), ...value };
      this.changed("status");
    } else if (name === "view" && !echo(this.sent.view, viewKey(value ?? {}))) {
      const before = this.view.run;
      this.view = wholeView(value);
      this.changed("view");
      if (before !== this.view.run) this.changed("graph");
    } else if (name === "selected_row" && !echo(this.sent.select, value ?? -1)) {
      this.selected = value ?? -1;
      this.changed("select");
    }
  }

  setConnected(/** @type {boolean} */ connected) {
    if (connected === this.connected) return;
    this.connected = connected;
    if (!connected) this.answers.end();
    this.changed("status");
  }

  // ---- from the person; applied here at once, then told to Python

  /** With `settled` false, as while something is dragged, Python hears of it with the next call. */
  setView(/** @type {Partial<View>} */ patch, settled = true) {
    const next = { ...this.view, ...patch };
    if (viewKey(next) === viewKey(this.view) && this.settled) return;
    this.view = next;
    this.settled = settled;
    if (settled) this.#tell(this.sent.view, viewKey(next), { op: "view", view: next });
    this.changed("view");
  }

  select(/** @type {number} */ row) {
    if (row === this.selected) return;
    this.selected = row;
    this.#tell(this.sent.select, row, { op: "select", row });
    this.changed("select");
  }

  /** Mark rows; tells Python. */
  setGroup(/** @type {number[]} */ rows) {
    if (!rows.length && !this.group.length) return;
    this.#regroup(rows);
    this.#send({ op: "group", rows: this.group });
  }

  #regroup(/** @type {number[]} */ rows) {
    this.group = [...new Set(rows)].filter((row) => row >= 0 && row < this.nodes.count).sort((a, b) => a - b);
    this.groupOnly &&= this.group.length > 0;
    this.changed("view");
  }

  /** Fade all but what is marked, or end that. */
  focusGroup(/** @type {boolean} */ on) {
    this.groupOnly = on;
    if (on) this.setView({ focus: null });
    this.changed("view");
  }

  /** Where a person has moved the camera; null while it follows the whole. */
  look(/** @type {number[]|null} */ window) {
    this.#send({ op: "camera", window });
  }

  /** Lay out anew, in Python. */
  relayout(/** @type {string} */ layout) {
    this.#send({ op: "relayout", layout });
  }

  live(/** @type {boolean} */ on, /** @type {string} */ endpoint) {
    this.#send({ op: "live", on, endpoint, backend: this.preset });
  }

  stop() {
    this.#send({ op: "stop" });
  }

  /** The details of a row if they are here; if not, they are asked for once and null comes back. */
  detail(/** @type {number} */ row) {
    const detail = this.details.get(row);
    if (detail) return detail;
    if (row >= 0 && !this.standalone && !this.asked.has(row)) {
      this.asked.set(row, Date.now());
      this.#send({ op: "details", rows: [row] });
    }
    return null;
  }

  /** Ask for a bundle that has not come; once until it comes. */
  askAsset(/** @type {string} */ name) {
    if (this.standalone || this.askedAssets.has(name)) return;
    this.askedAssets.set(name, Date.now());
    this.#send({ op: "asset", name });
  }

  /** Ask Python a question that has one answer: see answers.js. @returns {Promise<any>} null where nobody can answer */
  ask(/** @type {{op: string, [field: string]: any}} */ question) {
    return this.answers.ask(question);
  }

  #tell(queue, key, message) {
    if (this.standalone) return;
    queue.push(key);
    if (queue.length > 64) queue.shift();
    this.#send(message);
  }

  #send(message) {
    if (this.standalone || !this.model) return false;
    try {
      this.model.send(message);
      return true;
    } catch (error) {
      console.warn("[hutch_lineage] the kernel cannot be reached", error);
      return false;
    }
  }

  // ---- small looks into the tables

  /** @returns {string} */
  id(/** @type {number} */ row) {
    return this.nodes.text("id", row);
  }

  /** Name of a category, "" for unknown. */
  category(/** @type {string} */ list, /** @type {number} */ index) {
    const name = index >= 0 ? this.categories[list]?.[index] : null;
    return name == null ? "" : String(name);
  }

  flag(/** @type {number} */ row, /** @type {number} */ bit) {
    return (this.nodes.get("flags")[row] & bit) !== 0;
  }

  /** The row of an id of a kind, in the run of the row `beside`; -1 for none. */
  rowOf(/** @type {string} */ id, /** @type {number} */ kind, /** @type {number} */ beside) {
    const [kinds, runs] = ["kind", "run"].map((name) => this.nodes.get(name));
    this.rowsById ??= new Map(Array.from({ length: this.nodes.count }, (_, row) => [`${kinds[row]}:${runs[row]}:${this.id(row)}`, row]));
    return this.rowsById.get(`${kind}:${runs[beside]}:${id}`) ?? -1;
  }
}

function echo(queue, key) {
  const at = queue.indexOf(key);
  if (at < 0) return false;
  queue.splice(0, at + 1);
  return true;
}
