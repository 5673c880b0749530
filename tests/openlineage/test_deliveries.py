"""What became of each event, as the emitter tells it."""

from __future__ import annotations

import pytest

from tests.openlineage.events import end, operator, start
from tests.receivers import Answer, Receiver, unused_port


def states(log):
    """The states in order."""
    return [event.state for event in log.events]


def test_in_memory_nothing_is_owed(emitter):
    """Without an endpoint each event is there, with what it says, and waits for nothing."""
    memory = emitter()
    for event in (start(), operator(1), end()):
        memory.emit(event)
    log = memory.deliveries()
    assert (log.endpoint, log.total, states(log)) == (None, 3, ["memory"] * 3)
    assert [event.what for event in log.events] == ["run start", "refine", "run end"]
    assert [event.event_type for event in log.events] == ["START", "RUNNING", "COMPLETE"]


def test_what_was_sent_refused_and_owed_is_told_apart(emitter):
    """A refusal carries the status and the backend's words; the next ones follow it."""
    with Receiver(201, Answer(422, body=b"no such job"), then=201) as receiver:
        live = emitter(receiver.url)
        for number in range(4):
            live.emit(operator(number))
        assert not live.flush(20)
        log = live.deliveries()
        assert states(log) == ["sent", "rejected", "sent", "sent"]
        refused = log.events[1]
        assert (refused.status, "no such job" in refused.reason) == (422, True)
        assert log.endpoint == live.endpoint
        live.go_memory()
        live.emit(operator(9))
        assert states(live.deliveries()) == ["sent", "rejected", "sent", "sent", "queued"]


def test_what_an_endpoint_cannot_get_is_queued(emitter):
    """Nobody is there: the events wait."""
    dead = emitter(f"http://127.0.0.1:{unused_port()}")
    dead.emit(operator(1))
    assert not dead.flush(0.2)
    assert states(dead.deliveries()) == ["queued"]


def test_offered_again_is_queued_again(emitter):
    """A refused event that is offered once more is no longer refused."""
    with Receiver(400, then=503) as receiver:
        live = emitter(receiver.url)
        live.emit(operator(1))
        live.flush(20)
        assert states(live.deliveries()) == ["rejected"]
        assert live.send_rejected() == 1
        assert states(live.deliveries()) == ["queued"]


def test_a_part_is_taken_from_either_end_and_filtered(emitter):
    """Offsets count from the end where they are negative; filters come before them."""
    memory = emitter()
    for number in range(10):
        memory.emit(operator(number))

    def places(*given, **wanted):
        return [event.position for event in memory.deliveries(*given, **wanted).events]

    assert places(3, 2) == [3, 4]
    assert places(-3) == [7, 8, 9]
    assert places(-99, 1) == [0]
    assert places(50) == places(0, 0) == places(state="sent") == []
    log = memory.deliveries(query="OP-7")
    assert (log.total, log.events[0].position) == (1, 7)


@pytest.mark.parametrize("form", ["http://user:hush@{}", "http://{}/?api_key=hush"])
def test_no_secret_is_told(emitter, form):
    """The endpoint is masked, and so is what the backend repeats of it."""
    with Receiver(then=400) as receiver:
        host = receiver.url.removeprefix("http://")
        live = emitter(form.format(host), api_key="hush")
        live.emit(operator(1))
        live.flush(20)
        assert "hush" not in repr(live.deliveries())


def test_what_a_backend_says_of_what_it_accepts(emitter):
    """Edges made and datasets not found stand at the event; a plain 201 says nothing."""
    lost = b'[{"name":"a.b","reason":"UNPARSABLE_NAME"}]'
    none = b'{"lineageEdgesCreated":0,"unresolvedDatasets":' + lost + b"}"
    script = [Answer(200, body=b'{"lineageEdgesCreated":1}'), Answer(200, body=none), 201]
    with Receiver(*script, Answer(200, body=b'{"lineageEdgesCreated":')) as receiver:
        live = emitter(receiver.url)
        for number in range(4):
            live.emit(operator(number))
        assert live.flush(20)
        told = [(each.state, each.status, each.reason) for each in live.deliveries().events]
    assert told == [
        ("sent", 200, "1 edge made"),
        ("sent", 200, "no edge made; not found: a.b (UNPARSABLE_NAME)"),
        ("sent", None, ""),
        ("sent", None, ""),
    ]
