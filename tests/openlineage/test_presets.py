"""An emitter under a backend preset: what each endpoint gets, and what is held back."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import hutch_lineage.sdk as sdk
from hutch_lineage.delivery import DeliveryOptions, HttpOptions
from hutch_lineage.mapping import named_node, preset_of
from hutch_lineage.openlineage import capture
from tests.openlineage.events import RUN_ID, end, event, operator, operator_ids, start, warnings_of
from tests.receivers import Answer, Receiver, unused_port


def individual(node_id, *parents):
    """Return a new ``individual``."""
    fields = {"parent_ids": list(parents), "is_seed": not parents}
    return event("individual", id=node_id, kind="program", **fields)


def whats(documents):
    """Return what each event of a preset tells of."""
    return [each["run"]["facets"]["hutchLineage"]["what"] for each in documents]


def test_in_memory_events_are_as_they_would_be_posted(emitter):
    """An emitter that is built for a preset captures in its form."""
    memory = emitter(backend="marquez")
    for each in (start(), operator(1), end()):
        memory.emit(each)
    assert whats(memory.captured_events) == ["run", "operator", "run"]
    assert memory.stats()["backend"] == "marquez"
    assert memory.stats()["captured"] == 3


def test_going_live_maps_what_was_captured_anew(emitter):
    """Captured as specified, and sent as the preset has it: seeds and parents included."""
    with Receiver() as receiver:
        toggle = emitter()
        for each in (start(), individual("a"), individual("b", "a"), operator(1)):
            toggle.emit(each)
        assert len(toggle.captured_events) == 2
        toggle.go_live(receiver.url, backend="marquez")
        toggle.emit(end())
        assert toggle.flush(20)
        assert whats(receiver.events) == ["run", "seed", "operator", "unknown", "run"]
        assert receiver.events == toggle.captured_events
        told = toggle.deliveries().events
        assert [each.what for each in told] == [
            "run start", "seed", "refine", "unknown", "run end",
        ]  # fmt: skip
        assert (told[2].inputs, told[2].outputs) == (("individual:a",), ("individual:c1",))


def test_each_endpoint_gets_its_own_form(emitter):
    """Two endpoints with two presets: each gets everything once, in its form, in order."""
    with Receiver() as plain, Receiver() as marquez:
        toggle = emitter(plain.url)
        toggle.emit(operator(1))
        assert toggle.flush(20)
        toggle.go_live(marquez.url, backend="marquez")
        toggle.emit(operator(2))
        assert toggle.flush(20)
        toggle.go_live(plain.url)
        toggle.emit(operator(3))
        assert toggle.flush(20)
        toggle.go_live(marquez.url, backend="marquez")
        assert toggle.flush(20)
        for receiver in (plain, marquez):
            assert operator_ids(receiver.events) == ["op-1", "op-2", "op-3"]
        assert {each["eventType"] for each in plain.events} == {"RUNNING"}
        assert {each["eventType"] for each in marquez.events} == {"COMPLETE"}


def test_the_same_endpoint_under_another_preset_gets_everything_anew(emitter):
    """Whoever finds no edges in a backend changes the preset, and then sees them."""
    with Receiver() as receiver:
        toggle = emitter(receiver.url, api_key="k")
        toggle.emit(operator(1))
        assert toggle.flush(20)
        toggle.go_live(receiver.url, backend="marquez")
        assert toggle.flush(20)
        assert [each["eventType"] for each in receiver.events] == ["RUNNING", "COMPLETE"]
        assert receiver.requests[1].headers["Authorization"] == "Bearer k"


def test_what_was_owed_in_another_form_is_dropped(emitter):
    """After the preset was changed no later process sends the rest in the old form."""
    dead = f"http://127.0.0.1:{unused_port()}"
    toggle = emitter(dead)
    toggle.emit(operator(1))
    assert not toggle.flush(0.2)
    toggle.go_live(dead, backend="marquez")
    toggle.close(0.2)
    root = Path(os.environ["HUTCH_OPENLINEAGE_JOURNAL"])
    (left,) = [line for path in root.rglob("*.ndjson") for line in path.read_bytes().splitlines()]
    assert json.loads(left)["eventType"] == "COMPLETE"


def test_the_path_is_the_preset_s(emitter):
    """DataHub's endpoint is not where the rule of the specification points."""
    with Receiver() as receiver:
        toggle = emitter(receiver.url, backend="datahub")
        toggle.emit(operator(1))
        assert toggle.flush(20)
        assert receiver.requests[0].path == "/openapi/openlineage/api/v1/lineage"


