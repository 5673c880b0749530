"""The specification of the emitter, section by section."""

from __future__ import annotations

import subprocess
import sys

import hutch.schema
import pytest

import hutch_lineage.sdk as sdk
from hutch_lineage.errors import CaptureError, DeliveryError
from hutch_lineage.model import parse_event
from hutch_lineage.openlineage import (
    OPENLINEAGE_PRODUCER,
    OPENLINEAGE_SCHEMA_URL,
    build_openlineage_emitter,
)
from tests.openlineage.events import (
    RUN_ID,
    end,
    event,
    operator,
    operator_ids,
    start,
    warnings_of,
)
from tests.receivers import Receiver, unused_port
from tests.support.waiting import wait_until

EXAMPLE_EVENT = {
    "event_id": "00000000-0000-4000-8000-000000000042",
    "event_kind": "operator",
    "run_id": "run-abc123",
    "timestamp_ns": 1_777_984_496_123_456_789,
    "payload": {
        "id": "op-42",
        "kind": "refine",
        "parent_ids": ["ind-A"],
        "child_id": "ind-B",
        "cost_usd": 0.012,
        "tokens_in": 120,
        "tokens_out": 45,
        "llm_id": "claude-sonnet-4-6",
    },
}
EXAMPLE_START = {
    "event_kind": "run_start",
    "run_id": "run-abc123",
    "payload": {"name": "circle-packing"},
}
EXAMPLE_JSON = {
    "eventType": "RUNNING",
    "eventTime": "2026-05-05T12:34:56.123456Z",
    "run": {
        "runId": "run-abc123",
        "facets": {
            "hutchOperator": {
                "_producer": "https://github.com/xyin-anl/hutch/v0.1.0",
                "_schemaURL": "https://github.com/xyin-anl/hutch/v0.1.0#/$defs/hutchOperator",
                "operator_id": "op-42",
                "operator_kind": "refine",
                "cost_usd": 0.012,
                "tokens_in": 120,
                "tokens_out": 45,
                "llm_id": "claude-sonnet-4-6",
            }
        },
    },
    "job": {"namespace": "hutch", "name": "circle-packing"},
    "inputs": [{"namespace": "hutch", "name": "individual:ind-A"}],
    "outputs": [{"namespace": "hutch", "name": "individual:ind-B"}],
    "producer": "https://github.com/xyin-anl/hutch/v0.1.0",
    "schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent",
}

# -- "OpenLineage emitter" -----------------------------------------------------------------------


@pytest.mark.parametrize("endpoint", [None, ""])
def test_off_by_default(endpoint, monkeypatch):
    """Section "OpenLineage emitter": without an endpoint there is no emitter.

    The official client's variables do not switch it on either.
    """
    monkeypatch.setenv("OPENLINEAGE_URL", "http://localhost:5000")
    monkeypatch.setenv("OPENLINEAGE_API_KEY", "hush")
    assert build_openlineage_emitter(endpoint=endpoint) is None
    assert sdk.runtime().emitter is None


def test_no_openlineage_package_is_needed():
    """Section "OpenLineage emitter": posting works without openlineage-python being imported."""
    with Receiver() as receiver:
        code = (
            "import sys; sys.modules['openlineage'] = None\n"
            "import hutch_lineage as hl\n"
            f"hl.configure(hl.SDKConfig(openlineage_endpoint={receiver.url!r}))\n"
            "with hl.run('r') as run: run.log_operator(kind='refine', child_id='c')\n"
            "assert hl.emitter().flush()\n"
            "assert sys.modules['openlineage'] is None\n"
        )
        subprocess.run([sys.executable, "-c", code], check=True)
        assert [document["eventType"] for document in receiver.events] == [
            "START",
            "RUNNING",
            "COMPLETE",
        ]


# -- "Install and enable" ------------------------------------------------------------------------


def test_enabled_by_environment(monkeypatch):
    """Section "Install and enable": the two variables switch posting on and name the namespace."""
    with Receiver() as receiver:
        monkeypatch.setenv("HUTCH_OPENLINEAGE_ENDPOINT", receiver.url)
        monkeypatch.setenv("HUTCH_OPENLINEAGE_NAMESPACE", "my-org")
        sdk.reset()
        with sdk.run("packing"):
            pass
        documents = receiver.wait_for(2)
        assert receiver.requests[0].path == "/api/v1/lineage"
    assert [document["job"] for document in documents] == [
        {"namespace": "my-org", "name": "packing"}
    ] * 2


def test_enabled_programmatically():
    """Section "Install and enable": SDKConfig does the same, namespace default ``hutch``."""
    with Receiver() as receiver:
        sdk.configure(sdk.SDKConfig(openlineage_endpoint=receiver.url))
        with sdk.run("packing"):
            pass
        assert receiver.wait_for(2)[0]["job"]["namespace"] == "hutch"


