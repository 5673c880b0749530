"""ShinkaEvolve's database: what a row says, copies and moves, and a run that writes it."""

from __future__ import annotations

from pathlib import Path

import pytest

import hutch_lineage as hl
from hutch_lineage.graph import LineageGraph
from hutch_lineage.model import NodeRecord
from hutch_lineage.readers import read
from tests.readers.samples.shinka import ROWS, add, created, database, row


def test_what_a_program_says(tmp_path: Path) -> None:
    """Code, diff, model, cost, tokens, correctness, and inspirations as further parents."""
    graph = hl.load(database(tmp_path / "run-7" / "programs.sqlite", *ROWS))
    assert [key.id for key in graph.parents("c")] == ["a", "b"]
    assert graph.edge("b", "c")["relation"] == "inspiration"
    assert graph.node("c")["invalid_reason"] == "not correct: boom"
    assert graph.node("b")["scores"] == {"combined_score": 1.5, "speed": 2.0}
    (made,) = (each for each in graph.operators.values() if each.child.id == "b")
    assert (made.kind, made.llm_id, made.diff) == ("edit_diff", "model-x", "-a\n+b")
    assert (made.cost_usd, made.tokens_in, made.tokens_out) == (0.75, 1000, 50)
    run = graph.runs["run-7"]
    assert run.score_directions == {"combined_score": "higher"}
    assert run.attributes["metadata"] == {"best_program_id": "c"}
    assert [(m.from_island, m.to_island) for m in graph.node("b")["migrations"]] == [("0", "1")]


def test_copies_for_other_islands_are_migrations(tmp_path: Path) -> None:
    """The same code and score: the original. Others are kept, and the report says so."""
    copy = {"_is_island_copy": True, "_original_program_id": "a"}
    spawned = {"_spawned_island": True, "_spawned_from_program_id": "a"}
    rows = [
        row("a"),
        row("a1", code="print('a')", metadata=copy, island_idx=1),
        row("a2", code="print('other')", metadata=copy, island_idx=2),
        row("a3", code="print('a')", metadata=spawned, island_idx=3),
        row("b", "a1", timestamp=1_755_000_009.0),
    ]
    graph = hl.load(database(tmp_path / "x", *rows))
    assert [key.id for key in graph.parents("b")] == ["a"]
    assert sorted(key.id for key in graph) == ["a", "a2", "b"]
    assert graph.node("a")["islands"] == ("0", "1", "3")
    assert graph.report.examples["island copies that differ from their original"] == ["a2"]


def test_the_folder_of_results_opens(tmp_path: Path) -> None:
    """Among other files and other databases."""
    database(tmp_path / "results" / "programs.sqlite", *ROWS)
    (tmp_path / "results" / "prompts.sqlite").write_bytes(b"SQLite format 3\x00 and no more")
    assert len(hl.load(tmp_path / "results")) == 3


def test_an_older_version_of_the_table(tmp_path: Path) -> None:
    """What it does not have is in the report."""
    connection = created(tmp_path / "x")
    add(connection, *ROWS)
    connection.execute("ALTER TABLE programs DROP COLUMN migration_history")
    connection.close()
    graph = hl.load(tmp_path / "x")
    assert len(graph) == 3
    assert graph.report.examples["columns that this version does not have"] == ["migration_history"]


@pytest.mark.parametrize("dead", [False, True], ids=["live", "killed"])
def test_what_stands_in_the_log_is_read(tmp_path: Path, dead: bool) -> None:
    """While the run has the file open, and where it was killed: nothing is left behind by us."""
    connection = created(tmp_path / "live" / "x")
    add(connection, *ROWS)
    place = tmp_path / "live"
    if dead:
        place = tmp_path / "killed"
        place.mkdir()
        for name in ("x", "x-wal"):
            (place / name).write_bytes((tmp_path / "live" / name).read_bytes())
    before = sorted(path.name for path in place.iterdir())
    assert len(hl.load(place / "x")) == 3
    assert sorted(path.name for path in place.iterdir()) == before
    connection.close()


def test_a_run_is_followed_while_it_writes(tmp_path: Path) -> None:
    """New rows, and programs that moved meanwhile."""
    connection = created(tmp_path / "x")
    add(connection, row("a"))
    graph = LineageGraph()
    feed = read(tmp_path / "x").follow(graph.report)
    graph.apply(feed.poll())
    assert (len(graph), list(feed.poll())) == (1, [])
    add(connection, *ROWS[1:])
    items = feed.poll()
    assert sum(isinstance(item, NodeRecord) for item in items) == 2
    graph.apply(items)
    move = '[{"generation": 1, "from": 0, "to": 2, "timestamp": 1755000400.0}]'
    connection.execute(
        "UPDATE programs SET migration_history = ?, island_idx = 2 WHERE id = 'a'", [move]
    )
    connection.commit()
    graph.apply(feed.poll())
    assert graph.node("a")["island_id"] == "2"
    assert graph.equals(hl.load(tmp_path / "x"))
    connection.close()