@pytest.mark.parametrize("way", ["flush", "close"])
def test_what_was_held_back_goes_out_when_a_run_does_not_end(emitter, way):
    """Parents that no operator named are posted by a flush, and when the emitter is closed."""
    with Receiver() as receiver:
        live = emitter(receiver.url, backend="marquez")
        live.emit(start())
        live.emit(individual("b", "a"))
        assert getattr(live, way)(20)
        assert whats(receiver.events) == ["run", "unknown"]
        (made,) = receiver.events[1]["outputs"]
        assert named_node(made["name"]).id == "b"


LEAVES = """
import sys
from hutch_lineage.openlineage import OpenLineageEmitter
from tests.openlineage.events import start
from tests.openlineage.test_presets import individual

live = OpenLineageEmitter(endpoint=sys.argv[1], backend="marquez")
live.emit(start())
live.emit(individual("b", "a"))
"""


def test_what_was_held_back_goes_out_when_the_process_ends():
    """A script that forgets the end of its run loses no parents."""
    with Receiver() as receiver:
        subprocess.run([sys.executable, "-c", LEAVES, receiver.url], check=True, timeout=60)
        assert whats(receiver.wait_for(2)) == ["run", "unknown"]


def test_a_forked_child_leaves_to_its_parent_what_was_held_back(emitter):
    """Neither posts for the other."""
    with Receiver() as receiver:
        live = emitter(receiver.url, backend="marquez")
        live.emit(individual("b", "a"))
        pid = os.fork()
        if not pid:
            live.close(5)
            os._exit(0)
        os.waitpid(pid, 0)
        assert receiver.events == []
        assert live.close(20)
        assert whats(receiver.events) == ["unknown"]


def test_going_to_memory_and_back_sends_what_came_in_between(emitter):
    """What the mapping remembers of a run goes on where it was."""
    with Receiver() as receiver:
        toggle = emitter(receiver.url, backend="marquez")
        toggle.emit(individual("a"))
        toggle.go_memory()
        toggle.emit(operator(1, parent_ids=["a"]))
        assert whats(toggle.captured_events) == ["seed", "operator"]
        toggle.go_live(receiver.url, backend="marquez")
        toggle.emit(end())
        assert toggle.flush(20)
        assert whats(receiver.events) == ["seed", "operator", "run"]


def test_no_endpoint_loses_what_is_mapped_for_another(emitter, monkeypatch):
    """The events behind a journal are forgotten, but none that another preset's endpoint lacks."""
    monkeypatch.setattr(capture, "KEPT_LIVE", 5)
    with Receiver() as plain, Receiver() as marquez:
        toggle = emitter(plain.url)
        toggle.go_live(marquez.url, backend="marquez")
        for number in range(40):
            toggle.emit(operator(number))
        assert toggle.flush(20)
        toggle.go_live(plain.url)
        for number in range(40, 80):
            toggle.emit(operator(number))
        toggle.go_live(marquez.url, backend="marquez")
        assert toggle.flush(20)
        wanted = [f"op-{number}" for number in range(80)]
        assert operator_ids(marquez.events) == wanted
        toggle.go_live(plain.url)
        assert toggle.flush(20)
        assert operator_ids(plain.events) == wanted


