"""The way back: from a graph to records that build an equal one."""

from __future__ import annotations

import pytest
from hypothesis import given

from hutch_lineage.model import EdgeRecord
from hutch_lineage.session import load
from tests.graph.lineages import any_records, at, born, graph_of, key


@given(any_records)
def test_a_graph_is_rebuilt_from_its_records(records):
    """Contradictory sources, ghosts, loops, shared places: the records of a graph say all of it."""
    graph = graph_of(records)
    again = graph_of(graph.to_records())
    assert again.to_canonical() == graph.to_canonical()


def test_an_edge_may_name_its_place():
    """An edge that is stated alone is the first, unless it says which it is."""
    graph = graph_of(
        EdgeRecord(key("b"), key("c"), at(1), "inspiration", 1),
        EdgeRecord(key("a"), key("c"), at(1)),
    )
    assert [parent.id for parent in graph.parents("c")] == ["a", "b"]
    assert graph.edge("b", "c")["order"] == 1
    assert graph.edge("b", "c")["relation"] == "inspiration"


def test_no_record_is_more_than_needed():
    """A plain individual is one record, whatever its parents."""
    graph = graph_of(born("a", 1), born("b", 2), born("c", 3, "a", "b", kind="program"))
    _, *nodes = graph.to_records()
    assert [record.key.id for record in nodes] == ["a", "b", "c"]


@pytest.mark.parametrize("folder", ["hutch-codeevolve", "hutch-openevolve"])
def test_real_runs(data_dir, folder):
    """Published runs, with islands, migrations and conflicting parents."""
    graph = load(data_dir / folder / "events.jsonl")
    assert graph_of(graph.to_records()).equals(graph)
