"""What the SDK holds per process: settings, transport, emitter, tee and open runs."""

from __future__ import annotations

import atexit
import logging
import os
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from hutch_lineage.errors import CaptureError
from hutch_lineage.model import Event, Repair
from hutch_lineage.transports import MemoryTransport, Transport, build_transport

from .config import IN_MEMORY, SDKConfig
from .tee import Tee

if TYPE_CHECKING:
    from hutch_lineage.openlineage import OpenLineageEmitter

    from .runs import Run

logger = logging.getLogger("hutch_lineage.sdk")

EXIT_TIMEOUT_S = 5.0

before_verb: list[Callable[[], object]] = []
"""Called, quickly, at the start of every verb; a notebook serves its widgets from here."""

_REPAIRS = {
    "non_finite": "is not a finite number: a score is kept as text in "
    "metadata['non_finite_scores'], another number becomes None",
    "surrogate": "is not valid Unicode: U+FFFD stands for each lone surrogate",
    "converted": "is no JSON value: it is stored as text or as a list",
    "not_json": "is no JSON value: its repr is stored",
    "too_deep": "is nested too deeply, or contains itself: it is cut there",
}


class StopRun(BaseException):
    """A request to unwind the loop that runs: raised by a verb after :meth:`Runtime.request_stop`.

    Not an ``Exception``, so that ``except Exception`` in the loop does not swallow it. The run
    ends as ``cancelled``.
    """


class EmitterSink:
    """The OpenLineage emitter in its place in the tee."""

    name = "OpenLineage emitter"

    def __init__(self, emitter: OpenLineageEmitter) -> None:
        self.accept: Callable[[Event], None] = emitter.emit