def test_a_new_preset_says_where_it_begins(emitter, monkeypatch, caplog):
    """Of what was forgotten, the newest is mapped anew, and a warning says since when."""
    monkeypatch.setattr(capture, "KEPT_LIVE", 5)
    with Receiver() as plain, Receiver() as marquez:
        toggle = emitter(plain.url)
        for number in range(20):
            toggle.emit(operator(number))
        toggle.go_live(marquez.url, backend="marquez")
        assert toggle.flush(20)
        sent = operator_ids(marquez.events)
        assert sent == [f"op-{number}" for number in range(20 - len(sent), 20)]
        assert 5 <= len(sent) < 20
    assert any("marquez mapping begins with event" in each for each in warnings_of(caplog))


def test_a_preset_chosen_late_maps_all_that_the_session_has(monkeypatch, caplog):
    """The session keeps its events anyway, so none is missing in the new form."""
    monkeypatch.setattr(capture, "KEPT_LIVE", 5)
    with Receiver() as plain, Receiver() as marquez:
        sdk.configure(sdk.SDKConfig(openlineage_endpoint=plain.url))
        with sdk.run("long") as run:
            for number in range(40):
                run.log_operator(
                    kind="refine", parent_ids=[f"i{number}"], child_id=f"i{number + 1}"
                )
            assert sdk.emitter().flush(20)
            sdk.emitter().go_live(marquez.url, backend="marquez")
            assert sdk.emitter().flush(20)
            assert whats(marquez.events) == ["run", *["operator"] * 40]
    assert not any("mapping begins with event" in each for each in warnings_of(caplog))


def test_a_run_id_that_is_made_a_uuid_is_no_reason_to_warn(emitter, caplog):
    """The warning about run ids is for those that are posted as they are."""
    with Receiver() as receiver:
        for backend, count in (("marquez", 0), ("generic", 1)):
            live = emitter(receiver.url, backend=backend)
            live.emit(operator(1, run_id="run-abc"))
            assert live.flush(20)
            assert sum("no UUID" in each for each in warnings_of(caplog)) == count


def test_rows_are_overridden_by_settings():
    """`openlineage_overrides` changes one row of the configured preset."""
    rows = {"lifecycle": "start+complete"}
    sdk.configure(
        sdk.SDKConfig(
            openlineage_endpoint="in-memory",
            openlineage_backend="marquez",
            openlineage_overrides=rows,
        )
    )
    memory = sdk.emitter()
    memory.emit(operator(1))
    assert [each["eventType"] for each in memory.captured_events] == ["START", "COMPLETE"]


def test_auto_takes_what_answers_with_the_same_rows_changed(emitter):
    """Where nothing known answers it is ``generic``, and overrides hold for whatever was found."""
    with Receiver() as receiver:
        live = emitter(receiver.url, backend="auto", overrides={"granularity": "operator"})
        live.emit(operator(1))
        assert live.flush(20)
        assert live.stats()["backend"] == "generic"
        assert [each["eventType"] for each in receiver.events] == ["COMPLETE"]


NONE_MADE = {
    "status": "failure",
    "lineageEdgesCreated": 0,
    "unresolvedDatasets": [{"name": "hutch.r.individual-a", "reason": "NAMESPACE_NOT_MAPPED"}],
}


def test_an_answer_of_no_edges_is_a_refusal_at_openmetadata(emitter):
    """Status 200 alone is not enough there: the event is kept with the reason, to be sent again."""
    none_made = Answer(200, body=json.dumps(NONE_MADE).encode())
    with Receiver(then=none_made) as receiver:
        live = emitter(receiver.url, backend="openmetadata")
        live.emit(start())  # has no edges, so none need be made
        live.emit(operator(1))
        assert not live.flush(20)
        (refused,) = live.rejected_events
        assert (
            refused.reason == "no edge made; not found: hutch.r.individual-a (NAMESPACE_NOT_MAPPED)"
        )
        receiver.script(then=200)
        assert live.send_rejected() == 1
        assert live.flush(20)


ALL_MADE = Answer(200, body=b'{"status":"success","lineageEdgesCreated":999}')


