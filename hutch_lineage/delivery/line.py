"""The line before an endpoint: what is next, what was refused, what became of each event."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable
from typing import Final

from .replies import Reply
from .seams import Outbox, Posting, Record, Rejected

MAX_REJECTED: Final = 10_000
MAX_REFUSALS: Final = 8
_LOOK_AHEAD: Final = 200
MEMORY, QUEUED, SENT = Posting("memory"), Posting("queued"), Posting("sent")
FORGOTTEN: Final = Posting("rejected", None, f"one of more than {MAX_REJECTED:,}: not kept")
_RUN_ID: Final = re.compile(rb'"runId":"([^"]*)"')


class Line:
    """Events of one outbox in the order in which an endpoint gets them. Not locked.

    What the endpoint rejects leaves the line. What it refuses for a time stays at the head, so that
    the order is kept. After ``MAX_REFUSALS`` refusals of the same head another event is tried, if
    possible one of another run. If that one is accepted, the head is offered once more, and set
    aside where it is refused again: then it is the event, and not the backend.

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
        self._first = self._next = start
        self._again: deque[int] = deque()
        self._offered: set[int] = set()  # of those again in line: refused before
        self._ahead: set[int] = set()  # done before their turn
        self._unsaved: set[int] = set()  # refused, and the disk had no room for that
        self._refusals = 0
        self._suspect = -1
        self._probe = -1
        self.rejected: deque[Rejected] = deque(maxlen=MAX_REJECTED)
        self.refused = 0
        self._forgotten: set[int] = set()

    # what is next

    @property
    def owed(self) -> int:
        """How many events have not been accepted or set aside."""
        return len(self._again) + len(self._outbox) - self._next - len(self._ahead)

    @property
    def first_owed(self) -> int:
        """The number of the first event that is owed, or will be."""
        return min(self._again, default=self._next)

    def reached(self, mark: int) -> bool:
        """Whether every event before `mark` is done."""
        return self._next >= mark and not self._again

    def choose(self, limit: int = 1) -> list[int]:
        """Return the numbers of the events to be posted next, at most `limit`."""
        if self._probe >= 0:
            return [self._probe]
        if self._refusals > 1:
            limit = 1  # find out which one it is
        if self._again:
            return [self._again[i] for i in range(min(limit, len(self._again)))]
        stop = min(self._next + limit, len(self._outbox))
        return [index for index in range(self._next, stop) if index not in self._ahead]

    def read(self, index: int) -> bytes:
        """Return the body of an event; LookupError where it is no more."""
        return self._outbox.read(index)

    # what came of it

    def accepted(self, indices: list[int]) -> None:
        """Note that the endpoint has these."""
        plain = not (self._again or self._ahead or self._offered) and self._probe < 0
        if plain and indices[0] == self._next and indices[-1] - indices[0] == len(indices) - 1:
            self._next += len(indices)
            self._refusals = 0
            self._suspect = -1
        else:
            for index in indices:
                self._accept(index)
        self._note()

    def _accept(self, index: int) -> None:
        if index == self._probe:
            self._probe = -1  # the endpoint takes others: the head gets a last chance
        else:
            self._refusals = 0
            self._suspect = -1
        if index in self._offered:
            self._offered.discard(index)
            if self._record is not None:
                self._record.taken_back([index])
        self._leave(index)

    def reject(self, index: int, reply: Reply) -> None:
        """Set an event aside."""
        self.refused += 1
        self._refusals = 0
        self._suspect = self._probe = -1
        if len(self.rejected) == MAX_REJECTED:
            self._forgotten.add(self.rejected[0].index)
        self.rejected.append(Rejected(index, reply.status, reply.reason))
        if self._record is not None and index not in self._offered:
            body = self._outbox.read(index)
            if not self._record.set_aside(index, body, reply.status, reply.reason):
                self._unsaved.add(index)
        self._offered.discard(index)
        self._leave(index)
        self._note()

    def skip(self, index: int) -> None:
        """Leave out an event that cannot be read any more."""
        self._leave(index)
        self._note()

    def postponed(self, index: int, reply: Reply) -> bool:
        """Note that an event was refused for now.

        Returns
        -------
        bool
            Whether something else is worth a try at once: another event, to find out whether it
            is this one.
        """
        if self._record is not None:
            self._record.waiting()
        if index == self._probe:  # the others are refused too: it is the backend
            self._probe = -1
            self._refusals = 0
            self._suspect = -1
            return False
        if not _may_be_the_event(reply):
            return False
        if self._suspect == index:
            # others were accepted, and it is refused again
            self.reject(
                index,
                Reply(
                    "rejected",
                    reply.status,
                    f"refused {self._refusals + 1} times while others were accepted: "
                    f"{reply.reason}",
                ),
            )
            return True
        self._refusals += 1
        if self._refusals < MAX_REFUSALS:
            return False
        other = self._other(index)
        if other < 0:
            return False
        self._suspect, self._probe = index, other
        return True

    def put_back(self, index: int) -> None:
        """Have an event that was posted in a batch with later ones posted again, alone."""
        if index not in self._again:
            self._again = deque(sorted({*self._again, index}))
        if index == self._next:
            self._next += 1

    def offer_again(self) -> int:
        """Put what was refused in line once more; return how many events that is."""
        count = len(self.rejected)
        indices: Iterable[int] = [item.index for item in self.rejected]
        self._offered.update(indices)
        self._again = deque(sorted({*self._again, *indices}))
        self.refused -= count
        self.rejected.clear()
        return count

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
        stop = min(stop, len(self._outbox))
        found = [
            MEMORY if index < self._first else SENT if index < self._next else QUEUED
            for index in range(start, stop)
        ]
        for index in self._ahead:
            if start <= index < stop:
                found[index - start] = SENT
        for index in self._again:
            if start <= index < stop:
                found[index - start] = QUEUED
        for item in self.rejected:
            if start <= item.index < stop:
                found[item.index - start] = Posting("rejected", item.status, item.reason)
        if self._forgotten:
            for index in self._forgotten.intersection(range(start, stop)):
                found[index - start] = FORGOTTEN
        return found

    def _leave(self, index: int) -> None:
        if self._again and index in self._again:
            self._again.remove(index)
        elif index == self._next:
            self._next += 1
        else:
            self._ahead.add(index)
        while self._next in self._ahead:
            self._ahead.discard(self._next)
            self._next += 1

    def _note(self) -> None:
        if self._record is None:
            return
        if not self._again and not self._unsaved:
            self._record.done(self._next)
            return
        waiting = {index for index in self._again if index not in self._offered} | self._unsaved
        self._record.done(min(waiting, default=self._next))

    def _other(self, index: int) -> int:
        """Return another event to try: one of another run, else the next one, else -1."""
        stop = min(self._next + _LOOK_AHEAD, len(self._outbox))
        others = [*self._again, *range(self._next, stop)]
        others = [each for each in others if each != index and each not in self._ahead]
        if not others:
            return -1
        run = self._run_of(index)
        return int(next((each for each in others if self._run_of(each) != run), others[0]))

    def _run_of(self, index: int) -> bytes | None:
        try:
            found = _RUN_ID.search(self._outbox.read(index))
        except LookupError:
            return None
        return found and found.group(1)


def _may_be_the_event(reply: Reply) -> bool:
    """Whether a refusal may be about the event: not where the backend is away or overloaded."""
    return reply.status is not None and reply.status >= 500 and reply.wait_s is None
