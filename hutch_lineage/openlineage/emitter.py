"""The OpenLineage emitter: captures always, posts where it is told to."""

from __future__ import annotations

import logging
import math
import threading
from collections.abc import Callable, Mapping, Sequence
from types import TracebackType
from typing import Any, Literal, NamedTuple, Self

import orjson

from hutch_lineage.delivery import (
    Courier,
    Credentials,
    Delivery,
    DeliveryStats,
    Posting,
    PostingState,
    open_sender,
    register,
)
from hutch_lineage.errors import CaptureError, ConfigurationError
from hutch_lineage.mapping import BACKENDS, IN_MEMORY, Endpoint, RunEventDict, parse_endpoint

from .capture import Capture
from .deliveries import DeliveryLog, chosen, told
from .subscribers import Subscribers

logger = logging.getLogger("hutch_lineage.openlineage")

Mode = Literal["memory", "live"]


class RejectedEvent(NamedTuple):
    """A RunEvent that the backend refused, the HTTP status and the reason."""

    event: RunEventDict
    status: int | None
    reason: str


class _Route(NamedTuple):
    endpoint: Endpoint
    credentials: Credentials
    backend: str
    delivery: Delivery


class OpenLineageEmitter:
    """Turns lineage-relevant Hutch events into OpenLineage RunEvents and posts them.

    In mode ``memory`` the RunEvents are kept and nothing is posted. In mode ``live`` they are also
    posted by a background thread, in order; the caller never waits for the network. Each endpoint
    gets every captured event once, whenever it is switched to.

    :meth:`emit` never raises, unless `strict`: then it posts on the caller's thread and every
    failure raises. Thread-safe; a forked child posts only what it emits itself.

    Every RunEvent is kept for the life of the emitter, in live mode too, so that another endpoint
    can have it later: about 1 kB per event.

    Parameters
    ----------
    endpoint : str
        ``"in-memory"``, or the URL of a backend; see :func:`hutch_lineage.mapping.parse_endpoint`.
    namespace : str
        The namespace of jobs and datasets.
    job_name_default : str
        The job of a run that has neither name nor id.
    timeout_s : float
        The longest wait for a connection, and again for an answer, in seconds.
    strict : bool
        Post synchronously and raise.
    api_key : str, optional
        Sent as a bearer token.
    headers : mapping, optional
        Further request headers.
    backend : str
        A backend preset, one of ``BACKENDS``.

    Raises
    ------
    EndpointError
        `endpoint` is no usable URL.
    ConfigurationError
        Another setting cannot be used.

    Examples
    --------
    >>> from hutch_lineage.model import parse_event
    >>> emitter = OpenLineageEmitter(endpoint="in-memory")
    >>> emitter.emit(parse_event({"event_kind": "run_end", "run_id": "r1", "payload": {}}))
    >>> [event["eventType"] for event in emitter.captured_events]
    ['COMPLETE']
    """

    def __init__(
        self,
        *,
        endpoint: str,
        namespace: str = "hutch",
        job_name_default: str = "research-loop",
        timeout_s: float = 5.0,
        strict: bool = False,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        backend: str = "generic",
    ) -> None:
        if not (timeout_s > 0 and math.isfinite(timeout_s)):
            raise ConfigurationError(
                f"timeout_s is {timeout_s!r}: give a number of seconds above 0", "timeout_s"
            )
        self._timeout_s = float(timeout_s)
        self._strict = strict
        self._capture = Capture(namespace, job_name_default, strict=strict)
        self._take = self._capture.add if strict else self._capture.take
        self._credentials = Credentials(api_key, headers)
        self._credentials_for: str | None = None
        self._backend = _known_backend(backend)
        self._routes: dict[str, _Route] = {}
        self._live: _Route | None = None
        self._last: _Route | None = None
        self._closed = False
        self._warned_closed = False
        self._lock = threading.RLock()
        self._subscribers = Subscribers()
        register(self)
        if endpoint != IN_MEMORY:
            self._credentials_for = parse_endpoint(endpoint).origin
            self.go_live(endpoint, backend=backend)

    # emitting

    def emit(self, event: Any) -> None:
        """Capture one event and, in live mode, have it posted.

        Kinds without a lineage edge, and event ids that were seen before, add nothing.

        Parameters
        ----------
        event : Event
            An event of :mod:`hutch_lineage.model` or of the Hutch SDK.

        Raises
        ------
        CaptureError
            Only if strict: the event cannot be written as it is.
        DeliveryError
            Only if strict and live: the backend did not accept it.
        """
        try:
            if not self._take(event):
                return
            # taken first, asked second: going live does it the other way round, so that one of
            # the two sees the other
            if self._live is not None or self._closed:
                self._dispatch()
        except CaptureError:
            raise
        except Exception as error:
            if self._strict:
                raise CaptureError(f"an event was not emitted: {error}") from error
            logger.warning("an event was not emitted: %s: %s", type(error).__name__, error)
        else:
            self._changed()

    def _dispatch(self) -> None:
        self._capture.settle()
        route = self._live
        if route is not None:
            if self._strict:
                route.delivery.drain()
            else:
                route.delivery.wake()
        elif self._closed and not self._warned_closed:
            self._warned_closed = True
            logger.warning(
                "the OpenLineage emitter is closed: events are kept in memory and not posted; "
                "go_live(URL) posts them"
            )

    @property
    def captured_events(self) -> list[RunEventDict]:
        """Every RunEvent so far, in order, exactly as it is (or would be) posted.

        The list is a new one; the dicts in it are shared between calls.
        """
        return self._capture.captured()

    @property
    def kept_events(self) -> list[Any]:
        """The Hutch events behind the lineage, in order: what another mapping can start from."""
        return list(self._capture.events)

    # where to

    @property
    def mode(self) -> Mode:
        """``memory`` or ``live``."""
        return "memory" if self._live is None else "live"

    @property
    def endpoint(self) -> str | None:
        """The URL that is posted to, secrets masked; None in mode ``memory``."""
        route = self._live
        return None if route is None else route.endpoint.masked

    def go_live(
        self,
        endpoint: str,
        *,
        backend: str = "generic",
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        """Post to an endpoint: first what it has not had, in order, then what comes.

        What another endpoint is still owed stays owed to it. With a new key or new headers for an
        endpoint, what it refused before is offered again.

        Parameters
        ----------
        endpoint : str
            The URL of a backend. ``"in-memory"`` is :meth:`go_memory`.
        backend : str
            A backend preset.
        api_key, headers : optional
            Without either, those given before for this endpoint serve; those of the constructor
            serve for the constructor's host, or for any if it was given ``"in-memory"``.

        Raises
        ------
        EndpointError
            `endpoint` is no usable URL; nothing has changed.
        DeliveryError
            Only if strict: the backend did not accept what was captured.
        """
        if endpoint == IN_MEMORY:
            self.go_memory()
            return
        target, preset = parse_endpoint(endpoint), _known_backend(backend)
        credentials = Credentials(api_key, headers)
        with self._lock:
            route = self._route(target, preset, credentials)
            previous, self._live = self._live, route
            self._last = route
            if previous is not None and previous.delivery is not route.delivery:
                previous.delivery.pause()
            self._closed = self._warned_closed = False
            route.delivery.resume(background=not self._strict)
        if self._strict:
            route.delivery.drain()
        else:
            self._capture.settle()  # what was taken while this went live
            route.delivery.wake()
        self._changed()

    def go_memory(self) -> None:
        """Stop posting. What an endpoint is still owed stays owed to it."""
        with self._lock:
            route, self._live = self._live, None
        if route is not None:
            route.delivery.pause()
        self._changed()

    def _route(self, target: Endpoint, backend: str, given: Credentials) -> _Route:
        known = self._routes.get(target.key)
        if known is not None:
            credentials = given or known.credentials
            if credentials != known.credentials or target.user != known.endpoint.user:
                known.delivery.use(open_sender(target, credentials, self._timeout_s))
            route = _Route(target, credentials, backend, known.delivery)
        else:
            if not given and self._credentials_for in (None, target.origin):
                given = self._credentials
            sender = open_sender(target, given, self._timeout_s)
            delivery = Courier(
                self._capture.outbox,
                sender,
                name=target.masked,
                start=self._capture.floor,
                on_change=self._changed,
            )
            route = _Route(target, given, backend, delivery)
        self._routes[target.key] = route
        return route

    # the end

    def flush(self, timeout_s: float | None = 10.0) -> bool:
        """Wait until the backend has accepted everything emitted so far.

        Parameters
        ----------
        timeout_s : float or None
            The longest wait in seconds; None waits as long as it takes.

        Returns
        -------
        bool
            Whether it has. False also where it rejected an event, see :attr:`rejected_events`.
            True in mode ``memory``, where nothing is waited for.
        """
        route = self._live
        if route is None:
            return True
        if not self._strict:
            return route.delivery.flush(timeout_s)
        try:
            route.delivery.drain()
        except CaptureError:
            return False
        stats = route.delivery.stats()
        return not stats.rejected

    def close(self, timeout_s: float | None = 5.0) -> bool:
        """Flush, then stop posting and free the connections.

        Later events are still captured, with one WARNING. :meth:`go_live` opens it again.

        Returns
        -------
        bool
            As :meth:`flush`.
        """
        with self._lock:
            route, self._live = self._live, None
            self._closed = True
            others = [other.delivery for other in self._routes.values() if other is not route]
        done = True if route is None else route.delivery.close(timeout_s)
        for delivery in others:
            delivery.pause()
        self._changed()
        return done

    def shutdown(self) -> None:
        """Close; the name that Hutch uses."""
        self.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    # what a person sees

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
            ``closed``.
        """
        route, closed = self._live, self._closed
        routes = [route] if route is not None else list(self._routes.values())
        parts = [item.delivery.stats() for item in routes]
        live = parts[0] if route is not None else DeliveryStats()
        errors = [part.last_error for part in parts if part.last_error]
        return {
            "mode": "memory" if route is None else "live",
            "endpoint": None if route is None else route.endpoint.masked,
            "backend": self._backend if route is None else route.backend,
            "captured": len(self._capture.outbox),
            "sent": sum(part.sent for part in parts),
            "queued": live.queued,
            "failed": sum(part.failed for part in parts),
            "rejected": sum(part.rejected for part in parts) + self._capture.unwritten,
            "last_error": errors[-1] if errors else self._capture.last_problem,
            "state": "closed" if closed else "memory" if route is None else live.state,
        }

    @property
    def rejected_events(self) -> list[RejectedEvent]:
        """What the live endpoint (in mode ``memory``: any endpoint) refused, oldest first."""
        route = self._live
        routes = [route] if route is not None else list(self._routes.values())
        read = self._capture.outbox.read
        return [
            RejectedEvent(orjson.loads(read(item.index)), item.status, item.reason)
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
        >>> emitter = OpenLineageEmitter(endpoint="in-memory")
        >>> emitter.emit(parse_event({"event_kind": "run_end", "run_id": "r1", "payload": {}}))
        >>> log = emitter.deliveries()
        >>> [(event.what, event.state) for event in log.events], log.total, log.endpoint
        ([('run end', 'memory')], 1, None)
        """
        route, outbox = self._live or self._last, self._capture.outbox
        end = len(outbox)
        if state is None and not query:
            total = end
            start, stop, _ = slice(offset, None).indices(end)
            stop = min(stop, start + max(0, limit))
            places: Sequence[int] = range(start, stop)
            found = dict(zip(places, self._postings(route, start, stop), strict=False))
        else:
            states = self._postings(route, 0, end)
            places = [
                index
                for index in (chosen(outbox, states, query) if query else range(len(states)))
                if state in (None, states[index].state)
            ]
            total = len(places)
            places = places[offset:][: max(0, limit)]
            found = {index: states[index] for index in places}
        return DeliveryLog(
            endpoint=None if route is None else route.endpoint.masked,
            backend=self._backend if route is None else route.backend,
            total=total,
            events=[told(outbox, index, posting) for index, posting in found.items()],
        )

    def _postings(self, route: _Route | None, start: int, stop: int) -> list[Posting]:
        if route is not None:
            return route.delivery.postings(start, stop)
        return [Posting("memory")] * max(0, stop - start)

    def send_rejected(self) -> int:
        """Offer the live endpoint once more what it refused; return how many events that is."""
        route = self._live
        return 0 if route is None else route.delivery.send_rejected()

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

    # process life

    def at_exit(self, timeout_s: float) -> None:
        """Nothing: the couriers see to it themselves."""

    def before_fork(self) -> None:
        """Map what was taken: once here instead of once in each child."""
        self._capture.settle()

    def after_fork(self) -> None:
        """In a forked child: new locks, and the parent keeps its queue."""
        self._lock = threading.RLock()
        self._subscribers.after_fork()
        self._capture.after_fork()
        for route in self._routes.values():
            route.delivery.after_fork()  # anew: only now is it known what the parent had captured


def _known_backend(backend: str) -> str:
    if backend not in BACKENDS:
        raise ConfigurationError(
            f"no backend preset {backend!r}: there is {', '.join(BACKENDS)}",
            "openlineage_backend",
        )
    return backend
