"""What is left of the explorer in a saved notebook."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from tests.support.browser import Visit
from tests.support.lab import JupyterLab
from tests.support.notebook import Notebook, write

pytestmark = [pytest.mark.lab, pytest.mark.browser]

SHOW = "%load_ext hutch_lineage\nimport hutch_lineage as hl\n%hutch_lineage"
LOG = """with hl.run("small") as run:
    seed = run.log_individual(kind="program", individual_id="seed")
    run.log_individual(kind="program", individual_id="child", parent_ids=["seed"])
"""
PICTURE = "img[src^='data:image/svg+xml']"


@pytest.fixture
def saved(request: pytest.FixtureRequest, lab: JupyterLab, visit: Callable[..., Visit]) -> str:
    """The name of a notebook that was run in JupyterLab and saved there."""
    trusted = "trusted" if request.getfixturevalue("trusted") else "untrusted"
    path = write(lab.notebooks / f"saved-{trusted}.ipynb", SHOW, LOG)
    opened = visit(lab.url(path.name), height=1100)
    lab.wait_until_idle(opened.page)
    notebook = Notebook(opened.page)
    for cell in (0, 1):
        notebook.run(cell)
        notebook.wait_done(cell)
    notebook.wait_for_explorer(total=2)
    assert not opened.page.locator(PICTURE).is_visible()
    notebook.save(path)
    notebook.end_kernels()
    opened.close()
    return path.name


@pytest.mark.parametrize("trusted", [True, False])
def test_the_picture_is_there_without_a_kernel(
    saved: str, trusted: bool, lab: JupyterLab, visit: Callable[..., Visit]
) -> None:
    """Reopened without its kernel, and from another machine: the newest picture is shown."""
    path = lab.notebooks / saved
    if not trusted:  # a changed notebook is not the one that was signed
        document = json.loads(path.read_text())
        document["cells"][0]["source"] += "\n# changed elsewhere"
        path.write_text(json.dumps(document))
    opened = visit(lab.url(saved), height=1100)
    picture = opened.page.locator(PICTURE)
    picture.wait_for(state="visible", timeout=60_000)
    assert "2 individuals" in (picture.get_attribute("alt") or "")
    assert picture.evaluate("image => image.naturalWidth") > 300
