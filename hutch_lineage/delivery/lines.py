"""The lines of one endpoint: that of this process, and before it what former ones have left."""

from __future__ import annotations

from .line import Line
from .seams import Adoption, LeftBehind, Outbox, Record


class Lines:
    """Which line is served now. Not locked.

    Parameters
    ----------
    outbox : Outbox
        The events of this process.
    start : int
        The first one that is owed.
    record : Record, optional
        Where their progress is noted.
    adoption : Adoption, optional
        Finds what former processes have left.
    """

    def __init__(
        self, outbox: Outbox, start: int, record: Record | None, adoption: Adoption | None
    ) -> None:
        self.own = Line(outbox, start, record)
        self._adoption = adoption
        self._adopted: tuple[LeftBehind, Line] | None = None
        self._looking = False

    @property
    def owed(self) -> int:
        """How many events are owed, as far as is known."""
        return self.own.owed + self.adopted_owed

    @property
    def adopted_owed(self) -> int:
        """How many of them a former process has left."""
        return self._adopted[1].owed if self._adopted is not None else 0

    @property
    def settled(self) -> bool:
        """Whether nothing that others left is owed, nor sought."""
        return not self._looking and self._adopted is None

    @property
    def has_work(self) -> bool:
        """Whether anything is owed, or may be found."""
        return not self.settled or self.own.owed > 0

    def look(self) -> None:
        """Find out whether others have left anything; quick."""
        if self._adoption is not None and self._adopted is None:
            self._looking = self._adoption.any()

    def current(self) -> Line | None:
        """Return the line that has something to send: what was left behind comes first."""
        if not self.settled:
            while not self.adopted_owed:
                # one that cannot be finished, since the disk is full, would be found again
                whole = self.let_go()
                found = self._adoption.take() if whole and self._adoption is not None else None
                if found is None:
                    self._looking = False
                    break
                self._adopted = found, Line(found, found.start, found)
            if self._adopted is not None:
                return self._adopted[1]
        return self.own if self.own.owed else None

    def let_go(self) -> bool:
        """Give free what was taken over; return whether nothing of it is left."""
        adopted, self._adopted = self._adopted, None
        return True if adopted is None else adopted[0].finish()

    def after_fork(self) -> None:
        """In a forked child: the parent has taken it over."""
        if self._adopted is not None:
            self._adopted[0].after_fork()
