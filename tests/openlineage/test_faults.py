"""What a backend can do wrong, and the faults that were shown in the official clients (O1 to O15).

Some of these are kept elsewhere, under their label: never blocked nor out of bounds (O2 to O4) and
forks (O6) in `test_reference_faults`, exit without close (O1) and what has no JSON form (O10) in
`test_emitter`, errors that reach the caller (O13) in `test_specification`, TLS (O8) in
`tests/delivery/test_wire`.
"""

from __future__ import annotations

import gzip
import logging
import os
import threading
import time

import pytest

from hutch_lineage.delivery import Backoff, DeliveryOptions, HttpOptions
from tests.openlineage.events import end, ids, operator, operator_ids, start, warnings_of
from tests.receivers import Answer, Receiver, unused_port
from tests.support.waiting import wait_until

QUICK = DeliveryOptions(backoff=Backoff(base_s=0.005, cap_s=0.02))


def emit_all(live, count, first=0):
    """Emit operators with these numbers."""
    for number in range(first, first + count):
        live.emit(operator(number))


@pytest.mark.parametrize("status", [408, 425, 429, 500, 502, 503, 504])
def test_what_may_pass_is_tried_again(emitter, status):
    """O7: 429 too, with and without Retry-After; everything arrives once, in order."""
    script = [status, Answer(status, {"Retry-After": "0"}), status]
    with Receiver(*script, then=201) as receiver:
        live = emitter(receiver.url, options=QUICK)
        emit_all(live, 5)
        assert live.flush(20)
        assert operator_ids(receiver.events) == ids(5)


@pytest.mark.parametrize("status", [400, 401, 403, 404, 413, 422])
def test_what_cannot_pass_is_set_aside_with_its_reason(emitter, status):
    """A 4xx costs the event and not the line; it is kept with status and words."""
    with Receiver(201, Answer(status, body=b"no such run"), then=201) as receiver:
        live = emitter(receiver.url, options=QUICK)
        emit_all(live, 4)
        assert not live.flush(20)
        assert operator_ids(receiver.events) == ["op-0", "op-2", "op-3"]
        (refused,) = live.rejected_events
    assert (refused.status, operator_ids([refused.event])) == (status, ["op-1"])
    assert refused.reason.endswith("no such run")


def test_a_500_that_blames_the_event_rejects_it(emitter):
    """Marquez answers an event that it cannot read with 500 and a code 400 in the body."""
    body = b'{"code":400,"message":"Unable to process JSON"}'
    with Receiver(Answer(500, body=body), then=201) as receiver:
        live = emitter(receiver.url, options=QUICK)
        emit_all(live, 2)
        assert not live.flush(20)
        assert [each.status for each in live.rejected_events] == [500]


def test_one_event_that_is_refused_for_ever_does_not_block_the_line(emitter, caplog):
    """An event that always meets 500 while others are taken is set aside, with one WARNING."""

    class Picky(Receiver):
        def _take(self, handler, body):
            if b'"op-1"' in body:
                self.script(500)
            return super()._take(handler, body)

    with Picky() as receiver:
        live = emitter(receiver.url, options=QUICK)
        emit_all(live, 4)
        assert not live.flush(30)
        assert sorted(operator_ids(receiver.events)) == ["op-0", "op-2", "op-3"]
        assert "while others were accepted" in live.rejected_events[0].reason
    told = warnings_of(caplog)
    assert len([line for line in told if "rejected an OpenLineage event" in line]) == 1


def test_a_flapping_backend_is_one_warning(emitter, caplog):
    """A backend that refuses every other post is one WARNING and one INFO, not a hundred."""
    caplog.set_level(logging.INFO, "hutch_lineage")
    with Receiver(*[503, 201] * 30, then=201) as receiver:
        live = emitter(receiver.url, options=QUICK)
        emit_all(live, 30)
        assert live.flush(30)
        assert operator_ids(receiver.events) == ids(30)
    assert [record.levelname for record in caplog.records] == ["WARNING", "INFO"]


@pytest.mark.parametrize("fault", ["hang", "reset", "close", Answer(201, raw=b"\0\0\r\n\r\n")])
def test_a_backend_that_breaks_off_gets_everything_later(emitter, fault):
    """Hung accept, reset, close, nonsense: the events wait, and arrive when it is well again."""
    with Receiver(fault, fault, then=201) as receiver:
        live = emitter(receiver.url, timeout_s=0.2, options=QUICK)
        emit_all(live, 3)
        assert live.flush(30)
        assert list(dict.fromkeys(operator_ids(receiver.events))) == ids(3)


