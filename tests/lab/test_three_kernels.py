"""The toggle and Stop in JupyterLab while a cell runs, on each supported ipykernel."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from tests.support.browser import Visit
from tests.support.kernels import VERSIONS, Kernels, kernel_name
from tests.support.lab import JupyterLab
from tests.support.notebook import Notebook, write

pytestmark = [pytest.mark.lab, pytest.mark.browser]

SHOW = """import asyncio, ipykernel, time
import hutch_lineage as hl
%load_ext hutch_lineage
%hutch_lineage"""
VERSION = "ipykernel.__version__"
PLAIN = """with hl.run("search"):
    for number in range(2_000):
        hl.log_individual(kind="program")
        time.sleep(0.05)
"""
ASYNC = PLAIN.replace("time.sleep", "await asyncio.sleep")
ATTACHED = (
    "%%hutch_lineage run search\n" + PLAIN.partition("\n")[2].replace("\n    ", "\n").lstrip()
)
ENDPOINT = "http://127.0.0.1:9"


@pytest.fixture(params=VERSIONS)
def notebook(
    request: pytest.FixtureRequest, lab: JupyterLab, kernels: Kernels, visit: Callable[..., Visit]
) -> Notebook:
    """An explorer in the first cell, loops in others; the kernel is of the version asked for."""
    lab.add_kernels(kernels.specs)
    kernel = kernel_name(request.param)
    path = lab.notebooks / f"{kernel.replace('.', '-')}.ipynb"
    write(path, SHOW, VERSION, PLAIN, ASYNC, ATTACHED, kernel=kernel)
    opened = visit(lab.url(path.name), height=1300)
    lab.wait_until_idle(opened.page)
    made = Notebook(opened.page)
    made.run(0)
    made.knock()
    made.wait_done(0)
    made.run(1)
    made.wait_done(1)
    assert request.param in made.output(1)
    return made


def flip(notebook: Notebook, mode: str) -> float:
    """Click on a side of the switch; return how long it took until the kernel had done it."""
    button = notebook.explorer.get_by_role("button", name="Live" if mode == "live" else "In memory")
    began = time.monotonic()
    button.click()
    notebook.wait_for_fact("mode", mode)
    return time.monotonic() - began


def test_toggle_and_stop_during_cells(notebook: Notebook) -> None:
    """In a plain, an async and an attached cell: four clicks are four acts, and Stop ends it."""
    notebook.explorer.get_by_role("textbox", name="endpoint").fill(ENDPOINT)
    total = 0
    for cell in (2, 3, 4):
        notebook.run(cell)
        notebook.wait_for_explorer(more_than=total + 3)
        times = [flip(notebook, mode) for mode in ("live", "memory", "live", "memory")]
        assert notebook.is_busy(cell)
        assert min(times) < 1.0, times
        notebook.explorer.get_by_role("button", name="Stop").click()
        notebook.wait_done(cell)
        total = int(notebook.explorer.get_attribute("data-total") or 0)
