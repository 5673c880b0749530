// What narrows the picture, one chip each with its way out; and the way back to earlier pictures.
import { h, icon, renderer } from "../frame/dom.js";
import { counted, money, short, whole } from "../words/format.js";
import { nameOf, numbersOf } from "../lineage/numbers.js";
import { HIDDEN } from "../lineage/visible.js";
import { rangeText } from "./rangebar.js";

const FOCUS = { ancestors: "Ancestors of", descendants: "Descendants of", both: "Ancestors and descendants of", path: "Path to" };

export class Crumbs {
  /** @param {import("../data/store.js").Store} store @param {any} app */
  constructor(store, app) {
    this.store = store;
    this.app = app;
    this.back = h("button.step-back", { "aria-label": "Back", title: "Back to the picture before (Alt+←)", onclick: () => app.travel(-1) }, icon("back"));
    this.forward = h("button.step-on", { "aria-label": "Forward", title: "Forward again (Alt+→)", onclick: () => app.travel(1) }, icon("forward"));
    this.nav = h("div.nav", { role: "group", "aria-label": "History" }, this.back, this.forward);
    this.list = h("div.narrowed", { role: "list", "aria-label": "What narrows the picture" });
    this.element = h("div.crumbs", null, this.nav, this.list);
    this.render = renderer(this.list);
  }

