"""Journals of AIDE: the tree, what is invalid and why, and which way is better."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import hutch_lineage as hl
from hutch_lineage.graph import LineageGraph
from hutch_lineage.readers.formats.journal_scores import Scores, scores_of
from tests.readers.samples.journals import AIDE, datasets, journal, node, written
from tests.readers.shape import shape

FIRST, SECOND, THIRD, FOURTH = (f"{number:032x}" for number in range(1, 5))


def opened(folder: Path, value: Any) -> LineageGraph:
    """The graph of a journal."""
    return hl.load(written(folder / "7-blue-owl" / "journal.json", value))


def test_the_tree_is_that_of_node2parent(tmp_path: Path) -> None:
    """The nodes themselves name no parent; the run is called after its folder."""
    graph = opened(tmp_path, AIDE)
    assert {child.id: [p.id for p in graph.parents(child)] for child in graph} == {
        FIRST: [],
        SECOND: [],
        THIRD: [SECOND],
        FOURTH: [FIRST],
    }
    assert list(graph.runs) == ["7-blue-owl"]


def test_the_operators_are_draft_debug_and_improve(tmp_path: Path) -> None:
    """A child of a buggy program is a debug, of another an improve."""
    graph = opened(tmp_path, AIDE)
    kinds = {operator.child.id: operator.kind for operator in graph.operators.values()}
    assert kinds == {FIRST: "draft", SECOND: "draft", THIRD: "debug", FOURTH: "improve"}


def test_a_buggy_node_is_invalid_with_its_exception(tmp_path: Path) -> None:
    """It has no score, and the reason is what was raised; the report counts it."""
    graph = opened(tmp_path, AIDE)
    reason = "TypeError: fit() got an unexpected keyword"
    assert graph.node(SECOND)["invalid_reason"] == reason
    assert graph.report.examples["buggy nodes without a metric: invalid"] == [f"{SECOND}: {reason}"]


def test_the_direction_is_that_of_the_file(tmp_path: Path) -> None:
    """``maximize`` says it, and the best is the best in it."""
    graph = opened(tmp_path, AIDE)
    assert (graph.metric_info("metric").source, graph.direction("metric")) == ("declared", "lower")
    assert graph.best().id == THIRD
    upward = journal(node(1, 0.5, maximize=True), node(2, 0.4, maximize=True))
    assert opened(tmp_path, upward).best().id == FIRST


@pytest.mark.parametrize(
    ("nodes", "why"),
    [
        ([node(1, 0.5, maximize=None)], "metric: the file does not say it"),
        ([node(1, 0.5), node(2, 0.4, maximize=True)], "metric: stated both ways"),
    ],
)
def test_a_direction_that_is_not_known_is_said(
    tmp_path: Path, nodes: list[dict[str, Any]], why: str
) -> None:
    """Nothing is declared then, and the report says why."""
    graph = opened(tmp_path, journal(*nodes))
    assert graph.metric_info("metric").source == "assumed"
    assert graph.report.examples["metric direction unknown"] == [why]


def test_program_plan_and_output_are_kept(tmp_path: Path) -> None:
    """The program is the genome; the rest is metadata, a long output shortened in the middle."""
    graph = opened(tmp_path, journal(node(1, 0.5, _term_out=["a" * 4_000, "b" * 4_000])))
    said = graph.node(FIRST)
    assert (said["genome"], said["genome_lang"], said["kind"]) == ("print(1)", "python", "program")
    assert (said["metadata"]["plan"], said["metadata"]["exec_time"]) == ("plan 1", 0.5)
    assert "[3,000 characters left out]" in said["metadata"]["output"]
    assert graph.report.counts["outputs shortened in the middle"] == 1
    assert said["birth_ns"] == 1_700_000_010_000_000_000


def test_odd_nodes_are_said(tmp_path: Path) -> None:
    """Parents that are not there, stated twice, or of nodes that are not there."""
    value = journal(node(1, 0.5, parent=SECOND), node(2, None, is_buggy=None), 7, n1=9, n8=1)  # type: ignore[arg-type]
    value["nodes"].append(node(2, None, is_buggy=False))
    counts = opened(tmp_path, value).report.counts
    assert counts == {
        "ghost (named but never introduced)": 1,
        "values skipped: no node": 1,
        "parents stated in two ways: node2parent holds": 1,
        "parents of nodes that are not in the journal": 1,
        "nodes that stand twice in a journal": 1,
        "parents that are not in the journal": 1,
        "nodes without a metric, not called buggy: invalid": 1,
    }


def test_metrics_in_each_spelling() -> None:
    """A number, an object, a number for each data set, and AI-Scientist-v2's list."""
    assert scores_of(0.5) == Scores({"metric": 0.5}, {"metric": None})
    assert scores_of({"value": 1, "maximize": True, "name": "acc"}).directions == {"acc": "higher"}
    assert scores_of({"value": {"a": 1.0, "b": 2.0}, "maximize": False}) == Scores(
        {"metric (a)": 1.0, "metric (b)": 2.0},
        {"metric (a)": "lower", "metric (b)": "lower", "composite": "lower"},
        1.5,
    )
    assert scores_of({"value": datasets("acc", lower=False, mnist=0.5)}) == Scores(
        {"acc (mnist)": 0.5}, {"acc (mnist)": "higher", "composite": "higher"}, 0.5
    )
    for nothing in (None, True, "0.5", float("nan"), {"value": None}, {"value": {}}, []):
        assert scores_of(nothing) == Scores({}, {})


def test_a_folder_of_runs_is_one_graph(tmp_path: Path) -> None:
    """Each folder in ``logs`` is a run of its own."""
    for name in ("0-red-fox", "1-blue-owl"):
        written(tmp_path / "logs" / name / "journal.json", AIDE)
    graph = hl.load(tmp_path)
    assert (list(graph.runs), len(graph)) == (["0-red-fox", "1-blue-owl"], 8)


def test_the_real_journal(data_dir: Path) -> None:
    """Twenty programs, five of them drafts, eight buggy; the best is that of least error."""
    graph = hl.load(data_dir / "aide-house-prices")
    assert shape(graph) == (20, 15, 5)
    assert graph.report.counts == {"buggy nodes without a metric: invalid": 8}
    best = graph.best()
    assert (graph.node(best)["scores"]["metric"], graph.direction("metric")) == (0.13394, "lower")
