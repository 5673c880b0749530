"""The plain-text summary."""

from __future__ import annotations

from hutch_lineage.export import to_text
from hutch_lineage.graph import LineageGraph
from hutch_lineage.model import NodeRecord, Stamp
from hutch_lineage.session import load
from tests.export.lineages import key, many


def test_counts_best_path_and_cost(graph):
    """What is there, how good the best is, how it came about and what that cost."""
    assert to_text(graph).splitlines() == [
        "5 individuals · 5 edges · 1 run · 1 not seen",
        "packing · $0.250 · 10 tokens",
        "  best best: sum 2.75 (higher is better)",
        "  path: s1 2 > c 2.5 > best 2.75",
        "  lineage cost: $0.250 over 2 steps",
    ]


def test_nothing_yet():
    """An empty graph is said to be empty."""
    assert to_text(LineageGraph()) == "Nothing captured yet"


def test_a_long_path_is_shortened_and_says_so():
    """Eight steps are shown, the number of the others is named."""
    path = to_text(many(1_500)).splitlines()[3]
    assert path.startswith("  path: n99 99 > n199 199")
    assert "(7 steps)" in path
    assert path.endswith("n1499 1,499")


def test_many_runs_are_counted():
    """Five runs are named, the others counted."""
    made = LineageGraph()
    made.apply(NodeRecord(key("a", run=f"r{n}"), Stamp(n, f"e{n}")) for n in range(8))
    assert to_text(made).splitlines()[-1] == "and 3 more runs"


def test_real_run(data_dir):
    """The published run's best is the one that its authors name."""
    text = to_text(load(data_dir / "hutch-openevolve" / "events.jsonl"))
    assert "121 individuals · 120 edges · 1 run" in text
    assert "best 27022875-7b6e-4476-bc7b-100d4291d4ba" in text


def test_a_name_cannot_steer_the_terminal():
    """Escape sequences and line ends in names stay text on their line."""
    graph = LineageGraph()
    graph.apply(NodeRecord(key("a", run="r\x1b[2J\nr2"), Stamp(1, "e")))
    assert to_text(graph).splitlines()[1:] == ["r\ufffd[2J\ufffdr2"]
