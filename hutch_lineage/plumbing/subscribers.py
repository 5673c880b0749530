"""Who wants to hear that something changed."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

logger = logging.getLogger("hutch_lineage.plumbing")


class Subscribers:
    """Callbacks without arguments, called one after the other. Thread-safe.

    Parameters
    ----------
    of : str
        Whose they are, for the log.

    Examples
    --------
    >>> subscribers = Subscribers("the clock")
    >>> leave = subscribers.add(lambda: print("changed"))
    >>> subscribers.call()
    changed
    >>> leave()
    """

    def __init__(self, of: str) -> None:
        self._of = of
        self._lock = threading.Lock()
        self._callbacks: tuple[Callable[[], None], ...] = ()

    def add(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Call `callback` from now on; return what ends that."""
        with self._lock:
            self._callbacks = (*self._callbacks, callback)
        return lambda: self._remove(callback)

    def call(self) -> None:
        """Call them all; one that raises is logged once and dropped."""
        for callback in self._callbacks:
            try:
                callback()
            except Exception:
                self._remove(callback)
                logger.exception("a subscriber of %s failed and is dropped", self._of)

    def clear(self) -> None:
        """Call nobody any more."""
        with self._lock:
            self._callbacks = ()

    def after_fork(self) -> None:
        """In a forked child: a new lock, and nobody who listens, since they live in the parent."""
        self._lock = threading.Lock()
        self._callbacks = ()

    def _remove(self, callback: Callable[[], None]) -> None:
        with self._lock:
            self._callbacks = tuple(each for each in self._callbacks if each is not callback)
