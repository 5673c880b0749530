"""A run that somebody else goes on with, as something an explorer can look at."""

from __future__ import annotations

import atexit
import logging
import threading
import weakref
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from hutch_lineage.errors import ReadError
from hutch_lineage.plumbing import Backoff, Subscribers

from .load import reading_key
from .opened import OpenedSource
from .source import Status

if TYPE_CHECKING:
    from pathlib import Path

    from hutch_lineage.graph import LineageGraph
    from hutch_lineage.readers import Feed, Item

logger = logging.getLogger("hutch_lineage.session")

SLOWEST_S = 5.0  # between two polls while nothing comes
_following: weakref.WeakSet[GrowingSource] = weakref.WeakSet()


@atexit.register
def _end_all() -> None:
    for source in tuple(_following):
        source.close()


class GrowingSource(OpenedSource):
    """A graph that grows as its feed does, until the run ends.

    A thread of its own asks the feed, once a second while something comes and every five seconds
    while nothing does. It holds no reference to the source: when nobody looks any more, it ends.
    While the feed cannot be read, the status says why, and the thread tries again, later and later.

    Parameters
    ----------
    graph : LineageGraph
        An empty graph.
    name : str
        What the explorer calls it.
    feed : Feed
        Where it comes from. What is there already is read at once.

    Raises
    ------
    ReadError
        The feed cannot be read.
    """

    def __init__(self, graph: LineageGraph, name: str, feed: Feed) -> None:
        from hutch_lineage.readers import Conversion

        super().__init__(graph, name)
        self._feed = feed
        self._conversion = Conversion(graph.report)
        self._arrived: list[Item] = []
        self._watchers = Subscribers(name)
        self._trouble: str | None = None
        self._over = self._finished = False
        self._closed = threading.Event()
        self.take(feed.poll())
        self.sync()
        _following.add(self)
        threading.Thread(
            target=_follow,
            args=(weakref.ref(self), feed, self._closed),
            name="hutch-lineage-follow",
            daemon=True,
        ).start()

    @classmethod
    def follow(
        cls,
        source: str | Path,
        run: str | None = None,
        api_key: str | None = None,
        kind: str | None = None,
    ) -> GrowingSource:
        """Follow a file, a folder or a run of a backend; see :func:`hutch_lineage.load`."""
        from hutch_lineage.graph import LineageGraph
        from hutch_lineage.readers import read

        reading = read(source, kind=kind, run=run, api_key=api_key or reading_key(source))
        graph = LineageGraph()
        feed = reading.follow(graph.report)
        try:
            return cls(graph, feed.name, feed)
        except BaseException:
            feed.close()
            raise

    @property
    def over(self) -> bool:
        """Whether the run has ended, and all of it is here."""
        return self._over

    def take(self, items: Sequence[Item]) -> None:
        """Take note of what is new; the graph has it after the next :meth:`sync`."""
        self._trouble = None
        if not items:
            return
        with self._lock:
            self._arrived += items
        self._watchers.call()

    def end(self) -> None:
        """Note that nothing more will come."""
        with self._lock:
            self._over = True
        self._watchers.call()

    def fail(self, why: str) -> None:
        """Note why nothing comes at present."""
        if why != self._trouble:
            self._trouble = why
            self._watchers.call()

    def sync(self) -> None:
        """Apply to the graph what has come since the last call."""
        from hutch_lineage.readers import events_among

        with self._lock:
            arrived, self._arrived = self._arrived, []
            if not arrived and self._finished is self._over:
                return
            records = [record for item in arrived for record in self._conversion.records(item)]
            if self._over and not self._finished:
                records += self._conversion.finish()
                self._finished = True
            self._graph.apply(records)
            self.extend(events_among(arrived))

    def status(self) -> Status:
        """Return a status without delivery: ``failing``, with a reason, while the feed is."""
        status = super().status()
        if self._trouble:
            status["state"] = "failing"
            status["last_error"] = self._trouble
        return status

    def watch(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Call `callback` when something has come; returns the way to end."""
        return self._watchers.add(callback)

    def close(self) -> None:
        """Ask no more; what has come stays."""
        self._closed.set()

    def __del__(self) -> None:
        self._closed.set()


def _follow(reference: weakref.ref[GrowingSource], feed: Feed, closed: threading.Event) -> None:
    waits, failures, wait_s = Backoff(base_s=feed.period_s, cap_s=30.0), 0, feed.period_s
    while not feed.ended and not closed.wait(wait_s):
        try:
            events = feed.poll()
        except ReadError as error:
            failures += 1
            wait_s = waits.wait_s(failures)
            _tell(reference, GrowingSource.fail, str(error))
            continue
        except Exception:
            logger.warning("%s can be followed no more", feed.name, exc_info=True)
            _tell(reference, GrowingSource.fail, "it can be followed no more: see the log")
            break
        failures = 0
        wait_s = feed.period_s if events else min(wait_s * 1.5, SLOWEST_S)
        _tell(reference, GrowingSource.take, events)
    if feed.ended:
        _tell(reference, GrowingSource.end)
    feed.close()


def _tell(reference: weakref.ref[GrowingSource], method: Callable[..., None], *news: Any) -> None:
    source = reference()
    if source is not None:
        method(source, *news)
