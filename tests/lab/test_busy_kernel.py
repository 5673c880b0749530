"""The explorer while a plain, synchronous cell keeps the kernel busy."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.receivers import Receiver
from tests.support.browser import Visit
from tests.support.lab import JupyterLab
from tests.support.notebook import Notebook, write

pytestmark = [pytest.mark.lab, pytest.mark.browser]

SHOW = "%load_ext hutch_lineage\nimport hutch_lineage as hl, time\n%hutch_lineage"
LOOP = """with hl.run("search", score_directions={"score": "higher"}) as run:
    ids = ["seed"]
    run.log_individual(kind="program", individual_id="seed")
    for number in range(300):
        parent = ids[number * 7 // 11]
        name = f"child-{number}"
        run.log_individual(kind="program", individual_id=name, parent_ids=[parent])
        run.log_operator(kind="refine", parent_ids=[parent], child_id=name, cost_usd=0.01)
        run.log_fitness(individual=name, scores={"score": number % 37})
        ids.append(name)
        time.sleep(0.05)
"""
ENDLESS = """%%hutch_lineage run endless
while True:
    hl.log_individual(kind="program")
    time.sleep(0.02)
"""


@pytest.fixture
def notebook(
    request: pytest.FixtureRequest, lab: JupyterLab, visit: Callable[..., Visit]
) -> Notebook:
    """An explorer in the first cell, loops in the next two; a kernel of its own."""
    name = f"{request.node.name}.ipynb"
    write(lab.notebooks / name, SHOW, LOOP, ENDLESS)
    opened = visit(lab.url(name), height=1300)
    lab.wait_until_idle(opened.page)
    made = Notebook(opened.page)
    made.run(0)
    made.wait_done(0)
    return made


def test_everything_in_the_browser_goes_on(notebook: Notebook) -> None:
    """While the cell runs: the picture grows, a click tells details, search finds, Live posts."""
    notebook.run(1)
    notebook.wait_for_explorer(more_than=20)
    notebook.click_node(5)
    notebook.wait_for_fact("selected", "5")
    notebook.wait_for_text(".hl-side", notebook.node_id(5))
    notebook.explorer.get_by_role("searchbox").fill("child-1")
    notebook.wait_for_explorer(more_than=60)
    with Receiver() as receiver:
        notebook.explorer.get_by_role("textbox", name="endpoint").fill(receiver.url)
        notebook.explorer.get_by_role("button", name="Live").click()
        notebook.wait_for_fact("mode", "live")
        assert notebook.is_busy(1)
        notebook.wait_done(1)
        assert receiver.wait_for(302)
    notebook.wait_for_explorer(total=301)


def test_stop_ends_the_cell(notebook: Notebook) -> None:
    """Stop appears while a run magic's cell runs, ends it, and goes away."""
    notebook.run(2)
    notebook.wait_for_explorer(more_than=5)
    stop = notebook.explorer.get_by_role("button", name="Stop")
    stop.click()
    notebook.wait_done(2)
    assert notebook.output(2) == "stopped"
    stop.wait_for(state="hidden")


def test_a_page_is_saved_from_the_menu(notebook: Notebook, tmp_path: Path) -> None:
    """Python makes it beside the loop and hands it over; what the browser saves is the page."""
    notebook.run(1)
    notebook.wait_for_explorer(more_than=20)
    with notebook.page.expect_download() as download:
        notebook.explorer.get_by_label("Export", exact=True).select_option("html")
    assert notebook.is_busy(1)
    path = tmp_path / download.value.suggested_filename
    download.value.save_as(path)
    assert path.name == "search.html"
    page = path.read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>")
    assert page.rstrip().endswith("</html>")
    notebook.wait_done(1)
