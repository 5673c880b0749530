"""What an explorer looks at: the running session, or a file that was opened."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypedDict

if TYPE_CHECKING:
    from hutch_lineage.graph import LineageGraph
    from hutch_lineage.model import Event, NodeKey
    from hutch_lineage.openlineage import DeliveryLog, Detected


class Status(TypedDict):
    """Where the events of a source go, and how far they have got. Counts are OpenLineage events."""

    mode: str
    state: str
    endpoint: str
    backend: str
    captured: int
    sent: int
    queued: int
    failed: int
    rejected: int
    last_error: str | None
    running: bool
    can_go_live: bool
    source: str


class Source(Protocol):
    """The seam between the explorer and where lineage comes from."""

    @property
    def graph(self) -> LineageGraph:
        """The graph as of the last :meth:`sync`."""
        ...

    def sync(self) -> None:
        """Take in what has happened since the last call. Cheap when nothing has."""
        ...

    def status(self) -> Status:
        """Return the state of capture and delivery."""
        ...

    def run_events(self, keys: Sequence[NodeKey]) -> list[list[dict[str, Any]]]:
        """Return for each node the OpenLineage events that name it: those that made it first."""
        ...

    def all_run_events(self) -> list[dict[str, Any]]:
        """Return every OpenLineage event of the source, in order."""
        ...

    def deliveries(
        self, offset: int = 0, limit: int = 200, *, state: str | None = None, query: str = ""
    ) -> DeliveryLog:
        """Return what became of each event; empty where nothing is ever posted."""
        ...

    def hutch_events(self) -> list[Event]:
        """Return every Hutch event of the source, in order; empty where there are none."""
        ...

    def go_live(self, endpoint: str | None = None, *, backend: str | None = None) -> None:
        """Post the events to `endpoint`: first those it has not had, then the new ones."""
        ...

    def detect(self, endpoint: str | None = None) -> Detected:
        """Find out which backend answers at `endpoint`; blocks for at most about two seconds."""
        ...

    def go_memory(self) -> None:
        """Stop posting; go on capturing."""
        ...

    def watch(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Call `callback` (on any thread) when there may be something new.

        Returns
        -------
        callable
            Ends the watch.
        """
        ...