class Runtime:
    """The SDK's state. There is one per process, see :func:`runtime`.

    Attributes
    ----------
    config : SDKConfig
        The settings in force.
    transport : Transport
        The primary transport.
    emitter : OpenLineageEmitter or None
        None until settings or :meth:`ensure_emitter` ask for one.
    events : list of Event
        Every event captured since the last :func:`reset`, in order; it only grows.
    tee : Tee
        Whoever else gets the events.

    All methods may be called from any thread. After a fork the child has fresh locks and goes on
    with what it inherited; its events stay in the child.
    """

    def __init__(self, config: SDKConfig) -> None:
        self._lock = threading.RLock()
        self.start_lock = threading.RLock()
        self._memory = MemoryTransport()
        self.events: list[Event] = self._memory.events
        self.tee = Tee()
        self.runs: dict[str, Run] = {}
        self.emitter: OpenLineageEmitter | None = None
        self._emitter_sink: EmitterSink | None = None
        self._wanted = False
        self._said: set[str] = set()
        self._forked = False
        self.closed = False
        self.apply(config)

    # -- settings ----------------------------------------------------------------------------

    def apply(self, config: SDKConfig) -> None:
        """Take new settings: the former transport and emitter are closed.

        Events, open runs, sinks and hooks stay. Where :meth:`ensure_emitter` had asked for an
        emitter, the new one gets the events captured so far.

        Raises
        ------
        ConfigurationError
            A setting cannot be used; the former settings then stay in force.
        """
        config = config.copy()
        transport = build_transport(config)
        if config.otel_endpoint is not None:
            self._refuse_otel(config)
        emitter = _build_emitter(config, wanted=self._wanted)
        with self._lock:
            former, former_transport = self.emitter, getattr(self, "transport", None)
            self.config = config
            self.transport: Transport = self._memory if _in_memory(transport) else transport
            self._said.clear()
            self._install(emitter, backfill=self._wanted)
        if former is not None:
            former.close(config.request_timeout_s)
        if former_transport is not None:
            former_transport.close()

    def _refuse_otel(self, config: SDKConfig) -> None:
        from hutch_lineage.errors import ConfigurationError

        problem = "otel_endpoint is not available in this version of hutch_lineage"
        if config.strict:
            raise ConfigurationError(f"{problem}: leave it (HUTCH_OTEL_ENDPOINT) unset")
        logger.warning("%s; no spans are sent", problem)

    def ensure_emitter(self) -> OpenLineageEmitter:
        """Return the emitter; make an in-memory one with the events so far if there is none."""
        with self._lock:
            self._wanted = True
            if self.emitter is None:
                self._install(_build_emitter(self.config, wanted=True), backfill=True)
            assert self.emitter is not None  # noqa: S101 - just built
            return self.emitter

    def _install(self, emitter: OpenLineageEmitter | None, *, backfill: bool) -> None:
        """Put `emitter` in the place of the former one. The lock keeps new events waiting."""
        if self._emitter_sink is not None:
            self.tee.remove(self._emitter_sink)
        self.emitter, self._emitter_sink = emitter, None
        if emitter is None:
            return
        self._emitter_sink = EmitterSink(emitter)
        if backfill:
            for event in self.events:
                self._emitter_sink.accept(event)
        self.tee.add(self._emitter_sink)

    # -- events ------------------------------------------------------------------------------

    def capture(self, event: Event) -> None:
        """Keep an event and hand it to everybody who wants it.

        Raises
        ------
        CaptureError
            In strict mode, when anybody failed; everybody else has the event.
        """
        if self._forked or self.closed:
            self._say_stranded()
        failures: list[Exception] = []
        with self._lock:
            self.events.append(event)
            transport, targets = self.transport, self.tee.targets
        if transport is not self._memory:
            try:
                transport.send(event)
            except Exception as error:  # the loop goes on, whatever the transport meets
                failures.append(error)
                self.say_once("transport", f"an event was not stored ({_told(error)})")
        if targets:
            failures += self.tee.send(event, targets)
        if failures and self.config.strict:
            if isinstance(failures[0], CaptureError):
                raise failures[0]
            told = "; ".join(_told(error) for error in failures)
            raise CaptureError(
                f"the {_kind_of(event)} event was not delivered to all: {told}"
            ) from (failures[0])

    def report(self, verb: str, repairs: list[Repair]) -> None:
        """Say what was changed in the arguments of a verb: one WARNING per kind of change.

        Raises
        ------
        CaptureError
            In strict mode, when something was lost.
        """
        lossy = next((repair for repair in repairs if repair.lossy), None)
        if lossy is not None and self.config.strict:
            raise CaptureError(
                f"{verb}: {lossy.where[:80]} ({lossy.what}) cannot be captured as it is; "
                "pass a value that JSON can hold, or switch strict off"
            )
        for kind, where, what in repairs:
            self.say_once(
                f"repair {kind}", f"{verb}: {where[:80]} ({what}) {_REPAIRS[kind]}; said once"
            )

    def say_once(self, key: str, message: str) -> None:
        """Log `message` at WARNING, once per `key` and configuration."""
        if key not in self._said:
            self._said.add(key)
            logger.warning(message)

    def _say_stranded(self) -> None:
        if self._forked:
            self.say_once(
                "forked",
                f"process {os.getpid()} was forked from a session: the events logged in it stay "
                "in it. Return results to the parent and log them there",
            )
        if self.closed:
            self.say_once("closed", "reset() has ended this session: its events are seen nowhere")

    # -- runs --------------------------------------------------------------------------------

    def open_runs(self) -> list[Run]:
        """Return the runs that have not ended, in the order in which they were started."""
        return [run for run in list(self.runs.values()) if not run.ended]

    def request_stop(self) -> None:
        """Ask the loop that runs to stop: the next verb of its run raises :class:`StopRun`.

        Meant are the open runs inside a ``with`` block, or every open run where none is.
        """
        runs = self.open_runs()
        for run in [run for run in runs if run.entered] or runs:
            run.stopping = True

    @property
    def stop_requested(self) -> bool:
        """Whether an open run has been asked to stop and has not ended yet."""
        return any(run.stopping for run in self.open_runs())

    @property
    def before_verb(self) -> list[Callable[[], object]]:
        """The hooks called at the start of each verb; the same list for every session."""
        return before_verb

    def call_hooks(self) -> None:
        """Call the hooks; what one raises is logged once, and the verb goes on."""
        for hook in tuple(before_verb):
            try:
                hook()
            except Exception as error:  # a hook must not end the loop
                self.say_once(f"hook {id(hook)}", f"a hook of before_verb failed ({_told(error)})")

    # -- the end -----------------------------------------------------------------------------

    def close(self, timeout_s: float = EXIT_TIMEOUT_S) -> None:
        """Close emitter and transport; waits at most `timeout_s` for events not sent yet."""
        self.closed = True
        if self.emitter is not None:
            self.emitter.close(timeout_s)
        self.transport.close()

    def renew_locks(self) -> None:
        """Make fresh locks in a forked child."""
        self._lock = threading.RLock()
        self.start_lock = threading.RLock()
        self._forked = True
        self.tee.renew_locks()


