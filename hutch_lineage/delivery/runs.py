"""The events that wait, run by run: what may go out next while other runs are under way."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from heapq import heapify, heappop, heappush
from itertools import repeat
from typing import Final, NamedTuple, TypeAlias

_RUN_ID: Final = b'"runId":"'
_PARENT: Final = b'"parent":{'
_FURTHER: Final = len(b'","facets":{') + len(_PARENT)


Event: TypeAlias = tuple[int, bytes, bytes]
"""An event that was read: its number in the outbox, its run, its JSON.

A backlog has many of them: a plain tuple is made in a quarter of the time of a named one, and the
garbage collector need not follow it.
"""


def number_of(event: Event) -> int:
    """Return the number of an event.

    Examples
    --------
    >>> number_of((7, b"r1", b"{}"))
    7
    """
    return event[0]


def run_of(body: bytes) -> bytes:
    """Return the run that an event belongs to: its own, or the one that it names as parent.

    So the operators of a search stay in order, too, where each of them is a run.

    Examples
    --------
    >>> run_of(b'{"eventType":"START","run":{"runId":"r1"}}')
    b'r1'
    >>> run_of(b'{"run":{"runId":"o1","facets":{"parent":{"run":{"runId":"r1"}}}}}')
    b'r1'
    """
    parent = body.find(_PARENT)
    start = body.find(_RUN_ID, parent) if parent >= 0 else -1
    if start < 0:
        start = body.find(_RUN_ID)
        if start < 0:
            return b""
    start += len(_RUN_ID)
    return body[start : body.find(b'"', start)]


def _stretch(bodies: Sequence[bytes | None], start: int) -> list[bytes]:
    """Return an event and those that follow it in its run; none where there is none.

    They say the same run id at the same place, and what comes next begins alike: a facet that names
    a parent, or another. Whoever is not found so begins a stretch of its own.
    """
    first = bodies[start]
    if first is None:
        return []
    stretch = [first]
    place = first.find(_RUN_ID)
    end = first.find(b'"', place + len(_RUN_ID))
    if not 0 <= place < end:
        return stretch
    said = first[place : end + _FURTHER]
    for index in range(start + 1, len(bodies)):
        body = bodies[index]
        if body is None or not body.startswith(said, place):
            break
        stretch.append(body)
    return stretch


class _Rest(NamedTuple):
    until: float
    number: int
    run: bytes
    accepted: int  # how many the endpoint had accepted when it refused this one


class Runs:
    """Events that wait, by run. Not locked.

    The run whose first event is oldest comes first. While events of a run are under way its others
    wait, so that they cannot overtake. A run of which one was refused rests for a time, and then
    lets the others go first, until the endpoint has accepted anything: that tells whether it is the
    event or the backend.

    Attributes
    ----------
    count, size : int
        How many events wait, and their bytes.
    accepted : int
        How many events the endpoint has accepted so far; whoever uses this counts.
    """

    def __init__(self) -> None:
        self._waiting: dict[bytes, deque[Event]] = {}  # empty while the last are under way
        self._ready: list[tuple[int, bytes]] = []
        self._resting: list[_Rest] = []
        self.count = self.size = self.accepted = 0

    @property
    def ready(self) -> bool:
        """Whether a run is there that neither rests nor is under way."""
        return bool(self._ready)

    @property
    def due_at(self) -> float:
        """When the first run that rests has rested; 0 where none does."""
        return self._resting[0].until if self._resting else 0.0

    def heads(self) -> list[int]:
        """Return the first event of each run that rests."""
        return [rest.number for rest in self._resting]

    def extend(self, number: int, bodies: Sequence[bytes | None]) -> list[int]:
        """Put events, from a number on, behind those of their runs.

        Returns
        -------
        list of int
            The numbers where None stands in the place of an event.
        """
        start = 0
        lost = []
        while start < len(bodies):
            stretch = _stretch(bodies, start)
            if stretch:
                self._append(run_of(stretch[0]), number + start, stretch)
            else:
                lost.append(number + start)
            start += len(stretch) or 1
        return lost

    def _append(self, run: bytes, number: int, bodies: Sequence[bytes]) -> None:
        """Put events of one run, from a number on, behind the others of it."""
        if run not in self._waiting:
            self._waiting[run] = deque()
            heappush(self._ready, (number, run))
        numbers = range(number, number + len(bodies))
        self._waiting[run].extend(zip(numbers, repeat(run), bodies, strict=False))
        self.count += len(bodies)
        self.size += sum(map(len, bodies))

    def take(self, limit: int, now: float, alone: int = 0) -> list[Event]:
        """Take what goes out in one post; their runs are under way until they are released.

        Parameters
        ----------
        limit : int
            How many at most.
        now : float
            The time, which says whose rest is over.
        alone : int
            Events before this number go by themselves.
        """
        taken: list[Event] = []
        while len(taken) < limit and (run := self._pick(now)) is not None:
            events = self._waiting[run]
            if number_of(events[0]) < alone:
                limit = len(taken) + 1
            taken += [events.popleft() for _ in range(min(limit - len(taken), len(events)))]
        self._counted(taken, -1)
        return taken

    def take_after(self, run: bytes) -> Event | None:
        """Take one more of a run that is under way."""
        events = self._waiting[run]
        if not events:
            return None
        self._counted([events[0]], -1)
        return events.popleft()

    def put_back(self, events: Sequence[Event]) -> None:
        """Put events that are under way before the others of their runs."""
        for event in reversed(events):
            _, run, _ = event
            self._waiting[run].appendleft(event)
        self._counted(events, 1)

    def release(self, runs: Iterable[bytes], until: float = 0.0) -> None:
        """Have runs go on that were under way, or rest until a time."""
        for run in runs:
            events = self._waiting[run]
            if not events:
                del self._waiting[run]
            elif until:
                heappush(self._resting, _Rest(until, number_of(events[0]), run, self.accepted))
            else:
                heappush(self._ready, (number_of(events[0]), run))

    def insert(self, events: Iterable[Event]) -> None:
        """Put events that left the line into it again, each at its place."""
        resting = {rest.run for rest in self._resting}
        busy = self._waiting.keys() - resting - {run for _, run in self._ready}
        for event in events:
            _, run, _ = event
            of_run = self._waiting.setdefault(run, deque())
            self._waiting[run] = deque(sorted([*of_run, event]))
            self._counted([event], 1)
        heads = {run: number_of(of_run[0]) for run, of_run in self._waiting.items() if of_run}
        self._ready = [(index, run) for run, index in heads.items() if run not in busy]
        self._resting.clear()
        heapify(self._ready)

    def rouse(self) -> None:
        """End every rest."""
        self._ready += [(rest.number, rest.run) for rest in self._resting]
        self._resting.clear()
        heapify(self._ready)

    def _pick(self, now: float) -> bytes | None:
        resting = self._resting
        if (
            resting
            and resting[0].until <= now
            and (not self._ready or resting[0].accepted != self.accepted)
        ):
            return heappop(resting).run
        return heappop(self._ready)[1] if self._ready else None

    def _counted(self, events: Sequence[Event], sign: int) -> None:
        self.count += sign * len(events)
        self.size += sign * sum([len(body) for _, _, body in events])
