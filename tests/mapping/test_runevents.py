"""The default mapping, and the law that what is mapped can be read back."""

from __future__ import annotations

from hypothesis import given

from hutch_lineage.mapping import JobNames, read_run_events, records_of, to_run_event
from hutch_lineage.model import OperatorRecord
from tests.mapping.histories import histories

RESTORED = ("kind", "llm_id", "cost_usd", "tokens_in", "tokens_out", "verdict", "score_before",
            "score_after", "target_path")  # fmt: skip


def mapped(history):
    """Map a history as an emitter does."""
    names = JobNames()
    for event in history:
        if event.event_kind == "run_start":
            names.started(event.run_id, event.payload.name)
        yield to_run_event(event, namespace="hutch", job_name=names.of(event.run_id))


def edges(records):
    """Return what the operators and self-modifications among records say."""
    return [
        (
            record.run_id,
            record.id,
            record.parents,
            record.child,
            record.stamp.timestamp_ns // 1000,
            {name: record.attributes.get(name) for name in RESTORED},
        )
        for record in records
        if isinstance(record, OperatorRecord)
    ]


@given(histories)
def test_what_was_mapped_reads_back(history):
    """Operators and self-modifications read from RunEvents are exactly those of the events."""
    expected = [record for event in history for record in records_of(event)]
    documents = [document for document in mapped(history) if document is not None]
    assert edges(read_run_events(documents)) == edges(expected)


@given(histories)
def test_one_event_at_a_time_reads_back_the_same(history):
    """For Hutch's RunEvents it makes no difference whether they are read singly or together."""
    documents = [document for document in mapped(history) if document is not None]
    singly = [record for document in documents for record in records_of(document)]
    assert edges(singly) == edges(read_run_events(documents))


@given(histories)
def test_mapping_is_pure(history):
    """Mapping twice gives equal documents and leaves the events as they were."""
    before = [event.model_dump_json() for event in history]
    assert list(mapped(history)) == list(mapped(history))
    assert [event.model_dump_json() for event in history] == before
