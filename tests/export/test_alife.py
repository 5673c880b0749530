"""The ALife data standard: rows that its tools read."""

from __future__ import annotations

import csv
import io
import json

import pytest

from hutch_lineage.errors import ExportError
from hutch_lineage.export import to_alife
from hutch_lineage.session import load
from tests.graph.lineages import born, graph_of, made, scored


def rows(text):
    """Return the rows by id."""
    return {row["id"]: row for row in csv.DictReader(io.StringIO(text))}


def test_ancestors_times_and_metrics():
    """Every parent in order, roots as the standard spells them, one column a metric."""
    graph = graph_of(
        born("a", 10**9, kind="program", generation_index=0, metadata={"taxon": "x"}),
        born("b", 2 * 10**9),
        born("c", 4 * 10**9, "b", "a"),
        scored("c", 5, loss=0.5),
    )
    found = rows(to_alife(graph))
    assert json.loads(found["c"]["ancestor_list"]) == ["b", "a"]
    assert found["a"]["ancestor_list"] == '["none"]'
    assert [found[each]["origin_time"] for each in "abc"] == ["0", "1", "3"]
    assert (found["c"]["loss"], found["a"]["taxon"], found["a"]["kind"]) == ("0.5", "x", "program")
    assert (found["a"]["generation_index"], found["b"]["generation_index"]) == ("0", "")


def test_numbers_stay_numbers():
    """Ids that are numbers stand without quotes, as tools of the standard expect."""
    graph = graph_of(born("1", -1, origin_time=-1), born("2", -1, "1", origin_time=0.5))
    assert to_alife(graph) == 'id,ancestor_list,origin_time\n1,"[""none""]",-1\n2,[1],0.5\n'


def test_what_is_left_out_is_said():
    """Operators, ghosts, lists in the metadata."""
    notes = []
    graph = graph_of(made("b", 1, "lost", cost_usd=1.0), born("b", 1, metadata={"l": [1]}))
    to_alife(graph, notes=notes)
    assert notes == [
        "parents that were not seen: named, without a row: 1",
        "metadata that is neither text nor number, left out: 1",
        "operators, with their costs and diffs, left out: 1",
        "origin_time: seconds since the first birth, which the file does not say",
        "the id of the run; read back, it is the name of the file",
    ]


def test_what_a_file_does_not_say_of_a_run_of_ones_own(data_dir):
    """Which columns are metrics, and whose; one that was read from such a file lacks nothing."""
    notes = []
    to_alife(graph_of(born("a", -1), scored("a", 2, loss=1.0, speed=2.0, fitness=1.0)), notes=notes)
    assert notes == [
        "which columns are metrics; read back, they are metadata: loss, speed",
        "the id of the run; read back, it is the name of the file",
    ]
    again = []
    path = data_dir / "alife-toys" / "example-standard-toy-asexual-lineage.csv"
    to_alife(load(path), notes=again)
    assert again == []


def test_two_runs_in_one_file():
    """Ids that both have are told apart, or one run is chosen."""
    graph = graph_of(born("a", 1), born("a", 1, run="s"), born("b", 1, "a", run="s"))
    assert set(rows(to_alife(graph))) == {"r/a", "s/a", "s/b"}
    assert set(rows(to_alife(graph, run="s"))) == {"a", "b"}
    with pytest.raises(ExportError, match="no run 'x'; run ids are: r, s"):
        to_alife(graph, run="x")


def test_a_real_run(data_dir):
    """Every individual has a row, behind its parents."""
    graph = load(data_dir / "hutch-codeevolve" / "events.jsonl")
    found = rows(to_alife(graph))
    assert set(found) == {key.id for key in graph.nodes(ghosts=False)}
    seen = set()
    for node_id, row in found.items():
        assert set(json.loads(row["ancestor_list"])) - {"none"} <= seen
        seen.add(node_id)
