"""The OpenLineage emitter: captures always, posts where it is told to."""

from __future__ import annotations

import logging
import math
import threading
from collections.abc import Mapping
from dataclasses import replace
from types import TracebackType
from typing import Any, Self

from hutch_lineage.delivery import Credentials, DeliveryOptions
from hutch_lineage.errors import CaptureError, ConfigurationError
from hutch_lineage.mapping import IN_MEMORY, Preset, parse_endpoint
from hutch_lineage.model import undisturbed
from hutch_lineage.plumbing import register

from .capture import Capture
from .choosing import Choices
from .routes import Route, Routes
from .views import EmitterViews

logger = logging.getLogger("hutch_lineage.openlineage")


class OpenLineageEmitter(EmitterViews):
    """Turns lineage-relevant Hutch events into OpenLineage RunEvents and posts them.

    In mode ``memory`` the RunEvents are kept and nothing is posted. In mode ``live`` they are also
    posted by a background thread, in order; the caller never waits for the network. Each endpoint
    gets every captured event once, whenever it is switched to.

    :meth:`emit` never raises, unless `strict`: then it posts on the caller's thread and every
    failure raises. Thread-safe; a forked child posts only what it emits itself.

    In live mode an event is in a journal on disk before :meth:`emit` returns, so that a crash loses
    none; the next start with the same endpoint sends what was left. Strict mode has no journal.

    Every RunEvent is kept for the life of the emitter, so that another endpoint can have it later:
    in memory, about 1 kB per event; in live mode in the journal, whose oldest delivered part makes
    room when it reaches its limit.

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
    backend : str or Preset
        A backend preset, one of ``BACKENDS``, or a preset of one's own: see
        :func:`hutch_lineage.mapping.preset_of`. It serves wherever none is named.
    overrides : mapping, optional
        Rows of the preset that are to be otherwise.
    options : DeliveryOptions, optional
        The journal, TLS, compression, batches.

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
        backend: str | Preset = "generic",
        overrides: Mapping[str, Any] | None = None,
        options: DeliveryOptions | None = None,
    ) -> None:
        if not (timeout_s > 0 and math.isfinite(timeout_s)):
            raise ConfigurationError(
                f"timeout_s is {timeout_s!r}: give a number of seconds above 0", "timeout_s"
            )
        options = options or DeliveryOptions()
        http = replace(options.http, timeout_s=float(timeout_s))
        self._options = replace(options, http=http)
        self._strict = strict
        self._choices = Choices(backend, overrides)
        preset = self._choices.choose(endpoint, None, None, api_key)
        super().__init__(
            Capture(preset, namespace, job_name_default, strict=strict),
            Routes(Credentials(api_key, headers), self._options, journaled=not strict),
        )
        self._warned_closed = False
        self._warned_run_id = False
        self._lock = threading.RLock()
        register(self)
        if endpoint != IN_MEMORY:
            self._routes.credentials_for = parse_endpoint(endpoint).origin
            self._go_live(endpoint, preset)

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
            # where it is posted it is mapped now, so that it is in the journal when this returns
            now = self._live is not None or self._strict
            if not (self._capture.add(event) if now else self._capture.take(event)):
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
        route = self._live
        if route is not None and route.wants_journal:
            self._write_to(route)
        self._capture.settle()
        if route is not None:
            odd = self._capture.odd_run_id
            if odd is not None and not self._warned_run_id and route.preset.run_id == "verbatim":
                self._warn_run_id(odd)
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

    def _write_to(self, route: Route) -> None:
        """Have the journal of an endpoint written from now on; begin one where there is none."""
        with self._lock, undisturbed():
            if route is not self._live:
                return  # another one has taken its place meanwhile
            if route.wants_journal:
                route.open_journal(self._options)
            self._capture.write_to(route.journal)

    def _warn_run_id(self, run_id: str) -> None:
        self._warned_run_id = True
        logger.warning(
            "the run id %r is no UUID, as OpenLineage asks for: some backends refuse it or show "
            "another one. Leave run_id out, and one is made; said once",
            run_id,
        )

    # where to

    def go_live(
        self,
        endpoint: str,
        *,
        backend: str | Preset | None = None,
        overrides: Mapping[str, Any] | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        path: str | None = None,
    ) -> None:
        """Post to an endpoint: first what it has not had, in order, then what comes.

        What another endpoint is still owed stays owed to it. With a new key or new headers for an
        endpoint, what it refused before is offered again.

        Parameters
        ----------
        endpoint : str
            The URL of a backend. ``"in-memory"`` is :meth:`go_memory`.
        backend : str or Preset, optional
            A backend preset. One that is new to the endpoint maps and sends all of it anew, and
            what the endpoint was still owed in another form is dropped. ``auto`` asks the endpoint.
            Without it, the one last used for this endpoint serves, with its overrides; else the
            constructor's.
        overrides : mapping, optional
            Rows of the preset that are to be otherwise.
        api_key, headers : optional
            Without either, those given before for this endpoint serve; those of the constructor
            serve for the constructor's host, or for any if it was given ``"in-memory"``.
        path : str, optional
            The path of the URL, instead of the preset's.

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
        preset = self._choices.choose(endpoint, backend, overrides, api_key)
        self._go_live(endpoint, preset, backend, Credentials(api_key, headers), path)

    def _go_live(
        self,
        endpoint: str,
        preset: Preset,
        named: str | Preset | None = None,
        credentials: Credentials | None = None,
        path: str | None = None,
    ) -> None:
        target = parse_endpoint(endpoint, preset.path if path is None else path)
        self._choices.remember(endpoint, target, preset, named)
        self._capture.prepare(preset)
        with self._lock, undisturbed():
            self._capture.switch(preset)
            route = self._routes.find(
                target,
                preset,
                credentials or Credentials(),
                outbox=self._capture.outbox,
                start=self._capture.floor,
                on_change=self._changed,
            )
            previous, self._live = self._live, route
            self._last = route
            if previous is not None and previous is not route:
                previous.delivery.pause()
            self._routes.supersede(route)
            self._closed = self._warned_closed = False
            self._write_to(route)  # with what was taken while this went live
            route.delivery.resume(background=not self._strict)
        if self._strict:
            route.delivery.drain()
        self._changed()

    def go_memory(
        self,
        *,
        backend: str | Preset | None = None,
        overrides: Mapping[str, Any] | None = None,
    ) -> None:
        """Stop posting. What an endpoint is still owed stays owed to it.

        Parameters
        ----------
        backend : str or Preset, optional
            The preset of what is captured from now on, and anew of what is kept; see
            :meth:`prefer`.
        overrides : mapping, optional
            As for :meth:`go_live`.
        """
        preset = None
        if backend is not None:
            preset = self._choices.choose(IN_MEMORY, backend, overrides)
            self.prefer(backend, overrides=overrides)
            self._capture.prepare(preset, owed=False)
        with self._lock, undisturbed():
            route, self._live = self._live, None
            self._capture.write_to(None)
            if preset is not None:
                self._capture.switch(preset)
            if route is not None:
                route.delivery.pause()
        self._changed()

    def prefer(self, backend: str | Preset, *, overrides: Mapping[str, Any] | None = None) -> None:
        """Have a preset serve where none is named and the endpoint had none, from now on.

        Parameters
        ----------
        backend : str or Preset
            A backend preset, instead of the constructor's.
        overrides : mapping, optional
            Rows of it that are to be otherwise.
        """
        self._choices.prefer(backend, overrides)

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
        self._gather()
        route = self._live
        if route is None:
            return True
        self._capture.rest()
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

        Later events are still captured, with one WARNING. :meth:`go_live` opens it again. An
        interrupt ends the waiting, not the rest.

        Returns
        -------
        bool
            As :meth:`flush`.
        """
        self._gather()
        with self._lock:
            self._closed = True
            route, self._live = self._live, None
        try:
            self._capture.rest()
            self._capture.save()
            done = True if route is None else route.delivery.close(timeout_s)
        finally:
            with self._lock, undisturbed():
                self._capture.write_to(None)
                for other in self._routes.all():
                    if other is not self._live:
                        other.delivery.release()
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

    # process life

    def before_exit(self) -> None:
        """Write to the journal what is in memory only, or was held back."""
        if self._live is not None and self._capture.rest():
            self._live.delivery.wake()
        self._capture.save()

    def at_exit(self) -> None:
        """Nothing more: the couriers see to it themselves."""

    def before_fork(self) -> None:
        """Map what was taken: once here instead of once in each child."""
        self._capture.settle()

    def after_fork(self) -> None:
        """In a forked child: new locks, and the parent keeps its queue."""
        self._lock = threading.RLock()
        self._gather = lambda: None
        self._subscribers.after_fork()
        self._capture.after_fork()
        for route in self._routes.all():
            route.after_fork()  # only now is it known what the parent had captured
