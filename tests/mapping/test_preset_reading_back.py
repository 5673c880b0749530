"""What a preset wrote is read back: the same nodes, edges, runs and ids."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings

from hutch_lineage.mapping import read_run_events, records_of
from hutch_lineage.model import NodeKey, OperatorRecord
from hutch_lineage.readers import read
from tests.mapping.histories import lineages
from tests.mapping.preset_events import OTHERS, edges, operations, run_ids, told, written
from tests.openlineage.events import RUN_ID, operator


@pytest.mark.parametrize("backend", OTHERS)
@given(history=lineages)
@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
def test_what_was_mapped_reads_back(backend, history):
    """Operators and self-modifications read from a preset's RunEvents are those of the events."""
    expected = [record for event in history for record in records_of(event)]
    read = list(read_run_events(written(history, backend)))
    assert operations(read) == operations(expected)


@pytest.mark.parametrize("backend", OTHERS)
@given(history=lineages)
@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
def test_no_edge_is_lost_or_made_up(backend, history):
    """With what was held back, the edges read are those of all events, of any kind."""
    expected = [record for event in history for record in records_of(event)]
    assert edges(read_run_events(written(history, backend, rest=True))) == edges(expected)


@pytest.mark.parametrize("backend", OTHERS)
@given(history=lineages)
@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
def test_every_run_reads_back_under_its_own_id(backend, history):
    """Whatever a run is called, its start and its end are read as those of that run."""
    expected = [record for event in history for record in records_of(event)]
    assert run_ids(read_run_events(written(history, backend))) == run_ids(expected)


@pytest.mark.parametrize("names", ["plain", "dotted"])
def test_ids_that_a_database_cannot_keep_read_back(names):
    """Where an id has a NUL, the facet holds all of them escaped, however long that becomes."""
    history = [operator(1, parent_ids=["\0" * 90, "~00", "~00"], child_id="c", run_id="r\0")]
    (document,) = written(history, names=names)
    assert "\0" not in str(document)
    assert told(document)["escaped"] is True
    assert operations(records_of(document)) == operations(records_of(history[0]))
    assert "escaped" not in told(written([operator(1)])[0])


@pytest.mark.parametrize("backend", OTHERS)
@pytest.mark.parametrize("folder", ["hutch-openevolve", "hutch-codeevolve"])
def test_real_runs_read_back(backend, folder, data_dir):
    """Two published runs, under every preset: the same operators and the same edges."""
    events = list(read(data_dir / folder / "events.jsonl").events())
    expected = [record for each in events for record in records_of(each)]
    read_back = list(read_run_events(written(events, backend)))
    assert operations(read_back) == operations(expected)
    assert edges(read_back) == edges(expected)


@pytest.mark.parametrize("field", ["run_id", "parents", "child"])
def test_without_the_facet_names_give_the_ids_back(field):
    """Where a backend lost an id from the facet, it is read from the dataset's name."""
    (document,) = written([operator(1, parent_ids=["v1.2 (é)"], child_id="c/1")])
    told(document)[field] = None
    (record,) = [each for each in records_of(document) if isinstance(each, OperatorRecord)]
    assert (record.parents[0].id, record.child) == (
        "v1.2 (é)",
        NodeKey("individual", RUN_ID, "c/1"),
    )


def test_without_any_facet_names_still_give_the_edge():
    """A backend that kept nothing but names still gives the edge, in the run it belongs to."""
    (document,) = written([operator(1, child_id="b", run_id="r")])
    document["run"]["facets"] = {}
    assert edges(records_of(document)) == {
        (NodeKey("individual", "r", "a"), NodeKey("individual", "r", "b"))
    }
