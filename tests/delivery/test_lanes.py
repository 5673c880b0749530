"""Several connections to a slow backend: faster, and each run in its order all the same."""

from __future__ import annotations

import json
import logging
import os
import random
import signal
import subprocess
import sys
import time
from collections import defaultdict

import pytest

from hutch_lineage.delivery import MemoryOutbox
from hutch_lineage.delivery.lanes import Lanes
from hutch_lineage.openlineage import OpenLineageEmitter
from hutch_lineage.plumbing import Backoff
from tests.receivers import Answer, Receiver, unused_port
from tests.support.waiting import wait_until

SLOW = Answer(201, delay_s=0.02)
LANES = 6


@pytest.fixture
def opened(courier_for):
    """Start couriers with several lanes: ``opened(url, outbox, **options)``."""

    def start(url, outbox, **options):
        backoff = Backoff(base_s=0.02, cap_s=0.05)
        courier = courier_for(url, outbox, **{"lanes": LANES, "backoff": backoff, **options})
        courier.resume()
        return courier

    return start


class Fickle(Receiver):
    """A backend that answers each request as `answer_to` its events says."""

    def __init__(self, answer_to):
        self._answer_to = answer_to
        super().__init__()

    def _take(self, handler, body):
        with self._cond:
            self._script = [self._answer_to(json.loads(body))]
            return super()._take(handler, body)


def event(run, number):
    """Return the JSON of an event."""
    return b'{"run":{"runId":"%s"},"n":%d}' % (run.encode(), number)


def filled(runs, count):
    """Return an outbox with `count` events of each of so many runs, in turn."""
    outbox = MemoryOutbox()
    for number in range(count):
        for run in range(runs):
            outbox.append(event(f"run-{run}", number))
    return outbox


def by_run(events):
    """Return the numbers that arrived of each run, each when it came first."""
    found = defaultdict(dict)
    for each in events:
        found[each["run"]["runId"]].setdefault(each["n"])
    return {run: list(numbers) for run, numbers in found.items()}


def whole(runs, count):
    """Return what `by_run` should say."""
    return {f"run-{run}": list(range(count)) for run in range(runs)}


def test_runs_share_a_slow_backend_each_in_its_order(opened):
    """Several are under way at a time, never more than was allowed, never two of a run."""
    with Receiver(then=SLOW) as receiver:
        courier = opened(receiver.url, filled(8, 10))
        assert courier.flush(20)
        assert by_run(receiver.events) == whole(8, 10)
        assert len(receiver.events) == 80
        assert 3 <= receiver.connections <= LANES


def test_one_run_has_one_connection(opened):
    """However slow the backend is, the events of a run go one by one."""
    with Receiver(then=SLOW) as receiver:
        assert opened(receiver.url, filled(1, 15)).flush(20)
        assert (by_run(receiver.events), receiver.connections) == (whole(1, 15), 1)


def test_a_quick_backend_has_one_connection(opened):
    """Where it answers at once, a second connection would gain nothing."""
    with Receiver() as receiver:
        assert opened(receiver.url, filled(8, 10)).flush(20)
        assert (by_run(receiver.events), receiver.connections) == (whole(8, 10), 1)


def test_batches_of_several_runs_share_it_too(opened):
    """A batch holds whole runs as far as they fit; other runs go out beside it."""
    with Receiver(then=SLOW) as receiver:
        assert opened(receiver.url, filled(8, 30), batch=20).flush(20)
        posted = [each for request in receiver.requests for each in request.json]
        assert by_run(posted) == whole(8, 30)
        assert (len(posted), len(receiver.requests) >= 12) == (240, True)


