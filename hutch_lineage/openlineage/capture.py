"""What the emitter remembers: each event once, under its job's name, as its JSON.

Taking an event and mapping it are two steps. To take one is to append it to a list; the JSON is
made when somebody reads or posts, so a loop that only captures does not pay for it.
"""

from __future__ import annotations

import logging
import threading
from collections import deque
from typing import Any, Final
from uuid import UUID

import orjson

from hutch_lineage.delivery import Journal, JournaledOutbox
from hutch_lineage.errors import CaptureError
from hutch_lineage.mapping import (
    MAPPED_KINDS,
    JobNames,
    RunEventDict,
    encode,
    operator_json,
    to_run_event,
)
from hutch_lineage.model import undisturbed

logger = logging.getLogger("hutch_lineage.openlineage")

KEPT_KINDS: Final = MAPPED_KINDS | {"individual", "lineage_edge"}
"""The kinds of which the events themselves are kept, for a mapping that says more."""

KEPT_LIVE: Final = 5_000
"""How many of them are kept at least while a journal has the RunEvents."""

_AT_ONCE: Final = 2_000  # so long, some 20 ms, an interrupt waits
_NOTHING: Final[list[str]] = []


class Capture:
    """Takes events, maps them, and keeps what comes out, in order.

    An event id is taken once, and a second ``run_start`` of a run that is still open is left out.
    Whatever is read here is complete: reading maps what was only taken before. Thread-safe. A
    forked child keeps what its parent had captured.

    Parameters
    ----------
    namespace : str
        The namespace of jobs and datasets.
    job_name_default : str
        The job of a run that has neither name nor id.
    strict : bool
        Raise CaptureError where an event cannot be written as it is, instead of a WARNING.
    """

    def __init__(self, namespace: str, job_name_default: str, *, strict: bool) -> None:
        self._namespace = namespace
        self._strict = strict
        self._names = JobNames(job_name_default)
        self._ids: set[Any] = set()
        self._runs: set[str] = set()
        self._open_runs: set[str] = set()
        self._warned: set[str] = set()
        self._parsed: list[RunEventDict | None] = []
        self._taken: deque[Any] = deque()
        self._lock = threading.Lock()
        self._events: list[Any] = []
        self._outbox = JournaledOutbox()
        self._unwritten = 0
        self._last_problem: str | None = None
        self._bounded = False
        self.floor = 0
        self.odd_run_id: str | None = None

    def take(self, event: Any) -> bool:
        """Note one Hutch event; return whether a RunEvent may come out of it.

        Lock-free, so that it never waits for a thread that maps.
        """
        kind = getattr(event, "event_kind", None)
        if kind in MAPPED_KINDS:
            self._taken.append(event)
            return True
        if kind in KEPT_KINDS:
            self._taken.append(event)
        return False

    def add(self, event: Any) -> bool:
        """Take and map one event at once; return whether a RunEvent may have come out of it.

        Raises
        ------
        CaptureError
            In strict mode: the event cannot be written as it is. It is left out.
        """
        kind = getattr(event, "event_kind", None)
        if kind not in KEPT_KINDS:
            return False
        if self._taken:
            self.settle()
        with self._lock:
            try:
                line = self._map(event)
            except CaptureError:
                raise
            except BaseException:  # of a signal's handler, and to hold it back each time costs much
                with undisturbed():
                    self._outbox.mend()
                raise
        if line:
            logger.warning("%s", line)
        return kind in MAPPED_KINDS

    def settle(self) -> None:
        """Map what was taken, in order. An interrupt waits for its turn: it costs no event."""
        while self._taken:
            with self._lock, undisturbed():
                lines = self._map_taken()
            for line in lines:
                logger.warning("%s", line)

    @property
    def outbox(self) -> JournaledOutbox:
        """The RunEvents as JSON."""
        if self._taken:
            self.settle()
        return self._outbox

    @property
    def events(self) -> list[Any]:
        """The Hutch events that were kept."""
        self.settle()
        return self._events

    @property
    def unwritten(self) -> int:
        """How many events could not be written."""
        self.settle()
        return self._unwritten

    @property
    def last_problem(self) -> str | None:
        """Why the last of them could not be written."""
        self.settle()
        return self._last_problem

    def write_to(self, journal: Journal | None) -> None:
        """Write RunEvents to a journal from now on, or to none; first those that it lacks."""
        self.settle()
        with self._lock, undisturbed():
            self._outbox.write_to(journal)
            self._bounded = journal is not None

    def save(self) -> None:
        """Write to the journal what waits in memory because it could not be written before."""
        with self._lock, undisturbed():
            self._outbox.save()

    def captured(self) -> list[RunEventDict]:
        """Return every RunEvent, parsed once from its JSON: a new list of shared dicts."""
        outbox = self.outbox
        with self._lock:
            for index in range(len(self._parsed), len(outbox)):
                try:
                    self._parsed.append(orjson.loads(outbox.read(index)))
                except LookupError:  # delivered long ago, and kept no more
                    self._parsed.append(None)
            return [event for event in self._parsed if event is not None]

    def after_fork(self) -> None:
        """In a forked child: what the parent captured stays the parent's to send."""
        self._lock = threading.Lock()
        self._outbox.after_fork()
        self.floor = len(self.outbox)

    # under the lock

    def _map_taken(self) -> list[str]:
        """Map what was taken, so much at once; return what there is to tell."""
        lines: list[str] = []
        taken = self._taken
        for _ in range(min(len(taken), _AT_ONCE)):
            # it stays in line until it is mapped, so that whoever finds the line empty misses none
            try:
                line = self._map(taken[0])
            finally:
                taken.popleft()
            if line:
                lines.append(line)
        return lines

    def _map(self, event: Any) -> str:
        kind = event.event_kind
        event_id = getattr(event, "event_id", None)
        if type(event_id) is UUID:
            event_id = event_id.int  # hashed by C
        try:
            if self._had(event, kind, event_id):
                return ""
            body, problems = self._body(event, kind)
        except Exception as error:
            body, problems = None, [f"{type(error).__name__}: {error}"]
        if problems and self._strict:
            raise CaptureError(_told(event, kind, problems, lost=body is None))
        if body is None:
            self._unwritten += 1
            self._last_problem = problems[-1]
        else:
            self._keep(event, kind, event_id, body)
        fresh = [text for text in problems if self._is_new(kind, text)] if problems else None
        return _told(event, kind, fresh, lost=body is None) if fresh else ""

    def _had(self, event: Any, kind: str, event_id: Any) -> bool:
        if event_id is not None and event_id in self._ids:
            return True
        return kind == "run_start" and event.run_id in self._open_runs

    def _body(self, event: Any, kind: str) -> tuple[bytes, list[str]]:
        """Return the JSON (empty for a kind without a RunEvent) and what had to be repaired."""
        if kind not in MAPPED_KINDS:
            return b"", []
        run_id = event.run_id
        if run_id not in self._runs:
            self._runs.add(run_id)
            if self.odd_run_id is None and not _is_uuid(run_id):
                self.odd_run_id = run_id
        if kind == "run_start":
            name = self._names.started(run_id, event.payload.name)
        else:
            name = self._names.of(run_id)
        if kind == "operator":
            quick = operator_json(event, self._namespace, name)
            if quick is not None:
                return quick, _NOTHING
        document = to_run_event(event, namespace=self._namespace, job_name=name)
        return (b"", []) if document is None else encode(document)

    def _keep(self, event: Any, kind: str, event_id: Any, body: bytes) -> None:
        if event_id is not None:
            self._ids.add(event_id)
        self._events.append(event)
        if self._bounded and len(self._events) >= 2 * KEPT_LIVE:
            del self._events[:-KEPT_LIVE]
        if kind == "run_start":
            self._open_runs.add(event.run_id)
        elif kind == "run_end":
            self._open_runs.discard(event.run_id)
        if body:
            self._outbox.append(body)

    def _is_new(self, kind: str, problem: str) -> bool:
        told = f"{kind}: {problem}"
        if told in self._warned or len(self._warned) >= 1000:
            return False
        self._warned.add(told)
        return True


def _is_uuid(run_id: str) -> bool:
    try:
        UUID(run_id)
    except (ValueError, AttributeError, TypeError):
        return False
    return True


def _told(event: Any, kind: str, problems: list[str], *, lost: bool) -> str:
    what = "; ".join(problems)
    where = (
        f"{kind} event {getattr(event, 'event_id', '')} of run {getattr(event, 'run_id', None)!r}"
    )
    if lost:
        return f"{where} cannot be written as OpenLineage JSON and is left out: {what}"
    return f"{where} was repaired for OpenLineage: {what}; later ones alike are not told"
