"""What the SDK holds per process: settings, transport, emitter, tee and open runs."""

from __future__ import annotations

import logging
import sys
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, NoReturn

from hutch_lineage.errors import CaptureError
from hutch_lineage.model import Event, Repair, RunEndEvent
from hutch_lineage.transports import MemoryTransport, Transport, build_transport

from .config import SDKConfig
from .emitters import EmitterSink, build_emitter, build_spans, same_emitter, starts, switch
from .tee import Tee
from .ties import Ties

if TYPE_CHECKING:
    from hutch_lineage.openlineage import OpenLineageEmitter
    from hutch_lineage.transports import SpanEmitter

    from .runs import Run

logger = logging.getLogger("hutch_lineage.sdk")

LONGEST_CLOSE_S = 5.0
_modules = sys.modules

before_verb: list[Callable[[], object]] = []
"""Called, quickly, at the start of every verb; a notebook serves its widgets from here.

Empty in a forked child."""

_REPAIRS = {
    "non_finite": "is not a finite number: a score is kept as text in "
    "metadata['non_finite_scores'], another number becomes None",
    "surrogate": "is not valid Unicode: U+FFFD stands for each lone surrogate",
    "converted": "is no JSON value: it is stored as text or as a list",
    "not_json": "is no JSON value: its repr is stored",
    "too_deep": "is nested too deeply, contains itself or has no end: it is cut there",
}


