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

from hutch_lineage.delivery import Journal, JournaledOutbox
from hutch_lineage.errors import CaptureError
from hutch_lineage.mapping import MAPPED_KINDS, Preset, RunEventDict
from hutch_lineage.model import undisturbed

from .mapped import Mapped

logger = logging.getLogger("hutch_lineage.openlineage")

KEPT_KINDS: Final = MAPPED_KINDS | {"individual", "lineage_edge"}
"""The kinds of which the events themselves are kept, for a mapping that says more."""

KEPT_LIVE: Final = 5_000
"""How many of them are kept at least where they are forgotten: while a journal has RunEvents."""

_AT_ONCE: Final = 2_000  # so long, some 20 ms, an interrupt waits


class Capture:
    """Takes events, maps them, and keeps what comes out, in order.

    An event id is taken once, and a second ``run_start`` of a run that is still open is left out.
    Whatever is read here is complete: reading maps what was only taken before. It is mapped as one
    preset has it; another one maps the events that were kept anew. Thread-safe. A forked child
    keeps what its parent had captured.

    Parameters
    ----------
    preset : Preset
        The mapping to begin with.
    namespace : str
        The namespace of jobs and datasets.
    job_name_default : str
        The job of a run that has neither name nor id.
    strict : bool
        Raise CaptureError where an event cannot be written as it is, instead of a WARNING.

    Attributes
    ----------
    forgets : bool
        Whether old events make room while a journal has their RunEvents.
    odd_run_id : str or None
        The first run id that is no UUID.
    """

    def __init__(
        self, preset: Preset, namespace: str, job_name_default: str, *, strict: bool
    ) -> None:
        self._names = (namespace, job_name_default)
        self._strict = strict
        self._ids: set[Any] = set()
        self._runs: set[str] = set()
        self._open_runs: set[str] = set()
        self._warned: set[str] = set()
        self._taken: deque[Any] = deque()
        self._lock = threading.Lock()
        self._events: list[Any] = []
        self._first = 0  # the number of the first event that is kept
        self._forked_at = 0
        self._now = Mapped(preset, *self._names, 0)
        self._all: dict[Preset, Mapped] = {preset: self._now}
        self._bounded = False
        self.forgets = True
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
                if self._now.is_default:
                    line = self._map(event)
                else:  # several RunEvents may come out of it, and something be remembered
                    with undisturbed():
                        line = self._map(event)
            except CaptureError:
                raise
            except BaseException:  # of a signal's handler, and to hold it back each time costs much
                with undisturbed():
                    self._now.outbox.mend()
                raise
        if line:
            logger.warning("%s", line)
        return kind in self._now.mapper.kinds

    def settle(self) -> None:
        """Map what was taken, in order. An interrupt waits for its turn: it costs no event."""
        while self._taken:
            with self._lock, undisturbed():
                lines = self._map_taken()
            for line in lines:
                logger.warning("%s", line)

    @property
    def outbox(self) -> JournaledOutbox:
        """The RunEvents as JSON, as the present preset has them."""
        if self._taken:
            self.settle()
        return self._now.outbox

    @property
    def preset(self) -> Preset:
        """The present preset."""
        return self._now.preset

    @property
    def events(self) -> list[Any]:
        """The Hutch events that were kept."""
        self.settle()
        return self._events

    @property
    def unwritten(self) -> int:
        """How many events could not be written."""
        self.settle()
        return self._now.unwritten

    @property
    def last_problem(self) -> str | None:
        """Why the last of them could not be written."""
        self.settle()
        return self._now.last_problem

    @property
    def floor(self) -> int:
        """The first RunEvent that is owed to a new endpoint."""
        return self._now.floor

    def prepare(self, preset: Preset, *, owed: bool = True) -> None:
        """Map what is kept as `preset` has it, too, as far as it has not been mapped so.

        Where an endpoint is owed what comes out, no event is forgotten any more that it lacks.
        """
        self.settle()
        with self._lock:
            mapped = self._all.get(preset)
            if mapped is None:
                mapped = self._all[preset] = Mapped(preset, *self._names, self._first)
                if self._first:
                    logger.warning(
                        "the %s mapping begins with event %d: the older ones are no longer kept",
                        preset.name,
                        self._first + 1,
                    )
            mapped.owed = mapped.owed or owed
        while mapped is not self._now and self._catch_up(mapped):
            pass

    def switch(self, preset: Preset) -> None:
        """Map as `preset` has it from now on; it was prepared."""
        self.settle()
        mapped = self._all[preset]
        with self._lock, undisturbed():
            if mapped is self._now:
                return
            self._now.next = self._end
            self._now.outbox.write_to(None)
            lines = self._map_kept(mapped, self._end)
            self._now = mapped
        for line in lines:
            logger.warning("%s", line)

    def _catch_up(self, mapped: Mapped) -> bool:
        """Map some of what is kept; return whether there is more."""
        with self._lock, undisturbed():
            lines = self._map_kept(mapped, min(self._end, mapped.next + _AT_ONCE))
            more = mapped.next < self._end
        for line in lines:
            logger.warning("%s", line)
        return more

    def rest(self) -> bool:
        """Write what the mapping held back, as no end of its run has come."""
        self.settle()
        with self._lock, undisturbed():
            return self._now.rest()

    def write_to(self, journal: Journal | None) -> None:
        """Write RunEvents to a journal from now on, or to none; first those that it lacks."""
        self.settle()
        with self._lock, undisturbed():
            self._now.outbox.write_to(journal)
            self._bounded = journal is not None

    def save(self) -> None:
        """Write to the journal what waits in memory because it could not be written before."""
        with self._lock, undisturbed():
            self._now.outbox.save()

    def captured(self) -> list[RunEventDict]:
        """Return every RunEvent, parsed once from its JSON: a new list of shared dicts."""
        self.settle()
        with self._lock:
            return self._now.parsed()

    def after_fork(self) -> None:
        """In a forked child: what the parent captured stays the parent's to send."""
        self._lock = threading.Lock()
        self.settle()
        self._forked_at = self._end
        for mapped in self._all.values():
            mapped.outbox.after_fork()
            mapped.mapper.rest()  # what was held back is the parent's to send, too
            mapped.floor = len(mapped.outbox)

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
        bodies: list[bytes] | None
        try:
            if self._had(event, kind, event_id):
                return ""
            bodies, problems = self._now.bodies(event)
        except Exception as error:
            bodies, problems = None, [f"{type(error).__name__}: {error}"]
        if problems and self._strict:
            raise CaptureError(_told(event, kind, problems, lost=bodies is None))
        if bodies is None:
            self._now.lost(problems[-1])
        else:
            self._keep(event, kind, event_id)
            self._now.keep(bodies, self._end)
        return self._news(event, kind, problems, lost=bodies is None) if problems else ""

    def _had(self, event: Any, kind: str, event_id: Any) -> bool:
        if event_id is not None and event_id in self._ids:
            return True
        return kind == "run_start" and event.run_id in self._open_runs

    def _keep(self, event: Any, kind: str, event_id: Any) -> None:
        if event_id is not None:
            self._ids.add(event_id)
        run_id = event.run_id
        if run_id not in self._runs and kind in MAPPED_KINDS:
            self._runs.add(run_id)
            if self.odd_run_id is None and not _is_uuid(run_id):
                self.odd_run_id = run_id
        self._events.append(event)
        if self._bounded and self.forgets and len(self._events) >= 2 * KEPT_LIVE:
            self._forget()
        if kind == "run_start":
            self._open_runs.add(event.run_id)
        elif kind == "run_end":
            self._open_runs.discard(event.run_id)

    def _forget(self) -> None:
        """Drop the oldest events, but none that an endpoint has not had."""
        others = [each.next for each in self._all.values() if each.owed and each is not self._now]
        first = min([self._end - KEPT_LIVE, *others])
        del self._events[: max(0, first - self._first)]
        self._first = max(first, self._first)
        late = [
            key
            for key, each in self._all.items()
            if each.next < self._first and each is not self._now
        ]
        for preset in late:
            del self._all[preset]

    @property
    def _end(self) -> int:
        """The number of the next event."""
        return self._first + len(self._events)

    def _map_kept(self, mapped: Mapped, stop: int) -> list[str]:
        """Map events that came while another preset was in use; return what there is to tell."""
        lines = []
        for event in self._events[mapped.next - self._first : stop - self._first]:
            bodies, problems = mapped.bodies(event)
            if bodies is None:
                mapped.lost(problems[-1])
            mapped.keep(bodies or (), mapped.next + 1)
            if mapped.next == self._forked_at:
                mapped.floor = len(mapped.outbox)
            if problems:
                lines.append(self._news(event, event.event_kind, problems, lost=bodies is None))
        return [line for line in lines if line]

    def _news(self, event: Any, kind: str, problems: list[str], *, lost: bool) -> str:
        fresh = [text for text in problems if self._is_new(kind, text)]
        return _told(event, kind, fresh, lost=lost) if fresh else ""

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