@pytest.mark.parametrize("seed", range(3))
def test_whatever_the_answers_the_order_of_a_run_holds(opened, seed):
    """Latencies at random, resets, closed connections, 503 and 429: each run in its order."""
    dice = random.Random(seed)

    def answer(_):
        if dice.random() < 0.2:
            return dice.choice([Answer("reset"), Answer("close"), Answer(503), Answer(429)])
        return Answer(201, delay_s=dice.random() * 0.04)

    with Fickle(answer) as receiver:
        assert opened(receiver.url, filled(6, 15)).flush(60)
        assert by_run(receiver.events) == whole(6, 15)


def test_a_backend_that_restarts_in_the_middle_misses_nothing(opened):
    """What was under way when it went is posted again, in its place."""
    port = unused_port()
    with Receiver(then=SLOW, port=port) as receiver:
        courier = opened(receiver.url, filled(6, 15))
        receiver.wait_for(20)
        receiver.stop()
    with Receiver(then=SLOW, port=port) as second:
        assert courier.flush(30)
        assert by_run([*receiver.events, *second.events]) == whole(6, 15)


def test_an_outage_of_many_connections_is_one(opened, caplog):
    """All that were under way fail: one WARNING, one wait, one post that finds out, one INFO."""
    caplog.set_level(logging.INFO, "hutch_lineage.delivery")
    with Receiver(then=SLOW) as receiver:
        courier = opened(receiver.url, filled(8, 60))
        wait_until(lambda: receiver.connections == LANES)
        receiver.script(*[503] * (LANES + 3), then=SLOW)
        assert courier.flush(30)
    assert [record.levelname for record in caplog.records] == ["WARNING", "INFO"]
    assert courier.stats().failed == LANES + 3
    assert by_run(receiver.events) == whole(8, 60)


def test_in_an_outage_one_post_at_a_time_asks(opened):
    """The backend is not stormed by all connections while it cannot answer."""
    with Receiver(then=SLOW) as receiver:
        courier = opened(receiver.url, filled(8, 60))
        wait_until(lambda: receiver.connections == LANES)
        receiver.script(then=503)
        wait_until(lambda: courier.stats().failed >= LANES)
        began, before = time.monotonic(), len(receiver.requests)
        receiver.wait_for_requests(before + LANES + 4)  # so many may have been under way, and 4
        assert time.monotonic() - began > 4 * 0.02  # each of which waited so long at least


def test_an_event_that_only_it_is_refused_holds_up_its_own_run_alone(opened):
    """The others arrive while it is tried again; after 8 refusals its run goes on without it."""
    poison = {"run": {"runId": "run-3"}, "n": 2}
    with Fickle(lambda each: Answer(500) if each == poison else SLOW) as receiver:
        courier = opened(receiver.url, filled(6, 40))
        assert not courier.flush(30)
        events = receiver.events
        refused = [each.answered for each in receiver.requests].count(500)
        assert refused == 8
        expected = whole(6, 40) | {"run-3": [n for n in range(40) if n != 2]}
        assert by_run(events) == expected
    assert [(item.index, item.status) for item in courier.rejected()] == [(2 * 6 + 3, 500)]
    assert "8 times while others were accepted" in courier.rejected()[0].reason


def test_connections_that_are_not_needed_end(opened, monkeypatch):
    """When the backlog is gone one is left, with one thread; a later one is posted on it."""
    monkeypatch.setattr("hutch_lineage.delivery.lanes.IDLE_S", 0.05)
    outbox = filled(8, 5)
    with Receiver(then=SLOW) as receiver:
        courier = opened(receiver.url, outbox)
        assert courier.flush(20)
        assert receiver.connections > 1
        wait_until(lambda: len(courier._lanes) == 1)
        outbox.append(event("run-0", 5))
        courier.wake()
        assert courier.flush(20)
        assert by_run(receiver.events)["run-0"] == [0, 1, 2, 3, 4, 5]


def test_close_ends_all_threads(opened):
    """After close no lane is left, and no connection."""
    with Receiver(then=SLOW) as receiver:
        courier = opened(receiver.url, filled(8, 5))
        assert courier.close(20)
        wait_until(lambda: not courier._lanes)


