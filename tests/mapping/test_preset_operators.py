"""Under a preset an operator is a job and a run of its own."""

from __future__ import annotations

from collections import defaultdict
from itertools import pairwise
from uuid import UUID

import pytest
from hypothesis import given

from hutch_lineage.mapping import ns_from_iso, read_run_events, records_of
from hutch_lineage.model import OperatorRecord, RunRecord
from tests.mapping.histories import lineages
from tests.mapping.preset_events import FULL, OTHERS, names, self_mod, told, written
from tests.openlineage.events import RUN_ID, end, operator, start


def test_an_operator_is_a_job_and_a_run_of_its_own():
    """Besides START and COMPLETE of the run, each operator completes under the run as parent."""
    first, applied, last = written([start(), operator(1, child_id="b"), end()])
    assert [each["eventType"] for each in (first, applied, last)] == ["START"] + ["COMPLETE"] * 2
    assert first["run"]["runId"] == last["run"]["runId"] == RUN_ID
    assert (first["inputs"], first["outputs"], first["job"]["name"]) == ([], [], "circle-packing")
    assert (names(applied["inputs"]), names(applied["outputs"])) == (["a"], ["b"])
    parent = applied["run"]["facets"]["parent"]
    assert (parent["run"]["runId"], parent["job"]) == (
        RUN_ID,
        {"namespace": "hutch", "name": "circle-packing"},
    )
    assert applied["job"]["name"].startswith(f"circle-packing.{RUN_ID}.op-1.")
    assert applied["job"]["facets"]["lineage"]["entries"][0]["inputs"][0]["transformations"] == [
        {"type": "DIRECT", "subtype": "REFINE", "description": "refine: b from a"}
    ]


@pytest.mark.parametrize("backend", ["astro", "datadog"])
def test_where_the_standard_is_kept_to_the_letter_a_run_starts(backend):
    """START and COMPLETE of an operator say the same of the same run; it is read once."""
    documents = written([operator(1)], backend)
    assert [each["eventType"] for each in documents] == ["START", "COMPLETE"]
    assert documents[0]["run"] == documents[1]["run"]
    read_back = [each for each in read_run_events(documents) if isinstance(each, OperatorRecord)]
    assert len(read_back) == 1


def test_an_operator_id_used_twice_makes_two_jobs():
    """A backend keeps a job's last inputs only; the same application twice is one job."""
    history = [
        operator(1, child_id="b"),
        operator(1, child_id="c"),
        operator(1, child_id="c", parent_ids=["x"]),
        operator(1, child_id="c"),
    ]
    jobs = [each["job"]["name"] for each in written(history)]
    assert len(set(jobs[:3])) == 3
    assert jobs[3] == jobs[1]
    assert len({each["run"]["runId"] for each in written(history)}) == 4


def test_the_same_events_always_have_the_same_names():
    """Mapping anew, for another endpoint or in another process, gives the same documents."""
    assert written(FULL, rest=True) == written(FULL, rest=True)


@given(lineages)
def test_run_ids_are_uuids_and_times_increase(history):
    """Whatever was logged, run ids are UUIDs and each event of a run is later than the last."""
    by_run = {}
    for document in written(history, rest=True):
        UUID(document["run"]["runId"])
        by_run.setdefault(told(document)["run_id"], []).append(ns_from_iso(document["eventTime"]))
    last = 253_402_300_799_999_999_000
    for moments in by_run.values():
        assert all(one < other or other == last for one, other in pairwise(moments))


@pytest.mark.parametrize("backend", OTHERS)
@pytest.mark.parametrize(
    ("status", "event_type"),
    [("finished", "COMPLETE"), ("running", "COMPLETE"), ("failed", "FAIL"), ("cancelled", "ABORT")],
)
def test_a_cancelled_run_is_told_from_a_failed_one(backend, status, event_type):
    """D11, cured: OpenLineage has a word for it, and it is no error; it is read back as it was."""
    last = written([start(), end(status=status)], backend)[-1]
    assert last["eventType"] == event_type
    assert ("errorMessage" in last["run"]["facets"]) == (event_type == "FAIL")
    assert [
        each.attributes["status"] for each in records_of(last) if isinstance(each, RunRecord)
    ] == [status]


@pytest.mark.parametrize("backend", OTHERS)
def test_what_a_consumer_infers_are_the_true_edges(backend):
    """D13, cured: inputs times outputs, added up over each run and over each job, as the standard
    has it: of 200 operators, most with two parents, no edge more, and each facet is kept.
    """
    parents = {f"c{n}": {f"c{n - 1}", f"c{n // 2}"} for n in range(200)}
    history = [operator(n, parent_ids=sorted(parents[f"c{n}"])) for n in range(200)]
    documents = written([start(), *history, end()], backend)
    true = {(parent, child) for child, own in parents.items() for parent in own}
    for identity in (lambda each: each["run"]["runId"], lambda each: each["job"]["name"]):
        sides = defaultdict(lambda: (set(), set()))
        for each in documents:
            for side, found in zip(("inputs", "outputs"), sides[identity(each)], strict=True):
                found.update(names(each[side]))
        assert {(p, c) for inputs, made in sides.values() for p in inputs for c in made} == true
    told_of = [each["run"]["facets"].get("hutchOperator") for each in documents]
    assert {each["operator_id"] for each in told_of if each} == {f"op-{n}" for n in range(200)}


def test_a_rejected_modification_is_told_from_an_accepted_one():
    """D11, cured: verdict in the tags, in the sentence, in the transformation and in the facet."""
    for verdict in ("accepted", "rejected", "pending"):
        document = written([self_mod(verdict=verdict)])[-1]
        facets = document["job"]["facets"]
        assert {"key": "overseer_verdict", "value": verdict, "source": "HUTCH"} in facets["tags"][
            "tags"
        ]
        assert facets["documentation"]["description"].startswith(verdict)
        assert document["run"]["facets"]["hutchSelfMod"]["overseer_verdict"] == verdict


def test_what_the_start_said_is_said_again_at_the_end():
    """A consumer that keeps the last event only loses nothing."""
    documents = written(FULL, "datahub")
    first, last = documents[0], documents[-1]
    assert last["run"]["facets"]["hutchRun"] == first["run"]["facets"]["hutchRun"]
    assert last["job"]["facets"] == first["job"]["facets"]
    assert last["run"]["facets"]["errorMessage"]["message"] == "out of money"
    assert last["eventType"] == "FAIL"
    assert first["job"]["facets"]["sourceCodeLocation"]["version"] == "4f2a"
