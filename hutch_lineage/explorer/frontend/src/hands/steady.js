// While a hand is on the legend, what stands beside it keeps its room: a count that grows would break into another line and move
// the name from under the second click of two.

/** A hand that has left may come back as fast: a finger leaves with each tap. */
const REST_MS = 600;

/** @param {import("../frame/foot.js").Foot} foot @returns {() => void} the end of it */
export function steady({ element, legend, marks, counts }) {
  let timer = 0;
  let held = false;
  const parts = [marks, counts];
  const hold = () => {
    clearTimeout(timer);
    if (held) return;
    held = true;
    const sizes = parts.map((part) => getComputedStyle(part)).map(({ width, height }) => ({ width, height }));
    parts.forEach((part, i) => Object.assign(part.style, { flex: "none", overflow: "hidden", ...sizes[i] }));
  };
  const release = () => {
    held = false;
    for (const part of parts) part.removeAttribute("style");
  };
  const leave = () => {
    clearTimeout(timer);
    if (held) timer = setTimeout(release, REST_MS);
  };
  legend.element.addEventListener("pointerdown", hold);
  element.addEventListener("pointerenter", () => clearTimeout(timer));
  element.addEventListener("pointerleave", leave);
  return () => clearTimeout(timer);
}
