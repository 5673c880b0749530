"""The thread that carries changes from the session to the views."""

from __future__ import annotations

import atexit
import logging
import math
import threading
import time
import weakref
from collections.abc import Callable

logger = logging.getLogger("hutch_lineage.explorer")

PERIOD_S = 0.12
SHARE, MOST_S = 4, 1.0
LOOK_S = 5.0


_feeders: weakref.WeakSet[Feeder] = weakref.WeakSet()


@atexit.register
def _end_all() -> None:
    """Send nothing more: a kernel that ends has closed the sockets."""
    for feeder in tuple(_feeders):
        feeder.close()
        feeder.join(0.5)


class Feeder:
    """Calls one method on a thread of its own, soon after each :meth:`wake`, never too often.

    Between two calls it rests for at least 0.12 s. Where the method does not say how long, it is
    four times the processor time that the call took, at most 1 s (not the time on the clock: beside
    a busy loop most of that is waiting for the loop).
    The thread ends by itself when the owner of the method is gone, and before the interpreter ends.

    Parameters
    ----------
    method : bound method
        Called without arguments; may return for how many seconds to rest at least. Only a weak
        reference to its owner is kept.
    """

    def __init__(self, method: Callable[[], float | None]) -> None:
        self._method = weakref.WeakMethod(method)
        self._signal = threading.Event()
        self._closed = threading.Event()
        self._hurry = threading.Event()
        self._alarm_s = math.inf
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()
        _feeders.add(self)

    def wake(self, *, now: bool = False) -> None:
        """Say that there may be something new; with `now`, that somebody waits: it rests no longer.

        Cheap; from any thread.
        """
        self._signal.set()
        if now:
            self._hurry.set()
        thread = self._thread
        if thread is None or not thread.is_alive():  # not started yet, or a forked child
            self._start()

    def wake_in(self, seconds: float) -> None:
        """Have the method called once more, at the latest in so many seconds; from within it."""
        self._alarm_s = time.monotonic() + seconds

    def _start(self) -> None:
        with self._lock:
            if self._closed.is_set() or (self._thread is not None and self._thread.is_alive()):
                return
            self._thread = threading.Thread(
                target=_run, args=(weakref.ref(self),), name="hutch-lineage-view", daemon=True
            )
            self._thread.start()

    def close(self) -> None:
        """End the thread, after the call that is under way."""
        self._closed.set()
        self._hurry.set()
        self._signal.set()

    def join(self, timeout_s: float) -> None:
        """Wait for the call that is under way."""
        thread = self._thread
        if thread is not None and thread is not threading.current_thread():
            thread.join(timeout_s)

    def _turn(self) -> float | None:
        """Do one call; return how long to rest, or None to end."""
        method = self._method()
        if self._closed.is_set() or method is None:
            return None
        self._signal.clear()
        self._hurry.clear()
        if time.monotonic() >= self._alarm_s:
            self._alarm_s = math.inf
        began = time.thread_time()
        least_s = None
        try:
            least_s = method()
        except Exception:
            logger.warning("the lineage view could not be updated", exc_info=True)
        if least_s is None:
            least_s = min(SHARE * (time.thread_time() - began), MOST_S)
        return max(PERIOD_S, least_s)


def _run(reference: weakref.ref[Feeder]) -> None:
    while True:
        feeder = reference()
        if feeder is None:
            return
        signal, hurry, closed = feeder._signal, feeder._hurry, feeder._closed
        alive = feeder._method() is not None and not closed.is_set()
        alarm_s = feeder._alarm_s
        del feeder
        if not alive:
            return
        woken = signal.wait(max(0.0, min(LOOK_S, alarm_s - time.monotonic())))
        if not woken and time.monotonic() < alarm_s:
            continue  # to see whether the owner is still there
        feeder = reference()
        rest_s = None if feeder is None else feeder._turn()
        del feeder
        if rest_s is None:
            return
        hurry.wait(rest_s)
