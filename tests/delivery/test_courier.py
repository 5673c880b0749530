"""The courier: order, outages, rejections, ends."""

from __future__ import annotations

import logging
import threading
import time

import pytest

from hutch_lineage.delivery import MemoryOutbox, open_sender
from hutch_lineage.errors import DeliveryError
from hutch_lineage.mapping import parse_endpoint
from tests.receivers import Answer, Receiver, statuses, unused_port
from tests.support.waiting import wait_until


def filled(count):
    """Return an outbox with `count` bodies, numbered."""
    outbox = MemoryOutbox()
    for number in range(count):
        outbox.append(b'{"n":%d}' % number)
    return outbox


def wait_for_failure(courier):
    """Wait until a post has failed."""
    wait_until(lambda: courier.stats().state == "failing")


def numbers(receiver):
    """Return the numbers that were accepted, in order."""
    return [event["n"] for event in receiver.events]


def test_everything_arrives_once_and_in_order(courier_for):
    """Bodies arrive first in, first out, on one connection."""
    with Receiver() as receiver:
        courier = courier_for(receiver.url, filled(50))
        courier.resume()
        assert courier.flush(20)
        assert (numbers(receiver), receiver.connections) == (list(range(50)), 1)


def test_d8_an_outage_loses_and_reorders_nothing(courier_for):
    """After 503, a reset, a closed connection and 429, everything arrives in order."""
    with Receiver(201, 503, "reset", "close", 429, then=201) as receiver:
        courier = courier_for(receiver.url, filled(5))
        courier.resume()
        receiver.wait_for(5)
        assert numbers(receiver) == [0, 1, 2, 3, 4]
        assert courier.flush(20)
        assert courier.stats().state == "ok"


def test_a_backend_that_comes_back_gets_everything(courier_for):
    """Events of a time without backend arrive when it is there, without any call."""
    port = unused_port()
    courier = courier_for(f"http://127.0.0.1:{port}", filled(3))
    courier.resume()
    assert not courier.flush(0.1)
    wait_for_failure(courier)
    with Receiver(port=port) as receiver:
        assert [event["n"] for event in receiver.wait_for(3)] == [0, 1, 2]


def test_d19_an_outage_is_one_warning_and_its_end_one_line(courier_for, caplog):
    """Many failures log one WARNING; recovery logs one INFO with the count."""
    caplog.set_level(logging.INFO, "hutch_lineage.delivery")
    with Receiver(*[503] * 6, then=201) as receiver:
        courier = courier_for(receiver.url, filled(3))
        courier.resume()
        assert courier.flush(20)
    levels = [record.levelname for record in caplog.records]
    assert levels == ["WARNING", "INFO"]
    assert "503 Service Unavailable" in caplog.messages[0]
    assert "6 failed posts; 2 more that waited follow" in caplog.messages[1]


@pytest.mark.parametrize("status", [429, 503])
def test_retry_after_is_honoured(courier_for, status):
    """O7: a backend that asks for time gets it, though the next try was due a moment later."""
    with Receiver(Answer(status, {"Retry-After": "1"}), then=201) as receiver:
        courier = courier_for(receiver.url, filled(1))
        courier.resume()
        receiver.wait_for_requests(1)
        asked = time.monotonic()
        receiver.wait_for(1)
        assert time.monotonic() - asked > 0.8


def test_a_flush_does_not_wait_as_long_as_a_backend_asks_for(courier_for):
    """Where somebody waits for it, it is tried at once."""
    with Receiver(Answer(503, {"Retry-After": "120"}), then=201) as receiver:
        courier = courier_for(receiver.url, filled(1))
        courier.resume()
        receiver.wait_for_requests(1)
        assert courier.stats().queued == 1
        assert courier.flush(20)


def test_a_rejected_body_is_set_aside_and_the_next_follow(courier_for, caplog):
    """A 4xx does not hold up the line; it is kept with its reason, told once per reason."""
    with Receiver(201, 422, 422, then=201) as receiver:
        courier = courier_for(receiver.url, filled(4))
        courier.resume()
        receiver.wait_for_requests(4)
        assert not courier.flush(20)
    assert numbers(receiver) == [0, 3]
    assert [(item.index, item.status) for item in courier.rejected()] == [(1, 422), (2, 422)]
    assert len(caplog.records) == 1
    assert courier.stats().rejected == 2


def test_rejected_bodies_are_offered_again_on_request(courier_for):
    """`send_rejected` brings them in their order; what is accepted is no longer rejected."""
    with Receiver(401, 401, then=201) as receiver:
        courier = courier_for(receiver.url, filled(3))
        courier.resume()
        receiver.wait_for(1)
        assert courier.send_rejected() == 2
        assert courier.flush(20)
        assert numbers(receiver) == [2, 0, 1]