def _build_emitter(config: SDKConfig, *, wanted: bool) -> OpenLineageEmitter | None:
    """Return the emitter that the settings ask for, None where nobody does."""
    endpoint = config.openlineage_endpoint or (IN_MEMORY if wanted else None)
    if endpoint is None:
        return None
    from hutch_lineage.openlineage import build_openlineage_emitter

    return build_openlineage_emitter(
        endpoint=endpoint,
        namespace=config.openlineage_namespace,
        timeout_s=config.request_timeout_s,
        strict=config.strict,
        api_key=config.openlineage_api_key,
        headers=dict(config.openlineage_headers),
        backend=config.openlineage_backend,
    )


def _in_memory(transport: Transport) -> bool:
    return isinstance(transport, MemoryTransport)


def _kind_of(event: Event) -> str:
    return str(getattr(event, "event_kind", type(event).__name__))


def _told(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"


_current: Runtime | None = None
_current_lock = threading.Lock()


def runtime() -> Runtime:
    """Return the SDK's state of this process; the first call reads the environment.

    Raises
    ------
    ConfigurationError
        An environment variable has a value that cannot be used.

    Examples
    --------
    >>> runtime() is runtime()
    True
    """
    global _current
    current = _current
    if current is not None:
        return current
    with _current_lock:
        if _current is None:
            _current = Runtime(SDKConfig.from_env())
        return _current


def configure(config: SDKConfig) -> Runtime:
    """Use `config` from now on.

    The former emitter is closed, which waits for events not sent yet, but not longer than
    ``config.request_timeout_s``. Events captured so far and open runs stay.

    Raises
    ------
    ConfigurationError
        A setting cannot be used; nothing has changed then.

    Examples
    --------
    >>> _ = configure(SDKConfig(openlineage_endpoint="in-memory"))
    >>> runtime().config.openlineage_endpoint
    'in-memory'
    """
    global _current
    with _current_lock:
        current = _current
        if current is None:
            _current = current = Runtime(config)
            return current
    current.apply(config)
    return current


def reset() -> None:
    """Forget settings, runs and events; the next verb starts anew from the environment.

    Examples
    --------
    >>> reset()
    >>> runtime().events
    []
    """
    global _current
    with _current_lock:
        former, _current = _current, None
    if former is not None:
        former.close()


def emitter() -> OpenLineageEmitter | None:
    """Return the session's OpenLineage emitter.

    None where nothing is configured and neither the extension nor an explorer asked for one.

    Examples
    --------
    >>> reset()
    >>> emitter() is None
    True
    """
    return runtime().emitter


def _after_fork() -> None:
    global _current_lock
    _current_lock = threading.Lock()
    if _current is not None:
        _current.renew_locks()


def _at_exit() -> None:
    if _current is not None:
        _current.close()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
atexit.register(_at_exit)
