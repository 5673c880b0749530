"""What was opened, as something an explorer can look at."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hutch_lineage.errors import ConfigurationError
from hutch_lineage.mapping import IN_MEMORY, EventsIndex

from .load import reading_key
from .source import Status

if TYPE_CHECKING:
    from hutch_lineage.graph import LineageGraph
    from hutch_lineage.model import Event, NodeKey
    from hutch_lineage.openlineage import DeliveryLog, Detected


class OpenedSource:
    """A graph that no longer grows: a run read from a file or a backend, or a graph made by hand.

    Parameters
    ----------
    graph : LineageGraph
        What to show.
    name : str
        What the explorer calls it.
    events : sequence of Event or dict
        The events behind the graph, where they are known.
    """

    def __init__(
        self, graph: LineageGraph, name: str, events: Sequence[Event | dict[str, Any]] = ()
    ) -> None:
        self._graph = graph
        self.name = name
        self._events: list[dict[str, Any]] = []
        self._hutch_events: list[Event] = []
        self._all_hutch = True
        self._index = EventsIndex()
        self._lock = threading.RLock()
        self.extend(events)

    @classmethod
    def open(
        cls,
        source: str | Path,
        run: str | None = None,
        api_key: str | None = None,
        kind: str | None = None,
    ) -> OpenedSource:
        """Read `source`; see :func:`hutch_lineage.load` for what can be read."""
        from hutch_lineage.graph import LineageGraph
        from hutch_lineage.readers import Item, is_backend, is_event, read

        reading = read(source, kind=kind, run=run, api_key=api_key or reading_key(source))
        graph, events, others = LineageGraph(), [], 0

        def keep(item: Item) -> None:
            nonlocal others
            if is_event(item):
                events.append(item)
            else:
                others += 1

        reading.apply_to(graph, keep)
        opened = cls(graph, reading.name if is_backend(source) else Path(source).name, events)
        opened._all_hutch &= not others
        return opened

    def extend(self, events: Sequence[Event | dict[str, Any]]) -> None:
        """Add events to those behind the graph."""
        with self._lock:
            self._events += run_events_of(events)
            hutch = [event for event in events if not isinstance(event, dict)]
            self._hutch_events += hutch
            self._all_hutch &= len(hutch) == len(events)

    @property
    def graph(self) -> LineageGraph:
        """The graph of what was opened."""
        return self._graph

    def sync(self) -> None:
        """Do nothing: all has been read."""

    def status(self) -> Status:
        """Return a status without delivery."""
        return {
            "mode": "memory",
            "state": "memory",
            "endpoint": "",
            "backend": "",
            "captured": len(self._events),
            "sent": 0,
            "queued": 0,
            "failed": 0,
            "rejected": 0,
            "last_error": None,
            "running": False,
            "can_go_live": False,
            "source": self.name,
        }

    def run_events(self, keys: Sequence[NodeKey]) -> list[list[dict[str, Any]]]:
        """Return for each node the OpenLineage events that name it, those that made it first."""
        with self._lock:
            self._index.extend(self._events)
        return [self._index.of(key, self._events) for key in keys]

    def all_run_events(self) -> list[dict[str, Any]]:
        """Return the events as OpenLineage, in order."""
        return list(self._events)

    def deliveries(
        self, offset: int = 0, limit: int = 200, *, state: str | None = None, query: str = ""
    ) -> DeliveryLog:
        """Return an empty log: what was opened is not posted from here."""
        from hutch_lineage.openlineage import DeliveryLog

        del offset, limit, state, query
        return DeliveryLog(None, "", 0, [])

    def hutch_events(self) -> list[Event]:
        """Return the Hutch events, in order; empty where not all that was opened is such."""
        return list(self._hutch_events) if self._all_hutch else []

    def go_live(self, endpoint: str | None = None, *, backend: str | None = None) -> None:
        """Refuse: only the running session posts."""
        del endpoint, backend
        raise self._refused()

    def detect(self, endpoint: str | None = None) -> Detected:
        """Refuse, as :meth:`go_live` does."""
        del endpoint
        raise self._refused()

    def _refused(self) -> ConfigurationError:
        return ConfigurationError(
            f"{self.name} was opened: only the events of the running session are posted",
            "openlineage_endpoint",
        )

    def go_memory(self) -> None:
        """Do nothing: what was opened is never live."""

    def watch(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Never call `callback`: the graph does not change by itself."""
        del callback
        return lambda: None


def run_events_of(read: Sequence[Event | dict[str, Any]]) -> list[dict[str, Any]]:
    """Return what was read as RunEvents, mapped as the emitter does where they are Hutch's."""
    from hutch_lineage.openlineage import OpenLineageEmitter

    events = [item for item in read if isinstance(item, dict)]
    if len(events) == len(read):
        return events
    emitter = OpenLineageEmitter(endpoint=IN_MEMORY)
    for item in read:
        if not isinstance(item, dict):
            emitter.emit(item)
    return [*events, *(dict(event) for event in emitter.captured_events)]
