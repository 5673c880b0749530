"""Runs of the Darwin Goedel Machine: agents, patches, scores and verdicts."""

from __future__ import annotations

from pathlib import Path

import hutch_lineage as hl
from tests.readers.samples.agents import (
    EMPTY,
    GENERATIONS,
    GOOD,
    INITIAL,
    PATCH,
    WORSE,
    agent,
    outputs,
    performance,
)


def test_agents_and_what_changed_them(tmp_path: Path) -> None:
    """A self-modification has the patch, what it was for, and the scores before and after."""
    graph = hl.load(outputs(tmp_path))
    assert {key.kind for key in graph} == {"agent"}
    made = {operator.child.id: operator for operator in graph.operators.values()}[GOOD]
    assert (made.kind, made.parents[0].id) == ("self_modify", INITIAL)
    told = made.attributes
    assert (told["diff"], told["proposal"]) == (PATCH, "improve initial")
    assert (told["score_before"], told["score_after"], told["verdict"]) == (0.2, 0.5, "accepted")
    assert told["metadata"] == {"entry": "task-9"}


def test_verdicts_are_those_of_the_archive(tmp_path: Path) -> None:
    """An agent that its generation's archive leaves out was rejected, compiled or not."""
    graph = hl.load(outputs(tmp_path))
    verdicts = {each.child.id: each.attributes["verdict"] for each in graph.operators.values()}
    assert verdicts == {GOOD: "accepted", WORSE: "rejected", EMPTY: "rejected"}
    assert graph.node(EMPTY)["invalid_reason"] == "not among children_compiled"
    assert graph.best("accuracy_score", kind="agent").id == GOOD
    assert [graph.node(name)["generation_index"] for name in (INITIAL, GOOD, WORSE)] == [0, 1, 2]


def test_without_generations_there_is_no_verdict(tmp_path: Path) -> None:
    """Nobody said what became of them."""
    run = outputs(tmp_path)
    (run / "dgm_metadata.jsonl").unlink()
    graph = hl.load(run)
    assert not any("verdict" in each.attributes for each in graph.operators.values())
    assert graph.node(EMPTY)["invalid_reason"] == "no evaluation"


def test_the_generations_alone(tmp_path: Path) -> None:
    """A parent is known where its generation had one only; else the report says so."""
    path = tmp_path / "dgm_metadata.jsonl"
    path.write_text(GENERATIONS)
    graph = hl.load(path)
    assert [key.id for key in graph.parents(GOOD)] == [INITIAL]
    assert graph.parents(WORSE) == []
    assert graph.node(WORSE)["metadata"] == {"possible_parents": [GOOD, INITIAL]}
    counts = graph.report.counts
    assert counts["agents without a folder"] == 4
    assert counts["agents whose parent is not known: its generation had several"] == 2


def test_several_runs_in_one_folder(tmp_path: Path) -> None:
    """Each keeps its own `initial`."""
    for name in ("one", "two"):
        agent(tmp_path / "output_dgm" / name, INITIAL, None, performance(2))
        agent(tmp_path / "output_dgm" / name, GOOD, INITIAL, performance(3))
    graph = hl.load(tmp_path)
    assert list(graph.runs) == ["output_dgm/one", "output_dgm/two"]
    assert (len(graph), graph.edge_count) == (4, 2)


def test_the_real_seeds(data_dir: Path) -> None:
    """Two agents that both call themselves `initial`; their score is an object."""
    graph = hl.load(data_dir / "dgm-initial")
    assert [(key.kind, key.id) for key in graph] == [
        ("agent", "initial"),
        ("agent", "initial_polyglot"),
    ]
    assert [graph.node(key)["scores"]["accuracy_score"] for key in graph] == [0.2, 0.142]
    assert graph.report.counts == {
        "scores that are an object: its accuracy_score is the score": 2,
        "folders unlike the run_id in them: the folder holds": 1,
    }
