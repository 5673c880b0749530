"""Pages that are loaded anew, kernels that are restarted or die, narrow and wide notebooks."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.support.browser import Visit
from tests.support.lab import JupyterLab
from tests.support.notebook import Notebook, drawn_pixels, write

pytestmark = [pytest.mark.lab, pytest.mark.browser]

SHOW = "%load_ext hutch_lineage\nimport hutch_lineage as hl, os, time\n%hutch_lineage"
GROW = """with hl.run("search", score_directions={"score": "higher"}) as run:
    for number in range(NUMBER):
        parents = [f"i{number * 2 // 3}"] if number else []
        run.log_individual(kind="program", individual_id=f"i{number}", parent_ids=parents)
        run.log_fitness(individual=f"i{number}", scores={"score": number})
        time.sleep(PAUSE)
"""
QUICK = GROW.replace("NUMBER", "60").replace("PAUSE", "0")
SLOW = GROW.replace("NUMBER", "2_000").replace("PAUSE", "0.05")
DIE = "os._exit(1)"
RESTART = "() => jupyterapp.shell.currentWidget.context.sessionContext.session.kernel.restart()"
ANOTHER = "jupyterapp.shell.currentWidget.context.sessionContext.changeKernel({ name: 'python3' })"
GONE = "no kernel: run the cell again"


@pytest.fixture
def open_notebook(
    request: pytest.FixtureRequest, lab: JupyterLab, visit: Callable[..., Visit]
) -> Callable[..., Notebook]:
    """A notebook with these cells after the first, which shows an explorer and has been run."""

    def opened(*cells: str, **options: object) -> Notebook:
        name = "".join(sign if sign.isalnum() else "-" for sign in request.node.name)
        path = write(lab.notebooks / f"{name}.ipynb", SHOW, *cells)
        page = visit(lab.url(path.name), **{"height": 1100, **options}).page
        lab.wait_until_idle(page)
        made = Notebook(page)
        made.path = path
        made.run(0)
        made.wait_done(0)
        return made

    return opened


def test_reloaded_during_a_cell(open_notebook: Callable[..., Notebook], lab: JupyterLab) -> None:
    """The page is loaded anew while the loop runs: the explorer is back, grows on, and acts."""
    notebook = open_notebook(SLOW)
    notebook.run(1)
    notebook.wait_for_explorer(more_than=5)
    notebook.save(notebook.path)
    notebook.page.reload()
    notebook.page.wait_for_selector(".jp-Notebook .jp-Cell", timeout=60_000)
    notebook.wait_for_explorer(more_than=5)
    seen = int(notebook.explorer.get_attribute("data-total") or 0)
    notebook.wait_for_explorer(more_than=seen + 5)
    notebook.explorer.get_by_role("button", name="Stop").click()
    notebook.explorer.get_by_role("button", name="Stop").wait_for(state="hidden")
    lab.wait_until_idle(notebook.page)


@pytest.mark.parametrize("end", ["restarted", "killed", "shut down"])
def test_without_its_kernel(
    open_notebook: Callable[..., Notebook], lab: JupyterLab, end: str
) -> None:
    """The view says that its kernel is gone and can still be explored; run again, it is new."""
    notebook = open_notebook(QUICK, DIE)
    notebook.run(1)
    notebook.wait_for_explorer(total=60)
    if end == "restarted":
        notebook.page.evaluate(RESTART)
    elif end == "shut down":
        notebook.end_kernels()
    else:
        notebook.run(2)
    notebook.wait_for_text(".hl-bar", GONE)
    notebook.click_node(7)
    notebook.wait_for_text(".hl-side", notebook.node_id(7))
    if end == "shut down":
        notebook.page.evaluate(ANOTHER)
    lab.wait_until_idle(notebook.page)
    notebook.run(0)
    notebook.wait_for_explorer(total=0)


@pytest.mark.parametrize(("width", "size"), [(400, "tiny"), (1600, "wide")])
def test_narrow_and_wide(open_notebook: Callable[..., Notebook], width: int, size: str) -> None:
    """At 400 and 1600 pixels everything is inside the cell, and the picture is drawn."""
    notebook = open_notebook(QUICK, width=width, height=900)
    page = notebook.page
    page.evaluate("jupyterapp.shell.collapseLeft(); jupyterapp.shell.collapseRight()")
    notebook.run(1)
    notebook.wait_for_explorer(total=60)
    root = notebook.explorer
    box = root.bounding_box()
    assert box is not None
    assert box["x"] + box["width"] <= width
    assert (root.get_attribute("data-size") == size) or width > 1000
    assert root.evaluate("root => root.scrollWidth <= root.clientWidth + 1")
    assert drawn_pixels(page) > 500


def test_keyboard_alone(open_notebook: Callable[..., Notebook]) -> None:
    """Tab reaches the picture; arrows walk it, Enter opens the panel, / searches, Esc clears."""
    notebook = open_notebook(QUICK)
    notebook.run(1)
    notebook.wait_for_explorer(total=60)
    page, root = notebook.page, notebook.explorer
    cells = page.locator(".jp-Notebook .jp-CodeCell").count()
    root.locator("button").first.focus()
    on_canvas = "() => document.activeElement.matches('.hl-explorer canvas.hl-canvas')"
    for _ in range(25):
        if page.evaluate(on_canvas):
            break
        page.keyboard.press("Tab")
    assert page.evaluate(on_canvas)
    page.keyboard.press("b")
    notebook.wait_for_fact("selected", "59")
    page.keyboard.press("ArrowLeft")
    notebook.wait_for_fact("selected", "39")
    page.keyboard.press("Enter")
    notebook.wait_for_text(".hl-side", "i39")
    root.locator("canvas.hl-canvas").focus()
    page.keyboard.press("/")
    page.keyboard.type("i5")
    assert root.get_by_role("searchbox").input_value() == "i5"
    page.keyboard.press("Escape")
    assert root.get_by_role("searchbox").input_value() == ""
    assert page.locator(".jp-Notebook .jp-CodeCell").count() == cells  # it heard no letter
