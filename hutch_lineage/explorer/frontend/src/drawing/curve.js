// The way of an edge over the screen, whole or dashed. Only what is in view costs: magnified, an edge can be a hundred screens long.

/** A curve from the right of the parent to the left of the child, or a line. */
export function curve(c, ax, ay, bx, by, /** @type {boolean} */ straight = false) {
  c.moveTo(ax, ay);
  if (straight) c.lineTo(bx, by);
  else if (bx - ax > 2) {
    const middle = (ax + bx) / 2;
    c.bezierCurveTo(middle, ay, middle, by, bx, by);
  } else {
    // back or sideways (a cycle, a reversed time): bow out so that it is seen
    const [b1, b2] = bow(ax, ay, bx, by);
    c.bezierCurveTo(b1, ay, b2, by, bx, by);
  }
}

function bow(ax, ay, bx, by) {
  const out = Math.max(14, Math.abs(by - ay) * 0.25, (ax - bx) * 0.25);
  return [ax + out, bx + out * (bx < ax - 2 ? -1 : 1)];
}

/**
 * The same in dashes, put into the path one by one: the canvas' own dashes are ten times slower, and go on outside the view.
 * @param {number} dash length of a dash, as of a gap
 */
export function dashed(c, ax, ay, bx, by, straight, width, height, dash) {
  const forward = bx - ax > 2;
  const [x1, x2] = straight ? [0, 0] : forward ? [(ax + bx) / 2, (ax + bx) / 2] : bow(ax, ay, bx, by);
  const x = straight ? (t) => ax + (bx - ax) * t : (t) => ((ax * (1 - t) + 3 * x1 * t) * (1 - t) + 3 * x2 * t * t) * (1 - t) + bx * t ** 3;
  const y = straight ? (t) => ay + (by - ay) * t : (t) => ay + (by - ay) * t * t * (3 - 2 * t);
  let from = 0;
  let to = 1;
  if (straight || forward) {
    // Both run one way, so a part of the way is in view.
    [from, to] = within(y, ay, by, height, from, to);
    [from, to] = within(x, ax, bx, width, from, to);
  } else if (Math.min(ay, by) > height || Math.max(ay, by) < 0) return;
  if (!(to > from)) return;
  const steps = Math.min(600, Math.ceil((Math.abs(x(to) - x(from)) + Math.abs(y(to) - y(from))) / (2.3 * dash)));
  const pace = (to - from) / steps;
  for (let i = 0; i < steps; i++) {
    const t = from + i * pace;
    c.moveTo(x(t), y(t));
    c.lineTo(x(t + pace / 2), y(t + pace / 2));
  }
}

/** The part of from..to in which a value that runs from `a` to `b` lies in 0..limit. */
function within(f, a, b, limit, from, to) {
  const [enter, leave] = a <= b ? [0, limit] : [limit, 0];
  const [low, high] = a <= b ? [a, b] : [b, a];
  if (high < 0 || low > limit) return [0, 0];
  const cross = (/** @type {number} */ value) => {
    let l = 0;
    let h = 1;
    for (let i = 0; i < 9; i++) {
      const m = (l + h) / 2;
      if (a <= b ? f(m) < value : f(m) > value) l = m;
      else h = m;
    }
    return [l, h];
  };
  const inside = (/** @type {number} */ value) => value >= 0 && value <= limit;
  return [inside(a) ? from : Math.max(from, cross(enter)[0]), inside(b) ? to : Math.min(to, cross(leave)[1])];
}
