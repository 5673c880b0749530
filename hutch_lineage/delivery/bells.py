"""How callers wait for delivery: at any moment of it they may be interrupted."""

from __future__ import annotations

import contextlib
import math
import threading
import time
from collections.abc import Callable
from queue import Empty, SimpleQueue


class Bells:
    """Wakes callers that wait for a change.

    Unlike a condition it leaves nothing locked when Ctrl-C comes between two of its steps.

    Parameters
    ----------
    lock : threading.Lock
        Held while it is looked whether the change has come.

    Examples
    --------
    >>> Bells(threading.Lock()).wait_for(lambda: False, timeout_s=0.01)
    """

    def __init__(self, lock: threading.Lock) -> None:
        self._lock = lock
        self._waiting: set[SimpleQueue[None]] = set()

    def ring(self) -> None:
        """Have everybody look again."""
        for bell in tuple(self._waiting):
            bell.put(None)

    def wait_for(self, reached: Callable[[], bool], timeout_s: float | None) -> None:
        """Wait until `reached()`, or for a time in seconds; None: as long as it takes."""
        end = math.inf if timeout_s is None else time.monotonic() + timeout_s
        bell: SimpleQueue[None] = SimpleQueue()
        try:
            self._waiting.add(bell)
            while (left_s := end - time.monotonic()) > 0:
                with self._lock:
                    if reached():
                        return
                with contextlib.suppress(Empty):
                    bell.get(timeout=min(left_s, threading.TIMEOUT_MAX))
        finally:
            self._waiting.discard(bell)