def test_pause_keeps_what_is_owed(courier_for):
    """After a pause nothing is posted; resuming goes on where it stopped."""
    outbox = filled(1)
    with Receiver() as receiver:
        courier = courier_for(receiver.url, outbox)
        courier.resume()
        assert courier.flush(20)
        courier.pause()
        outbox.append(b'{"n":1}')
        courier.wake()
        assert courier.stats().queued == 1
        courier.resume()
        assert courier.flush(20)
        assert numbers(receiver) == [0, 1]


def test_flush_is_bounded_and_tells_the_truth(courier_for):
    """On a backend that hangs, flush and close return False in time."""
    with Receiver(then="hang") as receiver:
        courier = courier_for(receiver.url, filled(2))
        courier.resume()
        receiver.wait_for_requests(1)
        assert [courier.flush(0.05), courier.close(0.05)] == [False, False]


def test_close_says_what_stays_behind(courier_for, caplog):
    """What could not be sent before the end is one WARNING with the number and the reason."""
    courier = courier_for(f"http://127.0.0.1:{unused_port()}", filled(2))
    courier.resume()
    courier.flush(0.2)
    wait_for_failure(courier)
    caplog.clear()
    assert not courier.close(0)
    assert "2 OpenLineage events were not sent to the backend (Connection refused)" in caplog.text


def test_drain_posts_here_and_raises(courier_for):
    """On the caller's thread the first failure raises; what failed is first next time."""
    with Receiver(201, 503, 422, then=201) as receiver:
        courier = courier_for(receiver.url, filled(4))
        courier.resume(background=False)
        with pytest.raises(DeliveryError, match="503") as transient:
            courier.drain()
        with pytest.raises(DeliveryError, match="422"):
            courier.drain()
        courier.drain()
        assert numbers(receiver) == [0, 2, 3]
        assert (transient.value.status, transient.value.endpoint) == (503, "the backend")


def test_no_thread_until_there_is_something_to_send(courier_for):
    """A courier without work has no thread; with work it has one, a daemon."""
    with Receiver() as receiver:
        outbox = filled(0)
        courier = courier_for(receiver.url, outbox)
        courier.resume()
        before = {thread.name for thread in threading.enumerate()}
        outbox.append(b"{}")
        courier.wake()
        receiver.wait_for(1)
        threads = [t for t in threading.enumerate() if t.name == "hutch-lineage-courier"]
        assert "hutch-lineage-courier" not in before
        assert [thread.daemon for thread in threads] == [True]


def test_a_thread_that_fails_is_followed_by_another(courier_for, caplog):
    """A disk that cannot be read for a moment holds up nothing for good."""

    class Failing(MemoryOutbox):
        def read_from(self, index, limit):
            if index == 1 and not caplog.records:
                raise OSError(5, "Input/output error")
            return super().read_from(index, 1)

    outbox = Failing()
    with Receiver() as receiver:
        courier = courier_for(receiver.url, outbox)
        courier.resume()
        outbox.append(b'{"n":0}')
        assert courier.flush(20)
        outbox.append(b'{"n":1}')
        courier.wake()
        wait_until(lambda: caplog.records)
        outbox.append(b'{"n":2}')
        wait_until(lambda: courier.flush(0.1))
        assert numbers(receiver) == [0, 1, 2]
    assert len(caplog.records) == 1


def test_many_threads_append_and_nothing_is_lost(courier_for):
    """Ten threads appending at once: every body arrives, each once."""
    outbox = MemoryOutbox()
    lock = threading.Lock()

    def work(first):
        for number in range(first, first + 20):
            with lock:
                outbox.append(b'{"n":%d}' % number)
            courier.wake()

    with Receiver() as receiver:
        courier = courier_for(receiver.url, outbox)
        courier.resume()
        threads = [threading.Thread(target=work, args=(first * 20,)) for first in range(10)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert courier.flush(20)
        assert sorted(numbers(receiver)) == list(range(200))


def test_a_new_sender_gets_what_the_old_one_was_refused(courier_for):
    """With new credentials the events that were refused are offered again."""
    with Receiver(401, then=201) as receiver:
        courier = courier_for(receiver.url, filled(1))
        courier.resume()
        receiver.wait_for_requests(1)
        courier.flush(20)
        courier.use(open_sender(parse_endpoint(receiver.url)))
        assert courier.flush(20)
        assert statuses(receiver.requests) == [401, 201]