@pytest.mark.parametrize("suffix", ["", "/", "/api/v1/lineage", "/api/v1/lineage/"])
def test_the_suffix_is_appended_when_missing(emitter, suffix):
    """Section "Install and enable": events go to /api/v1/lineage, whether it is given or not."""
    with Receiver() as receiver:
        emitter(receiver.url + suffix).emit(start())
        receiver.wait_for(1)
        assert receiver.requests[0].path == "/api/v1/lineage"


def test_in_memory_records_what_would_be_posted(emitter):
    """Section "Install and enable": in memory, captured_events are exactly what is posted live."""
    events = [start(), operator(1), end()]
    memory = emitter("in-memory")
    with Receiver() as receiver:
        live = emitter(receiver.url)
        for each in events:
            memory.emit(each)
            live.emit(each)
        assert live.flush(20)
        assert memory.captured_events == receiver.events == live.captured_events


# -- "Mapping" -----------------------------------------------------------------------------------


def facet(name, **fields):
    """Return a facet as the specification has it."""
    head = {
        "_producer": OPENLINEAGE_PRODUCER,
        "_schemaURL": f"{OPENLINEAGE_PRODUCER}#/$defs/{name}",
    }
    return {name: head | fields}


def datasets(*names):
    """Return datasets of the default namespace."""
    return [{"namespace": "hutch", "name": name} for name in names]


TABLE = [
    (
        event("run_start", name="n", project="p", started_by="me"),
        "START", [], [], facet("hutchRun", project="p", started_by="me"),
    ),
    (
        event("run_start"),
        "START", [], [], facet("hutchRun", project=None, started_by=None),
    ),
    (
        event("run_end", status="finished", summary="s"),
        "COMPLETE", [], [], facet("hutchRunOutcome", status="finished", summary="s"),
    ),
    (
        event("run_end", status="failed"),
        "FAIL", [], [], facet("hutchRunOutcome", status="failed", summary=None),
    ),
    (
        event("operator", id="o", kind="crossover", parent_ids=["a", "b"], child_id="c"),
        "RUNNING", datasets("individual:a", "individual:b"), datasets("individual:c"),
        facet("hutchOperator", operator_id="o", operator_kind="crossover", cost_usd=None,
              tokens_in=None, tokens_out=None, llm_id=None),
    ),
    (
        event("self_mod", parent_agent_id="a", child_agent_id="b", overseer_verdict="rejected",
              score_before=0.5, score_after=0.25, target_path="x.py"),
        "RUNNING", datasets("agent:a"), datasets("agent:b"),
        facet("hutchSelfMod", overseer_verdict="rejected", score_before=0.5, score_after=0.25,
              target_path="x.py"),
    ),
]  # fmt: skip


@pytest.mark.parametrize(("hutch_event", "event_type", "inputs", "outputs", "facets"), TABLE)
def test_each_row_of_the_mapping_table(emitter, hutch_event, event_type, inputs, outputs, facets):
    """Section "Mapping": event type, inputs, outputs and facet of each row, key for key."""
    memory = emitter()
    memory.emit(hutch_event)
    (document,) = memory.captured_events
    assert (document["eventType"], document["inputs"], document["outputs"]) == (
        event_type,
        inputs,
        outputs,
    )
    assert document["run"] == {"runId": RUN_ID, "facets": facets}


def test_one_run_is_one_job_named_after_it(emitter):
    """Section "Mapping": the job is the run's name, or its id; the OL run is the run's id."""
    memory = emitter(namespace="ns")
    for each in [start("packing", "r1"), operator(1, "r1"), start(None, "r2"), operator(2, "r2")]:
        memory.emit(each)
    assert [
        (document["job"]["namespace"], document["job"]["name"], document["run"]["runId"])
        for document in memory.captured_events
    ] == [("ns", "packing", "r1")] * 2 + [("ns", "r2", "r2")] * 2


OTHERS = [
    event("individual", id="a", kind="program", is_seed=True),
    event("fitness", individual_id="a", evaluator_kind="unit_test", scores={"m": 1.0}),
    event("descriptor", individual_id="a", archive_id="x", kind="grid"),
    event("lineage_edge", parent_id="a", child_id="b"),
    event("migration", population_id="p", from_island="x", to_island="y", individual_ids=["a"]),
    event("claim", id="c", text="t"),
    event("evidence", claim_id="c", source_uri="u", stance="supports"),
    event("review", target_id="a", scorer="me"),
    event("artifact", id="a", kind="program", uri="u"),
    event("stream_event", label="l"),
    event("run_update", status="running"),
    event("tree_expansion", tree_id="t", parent_node="a", child_node="b"),
    event("archive_snapshot", archive_id="x", coverage=0.5, size=1),
    event("pareto_snapshot", population_id="p", front=["a"], objectives=["m"]),
    event("steering_command", command="pause_run", actor="human"),
]


