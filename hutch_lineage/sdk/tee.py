"""Hand each event to everybody who wants it, and let none of them disturb another."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Protocol, TypeAlias

from hutch_lineage.model import Event

logger = logging.getLogger("hutch_lineage.sdk")


class Sink(Protocol):
    """Something that wants every event."""

    @property
    def name(self) -> str:
        """How log lines call it."""

    def accept(self, event: Event) -> None:
        """Take one event. Runs on the thread of the verb, so it should be quick."""


Target: TypeAlias = tuple[Sink, Callable[[Event], None]]


class Tee:
    """A list of sinks that each event is handed to, in the order in which they were added.

    A sink that raises an ``Exception`` is reported with one WARNING; it keeps getting events, and
    the others are not affected. Safe to use from several threads.

    Examples
    --------
    >>> class Counter:
    ...     name, count = "counter", 0
    ...     def accept(self, event):
    ...         self.count += 1
    >>> tee, counter = Tee(), Counter()
    >>> tee.add(counter)
    >>> tee.sinks == (counter,)
    True
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._targets: tuple[Target, ...] = ()
        self._reported: dict[int, object] = {}

    @property
    def sinks(self) -> tuple[Sink, ...]:
        """The sinks, in order."""
        return tuple(sink for sink, _ in self._targets)

    @property
    def targets(self) -> tuple[Target, ...]:
        """The sinks with their ``accept``, as one immutable snapshot."""
        return self._targets

    def add(self, sink: Sink) -> None:
        """Hand events to `sink` from now on; adding it twice is the same as once."""
        with self._lock:
            if all(known is not sink for known, _ in self._targets):
                self._targets = (*self._targets, (sink, sink.accept))

    def remove(self, sink: Sink) -> None:
        """Stop handing events to `sink`; one that is not there is no error."""
        with self._lock:
            self._targets = tuple(pair for pair in self._targets if pair[0] is not sink)
            self._reported.pop(id(sink), None)

    def send(
        self, event: Event, targets: tuple[Target, ...] | None = None, *, quietly: bool = False
    ) -> list[Exception]:
        """Hand `event` to every sink and return what they raised.

        Parameters
        ----------
        event : Event
            What to hand on.
        targets : tuple, optional
            An earlier snapshot of :attr:`targets` to use instead of the current ones.
        quietly : bool
            Log nothing: the caller raises what is returned.
        """
        failures: list[Exception] = []
        for sink, accept in self._targets if targets is None else targets:
            try:
                accept(event)
            except Exception as error:  # whatever a sink raises stays here
                failures.append(error)
                if not quietly:
                    self._report(sink, error)
        return failures

    def renew_locks(self) -> None:
        """Make fresh locks: another thread may have held them when the process was forked."""
        self._lock = threading.Lock()

    def _report(self, sink: Sink, error: Exception) -> None:
        token = object()
        first = self._reported.setdefault(id(sink), token) is token
        logger.log(
            logging.WARNING if first else logging.DEBUG,
            "%s did not take an event (%s: %s); capture goes on%s",
            sink.name,
            type(error).__name__,
            error,
            ", further failures are logged at DEBUG" if first else "",
        )