class StopRun(BaseException):
    """A request to unwind the loop that runs: raised by a verb after :meth:`Runtime.request_stop`.

    Not an ``Exception``, so that ``except Exception`` in the loop does not swallow it. The run
    ends as ``cancelled``.
    """


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
    heard_runs : dict of str to bool
        The runs of another SDK, by their id, and whether they are open; see :meth:`take`.
    tee : Tee
        Whoever else gets the events.
    ties : Ties
        To the worker processes, or to the session that this process works for.

    All methods may be called from any thread. After a fork the child has fresh locks, and is a
    worker of the session if a run was open.
    """

    def __init__(self, config: SDKConfig, *, forgiving: bool = False) -> None:
        self._lock = threading.RLock()
        self.start_lock = threading.RLock()
        self._memory = MemoryTransport()
        self.events: list[Event] = self._memory.events
        self.transport: Transport = self._memory
        self.config = SDKConfig()
        self.tee = Tee()
        self.runs: dict[str, Run] = {}
        self.heard_runs: dict[str, bool] = {}
        self.emitter: OpenLineageEmitter | None = None
        self._emitter_sink: EmitterSink | None = None
        self.spans: SpanEmitter | None = None
        self._wanted = False
        self._said: dict[str, object] = {}
        self.closed = False
        self.ties = Ties(self)
        self.apply(config, forgiving=forgiving)

    # -- settings ----------------------------------------------------------------------------

    def apply(self, config: SDKConfig, *, forgiving: bool = False) -> None:
        """Take new settings. Events, open runs, sinks and hooks stay.

        The former transport and emitter are closed, and a new emitter starts empty. But where
        :meth:`ensure_emitter` had asked for an emitter, it serves the whole session: it is
        switched to the new endpoint, which gets what it has not had, or replaced by one that is
        handed the events captured so far.

        Parameters
        ----------
        config : SDKConfig
            The settings.
        forgiving : bool
            Where the store cannot be opened, wait for it: the loop has begun already.

        Raises
        ------
        ConfigurationError
            A setting cannot be used; the former settings then stay in force.
        """
        config = config.copy()
        if self.ties.membership is not None:
            logger.info("this process works for a session, whose settings hold")
            return
        transport = build_transport(config, forgiving=forgiving)
        try:
            self._use(config, transport)
        except BaseException:
            if self.transport is not transport:
                transport.close()
            raise

    def _use(self, config: SDKConfig, transport: Transport) -> None:
        former, former_transport, former_spans = self.emitter, self.transport, self.spans
        spans = build_spans(config)
        if self._wanted and former is not None and same_emitter(self.config, config):
            emitter: OpenLineageEmitter | None = former
            switch(former, config)
        else:
            emitter = build_emitter(config, wanted=self._wanted)
        with self._lock:
            if not isinstance(transport, MemoryTransport):
                for event in self._earlier_for(former_transport):
                    transport.send(event)
            self.config = config
            self.transport = self._memory if isinstance(transport, MemoryTransport) else transport
            self._said.clear()
            self._put_spans(spans)
            if emitter is not former:
                self._install(emitter)
        try:
            if former_spans is not None:
                former_spans.close()
        finally:
            if former is not None and emitter is not former:
                former.close(min(LONGEST_CLOSE_S, config.request_timeout_s))
            former_transport.close()
            self.ties.announce()

    def _earlier_for(self, former: Transport) -> list[Event]:
        """Return what a new transport lacks of the open runs.

        All where they were in memory alone; else their start, which names them.
        """
        open_ids = {run.id for run in self.open_runs()}
        if former is self._memory:
            return [event for event in self.events if event.run_id in open_ids]
        return [event for event in self.events if starts(event, open_ids)]

    def _put_spans(self, spans: SpanEmitter | None) -> None:
        """Put `spans` in the place of the former; it gets the starts of runs that are open."""
        if self.spans is not None:
            self.tee.remove(self.spans)
        self.spans = spans
        if spans is not None:
            open_ids = {run.id for run in self.open_runs()}
            for event in self.events:
                if starts(event, open_ids):
                    spans.accept(event)
            self.tee.add(spans)

    def ensure_emitter(self) -> OpenLineageEmitter:
        """Return the emitter; make an in-memory one with the events so far if there is none."""
        with self._lock:
            self._wanted = True
            if self.emitter is None:
                self._install(build_emitter(self.config, wanted=True))
            emitter = self.emitter
        assert emitter is not None  # noqa: S101 - just built
        self.ties.follow()
        return emitter

    def drop_emitter(self, *, close: bool) -> None:
        """Have no emitter any more; in a forked child it is its parent's, not to be closed."""
        with self._lock:
            former = self.emitter
            self._install(None)
        if former is not None and close:
            former.close(0)

    def _install(self, emitter: OpenLineageEmitter | None) -> None:
        """Put `emitter` in the place of the former one; the lock keeps new events waiting.

        It gets all events where it serves the session, else, if it posts, the start of the runs
        that are open, which names their job.
        """
        if self._emitter_sink is not None:
            self.tee.remove(self._emitter_sink)
        self.emitter, self._emitter_sink = emitter, None
        if emitter is None:
            return
        self._emitter_sink = EmitterSink(emitter)
        emitter.gather_first(self.gather)
        emitter.forget_none()  # they are all here
        self.tee.add(self._emitter_sink)
        if self._wanted:
            earlier = self.events
        elif emitter.mode == "live":
            open_ids = {run.id for run in self.open_runs()}
            earlier = [event for event in self.events if starts(event, open_ids)]
        else:
            earlier = []
        for event in earlier:
            emitter.emit(event)

    # -- events ------------------------------------------------------------------------------

    def capture(self, event: Event) -> None:
        """Keep an event and hand it to everybody who wants it.

        Raises
        ------
        CaptureError
            In strict mode, when anybody failed; everybody else has the event.
        """
        ties = self.ties
        if ties.apart and ties.capture_apart(event):
            return
        if ties.alone and "multiprocessing" in _modules:
            ties.expect_workers()
        failures: list[Exception] = []
        strict = self.config.strict
        with self._lock:
            self.events.append(event)
            transport, targets = self.transport, self.tee.targets
        if transport is not self._memory:
            try:
                transport.send(event)
            except Exception as error:  # the loop goes on, whatever the transport meets
                failures.append(error)
                if not strict:
                    self.say_once("transport", f"an event was not stored ({_told(error)})")
        if targets:
            failures += self.tee.send(event, targets, quietly=strict)
        if failures and strict:
            self._raise(event, failures)

    def _raise(self, event: Event, failures: list[Exception]) -> NoReturn:
        """Raise what went wrong with an event, as one error."""
        if isinstance(failures[0], CaptureError):
            for other in failures[1:]:
                failures[0].add_note(f"Nor was it delivered elsewhere: {_told(other)}")
            raise failures[0]
        told = "; ".join(_told(error) for error in failures)
        raise CaptureError(
            f"the {_kind_of(event)} event was not delivered to all: {told}"
        ) from failures[0]

    def take(self, event: Event) -> None:
        """Keep an event that is stored elsewhere; emitter and session get it, transport does not.

        Raises
        ------
        CaptureError
            In strict mode, when anybody failed; everybody else has the event.
        """
        ties = self.ties
        self.heard_runs[event.run_id] = not isinstance(event, RunEndEvent)
        if ties.apart and ties.capture_apart(event):
            return
        if ties.alone and "multiprocessing" in _modules:
            ties.expect_workers()
        strict = self.config.strict
        with self._lock:
            self.events.append(event)
            targets = tuple(pair for pair in self.tee.targets if pair[0] is not self.spans)
        failures = self.tee.send(event, targets, quietly=strict)
        if failures and strict:
            self._raise(event, failures)

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
        token = object()
        if self._said.setdefault(key, token) is token:  # atomic: one thread finds its own
            logger.warning(message)

    def gather(self) -> None:
        """Take in what worker processes have written until now; without any it costs nothing.

        Raises
        ------
        CaptureError
            In strict mode, when an event was not captured or delivered; all were taken.
        """
        self.ties.gather()

    @property
    def is_heard(self) -> bool:
        """Whether anybody wants events as they come: the list of them can be looked at later."""
        return bool(self.tee.targets) or self.transport is not self._memory

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

    def close(self) -> None:
        """Close emitters and transport.

        Waits for events not sent yet, but not longer than ``config.request_timeout_s`` and 5 s.

        Raises
        ------
        CaptureError
            In strict mode, where the spans of open runs are not taken; all is closed.
        """
        self.ties.leave()
        self.closed = True
        try:
            if self.emitter is not None:
                self.emitter.close(min(LONGEST_CLOSE_S, self.config.request_timeout_s))
            if self.spans is not None:
                self.spans.close()
        finally:
            self.transport.close()

    def after_fork(self) -> None:
        """In a forked child: make fresh locks; what is logged from now on is the session's."""
        self._lock = threading.RLock()
        self.start_lock = threading.RLock()
        self.tee.renew_locks()
        for run in self.runs.values():
            run.renew_lock()
        self.ties.after_fork()


def _kind_of(event: Event) -> str:
    return str(getattr(event, "event_kind", type(event).__name__))


def _told(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"
