"""What a person sees of an emitter: what it captured, its figures, what became of each event."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, NamedTuple

import orjson

from hutch_lineage.delivery import PostingState
from hutch_lineage.mapping import IN_MEMORY, RunEventDict
from hutch_lineage.plumbing import Subscribers

from .capture import Capture
from .deliveries import DeliveryLog, delivery_log
from .figures import figures
from .routes import Route, Routes

Mode = Literal["memory", "live"]


class RejectedEvent(NamedTuple):
    """A RunEvent that the backend refused, the HTTP status and the reason."""

    event: RunEventDict
    status: int | None
    reason: str


def _nothing() -> None:
    """Nobody has anything left to emit."""


class EmitterViews:
    """The half of :class:`OpenLineageEmitter` that only looks.

    Parameters
    ----------
    capture : Capture
        What was captured.
    routes : Routes
        The endpoints.
    """

    def __init__(self, capture: Capture, routes: Routes) -> None:
        self._capture = capture
        self._routes = routes
        self._live: Route | None = None
        self._last: Route | None = None
        self._closed = False
        self._subscribers = Subscribers("the OpenLineage emitter")
        self._gather: Callable[[], object] = _nothing

    @property
    def captured_events(self) -> list[RunEventDict]:
        """Every RunEvent so far, in order, exactly as it is (or would be) posted.

        That is as the preset of the live endpoint, in mode ``memory`` of the last one, has it. In
        live mode, those that the journal still has; see its limit. The list is a new one; the dicts
        in it are shared between calls.
        """
        return self._capture.captured()

    @property
    def kept_events(self) -> list[Any]:
        """The Hutch events behind the lineage, in order: what another mapping can start from.

        In live mode at least the newest 5,000, unless :meth:`forget_none` was called.
        """
        self._gather()
        return list(self._capture.events)

    @property
    def mode(self) -> Mode:
        """``memory`` or ``live``."""
        return "memory" if self._live is None else "live"

    @property
    def endpoint(self) -> str | None:
        """The URL that is posted to, secrets masked; None in mode ``memory``."""
        route = self._live
        return None if route is None else route.endpoint.masked

    def stats(self) -> dict[str, Any]:
        """Return the figures of the emitter.

        Returns
        -------
        dict
            ``mode``: ``memory`` or ``live``. ``endpoint``: masked URL or None. ``backend``: the
            preset. ``captured``: RunEvents so far. ``sent, queued, failed, rejected``: events
            accepted, events still owed, posts that failed and are tried again, and events refused;
            of the live endpoint, or (``queued`` being 0) of all of them in mode ``memory``.
            ``last_error``: str or None. ``state``: ``memory``, ``ok``, ``waiting``, ``failing`` or
            ``closed``. ``journal``: the folder of the live endpoint's journal, or None.
            ``journal_error``: why events wait in memory instead, or None. ``adopted``: events of
            former processes that were sent first.
        """
        return figures(self._capture, self._live, self._routes.all(), closed=self._closed)

    @property
    def rejected_events(self) -> list[RejectedEvent]:
        """What the live endpoint (in mode ``memory``: any endpoint) refused, oldest first."""
        route = self._live
        routes = [route] if route is not None else self._routes.all()
        return [
            RejectedEvent(orjson.loads(each.outbox.read(item.index)), item.status, item.reason)
            for each in routes
            for item in each.delivery.rejected()
        ]

    def deliveries(
        self,
        offset: int = 0,
        limit: int = 200,
        *,
        state: PostingState | None = None,
        query: str = "",
    ) -> DeliveryLog:
        """Return what became of each captured event, in their order.

        The states are those of the live endpoint; in mode ``memory`` of the last one, and
        ``memory`` where there never was one. What only one post failed for is ``queued``: see
        ``last_error`` of :meth:`stats`. Nothing in it is secret: the endpoint and what the
        backend said are masked. Without a filter the cost is that of what is returned.

        Parameters
        ----------
        offset : int
            How many events to pass over; a negative one counts from the end, as in a slice.
        limit : int
            At most so many.
        state : {"memory", "queued", "sent", "rejected"}, optional
            Only those in this state.
        query : str
            Only those whose JSON holds this text, whatever the case.

        Returns
        -------
        DeliveryLog
            ``endpoint, backend, total, events``; `total` counts what `state` and `query` leave.

        Examples
        --------
        >>> from hutch_lineage.model import parse_event
        >>> from hutch_lineage.openlineage import OpenLineageEmitter
        >>> emitter = OpenLineageEmitter(endpoint="in-memory")
        >>> emitter.emit(parse_event({"event_kind": "run_end", "run_id": "r1", "payload": {}}))
        >>> log = emitter.deliveries()
        >>> [(event.what, event.state) for event in log.events], log.total, log.endpoint
        ([('run end', 'memory')], 1, None)
        """
        outbox = self._capture.outbox
        route = self._live or self._last
        if route is not None and route.outbox is not outbox:
            route = None  # written as another preset has it by now
        return delivery_log(
            outbox,
            None if route is None else route.delivery.postings,
            offset,
            limit,
            state=state,
            query=query,
            endpoint=None if route is None else route.endpoint.masked,
            backend=self._capture.preset.name,
        )

    def send_rejected(self) -> int:
        """Offer the live endpoint once more what it refused; return how many events that is."""
        route = self._live
        return 0 if route is None else route.delivery.send_rejected()

    def gather_first(self, callback: Callable[[], object]) -> None:
        """Have `callback` called before the events are read, and before a flush and the end.

        Whoever emits on behalf of others emits there what they have left for it.
        """
        self._gather = callback

    def forget_none(self) -> None:
        """Keep the Hutch events in live mode, too, so that a preset chosen late maps them all.

        For whoever keeps them anyway: then it costs a reference for each.
        """
        self._capture.forgets = False

    def subscribe(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Have `callback` called without arguments after the mode or a figure changed.

        It is called from any thread, often, and has to be quick: note that something changed and
        return. One that raises is dropped.

        Returns
        -------
        callable
            Ends the subscription.
        """
        return self._subscribers.add(callback)

    def _changed(self) -> None:
        self._subscribers.call()

    def __repr__(self) -> str:
        where = self.endpoint or IN_MEMORY
        return f"OpenLineageEmitter({where!r}, captured={len(self._capture.outbox)})"
