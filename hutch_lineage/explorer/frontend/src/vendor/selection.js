// Stands in for d3-selection: what d3-zoom and d3-drag ask of a selection of one element, with the same meaning.

/** @typedef {{type: string, name: string, listener: Function, handler: (e: Event) => void, options: any}} Held */

class Selection {
  constructor(node) {
    this.element = node;
  }

  node() {
    return this.element;
  }

  selection() {
    return this;
  }

  /** Nothing is in transition here. */
  interrupt() {
    return this;
  }

  datum() {
    return this.element.__data__;
  }

  call(f, ...rest) {
    f(this, ...rest);
    return this;
  }

  each(f) {
    if (this.element) f.call(this.element, this.datum(), 0, [this.element]);
    return this;
  }

  filter(test) {
    return new Selection(this.element && test.call(this.element, this.datum(), 0, [this.element]) ? this.element : null);
  }

  property(name, value) {
    return this.each(function (...given) {
      this[name] = typeof value === "function" ? value.apply(this, given) : value;
    });
  }

  style(name, value) {
    return this.each(function () {
      this.style.setProperty(name, value);
    });
  }

  /** "type.name" as in d3: setting replaces the listener of that name, null removes it, ".name" removes all of a name. */
  on(types, listener, options) {
    const wanted = types.split(/\s+/).map((t) => ({ type: t.split(".")[0], name: t.split(".")[1] ?? "" }));
    const node = this.element;
    if (!node) return arguments.length < 2 ? undefined : this;
    /** @type {Held[]} */
    const held = (node.__hlOn ??= []);
    const matches = (h, w) => (!w.type || h.type === w.type) && h.name === w.name;
    if (arguments.length < 2) return held.find((h) => wanted.some((w) => matches(h, w)))?.listener;
    for (const w of wanted) {
      for (const h of held.filter((h) => matches(h, w))) {
        node.removeEventListener(h.type, h.handler, h.options);
        held.splice(held.indexOf(h), 1);
      }
      if (!listener) continue;
      const handler = (e) => listener.call(node, e, node.__data__);
      node.addEventListener(w.type, handler, options);
      held.push({ ...w, listener, handler, options });
    }
    return this;
  }
}

export const select = (node) => new Selection(node);

/** Where an event is, in pixels of an element. */
export function pointer(event, node = event.currentTarget) {
  const e = event.sourceEvent ?? event;
  const box = node.getBoundingClientRect();
  return [e.clientX - box.left - node.clientLeft, e.clientY - box.top - node.clientTop];
}
