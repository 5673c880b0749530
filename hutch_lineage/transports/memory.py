"""The default transport: events stay in the memory of this process."""

from __future__ import annotations

from hutch_lineage.model import Event


class MemoryTransport:
    """Keep events in a list.

    Attributes
    ----------
    events : list of Event
        Everything that was sent, in order. It only grows: an index, once read, stays valid, so a
        reader may remember how far it came. Appending is atomic; no lock is needed to read it.

    Examples
    --------
    >>> transport = MemoryTransport()
    >>> transport.events
    []
    """

    def __init__(self) -> None:
        self.events: list[Event] = []

    @property
    def summary(self) -> str:
        """Nothing: there is no other place."""
        return ""

    def send(self, event: Event) -> None:
        """Append `event`."""
        self.events.append(event)

    def close(self) -> None:
        """Do nothing: the events stay readable."""

    def __repr__(self) -> str:
        return f"MemoryTransport({len(self.events)} events)"
