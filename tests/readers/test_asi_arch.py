"""The tree of ASI-ARCH."""

from __future__ import annotations

from pathlib import Path

import hutch_lineage as hl
from tests.readers.samples.journals import TREE, written
from tests.readers.shape import shape


def test_results_are_architectures_under_their_parents(tmp_path: Path) -> None:
    """The index is the id and stands for a time; the score's direction is that of a table."""
    graph = hl.load(written(tmp_path / "arch" / "tree.json", TREE))
    assert [key.id for key in graph.ancestors("6")] == ["1", "3"]
    said = graph.node("1")
    assert (said["kind"], said["origin_time"]) == ("architecture", 1)
    assert said["metadata"] == {"name": "a", "name_new": "A"}
    assert (graph.metric_info("score").source, graph.best().id) == ("declared", "6")
    assert list(graph.runs) == ["arch"]


def test_what_is_odd_is_said(tmp_path: Path) -> None:
    """Gaps, shared names, a wrong total, parents that are not there, results without score."""
    results = [
        *TREE["results"],
        {"index": 6, "name": "d", "parent": 99, "score": None},
        {"name": "e", "parent": 1},
    ]
    value = {"total_records": 9, "results": results}
    counts = hl.load(written(tmp_path / "tree.json", value)).report.counts
    assert {kind: count for kind, count in counts.items() if not kind.startswith("no times")} == {
        "ghost (named but never introduced)": 1,
        "stated with different parents": 1,
        "results without an index: skipped": 1,
        "results without a score": 1,
        "total_records is not the number of results": 1,
        "gaps in the index": 2,
        "indices that stand twice": 1,
        "names that several results share: told apart by index": 1,
        "parents that are not in the tree": 1,
    }


def test_the_real_tree(data_dir: Path) -> None:
    """All of it, eleven deep, with its gaps and the parents of very many."""
    graph = hl.load(data_dir / "asi-arch-tree")
    assert shape(graph) == (1_772, 1_771, 1)
    counts = graph.report.counts
    assert counts["gaps in the index"] == 20
    assert "1 has 213" in graph.report.examples["results with more than 100 children"]
    assert graph.node(graph.best())["scores"]["score"] == 2.7422290590176486
