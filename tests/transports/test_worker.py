"""One thread, in order, that waits while there is trouble and ends when it is told."""

from __future__ import annotations

import threading
import time

import pytest

from hutch_lineage.plumbing import Backoff
from hutch_lineage.transports.worker import NotNow, Worker

QUICK = Backoff(base_s=0.005, cap_s=0.02)


def test_items_are_done_in_order_several_at_a_time() -> None:
    """What several threads leave is done once; each thread's in its order, in few calls."""
    done: list[tuple[int, int]] = []
    calls: list[int] = []

    def task(items: list[tuple[int, int]]) -> int:
        calls.append(len(items))
        done.extend(items)
        return len(items)

    worker = Worker("w", task, linger_s=0.05)
    threads = [
        threading.Thread(target=lambda t=t: [worker.add((t, n)) for n in range(500)])
        for t in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert worker.close()
    assert sorted(done) == [(t, n) for t in range(4) for n in range(500)]
    for t in range(4):
        assert [n for which, n in done if which == t] == list(range(500))
    assert len(calls) < 50


def test_trouble_costs_nothing_and_nothing_twice() -> None:
    """A task that is not done, or only in part, gets the rest again, from the same place."""
    done: list[int] = []
    tries = 0

    def task(items: list[int]) -> int:
        nonlocal tries
        tries += 1
        if tries % 3 == 0:
            raise NotNow("away")
        if tries % 5 == 0:
            raise ZeroDivisionError
        done.append(items[0])
        return 1

    worker = Worker("w", task, linger_s=0, backoff=QUICK)
    for number in range(20):
        worker.add(number)
    assert worker.flush(10)
    assert done == list(range(20))
    worker.close()


def test_a_flush_that_cannot_be_says_so_in_time() -> None:
    """flush gives up at its time-out, close after a second where there is trouble anyway."""

    def task(items: list[int]) -> int:
        raise NotNow("away")

    worker = Worker("w", task, linger_s=0, backoff=QUICK)
    worker.add(1)
    assert not worker.flush(0.2)
    assert worker.trouble == "away"
    start = time.monotonic()
    assert not worker.close(30)
    assert time.monotonic() - start < 3
    assert list(worker.items) == [1]


def test_an_item_is_never_slept_through() -> None:
    """Items that come just as the thread goes to rest are done, too."""
    seen = threading.Semaphore(0)

    def task(items: list[int]) -> int:
        for _ in items:
            seen.release()
        return len(items)

    worker = Worker("w", task, linger_s=0)
    for number in range(2000):
        worker.add(number)
        assert seen.acquire(timeout=10)
    worker.close()


def test_an_interrupt_while_the_thread_begins_leaves_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C in the middle of starting a thread does not lead to two that take the same items."""
    done: list[int] = []
    start = threading.Thread.start

    def interrupted(thread: threading.Thread) -> None:
        monkeypatch.undo()
        threading.Timer(0.05, start, (thread,)).start()  # it begins, a little later
        raise KeyboardInterrupt

    def task(items: list[int]) -> int:
        time.sleep(0.02)
        done.extend(items)
        return len(items)

    worker = Worker("w", task, batch=1, linger_s=0)
    monkeypatch.setattr(threading.Thread, "start", interrupted)
    with pytest.raises(KeyboardInterrupt):
        worker.add(0)
    for number in range(1, 10):
        worker.add(number)
    assert worker.flush(10)
    assert done == list(range(10))
    assert [thread.name for thread in threading.enumerate()].count("w") == 1
    worker.close()
