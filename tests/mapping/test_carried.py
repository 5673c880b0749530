"""Records in the metadata of events: back as they were; what only looks like it is harmless."""

from __future__ import annotations

import json

import pytest
from hypothesis import given

from hutch_lineage.mapping import CARRIED, carried, records_carried, records_of
from hutch_lineage.model import RunRecord, Stamp, parse_event
from tests.graph.lineages import any_records


@given(any_records.filter(bool))
def test_records_come_back_from_their_json(records):
    """Of every kind, through JSON text."""
    assert records_carried(json.loads(json.dumps(carried(records)))) == records


@pytest.mark.parametrize(
    "value",
    [
        None,
        {},
        [],
        [1],
        [{"record": "Nothing"}],
        [{"record": "RunRecord", "run_id": 3, "stamp": [1, "e"]}],
        [{"record": "RunRecord", "run_id": "r", "stamp": ["1", "e"]}],
        [{"record": "RunRecord", "run_id": "r", "stamp": [1, "e"], "more": 1}],
        [{"record": "NodeRecord", "key": ["x", "r", "a"], "stamp": [1, "e"]}],
        [{"record": "FitnessRecord", "key": ["agent", "r", "a"], "stamp": [1, ""], "scores": 3}],
    ],
)
def test_what_is_no_record_is_metadata_like_any_other(value):
    """The event is read as if nothing stood there."""
    payload = {"status": "failed", "metadata": {CARRIED: value}}
    event = parse_event({"event_kind": "run_end", "run_id": "r", "payload": payload})
    [record] = records_of(event)
    assert record.attributes["status"] == "failed"


def test_carried_records_stand_in_place_of_the_fields():
    """They say more exactly what the fields say as far as the schema goes."""
    told = RunRecord("r", Stamp(-1, ""), {"status": "paused"})
    payload = {"status": "running", "metadata": {CARRIED: carried([told])}}
    event = parse_event({"event_kind": "run_update", "run_id": "r", "payload": payload})
    assert records_of(event) == [told]
