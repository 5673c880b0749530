"""Journals that other processes left behind, taken over one after the other."""

from __future__ import annotations

import contextlib
import logging
import time
from collections.abc import Collection, Iterator
from pathlib import Path

from .journal import remove
from .limits import Limits
from .owner import OWNER, Lock
from .progress import CURSOR, Cursor, RejectedFile
from .segments import PATTERN, Segments

logger = logging.getLogger("hutch_lineage.delivery")


class Adopted:
    """A journal that was left behind, locked: its events, and what becomes of them."""

    def __init__(self, folder: Path, lock: Lock, limits: Limits) -> None:
        self._folder = folder
        self._lock = lock
        self._limits = limits
        self._segments = Segments(folder, limits.segment_bytes)
        self._segments.reopen()
        self._cursor = Cursor(folder)
        self._rejected = RejectedFile(folder)
        self.start = min(self._cursor.read(), len(self._segments))
        self._done = self.start
        self._warned = False

    def __len__(self) -> int:
        return len(self._segments)

    def read(self, index: int) -> bytes:
        """Return an event.

        Raises
        ------
        LookupError
            The line is no JSON object: it was damaged.
        """
        (body,) = self.read_from(index, 1)
        if body is None:
            raise LookupError(index)
        return body

    def read_from(self, index: int, limit: int) -> list[bytes | None]:
        """Return events from a number on, as many as are read at once; None for a lost line."""
        missing = self._segments.missing_from(index)
        if missing:
            self._warn(index)
            return [None] * min(missing, limit)
        bodies: list[bytes | None] = []
        for line in self._segments.read_from(index, limit):
            # parsing each would take as long as sending it; the backend judges the rest
            whole = line[:1] == b"{" and line[-1:] == b"}" and b"\0" not in line
            if not whole:
                self._warn(index + len(bodies))
            bodies.append(line if whole else None)
        return bodies

    def _warn(self, index: int) -> None:
        if not self._warned:
            self._warned = True
            logger.warning(
                "line %d of the journal in %s is damaged or gone: it is left out, like any other",
                index + 1,
                self._folder,
            )

    def done(self, index: int) -> None:
        """Note that every event before `index` was accepted, or set aside."""
        self._done = index
        self._cursor.write(index)

    def waiting(self) -> None:
        """Note that somebody still tries."""
        self._lock.touch()

    def set_aside(self, index: int, body: bytes, status: int | None, reason: str) -> bool:
        """Keep a refused event with the reason; return whether that is on disk."""
        try:
            self._rejected.add(index, body, status, reason)
        except OSError:
            return False
        return True

    def taken_back(self, indices: Collection[int]) -> None:
        """Forget the refusal of events that were accepted after all."""
        with contextlib.suppress(OSError):
            self._rejected.without(indices)

    def finish(self) -> bool:
        """Let go; return whether nothing is left to be sent. Then it is removed."""
        complete = self._done >= len(self._segments)
        self._cursor.close()
        if complete and not self._limits.keep_s:
            remove(self._folder, self._rejected)
        self._lock.release()
        return complete

    def after_fork(self) -> None:
        """In a forked child: the parent has adopted it."""
        self._cursor.close()
        self._lock.release()


class Orphans:
    """The journals of one endpoint that nobody writes any more.

    Parameters
    ----------
    folder : Path
        See :func:`endpoint_folder`.
    limits : Limits
        For how long a delivered journal stays.
    """

    def __init__(self, folder: Path, limits: Limits | None = None) -> None:
        self._folder = folder
        self._limits = limits or Limits()

    def any(self) -> bool:
        """Whether there may be one; quick."""
        return next(self._candidates(), None) is not None

    def take(self) -> Adopted | None:
        """Lock the oldest one that has events to be sent; None where there is none."""
        for folder in sorted(self._candidates(), key=_age):
            lock = Lock.take(folder)
            if lock is None:
                continue
            try:
                adopted = Adopted(folder, lock, self._limits)
            except OSError as error:
                logger.warning("the journal in %s cannot be read: %s", folder, error.strerror)
                lock.release()
                continue
            if adopted.start < len(adopted):
                return adopted
            self._clear(folder, lock)
        return None

    def _candidates(self) -> Iterator[Path]:
        try:
            for path in self._folder.iterdir():
                if not path.name.startswith(".") and next(path.glob(PATTERN), None) is not None:
                    yield path
        except OSError:
            return

    def _clear(self, folder: Path, lock: Lock) -> None:
        """Remove one of which nothing is owed, where its time is over."""
        with contextlib.suppress(OSError):
            if time.time() - (folder / CURSOR).stat().st_mtime >= self._limits.keep_s:
                remove(folder, RejectedFile(folder))
        lock.release()


def _age(folder: Path) -> float:
    try:
        return (folder / OWNER).stat().st_mtime
    except OSError:
        return 0.0
