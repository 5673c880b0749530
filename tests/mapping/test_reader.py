"""OpenLineage events of any producer as lineage records."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hutch_lineage.mapping import FOREIGN_RUN, ODDITIES, RunEventReader, read_run_events, records_of
from hutch_lineage.model import EdgeRecord, NodeKey, NodeRecord, OperatorRecord, RunRecord

TIME = "2026-01-01T00:00:00Z"


def sets(*names):
    """Return datasets of the namespace ``db``."""
    return [{"namespace": "db", "name": name} for name in names]


def event(event_type="COMPLETE", inputs=(), outputs=(), run_id="run-1", **more):
    """Return a RunEvent of another producer."""
    return {
        "eventType": event_type,
        "eventTime": TIME,
        "producer": "https://example.org/etl",
        "run": {"runId": run_id},
        "job": {"namespace": "ns", "name": "job"},
        "inputs": sets(*inputs),
        "outputs": sets(*outputs),
        **more,
    }


def edges(records):
    """Return the pairs of dataset names that the records join."""
    return {
        (parent.id.removeprefix("db/"), record.child.id.removeprefix("db/"))
        for record in records
        if isinstance(record, OperatorRecord)
        for parent in record.parents
    }


def test_inputs_and_outputs_add_up_over_a_run():
    """Without better knowledge every input of a run feeds every output, whichever event said it."""
    told = [event("START", inputs=["a"]), event("RUNNING", inputs=["b"]), event(outputs=["c"])]
    assert edges(read_run_events(told)) == {("a", "c"), ("b", "c")}


def test_runs_do_not_mix():
    """What one run reads does not feed what another one writes."""
    told = [event(inputs=["a"]), event(outputs=["c"], run_id="run-2")]
    assert edges(read_run_events(told)) == set()


def test_a_run_that_never_ended_is_told_at_the_end():
    """`finish` gives the edges of a run without a last event, once."""
    reader = RunEventReader()
    assert edges(reader.records(event("RUNNING", ["a"], ["b"]))) == set()
    assert [edges(reader.finish()), reader.finish()] == [{("a", "b")}, []]


def test_column_lineage_wins_over_inputs_and_outputs():
    """An output with column lineage has the parents that its columns name."""
    output = sets("c")[0]
    output["facets"] = {
        "columnLineage": {"fields": {"x": {"inputFields": [{**sets("a")[0], "field": "y"}]}}}
    }
    told = [event("START", ["a", "b"], ["c"]), event(inputs=["a", "b"]) | {"outputs": [output]}]
    assert edges(read_run_events(told)) == {("a", "c")}


def test_the_lineage_facet_of_a_job_wins_over_all():
    """Explicit lineage speaks for the whole run, an empty list of inputs included."""
    entries = [
        {**sets("c")[0], "type": "DATASET", "inputs": [{**sets("a")[0], "type": "DATASET"}]},
        {**sets("d")[0], "type": "DATASET", "inputs": []},
        {"type": "JOB", "inputs": [{**sets("b")[0], "type": "DATASET"}]},
    ]
    job = {"namespace": "ns", "name": "job", "facets": {"lineage": {"entries": entries}}}
    told = [event("START", ["a", "b"], ["c", "d"]), event(job=job)]
    assert edges(read_run_events(told)) == {("a", "c")}


def test_the_lineage_facet_of_a_dataset_is_read():
    """Explicit lineage on an output names its parents, by entity and by field."""
    output = sets("c")[0]
    source = {**sets("a")[0], "type": "DATASET"}
    field = {"inputs": [{**sets("b")[0], "type": "DATASET", "field": "x"}]}
    output["facets"] = {"lineage": {"inputs": [source], "fields": {"y": field}}}
    told = event(inputs=["a", "b", "z"]) | {"outputs": [output]}
    assert edges(records_of(told)) == {("a", "c"), ("b", "c")}


def test_datasets_are_shared_between_runs_and_jobs():
    """The dataset that one job writes and another reads is one node."""
    told = [event(inputs=["a"], outputs=["b"]), event(inputs=["b"], outputs=["c"], run_id="run-2")]
    keys = {record.child for record in read_run_events(told) if isinstance(record, OperatorRecord)}
    assert NodeKey("individual", FOREIGN_RUN, "db/b") in keys


@pytest.mark.parametrize(
    ("change", "oddity"),
    [
        ({"eventTime": None}, "no-time"),
        ({"eventTime": "{{RUN_START_TIME}}"}, "unreadable-time"),
        ({"eventTime": "2026-01-01T00:00:00"}, "time-without-offset"),
        ({"run": {}}, "no-run"),
        ({"run": {"runId": "{{ any(result) }}"}}, "templated-run-id"),
        ({"job": {}}, "no-job"),
        ({"inputs": [{"name": "a"}]}, "dataset-without-namespace"),
        ({"inputs": [{"namespace": "db"}]}, "dataset-without-name"),
        ({"inputs": sets("c")}, "input-is-output"),
        ({"job": {"name": "j", "facets": {"lineage": {}}}}, "malformed-facet"),
    ],
)
def test_what_is_odd_is_said(change, oddity):
    """Each oddity of real files is reported once under its own name, and nothing crashes."""
    told = []
    list(read_run_events([event(inputs=["a"], outputs=["c"]) | change], told.append))
    assert [one.kind for one in told] == [oddity]
    assert oddity in ODDITIES


def test_events_without_a_usable_run_are_read_singly():
    """Events that share an unfilled template as run id are not taken for one run."""
    run = {"runId": "{{ any(result) }}"}
    told = [
        event(inputs=["a"], outputs=["b"], run=run),
        event(inputs=["c"], outputs=["d"], run=run),
    ]
    assert edges(read_run_events(told)) == {("a", "b"), ("c", "d")}


@pytest.mark.parametrize("item", [None, [], "text", 7, {}, {"event_kind": "run_end"}])
def test_what_is_no_event_is_an_oddity(item):
    """A line that is no OpenLineage event adds nothing and is reported."""
    told = []
    assert RunEventReader(told.append).records(item) == []
    assert [one.kind for one in told] == ["not-an-event"]


def test_a_hutch_run_is_restored():
    """START and COMPLETE of a Hutch run give its name, project, status and times."""
    start = event("START", producer="https://github.com/xyin-anl/hutch/v0.1.0")
    start["run"]["facets"] = {"hutchRun": {"project": "p", "started_by": "me"}}
    end = event(producer="https://github.com/xyin-anl/hutch/v0.1.0")
    end["run"]["facets"] = {"hutchRunOutcome": {"status": "finished", "summary": None}}
    ns = 1_767_225_600_000_000_000
    first, last = read_run_events([start, end])
    assert first.attributes == {
        "name": "job", "project": "p", "started_by": "me", "status": "running", "started_ns": ns,
    }  # fmt: skip
    assert last.attributes == {"status": "finished", "ended_ns": ns}
    assert isinstance(first, RunRecord)


def test_hutch_names_without_facets_still_give_edges():
    """Where a backend dropped the facets, the dataset names alone restore the edge."""
    told = event("RUNNING", run_id="r")
    told["inputs"] = [{"namespace": "hutch", "name": "individual:a"}]
    told["outputs"] = [{"namespace": "hutch", "name": "individual:b"}]
    pairs = [(r.parent.id, r.child.id) for r in records_of(told) if isinstance(r, EdgeRecord)]
    assert pairs == [("a", "b")]


def test_an_event_type_that_is_no_text_ends_nothing():
    """What stands in place of a type disturbs nothing else that the event says."""
    told = {**event(["COMPLETE"]), "outputs": [{"name": "individual:b"}]}
    run, node = records_of(told)
    assert (run.attributes, node.key.id) == ({"name": "job"}, "b")


def test_the_inputs_of_hutch_events_exist():
    """A seed has no event of its own in the default mapping: being an input introduces it."""
    told = event("RUNNING", run_id="r", producer="https://github.com/xyin-anl/hutch/v0.1.0")
    told["inputs"] = [{"namespace": "hutch", "name": "individual:seed"}]
    told["outputs"] = [{"namespace": "hutch", "name": "individual:b"}]
    named = [r.key.id for r in read_run_events([told, told]) if isinstance(r, NodeRecord)]
    assert named.count("seed") == 1


FOREIGN = ["CLL", "airflow", "dbt", "marquez", "spark-container"]
KNOWN_ODDITIES = {
    "CLL": set(),
    "airflow": set(),
    "dbt": {"templated-run-id"},
    "marquez": {"unreadable-time", "time-without-offset", "no-run", "input-is-output"},
    "spark-container": {
        "no-time", "no-run", "no-job", "dataset-without-namespace", "input-is-output",
        "malformed-facet",
    },
}  # fmt: skip


@pytest.mark.parametrize("folder", FOREIGN)
def test_files_of_other_producers_open(data_dir, folder):
    """Every event of five published files is read, edges come out, and what is odd is said."""
    lines = (data_dir / f"openlineage-{folder}" / "events.ndjson").read_text().splitlines()
    told = []
    records = list(read_run_events(map(json.loads, lines), told.append))
    assert any(isinstance(record, OperatorRecord) for record in records)
    assert {one.kind for one in told} == KNOWN_ODDITIES[folder]


def test_column_lineage_of_a_published_file_is_exact(data_dir):
    """The Spark column lineage example joins the two sources to the table, and nothing else."""
    lines = (data_dir / "openlineage-CLL" / "events.ndjson").read_text().splitlines()
    joined = edges(read_run_events(map(json.loads, lines)))
    assert {(a.rsplit("/")[-1], b.rsplit("/")[-1]) for a, b in joined} == {
        ("cll_source1", "tbl1"),
        ("cll_source2", "tbl1"),
    }


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "namespace",
                    "name",
                    "facets",
                    "fields",
                    "inputs",
                    "entries",
                    "lineage",
                    "runId",
                    "columnLineage",
                    "inputFields",
                    "dataset",
                    "hutchOperator",
                    "hutchSelfMod",
                    "operator_id",
                    "jobType",
                    "type",
                ]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)
broken = st.dictionaries(
    st.sampled_from(["eventType", "eventTime", "run", "job", "inputs", "outputs", "producer"]),
    json_values,
)


@given(st.lists(broken, max_size=4))
def test_no_shape_of_json_crashes_the_reader(documents):
    """Whatever types stand where, the reader returns records and raises nothing."""
    list(read_run_events(documents))
