"""The line before an endpoint: what is next, and what became of each event."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from .ledger import Ledger
from .refused import Refused
from .replies import Reply
from .runs import Event, Runs, number_of, run_of
from .seams import Outbox, Posting, Record

MAX_REFUSALS: Final = 8
WINDOW: Final = 1_000
"""So many events are read ahead, to find those of other runs, ..."""
WINDOW_BYTES: Final = 4 * 1024 * 1024
"""... or so many bytes; ..."""
SPAN: Final = 50_000
"""... and none is sent that is so far ahead of the oldest one that is owed."""
REMARKS: Final = 10_000
"""What was said of so many accepted events is kept."""
MEMORY, QUEUED, SENT = Posting("memory"), Posting("queued"), Posting("sent")


@dataclass(slots=True)
class _Doubt:
    """How often an event was refused for a time, and how many others were accepted by then."""

    refusals: int = 0
    accepted: int = -1


class Line:
    """Events of one outbox on their way to an endpoint, in order run by run. Not locked.

    What the endpoint rejects leaves the line. What it refuses for a time stays the first of its
    run, and the run rests. Where it was refused ``MAX_REFUSALS`` times and others are accepted in
    between, it is the event and not the backend, and it is set aside. If there is no other run, its
    next event is tried.

    Parameters
    ----------
    outbox : Outbox
        The events.
    start : int
        The first one that is owed.
    record : Record, optional
        Where progress is noted so that it outlives the process.
    """

    def __init__(self, outbox: Outbox, start: int = 0, record: Record | None = None) -> None:
        self._outbox = outbox
        self._record = record
        self._ledger = Ledger(start)
        self._runs = Runs()
        self._seen = start
        self._doubts: dict[int, _Doubt] = {}
        self._probes: set[int] = set()
        self._alone = 0
        self._remarks: dict[int, Posting] = {}
        self.refused = Refused()

    # what is next

    @property
    def owed(self) -> int:
        """How many events have not been accepted or set aside."""
        return self._ledger.owed(len(self._outbox))

    @property
    def first_owed(self) -> int:
        """The number of the first event that is owed, or will be."""
        return self._ledger.first_owed

    @property
    def due_at(self) -> float:
        """When a run that rests may go on; 0 where none rests."""
        return self._runs.due_at

    def reached(self, mark: int) -> bool:
        """Whether every event before `mark` is done."""
        return self._ledger.reached(mark)

    def take(self, limit: int = 1, now: float = 0.0) -> list[Event]:
        """Return what goes out in the next post; settle it with the methods below."""
        if self._runs.count < WINDOW // 2:
            self._read_on()
        events = self._runs.take(limit, now, self._alone)
        if not events and self._read_on():
            events = self._runs.take(limit, now, self._alone)
        if len(events) == 1 and number_of(events[0]) in self._doubts:
            return self._instead_of(events[0])
        return events

    def more(self) -> bool:
        """Whether another run could go out at the same time."""
        return self._runs.ready or (self._read_on() and self._runs.ready)

    def rouse(self) -> None:
        """Let runs that rest go on at once."""
        self._runs.rouse()

    def _read_on(self) -> bool:
        """Read what follows in the outbox; return whether anything did."""
        room = min(
            WINDOW - self._runs.count,
            len(self._outbox) - self._seen,
            self._ledger.next + SPAN - self._seen,
        )
        if room <= 0 or self._runs.size >= WINDOW_BYTES:
            return False
        bodies = self._outbox.read_from(self._seen, room)
        lost = self._runs.extend(self._seen, bodies)
        self._seen += len(bodies)
        if lost:
            self._ledger.done(lost)
            self._note()
        return True

    def _instead_of(self, event: Event) -> list[Event]:
        """Return the doubtful event, or the next one of its run where that has to tell."""
        number, run, _ = event
        doubt = self._doubts[number]
        if doubt.refusals < MAX_REFUSALS or doubt.accepted != self._runs.accepted:
            return [event]
        if self._runs.ready or any(index not in self._doubts for index in self._runs.heads()):
            return [event]  # other runs can tell
        other = self._runs.take_after(run)
        if other is None:
            return [event]
        self._runs.put_back([event])
        self._probes.add(number_of(other))
        return [other]

    # what came of it

    def accepted(self, events: Sequence[Event]) -> None:
        """Note that the endpoint has these."""
        indices = [number for number, _, _ in events]
        self._runs.accepted += len(indices)
        if self._doubts or self._probes:
            self._probes.difference_update(indices)
            for index in indices:
                self._doubts.pop(index, None)
        self.refused.accepted(indices, self._record)
        self._ledger.done(indices)

    def remark(self, event: Event, reply: Reply) -> None:
        """Keep what the endpoint says of an event that it accepted."""
        self._remarks[number_of(event)] = Posting("sent", reply.status, reply.reason)
        if len(self._remarks) > REMARKS:
            del self._remarks[next(iter(self._remarks))]

    def reject(self, event: Event, reply: Reply) -> None:
        """Set an event aside."""
        number = number_of(event)
        self._doubts.pop(number, None)
        self._probes.discard(number)
        self.refused.add(event, reply, self._record)
        self._ledger.done([number])

    def postponed(self, events: Sequence[Event], reply: Reply) -> bool:
        """Put a post back that was refused for now; return whether it was set aside instead."""
        if self._record is not None:
            self._record.waiting()
        first = events[0]
        number = number_of(first)
        if number in self._probes:  # the others are refused too: it is the backend
            self._probes.discard(number)
            events = self._behind_its_head(first)
        elif _may_be_the_event(reply):
            doubt = self._doubts.setdefault(number, _Doubt())
            others = doubt.accepted not in (-1, self._runs.accepted)
            doubt.accepted = self._runs.accepted
            doubt.refusals += 1
            if doubt.refusals > 1:  # find out which one it is
                self._alone = max(self._alone, number_of(events[-1]) + 1)
            if len(events) == 1 and doubt.refusals >= MAX_REFUSALS and others:
                reason = f"refused {doubt.refusals} times while others were accepted: "
                self.reject(first, Reply("rejected", reply.status, reason + reply.reason))
                return True
        self.put_back(events)
        return False

    def refusals(self, event: Event) -> int:
        """Return how often an event was refused for now, as far as it may be the event's fault."""
        doubt = self._doubts.get(number_of(event))
        return doubt.refusals if doubt is not None else 0

    def put_back(self, events: Sequence[Event]) -> None:
        """Put back what is still owed."""
        self._runs.put_back(events)

    def release(self, events: Sequence[Event], until: float = 0.0) -> None:
        """End a post: what is left of its runs may go on, at once or from a time on."""
        self._runs.release({run for _, run, _ in events}, until)
        self._note()

    def _behind_its_head(self, probe: Event) -> list[Event]:
        _, run, _ = probe
        head = self._runs.take_after(run)
        if head is None:
            return [probe]
        self._doubts.pop(number_of(head), None)
        return [head, probe]

    def offer_again(self) -> int:
        """Put what was refused in line once more; return how many events that is."""
        offered = self.refused.offer()
        events: list[Event] = []
        for index in offered:
            try:
                body = self._outbox.read(index)
            except LookupError:  # it is kept no more
                continue
            events.append((index, run_of(body), body))
        self._ledger.again.update(map(number_of, events))
        self._runs.insert(events)
        return len(offered)

    def close(self) -> bool:
        """Let go of the journal; return whether nothing of it is left to be sent."""
        record, self._record = self._record, None
        return True if record is None else record.finish()

    def write_to(self, record: Record) -> None:
        """Note progress in another journal from now on."""
        self._record = record
        self._note()

    def postings(self, start: int, stop: int) -> list[Posting]:
        """Return where the events at these positions are."""
        ledger = self._ledger
        stop = min(stop, len(self._outbox))
        found = [
            MEMORY if index < ledger.first else SENT if index < ledger.next else QUEUED
            for index in range(start, stop)
        ]
        for index in ledger.ahead:
            if start <= index < stop:
                found[index - start] = SENT
        if self._remarks:
            for index, posting in enumerate(found, start):
                if posting is SENT:
                    found[index - start] = self._remarks.get(index, SENT)
        for index in ledger.again:
            if start <= index < stop:
                found[index - start] = QUEUED
        self.refused.tell(start, found)
        return found

    def _note(self) -> None:
        if self._record is not None:
            self._record.done(min(self.refused.unsaved, default=self._ledger.next))


def _may_be_the_event(reply: Reply) -> bool:
    """Whether a refusal may be about the event: not where the backend is away or overloaded."""
    return reply.status is not None and reply.status >= 500 and reply.wait_s is None