def test_a_backend_that_restarts_gets_everything(emitter):
    """Up, away, up again on the same port: in order, without a call."""
    port = unused_port()
    with Receiver(port=port) as before:
        live = emitter(before.url, options=QUICK)
        emit_all(live, 3)
        assert live.flush(20)
    emit_all(live, 3, 3)
    wait_until(lambda: live.stats()["state"] == "failing")
    with Receiver(port=port) as after:
        assert live.flush(20)
        assert operator_ids(before.events) + operator_ids(after.events) == ids(6)


def test_flush_and_close_of_a_hung_backend_are_bounded(emitter):
    """O12: a hung backend holds up neither close nor flush; nothing is dropped."""
    with Receiver(then="hang") as receiver:
        live = emitter(receiver.url)
        emit_all(live, 300)
        begin = time.monotonic()
        assert [live.flush(0.1), live.close(0.1)] == [False, False]
        assert time.monotonic() - begin < 3
        assert len(live.captured_events) == 300


def test_a_run_is_in_order_however_slow_the_backend(emitter):
    """O5: START, RUNNING ..., COMPLETE, with answers of random delay."""
    with Receiver(*[Answer(201, delay_s=0.01 * (n % 3)) for n in range(12)]) as receiver:
        live = emitter(receiver.url)
        live.emit(start())
        emit_all(live, 10)
        live.emit(end())
        assert live.flush(20)
        types = [each["eventType"] for each in receiver.events]
        assert types == ["START", *["RUNNING"] * 10, "COMPLETE"]
        assert operator_ids(receiver.events) == ids(10)


def test_an_event_after_a_pause_leaves_at_once(emitter):
    """O9: nothing is polled: after a rest the next event is not late."""
    with Receiver() as receiver:
        live = emitter(receiver.url)
        emit_all(live, 1)
        assert live.flush(20)
        time.sleep(0.3)
        begin = time.monotonic()
        emit_all(live, 1, 1)
        receiver.wait_for(2)
        assert time.monotonic() - begin < 0.25


def test_a_refused_port_costs_one_connection_a_try(emitter):
    """O11: tries are not nested, and the waits between them grow: a few in a second."""
    live = emitter(f"http://127.0.0.1:{unused_port()}")
    emit_all(live, 50)
    began = time.monotonic()
    live.flush(0.2)  # hurries one of them
    wait_until(lambda: live.stats()["failed"] >= 3)
    assert time.monotonic() - began > 0.5  # the shortest that the wait before the third can be
    assert live.stats()["queued"] == 50


def test_nothing_is_compressed_or_looked_up_on_the_callers_thread(emitter, monkeypatch):
    """What both official transports do there, delivery does: compression, key, connection."""
    threads = set()

    def noted(body, level, compress=gzip.compress):
        threads.add(threading.current_thread().name)
        return compress(body, level)

    monkeypatch.setattr("hutch_lineage.delivery.http_sender.gzip.compress", noted)
    options = DeliveryOptions(http=HttpOptions(gzip=True))
    with Receiver() as receiver:
        live = emitter(receiver.url, options=options, api_key="key")
        emit_all(live, 5)
        assert live.flush(20)
        assert len(receiver.requests) == 5
    assert threads == {"hutch-lineage-courier"}


def test_the_environment_stays_as_it_is(emitter, monkeypatch):
    """The official client copies its key into further variables, which every child inherits."""
    monkeypatch.setenv("OPENLINEAGE_API_KEY", "hush")
    before = dict(os.environ)
    with Receiver() as receiver:
        live = emitter(receiver.url, api_key="hush")
        emit_all(live, 1)
        assert live.flush(20)
    assert dict(os.environ) == before


def test_an_emitter_at_rest_takes_no_processor_time(emitter):
    """O15: waiting costs nothing, with a backend that is there and with one that is away."""
    with Receiver() as receiver:
        emit_all(emitter(receiver.url), 1)
        receiver.wait_for(1)
        emit_all(emitter(f"http://127.0.0.1:{unused_port()}"), 1)
        time.sleep(0.3)
        threads = [each for each in threading.enumerate() if "hutch-lineage" in each.name]
        assert len(threads) >= 2
        clocks = [time.pthread_getcpuclockid(each.ident) for each in threads]
        before = [time.clock_gettime(clock) for clock in clocks]
        time.sleep(1.0)
        used = [time.clock_gettime(clock) - was for clock, was in zip(clocks, before, strict=True)]
    assert max(used) < 0.02
