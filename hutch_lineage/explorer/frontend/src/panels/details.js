// One individual: how good, by how much better than its parent, by what operator and model, at what cost, from whom, what changed.
import { h, renderer } from "../frame/dom.js";
import { badges, factsOf, gainText, scoreText } from "../words/facts.js";
import { clip, counted, directed, duration, ending, money, number, short, tokens, whole } from "../words/format.js";
import { ancestors, costOf, countOf, descendants } from "../lineage/lineage.js";
import { KINDS, NODE } from "../data/protocol.js";
import { ESCAPE } from "../frame/keys.js";
import { codeView } from "./code.js";
import { heading, idChip, idChips, keyValues, longText, waiting } from "./parts.js";

/** Of more individuals than this, the sums of a growing run are made anew after a rest: the longer, the longer they take. */
const MANY = 5000;
const REST_MS = 500;
const SHARE = 20;
/** Ids are shown in full up to this length. */
const ID = 160;

export class DetailsPanel {
  constructor(/** @type {import("../data/store.js").Store} */ store, /** @type {any} */ app) {
    this.store = store;
    this.app = app;
    this.element = h("div.details");
    this.render = renderer(this.element);
    /** What the overview was made of, and until when that will do. */
    this.told = { looks: "", until: 0 };
    this.timer = 0;
  }

  update() {
    const { store } = this;
    const row = store.selected;
    if (!(row >= 0) || row >= store.nodes.count) return this.#whole();
    this.told.looks = "";
    const detail = store.detail(row);
    const { bundle } = this.app.panel;
    if ((detail?.genome || detail?.diff) && bundle.here) bundle.load(); // it knows what changed, and colours the code
    const change = bundle.module?.changesOf(store, row) ?? null;
    if (!detail && store.asked.has(row)) setTimeout(() => this.element.isConnected && this.update(), 450);
    const late = !detail && Date.now() - (store.asked.get(row) ?? Date.now()) > 400;
    this.render([...this.#signature(row), detail, change?.ready, store.view.focus, late, bundle.module], () => this.#one(row, detail, change));
  }

  /** The overview; while a large run grows, not with every message, and the last is never lost. */
  #whole() {
    const { store } = this;
    const { kind, run, hidden, ranges, collapsed, chains, dead_ends, focus } = store.view;
    const looks = JSON.stringify([kind, run, hidden, ranges, collapsed, chains, dead_ends, focus?.mode, store.scene.metric?.name]);
    const began = performance.now();
    if (store.nodes.count > MANY && looks === this.told.looks && began < this.told.until) {
      this.timer ||= setTimeout(() => {
        this.timer = 0;
        if (this.element.isConnected) this.update();
      }, this.told.until - began);
      return;
    }
    this.render(["overview", store.revision, looks], () => this.#overview());
    const now = performance.now();
    this.told = { looks, until: now + Math.max(REST_MS, SHARE * (now - began)) };
  }

  destroy() {
    clearTimeout(this.timer);
  }

  /** What the tables say of a row, as a key: while a run grows, nothing is rebuilt under the pointer unless it changed. */
  #signature(row) {
    const { store } = this;
    const { links, nodes } = store;
    const facts = Object.values(factsOf(store, row));
    const scores = store.metrics.map((m) => nodes.get(`m:${m.name}`)[row] ?? NaN);
    const sizes = [ancestors(links, nodes.count, row), descendants(links, nodes.count, row)].map(countOf);
    return [facts, scores, sizes, links.parents(row), links.children(row), links.operators(row), store.scene.metric?.name];
  }

  #one(row, detail, change) {
    const { store, app } = this;
    const f = factsOf(store, row);
    const gain = gainText(store, f.gain);
    const { metric } = store.scene;
    const marks = badges(f).map(([text, tone]) => h(`span.chip.badge.${tone}`, null, text));
    const value = f.ghost ? "not seen" : f.invalid && Number.isNaN(f.score) ? "invalid" : metric ? scoreText(store, f.score) : "–";
    return [
      h("div.who", null, h("span.id", null, longText(f.id, ID)), ...marks),
      h("div.big", { title: metric ? metric.name : null }, h("b", null, value), !Number.isNaN(f.gain) && h(`span.${gain.tone}`, null, `${gain.text} on best parent${{ good: ", better", bad: ", worse" }[gain.tone] ?? ""}`)),
      f.ghost && h("p.mute.hint", null, "Named as a parent, but no event about it has come."),
      this.#facts(f, detail),
      detail?.invalid_reason && h("p.reason", null, h("b", null, "Invalid: "), longText(detail.invalid_reason)),
      ...this.#changed(row, change),
      ...this.#metrics(row),
      ...this.#agents(row, detail),
      ...(detail ? this.#more(detail) : f.ghost ? [] : [waiting(store, row)]),
    ];
  }

  #facts(f, detail) {
    const { store, app } = this;
    const { links, nodes, operators } = store;
    const made = links.operators(f.row);
    const newest = made[made.length - 1];
    const up = ancestors(links, nodes.count, f.row);
    const child = operators.get("child");
    const lineage = costOf(operators, (o) => up[child[o]] === 1);
    const own = costOf(operators, (o) => child[o] === f.row);
    const price = (sum) => (sum.operators > sum.unpriced ? money(sum.cost) : "no price");
    const moved = detail?.migrations?.at(-1);
    return keyValues([
      f.operator ? ["operator", [f.operator, newest !== undefined && operators.text("id", newest) && h("span.chip.mute.mono.after", { title: operators.text("id", newest) }, shortId(operators.text("id", newest))), made.length > 1 && h("span.mute", null, ` and ${made.length - 1} more`)]] : f.seed && ["operator", "seed"],
      f.model && ["model", f.model],
      own.operators > 0 && ["cost", [price(own), own.tokensIn + own.tokensOut > 0 && ` · ${tokens(own.tokensIn)} in / ${tokens(own.tokensOut)} out`]],
      lineage.operators > 0 && ["lineage cost", `${price(lineage)} over ${counted(lineage.operators, "operator")}`],
      ["parents", idChips(store, app, links.parents(f.row))],
      ["children", idChips(store, app, links.children(f.row))],
      f.generation >= 0 && ["generation", whole(f.generation)],
      f.type && ["kind", f.type],
      (f.island || moved) && ["island", [f.island || "–", moved && ` · migrated from ${moved.from}${moved.generation != null ? ` at gen ${moved.generation}` : ""}`]],
      ["focus", this.#focus(f.row, countOf(up) - 1)],
    ]);
  }

  #focus(row, above) {
    const { store, app } = this;
    const below = countOf(descendants(store.links, store.nodes.count, row)) - 1;
    const { focus } = store.view;
    const button = (mode, text, title) => h("button.chip", { title, "aria-pressed": String(focus?.mode === mode && focus.row === row), onclick: () => app.focus(mode, row) }, text);
    return h("span.chips", null,
      above > 0 && button("ancestors", counted(above, "ancestor"), "Show the ancestors (a)"),
      below > 0 && button("descendants", counted(below, "descendant"), "Show the descendants (d)"),
      above > 0 && below > 0 && button("both", "both", "Ancestors and descendants (f)"),
      above > 0 && button("path", "path to seed", "The best parent of each, back to a seed (p)"),
      above + below === 0 && h("span.mute", null, "no relatives"),
      focus && h("button.chip.mute", { title: "Clear the focus (Esc)", onclick: () => store.setView({ focus: null }) }, "clear"));
  }

