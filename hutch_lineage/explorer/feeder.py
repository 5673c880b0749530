"""The thread that carries changes from the session to the views."""

from __future__ import annotations

import logging
import threading
import time
import weakref
from collections.abc import Callable

logger = logging.getLogger("hutch_lineage.explorer")

PERIOD_S = 0.12
SHARE = 4


class Feeder:
    """Calls one method on a thread of its own, soon after each :meth:`wake`, never too often.

    Between two calls it rests for at least 0.12 s, and for four times as long as the call took, so
    that drawing never takes more than a fifth of the loop's time. The thread ends by itself when
    the owner of the method is gone.

    Parameters
    ----------
    method : bound method
        Called without arguments. Only a weak reference to its owner is kept.
    """

    def __init__(self, method: Callable[[], None]) -> None:
        self._method = weakref.WeakMethod(method)
        self._signal = threading.Event()
        self._closed = False
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()

    def wake(self) -> None:
        """Say that there may be something new. Cheap; from any thread."""
        self._signal.set()
        thread = self._thread
        if thread is None or not thread.is_alive():  # not started yet, or a forked child
            self._start()

    def _start(self) -> None:
        with self._lock:
            if self._closed or (self._thread is not None and self._thread.is_alive()):
                return
            self._thread = threading.Thread(
                target=_run, args=(weakref.ref(self),), name="hutch-lineage-view", daemon=True
            )
            self._thread.start()

    def close(self) -> None:
        """End the thread."""
        self._closed = True
        self._signal.set()

    def _turn(self) -> float | None:
        """Do one call; return how long to rest, or None to end."""
        method = self._method()
        if self._closed or method is None:
            return None
        self._signal.clear()
        began = time.monotonic()
        try:
            method()
        except Exception:
            logger.warning("the lineage view could not be updated", exc_info=True)
        return max(PERIOD_S, SHARE * (time.monotonic() - began))


def _run(reference: weakref.ref[Feeder]) -> None:
    while True:
        feeder = reference()
        if feeder is None:
            return
        signal = feeder._signal
        alive = feeder._method() is not None and not feeder._closed
        del feeder
        if not alive:
            return
        if not signal.wait(5.0):
            continue
        feeder = reference()
        rest_s = None if feeder is None else feeder._turn()
        del feeder
        if rest_s is None:
            return
        time.sleep(rest_s)
