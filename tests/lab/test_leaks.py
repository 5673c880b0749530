"""A day with a notebook: explorers are opened and closed, and neither page nor kernel fills up."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.support.browser import Visit
from tests.support.lab import JupyterLab
from tests.support.notebook import Notebook, write

pytestmark = [pytest.mark.lab, pytest.mark.browser]

SETUP = """import gc, threading, time
from IPython.display import HTML, clear_output
import ipywidgets
from ipywidgets.widgets import widget as registry
import hutch_lineage as hl

with hl.run("search", score_directions={"score": "higher"}) as run:
    for number in range(300):
        parents = [f"i{number // 2}"] if number else []
        run.log_individual(kind="program", individual_id=f"i{number}", parent_ids=parents)
        run.log_fitness(individual=f"i{number}", scores={"score": number % 37})

def open_and_close(count, make=hl.explore, rest_s=0.12):
    for _ in range(count):
        widget = make()
        display(widget)
        time.sleep(rest_s)
        widget.close()
        clear_output()

def button():
    display(HTML("beside it, as the picture is beside the view"))
    return ipywidgets.Button()

def what_is_there():
    gc.collect()
    explorers = sum(type(o).__name__ == "Explorer" for o in gc.get_objects())
    comms = len(get_ipython().kernel.comm_manager.comms)
    views = sum("lineage-view" in thread.name for thread in threading.enumerate())
    with open("/proc/self/statm") as sizes:
        megabytes = int(sizes.read().split()[1]) * 4096 // 2**20
    return [explorers, comms, len(registry._instances), views, megabytes]"""
WARM_UP = "open_and_close(15); time.sleep(1); print(*what_is_there())"
BUTTONS = "open_and_close(100, button, 0.03); time.sleep(1); print(*what_is_there())"
HUNDRED = "open_and_close(100); time.sleep(1); print(*what_is_there())"
MAX_KERNEL_MEGABYTES = 15
# A module of its own for each explorer would be 45 MB.
SLACK = {"Nodes": 200, "JSEventListeners": 200, "JSHeapUsedSize": 4_000_000}


@pytest.fixture
def notebook(lab: JupyterLab, visit: Callable[..., Visit]) -> Notebook:
    """A notebook whose cells open explorers by the dozen."""
    path = write(lab.notebooks / "leaks.ipynb", SETUP, WARM_UP, BUTTONS, HUNDRED, "")
    opened = visit(lab.url(path.name), height=1000)
    lab.wait_until_idle(opened.page)
    made = Notebook(opened.page)
    made.run(0)
    made.wait_done(0)
    return made


def page_metrics(notebook: Notebook) -> dict[str, float]:
    """What the page holds once its garbage is collected."""
    notebook.page.wait_for_timeout(1500)
    session = notebook.page.context.new_cdp_session(notebook.page)
    session.send("Performance.enable")
    for _ in range(3):
        session.send("HeapProfiler.collectGarbage")
    found: dict[str, Any] = session.send("Performance.getMetrics")
    session.detach()
    return {each["name"]: each["value"] for each in found["metrics"]}


def test_a_hundred_explorers_leave_nothing(notebook: Notebook) -> None:
    """Objects, comms, widgets and threads in the kernel; nodes, listeners and heap in the page.

    JupyterLab itself keeps some nodes and listeners of each output; plain ones tell how many.
    """
    kernel, page = [], []
    for cell in (1, 2, 3):
        notebook.run(cell)
        notebook.wait_done(cell, 150)
        kernel.append([int(number) for number in notebook.output(cell).split()[-5:]])
        page.append(page_metrics(notebook))
    assert kernel[0][:4] == [0, 0, 0, 0]
    assert kernel[2][:4] == kernel[1][:4]  # a button leaves two comms, an explorer none
    assert kernel[2][4] - kernel[1][4] < MAX_KERNEL_MEGABYTES
    for name, slack in SLACK.items():
        of_buttons, of_explorers = page[1][name] - page[0][name], page[2][name] - page[1][name]
        assert of_explorers < of_buttons + slack, name
