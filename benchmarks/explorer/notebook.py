"""The explorer in a real JupyterLab: when it can be used, how it moves, what it costs a loop."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

from tests.support.browser import Visit, launched
from tests.support.lab import JupyterLab
from tests.support.notebook import Notebook, write

from .lineages import ROOT
from .pages import weight
from .results import OURS, Figure, Results

if TYPE_CHECKING:
    from playwright.sync_api import Browser

INDIVIDUALS = 2000
GOALS: dict[int, dict[str, float]] = {
    100_000: {"used": 3},
    1_000_000: {"used": 15, "fps": 30, "memory": 600},
}
ONCE = 1_000_000  # making a lineage of so many takes longer than all that is measured on it
SETUP = f"""import sys
sys.path.insert(0, {str(ROOT)!r})
import hutch_lineage as hl
from benchmarks.explorer.lineages import graph_of
from benchmarks.explorer.loops import Loop"""
CLOSE = "explorer.close(); hl.reset()"
SHOW_GRAPH, SHOW_RUN = "explorer = hl.explore(graph)\nexplorer", "explorer = hl.explore()\nexplorer"

RUN = "async () => { await jupyterapp.commands.execute('notebook:run-cell') }"
# Run the chosen cell; resolves when all nodes are drawn and the wheel has moved the picture.
UNTIL_USED = """async (total) => {
  const frame = () => new Promise(requestAnimationFrame);
  const old = document.querySelector('.hl-explorer');
  const began = performance.now();
  void jupyterapp.commands.execute('notebook:run-cell');
  let root;
  do {
    await frame();
    root = document.querySelector('.hl-explorer');
  } while (!root || root === old || Number(root.dataset.total) !== total);
  const shown = performance.now() - began;
  const { camera, canvas } = root.__hl.app;
  const { left, top, width, height } = canvas.getBoundingClientRect();
  const at = { clientX: left + width / 2, clientY: top + height / 2 };
  const before = camera.ax;
  while (camera.ax === before) {
    canvas.dispatchEvent(new WheelEvent('wheel',
      { ...at, deltaY: -120, ctrlKey: true, bubbles: true, cancelable: true }));
    await frame();
  }
  await frame();
  return { shown, used: performance.now() - began };
}"""

# Frames while the camera travels from the whole to thirty times and back, as in the pages.
TRAVEL = """async (seconds) => {
  const frame = () => new Promise(requestAnimationFrame);
  const { app, store } = document.querySelector('.hl-explorer').__hl;
  const { camera } = app;
  const { x0, x1, y0, y1 } = store.scene.index.bounds;
  app.fit();
  await frame();
  const { ax, ay } = camera;
  const look = (zoom, x, y) => camera.place({
    ax: ax * zoom, bx: camera.width / 2 - (x0 + x * (x1 - x0)) * ax * zoom,
    ay: ay * zoom, by: camera.height / 2 - (y0 + y * (y1 - y0)) * ay * zoom,
  });
  let drawn = 0;
  const { paint } = app;
  app.paint = () => (paint.call(app), drawn++);
  const began = await frame();
  let now = began;
  while (now - began < seconds * 1000) {
    const t = (now - began) / (seconds * 1000);
    const deep = Math.sin(Math.PI * t) ** 2;
    look(30 ** deep, 0.5 + 0.3 * deep * Math.cos(5 * t), 0.5 + 0.3 * deep * Math.sin(5 * t));
    now = await frame();
  }
  app.paint = paint;
  return (drawn / (now - began)) * 1000;
}"""

# From now on note when a frame with so many rows is on the screen.
RECORD = """() => {
  const { app, store } = document.querySelector('.hl-explorer').__hl;
  globalThis.seen = [];
  const { paint } = app;
  app.paint = () => {
    paint.call(app);
    const { count } = store.nodes;
    if (count !== globalThis.seen.at(-1)?.[1]) {
      const note = [0, count];
      globalThis.seen.push(note);
      requestAnimationFrame(() => (note[0] = Date.now()));
    }
  };
}"""


def measure(
    results: Results, chromium: str, sizes: tuple[int, ...], rounds: int, seconds: float, say: Any
) -> None:
    """Measure in JupyterLab: whole lineages of these sizes, and a loop."""
    with (
        tempfile.TemporaryDirectory() as folder,
        JupyterLab(Path(folder)) as lab,
        launched(chromium) as browser,
    ):
        for nodes in sizes:
            say(f"JupyterLab: explore, {nodes:,}")
            _explore(results, lab, browser, nodes, 1 if nodes >= ONCE else rounds, seconds)
        say("JupyterLab: a loop")
        _loop(results, lab, browser, rounds)


def _open(lab: JupyterLab, browser: Browser, name: str, *cells: str) -> tuple[Visit, Notebook]:
    """Open a notebook and run its first cell."""
    write(lab.notebooks / name, *cells)
    visit = Visit.open(browser, lab.url(name), width=1400, height=1600)
    lab.wait_until_idle(visit.page)
    notebook = Notebook(visit.page)
    _run(notebook, 0)
    return visit, notebook


def _run(notebook: Notebook, index: int) -> None:
    """Run a cell and wait until it has ended."""
    _choose(notebook, index)
    notebook.page.evaluate(RUN)


def _choose(notebook: Notebook, index: int) -> None:
    """Put the cursor in a cell."""
    notebook.cell(index).locator(".jp-InputArea-editor").click()


def _explore(
    results: Results, lab: JupyterLab, browser: Browser, nodes: int, rounds: int, seconds: float
) -> None:
    """Measure from running the cell until the picture is whole and follows the wheel; then move."""
    # Each round anew: explorers of one graph share its scene. Collecting would double the time.
    make = f"import gc; gc.disable(); graph = graph_of({nodes}); gc.enable()"
    visit, notebook = _open(lab, browser, f"explore-{nodes}.ipynb", SETUP, make, SHOW_GRAPH, CLOSE)
    tools = visit.context.new_cdp_session(visit.page)

    def figure(key: str, title: str, unit: str) -> Figure:
        return Figure(f"{title}, {nodes:,}", unit, GOALS.get(nodes, {}).get(key))

    used = figure("used", "hl.explore() in JupyterLab until usable", "s")
    fps = figure("fps", "pan and zoom in JupyterLab", "fps")
    memory = figure("memory", "page memory in JupyterLab over the page before", "MB")
    for _ in range(rounds):
        _run(notebook, 1)
        _choose(notebook, 2)
        before = weight(tools)
        took = visit.page.evaluate(UNTIL_USED, nodes)
        results.add(used, OURS, took["used"] / 1000)
        results.add(fps, OURS, visit.page.evaluate(TRAVEL, seconds))
        results.add(memory, OURS, weight(tools) - before)
        _run(notebook, 3)
    visit.close()


def _loop(results: Results, lab: JupyterLab, browser: Browser, rounds: int) -> None:
    """Measure a loop without and with an explorer, in turn."""
    cells = [
        f"{SETUP}\nloop = Loop()",
        f"loop.run({INDIVIDUALS}).save('without.json'); hl.reset()",
        SHOW_RUN,
        f"loop.run({INDIVIDUALS}).save('with.json')",
        CLOSE,
    ]
    visit, notebook = _open(lab, browser, "loop.ipynb", *cells)
    rates, shares = [], []
    for _ in range(rounds):
        _run(notebook, 1)
        _run(notebook, 2)
        notebook.wait_for_explorer(total=0)
        visit.page.evaluate(RECORD)
        _run(notebook, 3)
        notebook.wait_for_explorer(total=INDIVIDUALS)
        visit.page.wait_for_timeout(300)
        seen = visit.page.evaluate("globalThis.seen")
        alone, shown = (
            json.loads((lab.notebooks / name).read_text()) for name in ("without.json", "with.json")
        )
        late = sorted(lateness(shown["logged_ms"], seen))
        results.add(LATE, OURS, late[int(len(late) * 0.95)])
        results.add(LATE_MEDIAN, OURS, median(late))
        results.add(LOSS, OURS, (1 - alone["wall_s"] / shown["wall_s"]) * 100)
        rates.append(3 * INDIVIDUALS / shown["wall_s"])
        shares.append((shown["all_s"] - shown["own_s"]) / shown["wall_s"] * 100)
        _run(notebook, 4)
    results.note(
        f"The loop logged {median(rates):,.0f} events a second with an explorer open; the other "
        f"threads of its kernel worked for {median(shares):.1f} % of that time."
    )
    visit.close()


LATE = Figure("event logged to drawn in JupyterLab, p95 at 1,000 events/s", "ms", 300)
LATE_MEDIAN = Figure("event logged to drawn in JupyterLab, median", "ms")
LOSS = Figure("loop's loss of speed with an explorer open", "%", 5)


def lateness(logged_ms: list[float], seen: list[tuple[float, int]]) -> list[float]:
    """Return for each individual how long after it was logged a frame with it was there, in ms."""
    frames = iter(seen)
    drawn_ms, rows = next(frames)
    late = []
    for row, at in enumerate(logged_ms):
        while rows <= row:
            drawn_ms, rows = next(frames)
        late.append(drawn_ms - at)
    return late