PRODUCER = """
import os, signal, sys, threading
from hutch_lineage.openlineage import OpenLineageEmitter
from tests.openlineage.events import event

emitter = OpenLineageEmitter(endpoint=sys.argv[1])
for number in range(30):
    for run in range(6):
        emitter.emit(event("operator", f"run-{run}", id=f"op-{number}", kind="refine",
                           parent_ids=["a"], child_id="b"))
print("emitted", flush=True)
if sys.argv[2] == "fork" and os.fork() == 0:
    for number in range(30, 40):
        emitter.emit(event("operator", "child", id=f"op-{number}", kind="refine",
                           parent_ids=["a"], child_id="b"))
    print("whole" if emitter.close(20) else "not whole", flush=True)
    os._exit(0)
threading.Event().wait()
"""


@pytest.fixture
def producer(project_root):
    """Start processes that emit 30 events of six runs and wait to be killed."""
    started = []

    def start(url, how="wait"):
        process = subprocess.Popen(
            [sys.executable, "-c", PRODUCER, url, how],
            cwd=project_root, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        started.append(process)
        assert process.stdout.readline() == "emitted\n"
        return process

    yield start
    for process in started:
        process.kill()
        process.communicate()


def operators(events):
    """Return the operators that arrived of each run, each when it came first."""
    found = defaultdict(dict)
    for each in events:
        operator = each["run"]["facets"]["hutchOperator"]["operator_id"]
        found[each["run"]["runId"]].setdefault(operator)
    return {run: list(ids) for run, ids in found.items()}


def test_kill_9_with_many_posts_under_way_loses_nothing(producer):
    """What went out ahead of the oldest owed event may come twice; nothing is lost or reordered."""
    with Receiver(then=SLOW) as receiver:
        process = producer(receiver.url)
        receiver.wait_for(60)
        process.kill()
        process.wait()
        with OpenLineageEmitter(endpoint=receiver.url) as emitter:
            assert emitter.flush(30)
        expected = [f"op-{number}" for number in range(30)]
        assert operators(receiver.events) == {f"run-{run}": expected for run in range(6)}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_child_of_a_process_with_many_connections_has_its_own(producer):
    """Forked while posts are under way: parent and child both deliver all of theirs."""
    with Receiver(then=SLOW) as receiver:
        process = producer(receiver.url, "fork")
        assert process.stdout.readline() == "whole\n"
        wait_until(lambda: len(receiver.events) >= 190)
        process.send_signal(signal.SIGKILL)
        found = operators(receiver.events)
        assert found.pop("child") == [f"op-{number}" for number in range(30, 40)]
        assert {run: len(ids) for run, ids in found.items()} == dict.fromkeys(found, 30)
        assert len(receiver.events) == 190


def test_what_a_thread_took_that_fails_goes_to_the_next(opened, monkeypatch, caplog):
    """A fault between taking events and posting them costs none, nor its run its turn."""
    faults = [OSError(5, "the disk")]

    def share(self):
        if faults:
            raise faults.pop()

    monkeypatch.setattr(Lanes, "_share_work", share)
    with Receiver() as receiver:
        courier = opened(receiver.url, filled(1, 3))
        wait_until(lambda: not faults and not courier._lanes)
        assert courier.flush(20)
        assert by_run(receiver.events) == whole(1, 3)
    assert "a thread of delivery ended" in caplog.text


def test_while_all_is_under_way_nobody_spins(opened):
    """A lane that has nothing to post after an outage began waits for those under way."""
    with Receiver(then=Answer(201, delay_s=0.5)) as receiver:
        courier = opened(receiver.url, filled(3, 2))
        wait_until(lambda: len(receiver.requests) >= 4)
        receiver.script(503, then=Answer(201, delay_s=1.0))
        began = time.process_time()
        assert courier.flush(20)
        assert time.process_time() - began < 1.0
        assert by_run(receiver.events) == whole(3, 2)
