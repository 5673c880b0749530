"""The outbox in memory."""

from __future__ import annotations


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
        self._bodies: list[bytes] = []

    def __len__(self) -> int:
        return len(self._bodies)

    def append(self, body: bytes) -> int:
        """Append one body and return its position; the caller keeps appends apart."""
        self._bodies.append(body)
        return len(self._bodies) - 1

    def read(self, index: int) -> bytes:
        """Return the body at a position."""
        return self._bodies[index]
