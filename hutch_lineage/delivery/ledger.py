"""Which events an endpoint has had: a mark that all before it are done, and some beyond it."""

from __future__ import annotations

from collections.abc import Iterable


class Ledger:
    """What is done of a line of events, by number. Not locked.

    Parameters
    ----------
    start : int
        The first event that is owed.

    Attributes
    ----------
    first, next : int
        Where the line began, and the first event that was never done.
    ahead : set of int
        Those done before their turn: other runs wait before them.
    again : set of int
        Those done once that are owed once more.

    Examples
    --------
    >>> ledger = Ledger(3)
    >>> ledger.done([4]), ledger.next, ledger.owed(6)
    (None, 3, 2)
    >>> ledger.done([3]), ledger.next, ledger.owed(6)
    (None, 5, 1)
    """

    def __init__(self, start: int = 0) -> None:
        self.first = self.next = start
        self.ahead: set[int] = set()
        self.again: set[int] = set()

    def owed(self, end: int) -> int:
        """Return how many of the events before `end` are not done."""
        return len(self.again) + end - self.next - len(self.ahead)

    @property
    def first_owed(self) -> int:
        """The number of the first event that is owed, or will be."""
        return min(self.again, default=self.next)

    def reached(self, mark: int) -> bool:
        """Whether every event before `mark` is done."""
        return self.next >= mark and not self.again

    def done(self, indices: Iterable[int]) -> None:
        """Note that these are done."""
        ahead, ordered = self.ahead, sorted(indices)
        if not ahead and ordered == list(range(self.next, self.next + len(ordered))):
            self.next += len(ordered)  # mostly it is so
            return
        for index in ordered:
            if index == self.next:
                self.next += 1
            elif index > self.next:
                ahead.add(index)
            else:
                self.again.discard(index)
        while ahead and self.next in ahead:
            ahead.remove(self.next)
            self.next += 1
