// Elements from plain data. Text always becomes a text node; there is no way in for markup.

/**
 * @param {string} tag with classes: "button.chip.mono"
 * @param {Record<string, any>|null} [attributes] `on...` functions become listeners, false and null are left out
 * @param {...any} children
 * @returns {any}
 */
export function h(tag, attributes, ...children) {
  const [name, ...classes] = tag.split(".");
  const element = document.createElement(name);
  if (classes.length) element.className = classes.map((c) => `hl-${c}`).join(" ");
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value != null && value !== false) element.setAttribute(key, value === true ? "" : String(value));
  }
  if (name === "button" && !element.hasAttribute("type")) element.setAttribute("type", "button");
  element.append(...children.flat().filter((child) => child != null && child !== false).map((child) => (child instanceof Node ? child : String(child))));
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

/** An SVG element. */
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}

/** Icons drawn here, so that no font is needed. */
const ICONS = {
  plus: "M8 3v10M3 8h10",
  minus: "M3 8h10",
  fit: "M6 3H3v3M10 3h3v3M6 13H3v-3M10 13h3v-3",
  best: "M8 2.5a5.5 5.5 0 1 0 0 11a5.5 5.5 0 1 0 0-11M8 6.2a1.8 1.8 0 1 0 0 3.6a1.8 1.8 0 1 0 0-3.6",
  close: "M4 4l8 8M12 4l-8 8",
  large: "M9.5 3H13v3.5M13 3L9 7M6.5 13H3V9.5M3 13l4-4",
  back: "M10 3.5L5.5 8l4.5 4.5",
  forward: "M6 3.5L10.5 8L6 12.5",
};

export function icon(/** @type {keyof ICONS} */ name) {
  return svg("svg", { viewBox: "0 0 16 16", width: 14, height: 14, fill: "none", stroke: "currentColor", "stroke-width": 1.5, "stroke-linecap": "round", "stroke-linejoin": "round", "aria-hidden": "true" }, svg("path", { d: ICONS[name] }));
}

/**
 * Replace the children only when what they show has changed; keeps focus, selection and scroll where they are.
 * A key is a list: objects count as changed when they are another object, lists within it when they differ.
 */
export function renderer(/** @type {HTMLElement} */ element) {
  /** @type {any[]|null} */
  let held = null;
  return (/** @type {any[]} */ key, /** @type {() => any[]} */ build) => {
    if (held && key.length === held.length && key.every((value, i) => same(value, held?.[i]))) return;
    held = key;
    element.replaceChildren(...build().flat().filter(Boolean));
  };
}

const same = (a, b) => Object.is(a, b) || (Array.isArray(a) && Array.isArray(b) && JSON.stringify(a) === JSON.stringify(b));

/** Options of a select, rebuilt only when they change. */
export function fillSelect(/** @type {HTMLSelectElement} */ select, /** @type {{value: string, text: string, group?: string}[]} */ options, /** @type {string} */ value) {
  const key = JSON.stringify(options);
  if (select.dataset.key !== key) {
    select.dataset.key = key;
    select.replaceChildren();
    let group = null;
    for (const option of options) {
      if (option.group && group?.label !== option.group) {
        group = document.createElement("optgroup");
        group.label = option.group;
        select.append(group);
      }
      const element = document.createElement("option");
      element.value = option.value;
      element.textContent = option.text;
      (option.group ? group : select).append(element);
    }
  }
  if (select.value !== value) select.value = value;
}
