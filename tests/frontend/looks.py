"""The approved pictures of the explorer: what each shows, and how it is taken.

``docs/images/looks`` holds them; the documentation uses them, ``tests/frontend/test_looks.py``
compares them with what the view draws now, and ``make pictures`` takes them anew.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from hutch_lineage.export import to_html
from hutch_lineage.graph import LineageGraph
from tests.support.browser import Visit
from tests.support.search import island_search

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "images" / "looks"
STILL = (
    "hl.app.camera.flight === 0 && hl.app.frame === 0 && hl.store.changes.size === 0"
    " && !hl.store.scene.waitingFor && !document.querySelector('.hl-body .hl-waiting')"
)


@dataclass(frozen=True)
class Look:
    """One picture: `act` is JavaScript with ``app`` and ``store``; sizes are in CSS pixels."""

    name: str
    shows: str
    act: str = ""
    theme: str = "light"
    width: int = 1280
    height: int = 720
    individuals: int = 0
    """How many of a made-up run in place of the search; 0 for the search."""


BEST = "store.scene.path.best"

LOOKS = [
    Look("whole", "a search on three islands; the path to the best in a warm colour"),
    Look(
        "details",
        "the best: what changed, from whom, at what cost",
        f"store.select({BEST}); app.focus('ancestors');",
    ),
    Look("dark", "the same search in a dark theme", theme="dark"),
    Look("contrast", "high contrast", theme="contrast"),
    Look("narrow", "400 pixels wide: the panel goes under the picture", width=400, height=860),
    Look("tree", "laid out as a tree of first parents", "store.setView({layout: 'tree'});"),
    Look("radial", "the tree on rings", "store.setView({layout: 'radial'});"),
    Look("time", "by time", "store.setView({layout: 'time', colour: 'operator'});"),
    Look("islands", "islands as lanes", "store.setView({layout: 'islands', colour: 'island'});"),
    Look(
        "sizes",
        "size by cost, edges by operator",
        "store.setView({size: 'cost', edges: 'operator'});",
    ),
    Look(
        "folded",
        "dead ends hidden, chains folded",
        "store.setView({dead_ends: true, chains: true});",
    ),
    Look(
        "range",
        "a range picked on the ramp",
        "const low = +store.scene.colouring.ramp.of(0.6).toFixed(3);"
        "const ranges = {[hl.app.hands.range.name]: {low, high: null, missing: false}};"
        "store.setView({ranges});",
    ),
    Look(
        "diff",
        "what changed, side by side",
        f"store.select({BEST}); store.setView({{tab: 'diff'}}); app.panel.enlarge(true);",
    ),
    Look(
        "compare",
        "two individuals: where they parted",
        f"store.select({BEST});"
        "store.setView({tab: 'compare', compare: store.scene.index.rows[60]});",
    ),
    Look(
        "progress",
        "fitness over evaluations, the best's lineage, seeds' shares",
        "store.setView({tab: 'progress'});",
    ),
    Look("cost", "what it cost", "store.setView({tab: 'cost'});"),
    Look(
        "efficacy",
        "operators and models",
        "store.setView({tab: 'efficacy'}); app.panel.enlarge(true);",
    ),
    Look("migrations", "islands and who moved", "store.setView({tab: 'islands'});"),
    Look(
        "agents", "agents that change themselves", "store.setView({kind: 'agent', tab: 'agents'});"
    ),
    Look("events", "raw events", f"store.select({BEST}); store.setView({{tab: 'events'}});"),
    Look("table", "the table, large", "store.setView({tab: 'table'}); app.panel.enlarge(true);"),
    Look("many", "100,000 individuals: density and the ridge of the best", individuals=100_000),
]


@cache
def page_of(theme: str) -> str:
    """The search as a page of its own."""
    events = island_search()
    graph = LineageGraph()
    graph.apply(events)
    return to_html(graph, events=events, title="looks", theme=theme)


@contextmanager
def taken(browser: Browser, look: Look, folder: Path) -> Iterator[tuple[Page, bytes]]:
    """Show a look and take its picture."""
    page = folder / f"{look.name}.html"
    page.write_text(page_of(look.theme), encoding="utf-8")
    visit = Visit.open(
        browser,
        page.as_uri(),
        theme="dark" if look.theme == "dark" else "light",
        width=look.width,
        height=look.height,
        reduced_motion="reduce",
        timezone_id="UTC",
        locale="en-US",
    )
    try:
        yield visit.page, _take(visit.page, look)
        assert visit.errors == []
    finally:
        visit.close()


def _take(page: Page, look: Look) -> bytes:
    page.wait_for_selector(".hl-explorer")
    page.evaluate(
        """() => {
          window.root = document.querySelector('.hl-explorer');
          window.hl = root.__hl;
        }"""
    )
    if look.individuals:
        page.evaluate(
            """async ([source, individuals]) => {
              const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
              const many = await import(url);
              const { content, buffers } = many.manyMessage(many.manyRows({ individuals }));
              hl.store.receive({ ...content, reset: true }, buffers);
            }""",
            [_many(), look.individuals],
        )
    if look.act:
        page.evaluate(f"(() => {{ const {{ app, store }} = hl; {look.act} }})()")
    page.wait_for_timeout(400)
    page.wait_for_function(STILL)
    page.mouse.move(0, 0)
    page.wait_for_timeout(600)
    return page.locator(".hl-explorer").screenshot()


@cache
def _many() -> str:
    room = Path(__file__).resolve().parents[2] / "hutch_lineage" / "explorer" / "frontend" / "dev"
    return (room / "many.mjs").read_text(encoding="utf-8")
