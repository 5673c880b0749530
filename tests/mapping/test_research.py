"""The attributes of spans are Hutch's."""

from __future__ import annotations

import pytest
from hutch.otel import OTelEmitter
from hutch.schema import EVENT_ADAPTER as THEIRS

from hutch_lineage.mapping import research_attributes
from hutch_lineage.model import Event, parse_event
from tests.support.search import island_search

MORE = [
    ("fitness", {"individual_id": "i", "evaluator_kind": "human", "invalid_reason": "x"}),
    ("descriptor", {"individual_id": "i", "archive_id": "a", "kind": "grid", "coordinates": [1.0]}),
    ("claim", {"id": "c", "text": "it works", "requires_reproduction": True}),
    ("evidence", {"claim_id": "c", "stance": "supports", "confidence": 0.5, "source_uri": "u"}),
    ("steering_command", {"command": "pause_run", "actor": "human"}),
    ("stream_event", {"label": "note"}),
    ("run_update", {"status": "running"}),
]


def made() -> list[Event]:
    """Events of a search, and of the kinds that it lacks."""
    events: list[Event] = list(island_search(generations=3))
    for kind, payload in MORE:
        events.append(
            parse_event(
                {
                    "event_kind": kind,
                    "run_id": "r",
                    "stream_id": "s",
                    "worker_id": "w",
                    "payload": payload,
                }
            )
        )
    return events


@pytest.mark.parametrize("kind", sorted({event.event_kind for event in made()}))
def test_attributes_equal_hutchs(kind: str) -> None:
    """For each event of a kind, names and values are those of the span that Hutch makes of it."""
    theirs = OTelEmitter(endpoint="in-memory", service_name="hutch")
    events = [event for event in made() if event.event_kind == kind]
    start = THEIRS.validate_python({"event_kind": "run_start", "run_id": "x", "payload": {}})
    for event in events:
        if kind == "run_end":
            theirs.emit(start.model_copy(update={"run_id": event.run_id}))
        theirs.emit(THEIRS.validate_json(event.model_dump_json()))
    theirs.shutdown()
    made_by_hutch = [dict(span.attributes) for span in theirs.in_memory_spans]
    ours = [
        {name: tuple(v) if isinstance(v, list) else v for name, v in found.items()}
        for found in map(research_attributes, events)
    ]
    assert ours == made_by_hutch
