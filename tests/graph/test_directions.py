"""What a person says of a metric counts more than what the runs say, and for later runs too."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

import hutch_lineage as hl
from hutch_lineage.cli.main import cli
from hutch_lineage.errors import ConfigurationError
from hutch_lineage.graph import LineageGraph
from hutch_lineage.model import FitnessRecord, NodeKey, NodeRecord, Record, RunRecord, Stamp


def records(run: str) -> list[Record]:
    """A run of two whose metric says nothing by its name; the run calls higher better."""
    found: list[Record] = [RunRecord(run, Stamp(5, run), {"score_directions": {"q": "higher"}})]
    for number, score in enumerate((1.0, 2.0)):
        key = NodeKey("individual", run, f"{run}-{number}")
        found += [
            NodeRecord(key, Stamp(number, f"{key.id}:node")),
            FitnessRecord(key, Stamp(number, f"{key.id}:fitness"), {"q": score}),
        ]
    return found


def test_what_is_declared_counts_more_than_what_a_run_says() -> None:
    """Also for a run that comes later, and until something else is declared."""
    graph = LineageGraph()
    graph.apply(records("a"))
    assert graph.best("q", "a") == ("individual", "a", "a-1")
    graph.declare({"q": "lower"})
    graph.apply(records("b"))
    assert graph.metric_info("q").declared
    assert [graph.best("q", run).id for run in "ab"] == ["a-0", "b-0"]
    before = graph.version
    graph.declare({"q": "higher"})
    assert [graph.best("q", run).id for run in "ab"] == ["a-1", "b-1"]
    assert graph.version > before


def test_the_order_does_not_matter() -> None:
    """Declared before or after, it is the same graph."""
    first, last = LineageGraph(), LineageGraph()
    first.declare({"q": "lower"})
    first.apply(records("a"))
    last.apply(records("a"))
    last.declare({"q": "lower"})
    assert first.equals(last)


def test_a_direction_is_higher_or_lower() -> None:
    """Another word is refused, and nothing is declared."""
    graph = LineageGraph()
    graph.apply(records("a"))
    with pytest.raises(ConfigurationError, match="say higher or lower"):
        graph.declare({"q": "down"})  # type: ignore[dict-item]
    assert graph.direction("q") == "higher"


def test_it_is_said_where_a_source_is_opened(tmp_path: Path) -> None:
    """To load, to explore, to the magic's and the shell's words."""
    path = tmp_path / "tree.csv"
    path.write_text("id,ancestor_list,fitness\n1,[none],1.0\n2,[1],2.0\n")
    assert hl.load(path).best("fitness").id == "2"
    assert hl.load(path, directions={"fitness": "lower"}).best("fitness").id == "1"
    assert hl.explore(path, directions={"fitness": "lower"}).graph.best("fitness").id == "1"
    words = ["best", str(path), "--direction", "fitness=lower"]
    assert CliRunner().invoke(cli, words).output == "1  fitness 1  seed\n"
    refused = CliRunner().invoke(cli, [*words[:-1], "fitness"])
    assert (refused.exit_code, "METRIC=lower" in refused.output) == (2, True)
