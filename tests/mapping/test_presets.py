"""The backend presets: what they write is valid, keeps runs apart, and can be read back."""

from __future__ import annotations

import json

import pytest
from hypothesis import HealthCheck, given, settings

from hutch_lineage.mapping import (
    PRESETS,
    mapper_of,
    preset_of,
    read_run_events,
    records_of,
)
from hutch_lineage.model import EdgeRecord, NodeRecord, OperatorRecord
from tests.mapping.histories import lineages
from tests.mapping.test_runevents import RESTORED
from tests.openlineage.events import event

OTHERS = [name for name in PRESETS if name != "generic"]
UUID = "5f0c9a52-6d0f-4c39-9e0a-0d6a3f2b7c11"


def written(history, backend="marquez", *, rest=False, **overrides):
    """Return the RunEvents that a preset makes of events."""
    mapper = mapper_of(preset_of(backend, overrides), "hutch")
    bodies = [body for event in history for body, _ in mapper.map(event)]
    if rest:
        bodies += [body for body, _ in mapper.rest()]
    return [json.loads(body) for body in bodies]


def self_mod(parent="a1", child="a2", verdict="accepted", run_id=UUID, **payload):
    """Return a new ``self_mod``."""
    fields = {"parent_agent_id": parent, "child_agent_id": child, "overseer_verdict": verdict}
    return event("self_mod", run_id, **fields, **payload)


def individual(node_id, parents=(), run_id=UUID, **payload):
    """Return a new ``individual``, a seed where it has no parents."""
    return event(
        "individual",
        run_id,
        id=node_id,
        kind="program",
        parent_ids=list(parents),
        is_seed=not parents,
        **payload,
    )


def whats(documents):
    """Return what each event tells of."""
    return [document["run"]["facets"]["hutchLineage"]["what"] for document in documents]


def operations(records):
    """Return what operators and self-modifications say, NUL as the presets write it."""
    return [
        (
            record.run_id,
            record.id.replace("\0", "\ufffd"),
            record.parents,
            record.child,
            record.stamp,
            {
                name: value.replace("\0", "\ufffd") if isinstance(value, str) else value
                for name in RESTORED
                if (value := record.attributes.get(name)) is not None
            },
        )
        for record in records
        if isinstance(record, OperatorRecord)
    ]


def edges(records):
    """Return every edge that records say, of whatever kind."""
    found = set()
    for record in records:
        if isinstance(record, OperatorRecord):
            found |= {(parent, record.child) for parent in record.parents}
        elif isinstance(record, NodeRecord):
            found |= {(parent, record.key) for parent in record.parents}
        elif isinstance(record, EdgeRecord):
            found.add((record.parent, record.child))
    return found


# -- reading back ---------------------------------------------------------------------------------


@pytest.mark.parametrize("backend", OTHERS)
@given(history=lineages)
@settings(suppress_health_check=[HealthCheck.too_slow])
def test_what_was_mapped_reads_back(backend, history):
    """Operators and self-modifications read from a preset's RunEvents are those of the events."""
    expected = [record for event in history for record in records_of(event)]
    read = list(read_run_events(written(history, backend)))
    assert operations(read) == operations(expected)


@pytest.mark.parametrize("backend", OTHERS)
@given(history=lineages)
@settings(suppress_health_check=[HealthCheck.too_slow])
def test_no_edge_is_lost_or_made_up(backend, history):
    """With what was held back, the edges read are those of all events, of any kind."""
    expected = [record for event in history for record in records_of(event)]
    assert edges(read_run_events(written(history, backend, rest=True))) == edges(expected)
