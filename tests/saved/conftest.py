"""A notebook that was run without a browser, as papermill, CI or `nbconvert --execute` do."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from tests.support.notebook import write

SHOW = "import hutch_lineage as hl\n%load_ext hutch_lineage\n%hutch_lineage"
LOOP = """with hl.run("packing", score_directions={"sum": "higher"}) as run:
    run.log_individual(kind="program", individual_id="seed")
    for number in range(20):
        parent = "seed" if number < 5 else f"i{number - 5}"
        made = run.log_individual(kind="program", individual_id=f"i{number}", parent_ids=[parent])
        run.log_fitness(individual=made, scores={"sum": number})
"""
FROZEN = "other = hl.explore()\ndisplay(other)\nother.freeze()"


def executed(path: Path, *cells: str) -> Path:
    """Write a notebook, run it, and save it with the state of its widgets, which is the default."""
    write(path, *cells)
    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(notebook, timeout=300, kernel_name="python3", store_widget_state=True)
    client.execute()
    nbformat.write(notebook, path)
    return path


@pytest.fixture(scope="session")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An explorer, a loop in a later cell, and an explorer that was frozen."""
    return executed(tmp_path_factory.mktemp("saved") / "saved.ipynb", SHOW, LOOP, FROZEN)