  #changed(row, change) {
    const { store, app } = this;
    const shown = change?.lines && app.panel.bundle.module?.firstChanges(change.lines, () => store.setView({ tab: "diff" }));
    if (!shown) return [];
    return [heading("Changed against ", change.other >= 0 ? idChip(store, app, change.other) : "its parent"), ...shown];
  }

  #metrics(row) {
    const { store } = this;
    const known = store.metrics.map((m) => ({ m, value: store.nodes.get(`m:${m.name}`)[row] ?? NaN })).filter(({ value }) => !Number.isNaN(value));
    if (!known.length) return [];
    return [heading("Metrics"), keyValues(known.map(({ m, value }) => [directed(m), h("span", { title: String(value) }, short(value, 5))]))];
  }

  /** For an individual the agents that wrote it; for an agent its self-modification, and who judged it. */
  #agents(row, detail) {
    if (!detail) return [];
    const { store, app } = this;
    const verdicts = (detail.operators ?? []).filter((o) => o.verdict);
    const wrote = detail.agents ?? [];
    const score = (o) => (o.score_before != null || o.score_after != null ? ` · ${short(o.score_before)} → ${short(o.score_after)}` : "");
    const agent = (given) => {
      const id = typeof given === "string" ? given : given.id;
      const at = store.rowOf(id, KINDS.agent, row);
      const made = typeof given === "string" ? store.details.get(at)?.operators?.findLast((o) => o.verdict) : given;
      return h("div.agent", null, at >= 0 ? idChip(store, app, at) : h("span.chip.mono", null, clip(id)), made && h("span.mute", null, ` ${made.verdict ?? ""}${score(made)}`));
    };
    return [
      wrote.length > 0 && heading(verdicts.length ? "Overseen by" : "Agents that wrote it"),
      ...wrote.map(agent),
      verdicts.length > 0 && heading("Self-modification"),
      ...verdicts.map((o) => h("div.agent", null, h(`span.chip.${{ accepted: "good", rejected: "bad" }[o.verdict] ?? "mute"}`, null, o.verdict), h("span.mute", null, `${score(o)}${o.target_path ? ` · ${clip(o.target_path)}` : ""}`), o.proposal && h("p.hint", null, longText(o.proposal)))),
    ].filter(Boolean);
  }

  #more(detail) {
    const prompts = (detail.operators ?? []).filter((o) => o.prompt);
    const metadata = Object.entries(detail.metadata ?? {});
    const migrations = detail.migrations ?? [];
    const made = detail.operators ?? [];
    return [
      ...(detail.genome ? [heading("Genome", detail.genome_lang && h("span.mute", null, ` ${detail.genome_lang}`)), ...codeView(this.app.panel.bundle.module, { text: detail.genome, language: detail.genome_lang, label: "Genome" })] : detail.genome_uri ? [heading("Genome"), h("p.mono.hint", null, longText(detail.genome_uri))] : []),
      ...prompts.flatMap((o) => [heading("Prompt", prompts.length > 1 && h("span.mute", null, ` ${o.kind}`)), ...codeView(this.app.panel.bundle.module, { text: o.prompt, plain: true, lines: 8, label: "Prompt" })]),
      made.length > 1 && heading("Operators"),
      ...(made.length > 1 ? made.map((o) => h("div.agent", null, clip(String(o.kind ?? "")), " ", h("span.chip.mute.mono", { title: o.id }, shortId(String(o.id))), h("span.mute", null, [o.llm_id, o.cost_usd != null && money(o.cost_usd), o.tokens_in != null && `${tokens(o.tokens_in)} in / ${tokens(o.tokens_out)} out`].filter(Boolean).map((word) => ` · ${word}`).join("")))) : []),
      migrations.length > 1 && heading("Migrations"),
      migrations.length > 1 && h("p.hint", null, longText(migrations.map((m) => `${m.from} → ${m.to}`).join(", "))),
      metadata.length > 0 && heading("Metadata"),
      metadata.length > 0 && keyValues(metadata.map(([k, v]) => [clip(k), h("span.wrap", null, longText(typeof v === "string" ? v : JSON.stringify(v)))])),
    ].filter(Boolean);
  }

  /** With nothing selected: the run as a whole, whatever of it is shown, and what the keys do. */
  #overview() {
    const { store, app } = this;
    const { base, index, metric, path, decimals, within } = store.scene;
    const shown = index.counts.total;
    const child = store.operators.get("child");
    const sum = costOf(store.operators, (o) => within[child[o]] === 1);
    const [time, flags] = ["time", "flags"].map((name) => store.nodes.get(name));
    const counts = { total: 0, seeds: 0, invalid: 0, ghosts: 0 };
    let first = Infinity;
    let last = -Infinity;
    for (let i = 0; i < store.nodes.count; i++) {
      if (!within[i]) continue;
      counts[flags[i] & NODE.ghost ? "ghosts" : "total"]++;
      if (flags[i] & NODE.seed) counts.seeds++;
      if (flags[i] & NODE.invalid) counts.invalid++;
      if (!(time[i] > 0)) continue;
      first = Math.min(first, time[i]);
      last = Math.max(last, time[i]);
    }
    const agents = store.scene.kind === "agent";
    const run = store.runs.length === 1 ? store.runs[0] : store.runs.find((r) => r.id === store.view.run);
    if (!shown) return [h("p.mute.hint", null, store.scene.hiddenCounts.total ? "All are hidden: the chips over the picture say why." : "Nothing captured yet.")];
    return [
      h("div.who", null, h("span.title", null, run ? clip(run.name || run.id) : "All runs"), ending(run) && h("span.chip.badge.bad", null, run.status)),
      path.best >= 0 && h("div.big", null, h("b", null, number(store.scene.score[path.best], decimals)), h("span.mute", null, `best ${base === within ? "" : "shown "}${metric?.name} `, idChip(store, app, path.best))),
      keyValues([
        [agents ? "agents" : "individuals", shown < counts.total ? `${whole(shown)} of ${whole(counts.total)} shown` : whole(counts.total)],
        counts.seeds && ["seeds", whole(counts.seeds)],
        counts.invalid && ["invalid", `${whole(counts.invalid)} · ${((100 * counts.invalid) / counts.total).toFixed(1)} %`],
        counts.ghosts && ["not seen", whole(counts.ghosts)],
        sum.operators && ["operators", whole(sum.operators)],
        sum.operators > sum.unpriced && ["cost", money(sum.cost)],
        sum.tokensIn + sum.tokensOut > 0 && ["tokens", `${tokens(sum.tokensIn)} in / ${tokens(sum.tokensOut)} out`],
        last > first && ["time", duration(last - first)],
      ]),
      heading("Keys"),
      keyValues([["← → ↑ ↓", "parent, child, neighbour"], ["Enter", "details"], ["a d f p", "focus ancestors, descendants, both, path"], ["/", "search"], ["b", "go to the best"], ["+ − 0", "zoom, show everything"], ["Esc", ESCAPE]].map(([k, v]) => [h("kbd", null, k), v])),
      h("button.link", { onclick: () => app.hands.help.toggle() }, "All keys (?)"),
    ].filter(Boolean);
  }
}

const shortId = (/** @type {string} */ id) => (id.length > 14 ? `${id.slice(0, 8)}…` : id);
