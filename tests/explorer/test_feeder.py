"""The feeder: soon after each change, never too often, gone with its owner."""

from __future__ import annotations

import gc
import threading
import time

from hutch_lineage.explorer.feeder import Feeder
from tests.support.waiting import wait_until


class Counter:
    def __init__(self) -> None:
        self.calls = 0
        self.called = threading.Event()

    def count(self) -> None:
        self.calls += 1
        self.called.set()


def test_a_wake_is_followed_by_a_call():
    """After a wake the method is called, on a thread of its own."""
    counter = Counter()
    feeder = Feeder(counter.count)
    feeder.wake()
    assert counter.called.wait(10)
    feeder.close()


def test_many_wakes_are_few_calls():
    """A loop that logs a thousand events does not redraw a thousand times."""
    counter = Counter()
    feeder = Feeder(counter.count)
    for _ in range(1000):
        feeder.wake()
    assert counter.called.wait(10)
    assert counter.calls < 10
    feeder.close()


def test_a_failing_method_is_called_again(caplog):
    """One failed update is said, and does not end the view."""

    class Failing(Counter):
        def count(self) -> None:
            super().count()
            if self.calls == 1:
                raise ValueError("first time")

    counter = Failing()
    feeder = Feeder(counter.count)
    feeder.wake()
    wait_until(lambda: counter.calls == 1)
    wait_until(lambda: "could not be updated" in caplog.text)
    feeder.wake()
    wait_until(lambda: counter.calls == 2)
    feeder.close()


def test_ends_with_its_owner():
    """A forgotten explorer leaves no thread behind."""
    counter = Counter()
    feeder = Feeder(counter.count)
    feeder.wake()
    assert counter.called.wait(10)
    thread = feeder._thread
    del counter
    gc.collect()
    feeder.wake()
    wait_until(lambda: not thread.is_alive())
    feeder.close()


def test_rests_as_long_as_the_method_asks():
    """While no browser has spoken the method asks for longer rests, and gets them."""

    class Slow(Counter):
        def count(self) -> float:
            super().count()
            return 60.0

    counter = Slow()
    feeder = Feeder(counter.count)
    feeder.wake()
    assert counter.called.wait(10)
    feeder.wake()
    time.sleep(0.5)
    assert counter.calls == 1
    feeder.close()


def test_close_ends_the_thread():
    """After close no further call comes."""
    counter = Counter()
    feeder = Feeder(counter.count)
    feeder.wake()
    assert counter.called.wait(10)
    feeder.close()
    wait_until(lambda: not feeder._thread.is_alive())


def test_rests_briefly_after_a_call_that_took_long(monkeypatch):
    """A call that worked for long, as on a picture, does not hold back the next for longer."""
    worked = iter([0.0, 100.0])
    monkeypatch.setattr("time.thread_time", lambda: next(worked))
    counter = Counter()
    feeder = Feeder(counter.count)
    assert feeder._turn() == 1.0


def test_an_alarm_is_a_call_without_a_wake():
    """What the method puts off comes, though nothing new happens until then."""

    class Putting(Counter):
        def count(self) -> None:
            super().count()
            if self.calls == 1:
                feeder.wake_in(0.3)

    counter = Putting()
    feeder = Feeder(counter.count)
    feeder.wake()
    wait_until(lambda: counter.calls == 2)
    feeder.close()
