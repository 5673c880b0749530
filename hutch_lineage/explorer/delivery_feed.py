"""What became of the newest events: the panel has it before the kernel is busy."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from hutch_lineage.model import clean_text

if TYPE_CHECKING:
    from hutch_lineage.openlineage import DeliveryLog, EventDelivery
    from hutch_lineage.session import Source

NEWEST = 200
PERIOD_S = 1.0
STATES = ("memory", "queued", "sent", "rejected")
MOST = 1_000
MOST_TEXT = 400


class DeliveryFeed:
    """Sends what changed among the newest 200 events, unasked, and answers for the older ones.

    Parameters
    ----------
    source : Source
        Where the events are.
    """

    def __init__(self, source: Source) -> None:
        self._source = source
        self._known: dict[int, tuple[Any, ...]] = {}
        self._told: tuple[Any, ...] | None = None
        self._next_s = 0.0
        self.pending = False

    def restart(self) -> None:
        """Begin anew: a view that has nothing yet is listening."""
        self._known, self._told, self._next_s = {}, None, 0.0

    def due(self) -> dict[str, Any] | None:
        """Return a message with what is new, at most one a second; None for nothing.

        `pending` says afterwards that it was too early.
        """
        self.pending = time.monotonic() < self._next_s
        if self.pending:
            return None
        log = self._source.deliveries(-NEWEST, NEWEST)
        states = {event.position: (event.state, event.reason) for event in log.events}
        fresh = [
            event
            for event in log.events
            if self._known.get(event.position) != states[event.position]
        ]
        told = (log.endpoint, log.backend, log.total)
        if not fresh and told == self._told:
            return None
        self._known, self._told = states, told
        self._next_s = time.monotonic() + PERIOD_S
        return {"op": "delivery", **plain(log, fresh)}

    def answer(self, asked: dict[str, Any]) -> dict[str, Any]:
        """Return the answer to ``{offset, limit, state, query}``; what is no such thing is 0."""
        state, query = asked.get("state"), asked.get("query")
        log = self._source.deliveries(
            _whole(asked.get("offset"), 0),
            min(max(_whole(asked.get("limit"), NEWEST), 0), MOST),
            state=state if state in STATES else None,
            query=clean_text(query[:MOST_TEXT]) if isinstance(query, str) else "",
        )
        return plain(log, log.events)


def plain(log: DeliveryLog, events: list[EventDelivery]) -> dict[str, Any]:
    """Return a log as JSON, with these of its events."""
    return {
        "endpoint": log.endpoint or "",
        "backend": log.backend,
        "total": log.total,
        "events": [event._asdict() for event in events],
    }


def _whole(value: Any, other: int) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else other
