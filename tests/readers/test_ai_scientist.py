"""Stages of AI-Scientist-v2: joined where a node is carried over."""

from __future__ import annotations

from pathlib import Path

import hutch_lineage as hl
from tests.readers.samples.journals import (
    FIRST,
    SECOND,
    STAGES,
    journal,
    node,
    stages,
    torn,
    written,
)

DRAFT, FIXED, TUNED, SEED = (f"{number:032x}" for number in range(1, 5))


def test_a_node_that_was_carried_over_joins_the_stages(tmp_path: Path) -> None:
    """It stands in both journals and once in the graph, with its parent of the stage before."""
    graph = hl.load(stages(tmp_path))
    assert [key.id for key in graph.ancestors(SEED)] == [DRAFT, FIXED, TUNED]
    said = graph.node(FIXED)["metadata"]
    assert said["stages"] == [name.removeprefix("stage_") for name in STAGES]
    assert said["step"] == 2  # that of the stage in which it was made
    assert graph.report.counts["nodes carried over into a later stage: joined"] == 1
    assert list(graph.runs) == ["2026-01-01_idea_attempt_0"]


def test_what_a_node_says_of_itself_names_its_operator(tmp_path: Path) -> None:
    """Tuning, and evaluations of one program with other seeds, are no improvements."""
    graph = hl.load(stages(tmp_path))
    kinds = {operator.child.id: operator.kind for operator in graph.operators.values()}
    assert kinds == {DRAFT: "draft", FIXED: "debug", TUNED: "tune", SEED: "seed_evaluation"}


def test_scores_are_by_data_set_with_the_direction_of_the_file(tmp_path: Path) -> None:
    """The composite is the mean over the data sets of the one metric, as that search compares."""
    graph = hl.load(stages(tmp_path))
    assert graph.node(TUNED)["scores"] == {"loss (mnist)": 0.3, "loss (cifar)": 0.5}
    assert (graph.direction("composite"), graph.best("composite").id) == ("lower", TUNED)


def test_stages_are_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    """Stage 10 comes after stage 2; the run is found from any folder around it."""
    run = tmp_path / "logs" / "3-run"
    for number in (10, 2, 1):
        written(run / f"stage_{number}_x_1_y" / "journal.json", journal(node(number, 0.5)))
    for folder in (run, run.parent, tmp_path):
        told = hl.load(folder).runs
        assert [info.attributes["metadata"]["stages"] for info in told.values()] == [
            ["1_x_1_y", "2_x_1_y", "10_x_1_y"]
        ]


def test_a_stage_that_is_torn_costs_itself(tmp_path: Path) -> None:
    """What other stages say is there, and what the torn one would have said is a ghost."""
    source = stages(tmp_path)
    torn(source / "logs" / "0-run" / STAGES[0] / "journal.json", FIRST)
    graph = hl.load(source)
    assert (len(graph), graph.node(DRAFT)["ghost"]) == (4, True)
    assert graph.report.counts["files skipped: cannot be read"] == 1


def test_buggy_plots_do_not_count(tmp_path: Path) -> None:
    """That search chooses among nodes whose plots are sound, too."""
    second = {**SECOND, "nodes": [{**each, "is_buggy_plots": True} for each in SECOND["nodes"]]}
    graph = hl.load(stages(tmp_path, FIRST, second))
    assert graph.node(TUNED)["invalid_reason"] == "its plots are buggy"


def test_a_pickle_beside_the_stages_is_not_opened(tmp_path: Path, monkeypatch) -> None:
    """The manager's state would run a command when it is unpickled."""
    monkeypatch.chdir(tmp_path)
    hl.load(stages(tmp_path))
    assert not (tmp_path / "unpickled").exists()
