"""A run: the handle, how it ends, and which one is active."""

from __future__ import annotations

import contextvars
import itertools
import logging
import threading
import uuid
from pathlib import Path
from types import TracebackType
from typing import Any, Final, TypeVar

from hutch_lineage.errors import CaptureError, RunError
from hutch_lineage.model import Event, RunEndEvent, RunStatus, clean_text, undisturbed

from .events import make_event
from .runtime import Runtime, StopRun, before_verb
from .verbs import Verbs

logger = logging.getLogger("hutch_lineage.sdk")

E = TypeVar("E", bound=Event)
_CANCELLING: Final = (StopRun, KeyboardInterrupt, GeneratorExit)
_LONGEST_SUMMARY: Final = 4000  # characters of an exception's text
_clock: Final = itertools.count(1)  # orders starts and ends of runs, whatever the wall clock does

active: contextvars.ContextVar[Run | None] = contextvars.ContextVar(
    "hutch_lineage_active_run", default=None
)


class Run(Verbs):
    """A run: its facts, every verb as a method, and a ``with`` block that ends it.

    Leaving the block ends the run as ``finished``; with an exception as ``failed``, with its text
    as summary; with KeyboardInterrupt, a stop asked for in the notebook, or the cancellation of
    an asyncio task as ``cancelled``. The exception goes on.

    Attributes
    ----------
    id : str
        The run id; a UUID unless the caller chose one.
    name, project : str or None
        As given to ``start_run``.
    status : str
        ``running``, ``finished``, ``failed`` or ``cancelled``: the newest that was logged.
    ended : bool
        Whether ``run_end`` was logged.
    entered : bool
        Whether a ``with`` block of it is open.
    stopping : bool
        Whether it was asked to stop: its next verb raises ``StopRun``.
    foreign : bool
        Whether another process started it: then that one ends it.

    Safe to use from several threads. It can be pickled: the handle that a worker process gets logs
    to the same run, and leaving a ``with`` block of it there does not end it.

    Examples
    --------
    >>> import hutch_lineage as hl
    >>> with hl.run("demo", project="docs") as run:
    ...     seed = run.log_individual(kind="program")
    >>> run.status
    'finished'
    """

    __slots__ = (
        "__weakref__",
        "_end_lock",
        "_ended_at",
        "_outer",
        "_runtime",
        "_started_at",
        "ended",
        "entered",
        "foreign",
        "id",
        "name",
        "project",
        "status",
        "stopping",
    )

    def __init__(self, sdk: Runtime, id: str, name: str | None, project: str | None) -> None:  # noqa: A002 - Hutch's name
        self._runtime = sdk
        self._end_lock = threading.Lock()
        self._outer: Run | None = None
        self.id = id
        self.foreign = False
        self.open(name, project)

    def open(self, name: str | None, project: str | None) -> None:
        """Mark the run as running, at its start and when it is resumed."""
        self.name = name
        self.project = project
        self.status: RunStatus = "running"
        self.ended = False
        self.entered = False
        self.stopping = False
        self._started_at = next(_clock)
        self._ended_at = 0

    # -- the active run ----------------------------------------------------------------------

    def activate(self) -> None:
        """Make this the active run of the current thread or asyncio task."""
        current = active.get()
        if current is not self:
            if current is None or self not in current.around():
                self._outer = _first_open(current)
            active.set(self)

    def around(self) -> list[Run]:
        """Return this run and those that were active around it, from the inside out."""
        chain: list[Run] = []
        run: Run | None = self
        while run is not None:
            chain.append(run)
            run = run._outer
        return chain

    def _deactivate(self) -> None:
        """Where this is the active run, give that place back to an open run around it.

        Where there is none it stays, as a sign that other runs are not meant here.
        """
        if active.get() is self:
            outer = _first_open(self._outer)
            if outer is not None:
                active.set(outer)

    def belongs_to(self, sdk: Runtime) -> bool:
        """Whether the run was started in that session."""
        return self._runtime is sdk

    def overlapped(self, other: Run) -> bool:
        """Whether this run, which has ended, was open when `other` started."""
        return other._started_at < self._ended_at

    def learn_end(self) -> None:
        """Note that the process which started it has ended it."""
        if self.foreign and not self.ended:
            self.ended = True
            self._ended_at = next(_clock)

    def renew_lock(self) -> None:
        """Make a fresh lock in a forked child."""
        self._end_lock = threading.Lock()

    # -- verbs -------------------------------------------------------------------------------

    def _log(
        self, verb: str, event_class: type[E], fields: dict[str, Any], envelope: dict[str, Any]
    ) -> E:
        sdk = self._runtime
        if before_verb:
            sdk.call_hooks()
        if self.stopping:
            raise StopRun(f"run {self.name or self.id} was asked to stop")
        if self.ended:
            sdk.say_once(
                f"late {self.id}",
                f"{verb} on run {self.name or self.id} after its end: the event is kept",
            )
        event = make_event(sdk, verb, event_class, self.id, fields, envelope)
        sdk.capture(event)
        if verb == "log_run_update" and fields["status"] is not None:
            self.status = fields["status"]
        return event

    def _end(
        self, status: RunStatus, summary: str | None, event_id: str | uuid.UUID | None
    ) -> None:
        sdk = self._runtime
        if before_verb:
            sdk.call_hooks()
        if self.foreign:
            sdk.say_once(
                f"foreign {self.id}",
                f"run {self.name or self.id} was started by another process, which alone ends it: "
                "nothing logged",
            )
            return
        failure: CaptureError | None = None
        try:
            sdk.gather()  # nothing that workers have written comes after the end
        except CaptureError as error:
            failure = error
        fields: dict[str, Any] = {"status": status, "summary": summary}
        event = make_event(sdk, "end_run", RunEndEvent, self.id, fields, {"event_id": event_id})
        with undisturbed():  # a run that counts as ended and whose end nobody heard stays open
            with self._end_lock:
                first, self.ended = not self.ended, True
            if first:
                self.status = event.payload.status
                self.stopping = False
                self._ended_at = next(_clock)
                self._deactivate()
                sdk.capture(event)
        if not first:
            sdk.say_once(
                f"end {self.id}", f"run {self.name or self.id} has ended already: nothing logged"
            )
            return
        sdk.ties.announce()
        if failure is not None:
            raise failure

    def end(
        self,
        *,
        status: RunStatus = "finished",
        summary: str | None = None,
        event_id: str | uuid.UUID | None = None,
    ) -> None:
        """Do what :meth:`end_run` does."""
        self._end(status, summary, event_id)

    # -- with --------------------------------------------------------------------------------

    def __enter__(self) -> Run:
        self.entered = True
        self.activate()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.entered = False
        if self.ended or self.foreign:
            self._deactivate()
            return
        status, summary = _outcome(error)
        try:
            self._end(status, summary, None)
        except Exception as failure:
            if error is None:
                raise
            logger.warning("the end of run %s was not captured: %s", self.id, failure)
        finally:
            self._deactivate()

    def __repr__(self) -> str:
        named = f"{self.name!r}, " if self.name else ""
        return f"Run({named}id={self.id!r}, {self.status})"

    # -- other processes ---------------------------------------------------------------------

    def for_workers(self) -> dict[str, str]:
        """Return environment variables that make a Python process a worker of this run.

        Processes of :mod:`multiprocessing`, process pools and joblib need none. It is for those
        that are started in another way on this host: what they log with ``hl.log_...`` belongs to
        this run.

        Returns
        -------
        dict of str to str
            To be added to ``os.environ`` of the worker.

        Raises
        ------
        RunError
            Workers cannot log to this session.

        Examples
        --------
        >>> import os, subprocess, sys
        >>> import hutch_lineage as hl
        >>> code = "import hutch_lineage as hl; hl.log_individual(kind='program')"
        >>> with hl.run("demo") as run:
        ...     done = subprocess.run(
        ...         [sys.executable, "-c", code], env={**os.environ, **run.for_workers()}
        ...     )
        """
        from hutch_lineage.workers import RUN_VARIABLE, SESSION_VARIABLE

        return {SESSION_VARIABLE: str(self._session_folder()), RUN_VARIABLE: self.id}

    def _session_folder(self) -> Path:
        folder = self._runtime.ties.expect_workers()
        if folder is None:
            raise RunError(
                f"run {self.name or self.id} cannot be sent to another process: its session has "
                "no folder (HUTCH_LINEAGE_SESSIONS is off, or the session has ended). Return "
                "results from the worker and log them here"
            )
        return folder

    def __reduce__(self) -> tuple[Any, ...]:
        from .handing import received

        membership = self._runtime.ties.membership
        of_session = membership is None or self.id in membership.told
        return received, (
            str(self._session_folder()),
            self.id,
            self.name,
            self.project,
            of_session,
        )


def _outcome(error: BaseException | None) -> tuple[RunStatus, str | None]:
    """Return status and summary of a run whose body ended with `error`."""
    if error is None:
        return "finished", None
    if isinstance(error, SystemExit) and error.code in (None, 0):
        return "finished", None
    name = type(error).__name__
    try:
        text = str(error)
    except Exception:  # a broken __str__ must not hide the exception
        text = ""
    summary = clean_text(f"{name}: {text}" if text else name)
    if len(summary) > _LONGEST_SUMMARY:
        summary = f"{summary[:_LONGEST_SUMMARY]}…"
    cancelled = isinstance(error, _CANCELLING) or name == "CancelledError"
    return ("cancelled" if cancelled else "failed"), summary


def _first_open(run: Run | None) -> Run | None:
    """Return the innermost run from `run` outwards that has not ended."""
    while run is not None and run.ended:
        run = run._outer
    return run
