"""What there is to send: every event body by its number, in memory or in a journal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from .journal import Journal

_AT_ONCE: Final = 100
"""So many events are written at once: those that have no room wait in memory together."""


class MemoryOutbox:
    """Event bodies in a list.

    Appending and reading are safe from any thread. A forked child sees the bodies of its parent.

    Examples
    --------
    >>> outbox = MemoryOutbox()
    >>> outbox.append(b"{}"), len(outbox), outbox.read(0)
    (0, 1, b'{}')
    """

    def __init__(self) -> None:
        self._bodies: list[bytes | None] = []

    def __len__(self) -> int:
        return len(self._bodies)

    def append(self, body: bytes) -> int:
        """Append one body and return its position; the caller keeps appends apart."""
        self._bodies.append(_snug(body))
        return len(self._bodies) - 1

    def read(self, index: int) -> bytes:
        """Return the body at a position.

        Raises
        ------
        LookupError
            It is kept no more.
        """
        body = self._bodies[index]
        if body is None:
            raise LookupError(index)
        return body

    def read_from(self, index: int, limit: int) -> Sequence[bytes | None]:
        """Return the bodies from a position on, at most `limit`."""
        return self._bodies[index : index + limit]


class JournaledOutbox(MemoryOutbox):
    """Event bodies in the journal of the endpoint that is live; without one, in memory.

    What is in a journal takes no memory here, so an outage may last. The caller keeps `append`,
    `write_to`, `save` and `after_fork` apart.

    Examples
    --------
    >>> outbox = JournaledOutbox()
    >>> outbox.append(b"{}"), outbox.read(0)
    (0, b'{}')
    """

    def __init__(self) -> None:
        super().__init__()
        self._journal: Journal | None = None
        self._journals: list[Journal] = []

    def append(self, body: bytes) -> int:
        """Append one body, to the journal first, and return its position."""
        bodies = self._bodies
        index = len(bodies)
        journal = self._journal
        if journal is None:
            bodies.append(_snug(body))
        elif journal.end == index and journal.trouble is None and journal.append(body):
            bodies.append(None)
        else:
            bodies.append(body)
            self._catch_up(journal)
        return index

    def write_to(self, journal: Journal | None) -> None:
        """Write what follows to another journal, or to none; first what it has not had."""
        self._journal = journal
        if journal is not None:
            if journal not in self._journals:
                self._journals.append(journal)
            self._catch_up(journal)

    def save(self) -> None:
        """Try at once to write what waits in memory because the journal could not be written."""
        journal = self._journal
        if journal is not None and journal.end < len(self._bodies):
            journal.retry_now()
            self._catch_up(journal)

    def read(self, index: int) -> bytes:
        """Return the body at a position, from wherever it is.

        Raises
        ------
        LookupError
            It was delivered long ago, and the journal needed the room.
        """
        body = self._bodies[index]
        if body is not None:
            return body
        for journal in reversed(self._journals):
            if journal.first <= index < journal.end:
                try:
                    return journal.read(index)
                except LookupError:
                    continue
        raise LookupError(index)

    def read_from(self, index: int, limit: int) -> Sequence[bytes | None]:
        """Return bodies from a position on, as many at once as lie together; None for lost ones."""
        bodies = self._bodies[index : index + limit]
        if bodies[0] is not None:
            return bodies if None not in bodies else bodies[: bodies.index(None)]
        elsewhere = len(bodies)
        if bodies.count(None) < elsewhere:
            elsewhere = next(n for n, body in enumerate(bodies) if body is not None)
        for journal in reversed(self._journals):
            if journal.first <= index < journal.end:
                try:
                    return journal.read_from(index, elsewhere)
                except LookupError:
                    continue
        return [None]

    def mend(self) -> None:
        """Bring numbers and lines in step again after an interrupt in the middle of `append`."""
        if self._journal is not None:
            self._journal.mend()
            while len(self._bodies) < self._journal.end:
                self._bodies.append(None)

    def after_fork(self) -> None:
        """In a forked child: the journals are the parent's, to be read only."""
        self._journal = None

    def _catch_up(self, journal: Journal) -> None:
        """Write what waits in memory because the journal could not be written before."""
        if not journal.ready:
            return
        while (index := journal.end) < len(self._bodies):
            found = self.read_from(index, _AT_ONCE)
            # one that is lost leaves a line, so that numbers stay in step; it is passed over
            if not journal.extend([b"{}" if body is None else body for body in found]):
                return
            self._bodies[index : journal.end] = [None] * len(found)


def _snug(body: bytes) -> bytes:
    """Return a copy that takes no more room than it needs: orjson's own holds 4 kB at least."""
    return bytes(memoryview(body))
