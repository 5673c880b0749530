"""What an endpoint has refused for good: kept, told, offered once more."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import Final

from .replies import Reply
from .runs import Event
from .seams import Posting, Record, Rejected

MAX_REJECTED: Final = 10_000
FORGOTTEN: Final = Posting("rejected", None, f"one of more than {MAX_REJECTED:,}: not kept")


class Refused:
    """Events that were set aside. Not locked.

    Attributes
    ----------
    kept : deque of Rejected
        The last ones, oldest first.
    count : int
        How many there are.
    unsaved : set of int
        Those that the disk had no room for: with the journal they must be sent again.
    """

    def __init__(self) -> None:
        self.kept: deque[Rejected] = deque(maxlen=MAX_REJECTED)
        self.count = 0
        self.unsaved: set[int] = set()
        self._offered: set[int] = set()  # in line once more, and on disk among the refused
        self._forgotten: set[int] = set()

    def add(self, event: Event, reply: Reply, record: Record | None) -> None:
        """Set an event aside."""
        self.count += 1
        index, _, body = event
        if len(self.kept) == MAX_REJECTED:
            self._forgotten.add(self.kept[0].index)
        self.kept.append(Rejected(index, reply.status, reply.reason))
        if (
            record is not None
            and index not in self._offered
            and not record.set_aside(index, body, reply.status, reply.reason)
        ):
            self.unsaved.add(index)
        self._offered.discard(index)

    def offer(self) -> list[int]:
        """Give back what is kept, to be offered once more; return the numbers, in order."""
        indices = sorted(item.index for item in self.kept)
        self._offered.update(indices)
        self.count -= len(indices)
        self.kept.clear()
        return indices

    def accepted(self, indices: Iterable[int], record: Record | None) -> None:
        """Note that the endpoint has these after all."""
        if not self._offered:
            return
        for index in self._offered.intersection(indices):
            self._offered.discard(index)
            if record is not None:
                record.taken_back([index])

    def tell(self, start: int, found: list[Posting]) -> None:
        """Write into `found`, which begins at number `start`, what was refused."""
        stop = start + len(found)
        for item in self.kept:
            if start <= item.index < stop:
                found[item.index - start] = Posting("rejected", item.status, item.reason)
        for index in self._forgotten.intersection(range(start, stop)):
            found[index - start] = FORGOTTEN
