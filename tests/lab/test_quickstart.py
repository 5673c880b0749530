"""The quickstart as a person runs it: JupyterLab in a browser, a receiver beside it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.receivers import Receiver
from tests.support.browser import Visit
from tests.support.lab import JupyterLab
from tests.support.notebook import Notebook, drawn_pixels

pytestmark = [pytest.mark.lab, pytest.mark.browser]

INDIVIDUALS = 100
RUN_EVENTS = 98  # START, 96 operators, COMPLETE
A_CHILD = 50


@pytest.fixture(params=["light", "dark"])
def quickstart(
    request: pytest.FixtureRequest,
    lab: JupyterLab,
    visit: Callable[..., Visit],
    project_root: Path,
) -> Notebook:
    """The quickstart in JupyterLab, in one of its themes, its kernel idle."""
    theme = request.param
    lab.set_theme(theme)
    source = project_root / "notebooks" / "01_quickstart.ipynb"
    opened = visit(lab.add(source, f"quickstart-{theme}.ipynb"), theme=theme, height=1100)
    lab.wait_until_idle(opened.page)
    return Notebook(opened.page)


def test_from_an_empty_picture_to_a_backend(quickstart: Notebook) -> None:
    """Run all, see nodes, click one, read its details, flip the toggle: the backend has it all."""
    quickstart.run_all()
    quickstart.wait_for_explorer(total=INDIVIDUALS)
    assert drawn_pixels(quickstart.page) > 2000

    quickstart.click_node(A_CHILD)
    shown = quickstart.explorer.locator(".hl-side").inner_text()
    name = quickstart.node_id(A_CHILD)
    assert name in shown
    for fact in ("operator", "model", "cost", "parents"):
        assert fact in shown

    with Receiver() as receiver:
        quickstart.explorer.get_by_role("textbox", name="endpoint").fill(receiver.url)
        quickstart.explorer.get_by_role("button", name="Live").click()
        quickstart.wait_for_fact("mode", "live")
        assert receiver.wait_for(RUN_EVENTS)
        made = [event["outputs"][0]["name"] for event in receiver.events if event["outputs"]]
    assert len(set(made)) == RUN_EVENTS - 2
    assert f"individual:{name}" in made
