"""OpenEvolve's checkpoints: migrants, evicted parents, scores that are texts, what grows."""

from __future__ import annotations

from pathlib import Path

import pytest

import hutch_lineage as hl
from hutch_lineage.errors import ReadError
from hutch_lineage.graph import LineageGraph
from hutch_lineage.readers import look_up, read
from tests.readers.samples.openevolve import MIGRANT, A, B, C, checkpoint, migrant, odd, program

NO_DIRECTION = "metric direction unknown"
JOINED = "migrants read as migrations of their original"


def test_a_migrant_is_a_migration_of_its_original(tmp_path: Path) -> None:
    """It is no further individual, and its children are those of the original."""
    graph = hl.load(checkpoint(tmp_path / "checkpoint_5", A, B, MIGRANT, C))
    moved = [(m.from_island, m.to_island) for m in graph.node("a")["migrations"]]
    assert ([key.id for key in graph.parents("c")], moved) == (["a"], [("0", "2")])
    assert graph.node("a")["islands"] == ("0", "2")
    assert graph.report.examples[JOINED] == [MIGRANT["id"]]
    (operator,) = (each for each in graph.operators.values() if each.child.id == "c")
    assert operator.attributes["metadata"]["parent_named"] == MIGRANT["id"]


def test_a_migrant_that_differs_is_kept(tmp_path: Path) -> None:
    """Other code or other scores: an individual with the original as its parent."""
    other = migrant(A, 2, 2, code="print('other')")
    graph = hl.load(checkpoint(tmp_path / "checkpoint_5", A, other, C))
    assert [key.id for key in graph.ancestors("c")] == ["a", other["id"]]
    assert "migrants that differ from their original: kept apart" in graph.report.counts


def test_migrants_with_ids_of_their_own(tmp_path: Path) -> None:
    """Later versions give a migrant a new id; its metadata says what it is."""
    copy = {**MIGRANT, "id": "fresh"}
    graph = hl.load(checkpoint(tmp_path / "checkpoint_5", A, copy, {**C, "parent_id": "fresh"}))
    assert ("fresh" in graph, [key.id for key in graph.parents("c")]) == (False, ["a"])


def test_an_original_that_was_evicted(tmp_path: Path) -> None:
    """Its migrant tells what it was."""
    graph = hl.load(checkpoint(tmp_path / "checkpoint_5", MIGRANT, C))
    assert graph.node("a")["genome"] == A["code"]
    assert graph.report.examples["originals known from a migrant alone"] == ["a"]


def test_checkpoints_are_merged_over_time(tmp_path: Path) -> None:
    """A parent that is gone from the last one is a ghost there, and filled by the others."""
    run = odd(tmp_path)
    alone = hl.load(run / "checkpoints" / "checkpoint_10")
    assert len(hl.load(run)) == 3
    assert not hl.load(run).node("a")["ghost"]
    gone = hl.load(checkpoint(tmp_path / "checkpoint_11", B))
    assert gone.node("a")["ghost"]
    assert {key.run_id for key in [*hl.load(run), *alone]} == {"run"}


def test_what_stands_among_the_scores(tmp_path: Path) -> None:
    """Texts go to the metadata, what is not finite is left out, and both are said."""
    metrics = {"combined_score": float("nan"), "error": "boom", "fine": True, "speed": 2}
    graph = hl.load(checkpoint(tmp_path / "checkpoint_5", program("a", metrics=metrics)))
    node = graph.node("a")
    assert node["scores"] == {"fine": 1.0, "speed": 2.0}
    assert (node["invalid_reason"], node["fitness_metadata"]) == ("boom", {"error": "boom"})
    assert graph.report.examples[NO_DIRECTION] == ["fine", "speed"]
    assert graph.report.counts["scores that are no finite number: left out"] == 1


def test_prompts_and_artifacts_are_read_when_asked_for(tmp_path: Path) -> None:
    """They stay in their file, and the node says where."""
    metadata = hl.load(checkpoint(tmp_path / "checkpoint_5", A)).node("a")["metadata"]
    assert look_up(metadata["prompts"]) == A["prompts"]
    assert look_up(metadata["prompts"] + "/diff_user/user") == "improve it"
    with pytest.raises(ReadError, match="has nothing at /prompts/no"):
        look_up(metadata["prompts"] + "/no")


def test_a_run_is_followed_from_checkpoint_to_checkpoint(tmp_path: Path) -> None:
    """Only what is new is read; a file that is half written is read when it is whole."""
    checkpoint(tmp_path / "run" / "checkpoint_1", A, B)
    graph = LineageGraph()
    feed = read(tmp_path / "run").follow(graph.report)
    graph.apply(feed.poll())
    assert (len(graph), list(feed.poll())) == (2, [])
    later = checkpoint(tmp_path / "run" / "checkpoint_2", A, B, MIGRANT)
    half = later / "programs" / "c.json"
    half.write_text('{"id": "c", "co')
    graph.apply(feed.poll())
    assert (len(graph), "program files skipped" in graph.report.counts) == (2, False)
    half.unlink()
    checkpoint(tmp_path / "run" / "checkpoint_3", C)
    graph.apply(feed.poll())
    assert graph.equals(hl.load(tmp_path / "run"))


def test_the_published_runs(data_dir: Path) -> None:
    """101 programs each; the 20 files of migrants are migrations; the best is OpenEvolve's."""
    graph = hl.load(data_dir / "openevolve-direvolve")
    for run, best in [
        ("abl_mig_fast_config_s123", "27022875-7b6e-4476-bc7b-100d4291d4ba"),
        ("base_doubao_s42", "5bf282b0-2138-4c12-8c34-fe59fdf3a31d"),
    ]:
        assert (len(graph.nodes(run=run)), graph.best(run=run).id) == (101, best)
    assert (graph.edge_count, graph.report.counts[JOINED]) == (200, 20)
    assert sum(len(graph.node(key).get("migrations", ())) for key in graph) == 20
    assert graph.report.counts["metrics that are no numbers: kept in the metadata"] == 1
    assert graph.report.counts[NO_DIRECTION] == 16
