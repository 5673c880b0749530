"""What a person does with a finished run, on one page: nothing is run again in between."""

from __future__ import annotations

import json
import struct
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.support.browser import Visit
from tests.support.lab import JupyterLab
from tests.support.notebook import Notebook, drawn_pixels, write

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = [pytest.mark.lab, pytest.mark.browser]

SHOW = "%load_ext hutch_lineage\nimport hutch_lineage as hl\nexplorer = hl.explore()\nexplorer"
SEARCH = """with hl.run("search", score_directions={"score": "higher"}) as run:
    for number in range(60):
        parents = [f"i{number // 2}"] if number else []
        operator = "refine" if number % 3 else "mutate"
        run.log_individual(
            kind="program", individual_id=f"i{number}", parent_ids=parents,
            genome=f"def f(x):\\n    return x * {number}\\n", genome_lang="python",
        )
        if parents:
            run.log_operator(kind=operator, parent_ids=parents, child_id=f"i{number}")
        run.log_fitness(individual=f"i{number}", scores={"score": number})
"""
AGAIN = "explorer.reset_view(); explorer.select(None); print(explorer.selected)"
LINE = [0, 1, 3, 7, 14, 29, 59]  # from the seed to the best
CHANGED = "[...root.querySelectorAll('.hl-changes .hl-line mark')].map(each => each.innerText)"
THEME = "theme => jupyterapp.commands.execute('apputils:change-theme', { theme })"


@pytest.fixture(scope="module")
def opened(lab: JupyterLab, chromium: Browser) -> Iterator[Notebook]:
    """A notebook whose run has ended; its explorer stands in the first cell."""
    lab.set_theme("light")
    path = write(lab.notebooks / "exploring.ipynb", SHOW, SEARCH, AGAIN)
    visit = Visit.open(chromium, lab.url(path.name), width=1400, height=1100)
    lab.wait_until_idle(visit.page)
    made = Notebook(visit.page)
    for cell in (0, 1):
        made.run(cell)
        made.wait_done(cell)
    made.wait_for_explorer(total=60)
    yield made
    visit.close()
    assert (visit.outside, visit.errors) == ([], [])


@pytest.fixture
def notebook(opened: Notebook) -> Notebook:
    """That notebook with the view as at first, and nothing selected."""
    opened.run(2)
    opened.wait("root.dataset.selected === '-1' && !root.__hl.state().focus")
    opened.wait("root.__hl.state().view.query === ''")
    return opened


def test_search_and_focus(notebook: Notebook) -> None:
    """What matches is marked and walked through; a focus leaves its relatives, Esc ends it."""
    field = notebook.explorer.get_by_role("searchbox")
    field.fill("i5")
    notebook.wait("root.__hl.state().hits.length === 11")
    field.press("Enter")
    notebook.wait("root.__hl.state().hits.includes(+root.dataset.selected)")
    field.fill("i59")
    field.press("Enter")
    notebook.wait_for_fact("selected", "59")
    canvas = notebook.explorer.locator("canvas.hl-canvas")
    canvas.focus()
    canvas.press("a")
    notebook.wait(f"String(root.__hl.state().focus) === {','.join(map(str, LINE))!r}")
    for _ in range(4):
        canvas.press("Escape")
    notebook.wait("!root.__hl.state().focus && root.__hl.state().view.query === ''")


def test_diff_against_a_parent_the_best_and_another(notebook: Notebook) -> None:
    """Three choices of whom to compare with: the word that differs is marked on both sides."""
    notebook.click_node(14)
    notebook.tab("Diff")
    against = notebook.explorer.get_by_label("Compare against", exact=True)
    for other in (7, 59):
        against.select_option(str(other))
        notebook.wait(f"String({CHANGED}) === '{other},14'")
    field = notebook.explorer.get_by_label("Id of another to compare against")
    field.fill("i40")
    field.press("Enter")
    notebook.wait(f"String({CHANGED}) === '40,14'")


def test_two_are_compared(notebook: Notebook) -> None:
    """Alt and a click take the second one: where they parted, and what differs between them."""
    notebook.click_node(59)
    notebook.page.keyboard.down("Alt")
    notebook.page.mouse.click(*notebook.place(30))
    notebook.page.keyboard.up("Alt")
    notebook.wait("root.__hl.state().view.compare === 30")
    notebook.tab("Compare")
    notebook.wait_for_text(".hl-body", "most recent common ancestor")
    said = " ".join(notebook.explorer.locator(".hl-body").inner_text().split())
    assert "most recent common ancestor i7 " in said
    assert "return x * 30" in said
    notebook.explorer.get_by_role("button", name="show", exact=True).click()
    notebook.wait("root.__hl.state().focus")
    assert set(notebook.state()["focus"]) == {59, 29, 14, 7, 15, 30}


def tags(path: Path) -> set[str]:
    """The names of a XML file's elements, and of what they are filled with."""
    elements = list(ET.parse(path).getroot().iter())  # noqa: S314  # made by this test
    return {each.tag.partition("}")[2] for each in elements} | {
        each.get("fill", "") for each in elements
    }


def is_png(path: Path) -> bool:
    """A PNG, wider than the picture on the page."""
    content = path.read_bytes()
    return content[:8] == b"\x89PNG\r\n\x1a\n" and struct.unpack(">I", content[16:20])[0] > 600


def is_page(path: Path) -> bool:
    """A whole page that holds the graph."""
    text = path.read_text(encoding="utf-8")
    return text.startswith("<!doctype html>") and text.rstrip().endswith("</html>")


def events(path: Path) -> list[dict[str, Any]]:
    """The JSON objects of a file that has one in each line."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize(
    ("kind", "is_right"),
    [
        ("png", is_png),
        ("svg", lambda path: {"svg", "path", "text"} <= tags(path) and len(tags(path)) > 15),
        ("html", is_page),
        ("graphml", lambda path: {"graphml", "node", "edge"} <= tags(path)),
        ("jsonl", lambda path: len(events(path)) == 1 + 60 + 59 + 60 + 1),
        ("ndjson", lambda path: len([e["eventType"] for e in events(path)]) == 1 + 59 + 1),
        ("csv", lambda path: len(path.read_text().splitlines()) == 1 + 60),
    ],
)
def test_a_file_is_saved_from_the_menu(
    notebook: Notebook, kind: str, is_right: Callable[[Path], bool], tmp_path: Path
) -> None:
    """It comes down, is named after the run, and is what its name says."""
    with notebook.page.expect_download() as download:
        notebook.explorer.get_by_label("Export", exact=True).select_option(kind)
    path = tmp_path / download.value.suggested_filename
    download.value.save_as(path)
    assert path.name == f"search.{kind}"
    assert is_right(path)


def test_the_theme_changes_while_it_is_open(notebook: Notebook) -> None:
    """Dark and light again, as JupyterLab goes: the same view, what is selected stays."""
    notebook.click_node(14)
    notebook.explorer.evaluate("root => (globalThis.held = root)")
    grounds = {}
    for theme in ("dark", "light"):
        notebook.page.evaluate(THEME, f"JupyterLab {theme.title()}")
        notebook.wait_for_fact("theme", theme)
        notebook.wait("!root.__hl.app.frame")
        grounds[theme] = notebook.explorer.evaluate(
            "root => getComputedStyle(root.querySelector('.hl-stage')).backgroundColor"
        )
        assert drawn_pixels(notebook.page) > 500
    assert grounds["dark"] != grounds["light"]
    notebook.wait("root === held && root.dataset.selected === '14'")
