"""Which format is taken: those of this package, those of others, and none."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import hutch_lineage as hl
from hutch_lineage.errors import ReadError

PLUGIN = """
from hutch_lineage.model import NodeKey, NodeRecord, Stamp

class Pairs:
    kind = "pairs"
    title = "child<parent, a pair a line"

    def detect(self, source):
        return "<" in source.text.partition("\\n")[0]

    def read(self, source, report):
        for number, line in enumerate(source.here.read_text().splitlines(), start=1):
            child, sign, parent = line.partition("<")
            if not sign:
                report.add("lines skipped: no pair", f"line {number}: {line}")
                continue
            parents = (NodeKey("individual", "pairs", parent),)
            yield NodeRecord(NodeKey("individual", "pairs", child), Stamp(-1, str(number)), parents)

def angry():
    raise ImportError("never")
"""


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Install a package with entry points, ``installed(name="module:object")``."""

    def install(**points: str) -> None:
        site = tmp_path / "site"
        info = site / "pairs-1.dist-info"
        info.mkdir(parents=True)
        (site / "pairs_plugin.py").write_text(PLUGIN)
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: pairs\nVersion: 1\n")
        said = "".join(f"{name} = {value}\n" for name, value in points.items())
        (info / "entry_points.txt").write_text(f"[hutch_lineage.readers]\n{said}")
        monkeypatch.syspath_prepend(str(site))

    yield install
    sys.modules.pop("pairs_plugin", None)


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    """A file that no format of this package reads."""
    path = tmp_path / "run.pairs"
    path.write_text("b<a\nnothing\nc<b\n")
    return path


def test_another_package_adds_a_format(installed: Callable[..., None], pairs: Path) -> None:
    """It is found from the content, by name, and its report arrives."""
    installed(pairs="pairs_plugin:Pairs")
    for kind in (None, "pairs"):
        graph = hl.load(pairs, kind=kind)
        assert [key.id for key in graph.ancestors("c")] == ["a", "b"]
        assert graph.report.examples["lines skipped: no pair"] == ["line 2: nothing"]
    assert len(hl.explore(pairs).graph) == 3


@pytest.mark.parametrize("value", ["no_such_module:Pairs", "pairs_plugin:nothing", "sys:path"])
def test_one_that_cannot_be_loaded_is_reported(
    installed: Callable[..., None], pairs: Path, value: str
) -> None:
    """It costs nobody the other formats."""
    installed(broken=value, pairs="pairs_plugin:Pairs")
    graph = hl.load(pairs)
    assert len(graph) == 3
    assert graph.report.examples["formats that cannot be loaded"][0].startswith(f"broken ({value})")


def test_where_nothing_fits_the_kinds_are_listed(pairs: Path, tmp_path: Path) -> None:
    """Of a file the first line at fault, of a folder that there is nothing in it."""
    with pytest.raises(ReadError, match=r"line 1: .*readable are .*hutch-jsonl \("):
        hl.load(pairs)
    folder = tmp_path / "empty"
    folder.mkdir()
    with pytest.raises(ReadError, match=r"empty: nothing .*in this folder; readable are .*kind="):
        hl.load(folder)


def test_a_kind_that_there_is_not(pairs: Path) -> None:
    """The message lists those there are."""
    with pytest.raises(ReadError, match="no kind 'newick': readable are hutch-duckdb"):
        hl.load(pairs, kind="newick")


def test_a_kind_that_is_read_from_a_path_is_not_asked_over_http() -> None:
    """An address and a kind of file is a mistake that is named."""
    with pytest.raises(ReadError, match="is an address"):
        hl.load("http://127.0.0.1:1", kind="hutch-jsonl")