def test_a_backlog_goes_in_batches_where_the_preset_says_so(emitter):
    """OpenMetadata has a path for several, and a form: 122 events are a few requests, in order."""
    with Receiver(then=ALL_MADE) as receiver:
        toggle = emitter(backend="openmetadata")
        for each in (start(), *(operator(number) for number in range(120)), end()):
            toggle.emit(each)
        toggle.go_live(receiver.url, backend="openmetadata")
        assert toggle.flush(20)
        paths = {request.path for request in receiver.requests}
        posted = [each for request in receiver.requests for each in request.json["events"]]
        assert len(receiver.requests) < 10
    assert paths == {"/api/v1/openlineage/lineage/batch"}
    assert posted == toggle.captured_events


@pytest.mark.parametrize("backend", ["generic", "marquez", "datahub", "astro", "datadog"])
def test_elsewhere_a_request_has_one_event(emitter, backend):
    """Whatever has waited."""
    with Receiver() as receiver:
        toggle = emitter(backend=backend)
        for number in range(5):
            toggle.emit(operator(number))
        toggle.go_live(receiver.url, backend=backend)
        assert toggle.flush(20)
        assert receiver.events == toggle.captured_events


@pytest.mark.parametrize("why", ["setting", "no such path"])
def test_one_by_one_where_that_is_set_or_there_is_no_other_way(emitter, why):
    """A setting wins over the preset; an older server gets them as ever."""
    options = DeliveryOptions(http=HttpOptions(batch=1)) if why == "setting" else None
    script = () if why == "setting" else (404,)
    with Receiver(*script, then=ALL_MADE) as receiver:
        toggle = emitter(options=options, backend="openmetadata")
        for number in range(5):
            toggle.emit(operator(number))
        toggle.go_live(receiver.url, backend="openmetadata")
        assert toggle.flush(20)
        assert receiver.events == toggle.captured_events


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (
            {"lineageEdgesCreated": 1, "unresolvedDatasets": NONE_MADE["unresolvedDatasets"]},
            "1 edge made; not found: hutch.r.individual-a (NAMESPACE_NOT_MAPPED)",
        ),
        ({"status": "failure", "message": "it is full"}, "failure: it is full"),
    ],
)
def test_an_answer_of_too_few_edges_is_a_refusal_there_too(emitter, answer, reason):
    """Of a crossover one parent may be missing; what failed need not count edges."""
    with Receiver(then=Answer(200, body=json.dumps(answer).encode())) as receiver:
        live = emitter(receiver.url, backend="openmetadata")
        live.emit(operator(1, parent_ids=["a", "b"]))
        assert not live.flush(20)
        assert [each.reason for each in live.rejected_events] == [reason]


def test_an_answer_of_no_edges_counts_as_its_status_elsewhere(emitter):
    """The row `accepted` decides, not what the answer looks like."""
    with Receiver(then=Answer(200, body=json.dumps(NONE_MADE).encode())) as receiver:
        live = emitter(receiver.url, backend="openmetadata", overrides={"accepted": "2xx"})
        live.emit(operator(1))
        assert live.flush(20)


def test_in_memory_another_preset_can_be_looked_at(emitter):
    """What was captured is shown in another form, and what comes after as well."""
    memory = emitter()
    memory.emit(operator(1))
    memory.go_memory(backend="marquez")
    memory.emit(operator(2))
    assert [each["eventType"] for each in memory.captured_events] == ["COMPLETE", "COMPLETE"]
    memory.go_memory(backend="generic")
    assert [each["eventType"] for each in memory.captured_events] == ["RUNNING", "RUNNING"]


def test_a_preset_of_one_s_own(emitter):
    """Where a preset is named, a changed one may stand."""
    memory = emitter(backend=preset_of("marquez", {"facets": []}))
    memory.emit(operator(1))
    assert list(memory.captured_events[0]["run"]["facets"]) == ["hutchLineage", "hutchOperator"]
    assert memory.captured_events[0]["run"]["runId"] != RUN_ID
