"""OpenLineage events as lines."""

from __future__ import annotations

import json

import pytest

from hutch_lineage.errors import ExportError
from hutch_lineage.export import to_ndjson
from hutch_lineage.graph import LineageGraph
from hutch_lineage.mapping import records_of
from hutch_lineage.readers import read

START = {"eventType": "START", "run": {"runId": "r"}, "job": {"name": "j\u2028\n"}}


def test_one_event_a_line():
    """Events are written as they are, line ends inside them escaped."""
    text = to_ndjson([START, START])
    assert [json.loads(line) for line in text.split("\n")[:-1]] == [START, START]
    assert to_ndjson([]) == ""


def test_hutch_events_are_mapped(data_dir):
    """The edges of a run are the same when its OpenLineage file is read back."""
    reading = read(data_dir / "hutch-codeevolve" / "events.jsonl")
    text = to_ndjson(reading.events())
    told = LineageGraph()
    told.apply(records_of(json.loads(line)) for line in text.splitlines())
    whole = reading.apply_to(LineageGraph())
    assert set(told.nx.edges) == set(whole.nx.edges)
    first = json.loads(text.splitlines()[0])
    assert first["job"] == {
        "namespace": "hutch",
        "name": "codeevolve-circle26-gemini_mp_insp",
    }


@pytest.mark.parametrize("bad", [{"x": 1}, "text", {**START, "x": object()}])
def test_what_is_no_event_is_named(bad):
    """The error says which event cannot be written."""
    with pytest.raises(ExportError, match="event 2"):
        to_ndjson([START, bad])
