// What is measured in a page, the same for every contender. The driver calls `bench.<step>(...)` and reads `bench.done`.
//
// A contender is `{draw(host, lineage) -> picture}`; a picture is
//   onDrawn      called after each frame it has drawn; set from here
//   look(zoom, x, y)   show that part: zoom 1 is everything, x and y from 0 to 1 say what is in the middle
//   append(lineage)    100 more nodes; resolves when they are drawn
//   places()     where each node stands
//   facts()            what else is worth knowing

const ZOOM = 30;
const contender = new URLSearchParams(location.search).get("contender");

const frame = () => new Promise(requestAnimationFrame);
const rest = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** The frame with what was just drawn is on its way to the screen when the second frame from now begins. */
async function shown() {
  await frame();
  await frame();
  return performance.now();
}

/** Unpack what `lineages.py` wrote: a JSON head, then buffers, each in memory of its own as from a websocket. */
async function fetched(/** @type {string} */ url) {
  const bytes = await (await fetch(url)).arrayBuffer();
  const length = new DataView(bytes).getUint32(0, true);
  const head = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 4, length)));
  let at = 4 + length;
  const take = (/** @type {number} */ size) => new DataView(bytes.slice(at, (at += size)));
  return head.map(({ content, sizes }) => ({ content, buffers: sizes.map(take) }));
}

let picture;
let first;
let more;

const steps = {
  /** Milliseconds from "the library and the data are in memory" until the first frame is on its way to the screen. */
  async draw(url) {
    const module = contender && (await import(`/${contender}.js`));
    if (!module) return { ms: 0 };
    const lineage = await fetched(url);
    await rest(200);
    const began = performance.now();
    picture = await module.draw(document.querySelector("#app"), lineage);
    return { ms: (await shown()) - began, ...picture.facts() };
  },

  /** Frames while the camera travels through the picture and zooms to thirty times and back. */
  async move(seconds) {
    const times = [];
    let drawn = false;
    picture.onDrawn = () => (drawn = true);
    picture.look(1, 0.5, 0.5);
    await shown();
    const began = await frame();
    times.push(began);
    for (let now = began; now - began < seconds * 1000; ) {
      const t = (now - began) / (seconds * 1000);
      const deep = Math.sin(Math.PI * t) ** 2;
      picture.look(ZOOM ** deep, 0.5 + 0.3 * deep * Math.cos(5 * t), 0.5 + 0.3 * deep * Math.sin(5 * t));
      drawn = false;
      now = await frame();
      await 0;
      if (drawn) times.push(now);
      else {
        // Not drawn within this frame: later ones may bring it.
        const next = await frame();
        if (drawn) times.push(next);
        now = next;
      }
    }
    times.push(await frame());
    const gaps = times.slice(1).map((time, i) => time - times[i]).sort((a, b) => a - b);
    const took = times.at(-1) - times[0];
    return { fps: (gaps.length / took) * 1000, p95: gaps[Math.min(gaps.length - 1, Math.floor(gaps.length * 0.95))], frames: gaps.length };
  },

  /** Everything in view again, and how many old nodes a first append moves; `urls` are fetched for `append`. */
  async ready(urls) {
    picture.look(1, 0.5, 0.5);
    [first, ...more] = await Promise.all(urls.map(fetched));
    await shown();
    const before = picture.places();
    await picture.append(first);
    await shown();
    const after = picture.places();
    return { moved: before.filter((place, i) => place !== after[i]).length };
  },

  /** Milliseconds until 100 more nodes are drawn, each time; begun at any moment between two frames. */
  async append() {
    const ms = [];
    for (const lineage of more) {
      await rest(120 + Math.random() * 40);
      const began = performance.now();
      await picture.append(lineage);
      ms.push(performance.now() - began);
    }
    await shown();
    return { ms };
  },
};

globalThis.bench = {
  done: null,
  /** Begin a step; `done` holds its result later, or what went wrong. */
  begin(/** @type {keyof typeof steps} */ step, ...given) {
    this.done = null;
    setTimeout(async () => {
      try {
        this.done = await steps[step](...given);
      } catch (error) {
        this.done = { error: String(error?.stack ?? error) };
      }
    });
  },
};
