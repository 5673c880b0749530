"""Hutch events for the tests of the emitter."""

from __future__ import annotations

import logging

from hutch_lineage.model import parse_event

RUN_ID = "5f0c9a52-6d0f-4c39-9e0a-0d6a3f2b7c11"


def event(event_kind, run_id=RUN_ID, **payload):
    """Return a new event."""
    return parse_event({"event_kind": event_kind, "run_id": run_id, "payload": payload})


def start(name="circle-packing", run_id=RUN_ID, **payload):
    """Return a new ``run_start``."""
    return event("run_start", run_id, name=name, **payload)


def operator(number=0, run_id=RUN_ID, **payload):
    """Return a new ``operator`` with the id ``op-<number>``."""
    fields = {"kind": "refine", "parent_ids": ["a"], "child_id": f"c{number}", **payload}
    return event("operator", run_id, id=f"op-{number}", **fields)


def end(run_id=RUN_ID, **payload):
    """Return a new ``run_end``."""
    return event("run_end", run_id, **payload)


def with_payload(hutch_event, **fields):
    """Return a copy of an event whose payload was not checked."""
    payload = hutch_event.payload.model_copy(update=fields)
    return hutch_event.model_copy(update={"payload": payload})


def ids(count, first=0):
    """Return the operator ids of so many :func:`operator`."""
    return [f"op-{number}" for number in range(first, first + count)]


def operator_ids(documents):
    """Return the operator ids of RunEvents, in order."""
    return [
        document["run"]["facets"]["hutchOperator"]["operator_id"]
        for document in documents
        if "hutchOperator" in document["run"]["facets"]
    ]


def warnings_of(caplog):
    """Return the WARNINGs that were logged."""
    return [r.getMessage() for r in caplog.records if r.levelno >= logging.WARNING]