@pytest.mark.parametrize("hutch_event", OTHERS, ids=lambda each: each.event_kind)
def test_other_kinds_are_not_emitted(emitter, hutch_event):
    """D12: section "Mapping": all other kinds give no OpenLineage event."""
    memory = emitter()
    memory.emit(hutch_event)
    assert memory.captured_events == []


@pytest.mark.parametrize(
    ("status", "event_type"),
    [
        ("finished", "COMPLETE"),
        ("running", "COMPLETE"),
        ("failed", "FAIL"),
        ("cancelled", "FAIL"),
    ],
)
def test_status_mapping(emitter, status, event_type):
    """D11: section "Mapping": run_end.status decides between COMPLETE and FAIL."""
    memory = emitter()
    memory.emit(end(status=status))
    assert memory.captured_events[0]["eventType"] == event_type


# -- "Event shape" -------------------------------------------------------------------------------


@pytest.mark.parametrize("parse", [parse_event, hutch.schema.EVENT_ADAPTER.validate_python])
def test_the_example_event_comes_out_equal(emitter, parse):
    """Section "Event shape": the example, from our event and from one of the Hutch SDK."""
    with Receiver() as receiver:
        live = emitter(receiver.url)
        live.emit(parse(EXAMPLE_START))
        live.emit(parse(EXAMPLE_EVENT))
        posted = receiver.wait_for(2)[1]
    assert posted == EXAMPLE_JSON
    assert list(posted) == list(EXAMPLE_JSON)
    assert (
        EXAMPLE_JSON["producer"],
        EXAMPLE_JSON["schemaURL"],
    ) == (OPENLINEAGE_PRODUCER, OPENLINEAGE_SCHEMA_URL)


# -- "Composing with the OTel emitter" -----------------------------------------------------------


class Broken:
    """A sink that always fails."""

    name = "broken"

    def accept(self, event):
        """Fail."""
        raise RuntimeError("no")


def test_a_broken_sink_does_not_break_openlineage(caplog):
    """Section "Composing": another sink that fails takes nothing from OpenLineage."""
    with Receiver() as receiver:
        sdk.configure(sdk.SDKConfig(openlineage_endpoint=receiver.url))
        sdk.runtime().tee.add(Broken())
        with sdk.run("r"):
            pass
        assert len(receiver.wait_for(2)) == 2
    assert len(warnings_of(caplog)) == 1


def test_a_broken_backend_does_not_break_other_sinks(caplog):
    """Section "Composing": with OpenLineage down, the primary transport has every event."""
    dead = f"http://127.0.0.1:{unused_port()}"
    sdk.configure(sdk.SDKConfig(openlineage_endpoint=dead, request_timeout_s=0.2))
    with sdk.run("r") as run:
        run.log_operator(kind="refine", child_id="c")
    assert [each.event_kind for each in sdk.runtime().events] == [
        "run_start",
        "operator",
        "run_end",
    ]
    wait_until(lambda: warnings_of(caplog))
    assert len(warnings_of(caplog)) == 1


# -- "Failure semantics" -------------------------------------------------------------------------


@pytest.mark.parametrize("fault", [503, "hang", "reset", "refused", "unserialisable"])
def test_failures_are_warned_of_and_swallowed(emitter, caplog, fault):
    """O13: section "Failure semantics": a 5xx, a time-out, a bad payload is a WARNING, no error."""
    bad = operator(1)
    if fault == "unserialisable":
        bad = bad.model_copy(
            update={"payload": bad.payload.model_copy(update={"llm_id": object()})}
        )
    with Receiver(then=201 if fault in ("refused", "unserialisable") else fault) as receiver:
        url = f"http://127.0.0.1:{unused_port()}" if fault == "refused" else receiver.url
        live = emitter(url, timeout_s=0.2)
        live.emit(bad)
        wait_until(lambda: warnings_of(caplog))
    assert len(warnings_of(caplog)) == 1


def test_hutch_strict_opts_into_raising(monkeypatch):
    """Section "Failure semantics": HUTCH_STRICT=1 makes the SDK's verbs raise."""
    monkeypatch.setenv("HUTCH_STRICT", "1")
    monkeypatch.setenv("HUTCH_OPENLINEAGE_ENDPOINT", f"http://127.0.0.1:{unused_port()}")
    sdk.reset()
    with pytest.raises(CaptureError):
        sdk.start_run(name="r")


def test_strict_posts_before_it_returns(emitter):
    """Strict: when emit returns, the backend has the event; what failed comes first next time."""
    with Receiver(201, 503, then=201) as receiver:
        live = emitter(receiver.url, strict=True)
        live.emit(operator(1))
        assert operator_ids(receiver.events) == ["op-1"]
        with pytest.raises(DeliveryError):
            live.emit(operator(2))
        live.emit(operator(3))
        assert operator_ids(receiver.events) == ["op-1", "op-2", "op-3"]
