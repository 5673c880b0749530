"""Hutch events out of any graph: valid for Hutch, and equal when they are read back."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings

from hutch_lineage.export import events_of_graph, to_jsonl
from hutch_lineage.graph import LineageGraph
from hutch_lineage.mapping import CARRIED
from hutch_lineage.model import parse_event
from hutch_lineage.readers import read
from tests.graph.lineages import any_records, born, graph_of, made, scored


def back(events):
    """Read events back from their JSON, each checked by the schema."""
    return graph_of([parse_event(line) for line in to_jsonl(events).splitlines()])


@settings(max_examples=60)
@given(any_records)
def test_any_graph_comes_back_from_hutch_events(records):
    """Whatever contradictions it was made of, agents and other runs' parents included."""
    graph = graph_of(records)
    events, _ = events_of_graph(graph)
    assert back(events).to_canonical() == graph.to_canonical()


def test_what_the_schema_can_say_is_said_in_its_fields():
    """A plain run has nothing in its metadata that other readers would miss."""
    graph = graph_of(
        born("a", 1, kind="program", is_seed=True),
        born("b", 2, "a", kind="program", is_seed=False),
        made("b", 2, "a", kind="refine", cost_usd=0.5),
        scored("b", 2, loss=0.5),
    )
    events, notes = events_of_graph(graph)
    by_kind = {event.event_kind: json.loads(event.model_dump_json())["payload"] for event in events}
    assert (by_kind["operator"]["kind"], by_kind["operator"]["cost_usd"]) == ("refine", 0.5)
    assert by_kind["fitness"]["scores"] == {"loss": 0.5}
    assert CARRIED not in by_kind["individual"]["metadata"]
    assert notes == []


def test_a_word_of_its_own_is_kept_beside_the_schema():
    """A kind that Hutch has no word for gets the nearest, and comes back as it was."""
    graph = graph_of(born("a", 1), made("b", 2, "a", kind="draft"))
    events, _ = events_of_graph(graph)
    [operator] = [event for event in events if event.event_kind == "operator"]
    assert operator.payload.kind == "mutate"
    assert back(events).equals(graph)


def test_a_graph_without_anything():
    """Nothing is said of nothing."""
    assert events_of_graph(LineageGraph()) == ([], [])


def test_the_same_graph_gives_the_same_events():
    """Ids and times follow from the graph."""
    records = [born("a", 1), made("b", 2, "a"), born("c", -1, "a")]
    one, other = (events_of_graph(graph_of(order))[0] for order in (records, records[::-1]))
    assert one == other


@pytest.mark.parametrize(
    "name",
    [
        "hutch-codeevolve/events.jsonl",
        "hutch-openevolve/events.jsonl",
        "openlineage-dbt",
        "openlineage-airflow",
    ],
)
def test_real_files(data_dir, name):
    """Published runs, and datasets of other producers, come back equal."""
    path = data_dir / name
    files = [path] if path.is_file() else sorted(path.glob("**/*.*json*"))[:2]
    for each in files:
        graph = read(each).apply_to(LineageGraph())
        assert back(events_of_graph(graph)[0]).to_canonical() == graph.to_canonical()
