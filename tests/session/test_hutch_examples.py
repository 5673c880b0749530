"""The example programs of the Hutch SDK, attached: every edge that they log is in the graph."""

from __future__ import annotations

import runpy
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import hutch_lineage as hl
from tests.session.hutch_alone import edges_logged, edges_of, embedded, fresh_hutch
from tests.support.hutch_repository import example_scripts

# An example that logs no edge would show nothing; each has at least so many.
FEWEST = 4
SCRIPTS = example_scripts()


@pytest.fixture
def db(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The file to which Hutch stores; the program finds it in its environment."""
    path = tmp_path / "example.duckdb"
    monkeypatch.setenv("HUTCH_DB_PATH", str(path))
    monkeypatch.setenv("HUTCH_DAEMON_URL", "")
    with fresh_hutch():
        hl.configure(hl.SDKConfig())  # ours stores nothing, so that the file is Hutch's alone
        hl.attach()
        yield path
        hl.detach()


def check(db: Path) -> None:
    """Compare the graph with what stands in Hutch's log."""
    import hutch

    hutch.reset()  # closes the file
    logged = edges_logged(db)
    assert len(logged) >= FEWEST
    assert edges_of(hl.lineage()) == logged


def _checkpoint(folder: Path) -> Any:
    from hutch._fixtures.openevolve import make_checkpoint
    from hutch.adapters.openevolve import import_openevolve

    make_checkpoint(folder, seed=11, num_islands=3, programs_per_island=6)
    return import_openevolve(folder, run_id="checkpoint")


def _journal(folder: Path) -> Any:
    from hutch._fixtures.aide import make_aide_journal
    from hutch.adapters.aide import import_aide

    return import_aide(make_aide_journal(folder, seed=23, expansions=28), run_id="journal")


def _agents(folder: Path) -> Any:
    from hutch._fixtures.dgm import make_dgm_run
    from hutch.adapters.dgm import import_dgm

    return import_dgm(make_dgm_run(folder, seed=5, generations=4), run_id="agents")


@pytest.mark.parametrize("events", [_checkpoint, _journal, _agents])
def test_an_importer_of_hutch(events: Callable[[Path], Any], db: Path, tmp_path: Path) -> None:
    """What the installed SDK imports from its own made-up runs goes over a transport."""
    import hutch
    from hutch.sdk import _state

    hutch.configure(embedded(db))
    transport = _state.state().transport
    folder = tmp_path / "made-up"
    folder.mkdir()
    for event in events(folder):
        transport.send(event)
    check(db)


if SCRIPTS:

    @pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: f"{path.parent.name}/{path.name}")
    def test_an_example_script(
        script: Path, db: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        """It runs as it is, as a program; only its waiting is left out."""
        monkeypatch.setattr(time, "sleep", lambda seconds: None)
        monkeypatch.setenv("TMPDIR", str(tmp_path))
        runpy.run_path(str(script), run_name="__main__")
        check(db)

    def test_there_are_twelve() -> None:
        """Seven of the SDK and five of its skill; should there be more, they are run, too."""
        assert len(SCRIPTS) >= 12
