"""The demonstration that an installed package opens."""

from __future__ import annotations

import sys
from pathlib import Path

import nbformat
import pytest
from click.testing import CliRunner

from hutch_lineage.cli import demo
from hutch_lineage.cli.main import cli


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The commands that would have been run: a JupyterLab of its own is tested elsewhere."""
    found: list[list[str]] = []

    def take(words: list[str]) -> int:
        found.append(words)
        return 0

    monkeypatch.setattr(demo.subprocess, "call", take)
    return found


def test_serve_demo_opens_the_quickstart(tmp_path: Path, started: list[list[str]]) -> None:
    """JupyterLab of this very interpreter opens a notebook that is valid."""
    done = CliRunner().invoke(cli, ["serve-demo", "--folder", str(tmp_path), "--no-browser"])
    assert done.exit_code == 0, done.output
    nbformat.validate(nbformat.read(tmp_path / "quickstart.ipynb", as_version=4))
    (words,) = started
    assert words[:3] == [sys.executable, "-m", "jupyterlab"]
    assert "--no-browser" in words


def test_what_was_changed_in_the_demonstration_stays(
    tmp_path: Path, started: list[list[str]]
) -> None:
    """A second start opens the notebook as it was left."""
    (tmp_path / "quickstart.ipynb").write_text("mine")
    CliRunner().invoke(cli, ["serve-demo", "--folder", str(tmp_path)])
    assert (tmp_path / "quickstart.ipynb").read_text() == "mine"
    assert len(started) == 1


def test_without_jupyterlab_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """One line that names the extra."""
    monkeypatch.setattr(demo.importlib.util, "find_spec", lambda name: None)
    done = CliRunner().invoke(cli, ["serve-demo"])
    assert (done.exit_code, "hutch-lineage[notebook]" in done.output) == (1, True)
