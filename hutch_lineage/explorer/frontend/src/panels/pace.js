// At most five updates a second: the first at once, the last never lost.

/**
 * @param {{pressed: boolean}} app knows whether a button is held down
 * @param {() => void} work
 * @returns {{(): void, stop(): void}}
 */
export function paced(app, work, /** @type {number} */ rest = 200) {
  let timer = 0;
  let due = false;
  let ready = 0;
  const run = () => {
    // Nothing is rebuilt under a pressed button, or the click would fall through.
    if (app.pressed) {
      timer = window.setTimeout(run, 60);
      due = true;
      return;
    }
    timer = 0;
    due = false;
    const began = performance.now();
    work();
    // Large graphs: four fifths of the time stay with everything else.
    ready = performance.now() + Math.max(rest, 4 * (performance.now() - began));
  };
  const call = () => {
    if (due) return;
    const wait = ready - performance.now();
    if (wait <= 0) return run();
    due = true;
    timer = window.setTimeout(run, wait);
  };
  return Object.assign(call, { stop: () => clearTimeout(timer) });
}