  update() {
    const { store, app } = this;
    const { view, group } = store;
    const { shown } = store.scene;
    this.back.disabled = !app.history.can(-1);
    this.forward.disabled = !app.history.can(1);
    this.nav.hidden = this.back.disabled && this.forward.disabled;
    const chips = [this.#focus(), ...this.#names(), ...this.#ranges(), ...this.#folds(), this.#group(), this.#compare()].filter(Boolean);
    this.list.hidden = !chips.length;
    this.render([chips.map((chip) => chip.key), group.length, shown.bridges.length ? shown : null], () => chips.map((chip) => this.#chip(chip)));
  }

  #chip({ name, parts, clear, title }) {
    return h(`div.crumb.is-${name}`, { role: "listitem" }, ...parts(), h("button.clear", { "aria-label": title, title, onclick: clear }, icon("close")));
  }

  #id(row) {
    return h("button.id", { title: "Show it", onclick: () => this.app.show(row) }, this.store.id(row));
  }

  #focus() {
    const { store, app } = this;
    const { focus } = store.view;
    if (!focus) return null;
    const clear = () => store.setView({ focus: null });
    const { mask } = store.scene.shown;
    const bright = store.scene.focus;
    if (focus.mode === "improvements") {
      const n = store.scene.index.rows.length;
      const text = store.scene.score.length ? `Improvements · ${whole(n)}` : "Improvements · no metric";
      return { name: "focus", key: text, title: "Show all again (Esc)", clear, parts: () => [text] };
    }
    if (!bright) return null;
    // Those beside the ones that the chip names, as Details counts relatives; and how many of them are shown.
    const named = new Set([focus.row, focus.other ?? focus.row]);
    let [n, all] = [0, 0];
    for (let row = 0; row < bright.length; row++) {
      if (!bright[row] || named.has(row)) continue;
      all++;
      n += mask[row];
    }
    const count = ` · ${whole(n)}${n < all ? ` of ${whole(all)}` : ""}`;
    const steps = focus.steps ?? 1;
    const ends = () => {
      if (focus.mode === "between") return ["Between ", this.#id(focus.row), " and ", this.#id(focus.other)];
      if (focus.mode !== "steps") return [`${FOCUS[focus.mode]} `, this.#id(focus.row)];
      const change = (by, word, sign) => h("button.clear", { "aria-label": word, title: word, disabled: steps + by < 1, onclick: () => app.focus("steps", focus.row, { steps: steps + by }) }, icon(sign));
      return [change(-1, "One step less", "minus"), counted(steps, "step"), change(1, "One step more", "plus"), " around ", this.#id(focus.row)];
    };
    return { name: "focus", key: JSON.stringify([focus, n, all, store.id(focus.row)]), title: "Clear the focus (Esc)", clear, parts: () => [...ends(), count] };
  }

  #names() {
    const { store } = this;
    return Object.entries(store.view.hidden).filter(([, names]) => names.length).map(([list, names]) => {
      const left = store.scene.names(list).filter((name) => !names.includes(name));
      const said = (name) => (list === "run" && store.runs.find((run) => run.id === name)?.name) || name;
      const text = left.length === 1 ? `${list}: only ${said(left[0])}` : names.length < 3 ? `${list}: without ${names.map(said).join(", ")}` : `${list}: ${whole(names.length)} hidden`;
      const clear = () => store.setView({ hidden: { ...store.view.hidden, [list]: [] } });
      return { name: "name", key: text, title: `Show every ${list}`, clear, parts: () => [h("span.cut", { title: names.map(said).join("\n") }, text)] };
    });
  }

  #ranges() {
    const { store } = this;
    const { within } = store.scene;
    return Object.entries(store.view.ranges).map(([name, range]) => {
      const { unit, label: means, whole: counts, counts: known } = numbersOf(store.nodes, name, within);
      let without = 0;
      for (let row = 0; row < within.length; row++) without += +(within[row] === 1 && !known(row));
      const label = nameOf(name);
      const text = rangeText(range, unit ? money : counts ? whole : (value) => short(value, 6));
      const { missing } = range;
      const others = without > 0 && `· ${whole(without)} without a value`;
      const told = missing ? "Shown: hide them" : "Hidden: show them";
      const flip = () => store.setView({ ranges: { ...store.view.ranges, [name]: { ...range, missing: !missing } } });
      const { [name]: _, ...rest } = store.view.ranges;
      return {
        name: "range", key: `${label}${text}${others}${missing}`, title: `Show every ${label}`, clear: () => store.setView({ ranges: rest }),
        parts: () => [h("span.cut", { title: name === "age" ? means : label }, label), h("span", null, text), others && h("span.cut", { title: others }, others), others && h("button.link", { title: told, onclick: flip }, missing ? "hide" : "show")].filter(Boolean),
      };
    });
  }

  #folds() {
    const { store } = this;
    const { view } = store;
    const hidden = store.scene.hiddenCounts;
    const fold = (text, n, title, patch) => ({ name: "fold", key: `${text}${n}`, title, clear: () => store.setView(patch), parts: () => [`${text} · ${whole(n)}`] });
    return [
      view.collapsed.length > 0 && fold(counted(view.collapsed.length, "folded subtree"), hidden[HIDDEN.collapsed], "Unfold them", { collapsed: [] }),
      view.chains && view.focus?.mode !== "improvements" && fold("Folded chains", hidden[HIDDEN.chain], "Unfold the chains", { chains: false }),
      view.dead_ends && fold("Without dead ends", hidden[HIDDEN.deadEnd], "Show the dead ends", { dead_ends: false }),
    ].filter(Boolean);
  }

  #group() {
    const { store, app } = this;
    const { group, groupOnly } = store;
    if (!group.length) return null;
    const act = (text, pressed, f) => h("button.link", { "aria-pressed": pressed, onclick: f }, text);
    return {
      name: "group", key: `${group.length}${groupOnly}`, title: "Clear the marks (Esc)", clear: () => store.setGroup([]),
      parts: () => [`${whole(group.length)} marked`, act("zoom to", null, () => app.zoomToGroup()), act("focus on", String(groupOnly), () => store.focusGroup(!groupOnly))],
    };
  }

  #compare() {
    const { store, app } = this;
    const { compare } = store.view;
    if (!(compare >= 0) || compare >= store.nodes.count) return null;
    const way = compare !== store.selected && store.selected >= 0;
    return {
      name: "compare", key: `${compare}${store.id(compare)}${way}`, title: "Compare with the parent again", clear: () => store.setView({ compare: -1 }),
      parts: () => ["Compared with ", this.#id(compare), way && h("button.link", { title: "Focus on all that lies between the two (w)", onclick: () => app.focusBetween() }, "way between")].filter(Boolean),
    };
  }
}
