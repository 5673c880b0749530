"""Notebook widgets in a real JupyterLab: until a lineage is drawn, and until 100 more are."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.support.browser import Visit, launched
from tests.support.lab import JupyterLab
from tests.support.notebook import Notebook, write

from .limit import LIMIT_S
from .lineages import ROOT
from .results import OURS, Figure, Results

if TYPE_CHECKING:
    from playwright.sync_api import Browser

SETUP = f"""import sys
sys.path.insert(0, {str(ROOT)!r})
from benchmarks.explorer.lineages import APPENDED, WIDTH, graph_of
from benchmarks.explorer.widgets import plain
nodes = NODES
"""


@dataclass(frozen=True)
class Widget:
    """A contender: cells that prepare, show and append; and when so many nodes are drawn."""

    setup: str
    show: str
    append: str | None
    drawn: str


# Peers make at least one call for each mark, or say in one call how many they draw.
BY_CALLS = "() => Math.max(0, ...Object.values(frame)) >= nodes"
WIDGETS = {
    OURS: Widget(
        """import hutch_lineage as hl
import hutch_lineage.explorer  # as the others do: importing is not what is measured
def log(first, end):
    with hl.run(f"from {first}") as run:
        for number in range(first, end):
            parents = [f"i{number - WIDTH}"] if number >= first + WIDTH else []
            run.log_individual(kind="program", individual_id=f"i{number}", parent_ids=parents)
            run.log_fitness(individual=f"i{number}", scores={"score": number % 37})
log(0, nodes)""",
        "explorer = hl.explore()\nexplorer",
        "log(nodes, nodes + APPENDED)",
        "() => Number(document.querySelector('.hl-explorer')?.dataset.total) >= nodes",
    ),
    "ipycytoscape": Widget(
        """from ipycytoscape import CytoscapeWidget, Edge, Node
def place(number):
    return {"x": number // WIDTH * 20, "y": number % WIDTH * 20}
graph = plain(graph_of(nodes).nx)
known = {
    "nodes": [{"data": {"id": str(node)}, "position": place(node)} for node in graph],
    "edges": [{"data": {"source": str(a), "target": str(b)}} for a, b in graph.edges],
}""",
        """widget = CytoscapeWidget()
widget.graph.add_graph_from_json(known, directed=True)
widget.set_layout(name="preset")
widget""",
        """more = range(nodes, nodes + APPENDED)
widget.graph.add_nodes([
    Node(data={"id": str(number)}, position=place(number - nodes + 0.5)) for number in more
])
widget.graph.add_edges([
    Edge(data={"source": str(number - nodes), "target": str(number)}) for number in more
])""",
        BY_CALLS,
    ),
    "ipysigma": Widget(
        """from ipysigma import Sigma
graph = plain(graph_of(nodes).nx)
places = {node: {"x": node // WIDTH, "y": node % WIDTH} for node in graph}""",
        "Sigma(graph, layout=places)",
        None,  # it cannot
        BY_CALLS,
    ),
}
# From now on `frame` holds how often each way to draw was used in this frame.
COUNT = """() => {
  globalThis.frame = {};
  const count = (kind, name, marks) => {
    const inner = kind.prototype[name];
    kind.prototype[name] = function (...given) {
      frame[name] = (frame[name] ?? 0) + marks(given);
      return inner.apply(this, given);
    };
  };
  for (const name of ["fill", "stroke", "drawImage"])
    count(CanvasRenderingContext2D, name, () => 1);
  for (const kind of [WebGLRenderingContext, WebGL2RenderingContext]) {
    count(kind, "drawArrays", (given) => given[2]);
    count(kind, "drawElements", (given) => given[1]);
  }
}"""
# Run the chosen cell; resolves when so many nodes are drawn, or with null after the limit.
UNTIL_DRAWN = """async ([nodes, limit]) => {
  const next = () => new Promise(requestAnimationFrame);
  const drawn = DRAWN;
  globalThis.frame = {};
  const began = performance.now();
  void jupyterapp.commands.execute('notebook:run-cell');
  for (;;) {
    await next();
    if (drawn()) break;
    if (performance.now() - began > limit * 1000) return null;
    globalThis.frame = {};
  }
  await next();
  return performance.now() - began;
}"""


def measure(results: Results, chromium: str, sizes: tuple[int, ...], rounds: int, say: Any) -> None:
    """Measure each widget with each size; one that is over the limit is left out from then on."""
    with (
        tempfile.TemporaryDirectory() as folder,
        JupyterLab(Path(folder)) as lab,
        launched(chromium) as browser,
    ):
        left = dict(WIDGETS)
        for nodes in sizes:
            shown = Figure(f"widget in JupyterLab until drawn, {nodes:,}", "ms")
            more = Figure(f"widget in JupyterLab, append 100 until drawn, {nodes:,}", "ms")
            for _ in range(rounds):
                for name, widget in list(left.items()):
                    say(f"JupyterLab: {name}, {nodes:,}")
                    took = _visit(lab, browser, widget, nodes)
                    for figure, value in zip((shown, more), took, strict=False):
                        results.add(figure, name, value)
                    if inf in took:
                        del left[name]
    results.note("ipysigma cannot append to what is shown.")


def _visit(lab: JupyterLab, browser: Browser, widget: Widget, nodes: int) -> list[float]:
    """Return until drawn, and until more are drawn where it can, in ms; infinite over the limit."""
    cells = [SETUP.replace("NODES", str(nodes)) + widget.setup, widget.show]
    cells += [] if widget.append is None else [widget.append]
    write(lab.notebooks / "shown.ipynb", *cells)
    visit = Visit.open(browser, lab.url("shown.ipynb"), width=1400, height=1600)
    lab.wait_until_idle(visit.page)
    notebook = Notebook(visit.page)
    notebook.run(0)
    notebook.wait_done(0)
    visit.page.evaluate(COUNT)
    took: list[float] = []
    for cell, wanted in ((1, nodes), (2, nodes + 100))[: len(cells) - 1]:
        visit.page.wait_for_timeout(1000)
        notebook.cell(cell).locator(".jp-InputArea-editor").click()
        until = UNTIL_DRAWN.replace("DRAWN", widget.drawn)
        ms = visit.page.evaluate(until, [wanted, LIMIT_S])
        took.append(inf if ms is None else ms)
        if ms is None:
            break
    notebook.end_kernels()
    visit.close()
    return took
