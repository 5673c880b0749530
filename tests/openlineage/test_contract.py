"""What is emitted, judged by the official classes and the official schema."""

from __future__ import annotations

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from openlineage.client.event_v2 import (
    InputDataset,
    Job,
    OutputDataset,
    Run,
    RunEvent,
    RunState,
)
from openlineage.client.serde import Serde
from openlineage.client.transport.file import FileConfig, FileTransport

from hutch_lineage.openlineage import OpenLineageEmitter
from tests.mapping.histories import events
from tests.openlineage.events import end, operator, start
from tests.receivers import unused_port
from tests.support.official import Official

uuids = st.uuids().map(str)


def theirs_of(document):
    """Return an event of the official classes with our values, facets left aside."""
    return RunEvent(
        eventType=RunState[document["eventType"]],
        eventTime=document["eventTime"],
        run=Run(document["run"]["runId"]),
        job=Job(document["job"]["namespace"], document["job"]["name"]),
        inputs=[InputDataset(each["namespace"], each["name"]) for each in document["inputs"]],
        outputs=[OutputDataset(each["namespace"], each["name"]) for each in document["outputs"]],
        producer=document["producer"],
    )


def read_back(text):
    """Return what the official client wrote.

    It adds empty facets, which say nothing, and the schema version that it knows.
    """
    written = json.loads(
        text, object_hook=lambda item: {key: value for key, value in item.items() if value != {}}
    )
    del written["schemaURL"]
    return written


def without_facets(document):
    """Return an event of ours without its own facets and its schema version."""
    kept = {key: value for key, value in document.items() if key != "schemaURL"}
    return {**kept, "run": {"runId": document["run"]["runId"]}}


def emitted(history):
    """Return what an emitter makes of events."""
    memory = OpenLineageEmitter(endpoint="in-memory")
    for event in history:
        memory.emit(event)
    return memory.captured_events


@st.composite
def histories_with_uuids(draw):
    """Events whose run id is a UUID, as those of this SDK are."""
    run_id = draw(uuids)
    return [
        event.model_copy(update={"run_id": run_id}) for event in draw(st.lists(events, max_size=6))
    ]


@pytest.fixture(scope="module")
def official(spec_dir):
    """The official schema, every reference answered from the folder."""
    return Official(spec_dir)


@given(history=histories_with_uuids())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_every_event_is_valid_openlineage(official, history):
    """Everything emitted passes OpenLineage.json with format checks."""
    for document in emitted(history):
        assert official.errors(document) == []


def test_a_run_id_that_is_no_uuid_is_the_only_departure(official):
    """A run id that the user chose stays as it is, and is all that the schema objects to."""
    (document,) = emitted([operator(1, run_id="run-abc123")])
    run = {**document, "run": {**document["run"], "runId": "5f0c9a52-6d0f-4c39-9e0a-0d6a3f2b7c11"}}
    assert official.errors(document) != []
    assert official.errors(run) == []


@given(histories_with_uuids())
def test_every_event_is_accepted_by_the_official_classes(history):
    """openlineage-python builds each event from our values and writes the same ones."""
    for document in emitted(history):
        assert read_back(Serde.to_json(theirs_of(document))) == without_facets(document)


def test_a_journal_is_a_file_of_the_official_file_transport(emitter, root, tmp_path):
    """Line by line it is what the official client's transport writes, appending to one file."""
    live = emitter(f"http://127.0.0.1:{unused_port()}")
    for event in (start(), operator(1, child_id='\u2028\n"\u00e4'), end()):
        live.emit(event)
    (ours,) = root.glob("*/*/events-*.ndjson")
    theirs = tmp_path / "theirs.ndjson"
    transport = FileTransport(FileConfig(str(theirs), append=True))
    for document in live.captured_events:
        transport.emit(theirs_of(document))
    mine, official = (path.read_bytes().split(b"\n") for path in (ours, theirs))
    assert (len(mine), mine[-1], official[-1]) == (4, b"", b"")
    assert [without_facets(json.loads(line)) for line in mine[:-1]] == [
        read_back(line) for line in official[:-1]
    ]
