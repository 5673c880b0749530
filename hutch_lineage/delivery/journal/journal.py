"""The journal of this process for one endpoint."""

from __future__ import annotations

import contextlib
import errno
import logging
import os
import secrets
import shutil
import time
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Final

from hutch_lineage.mapping import Accepted

from .limits import MIB, Limits
from .owner import OWNER, Lock, Owner
from .progress import Cursor, RejectedFile
from .segments import Segments

logger = logging.getLogger("hutch_lineage.delivery")

RETRY_S: Final = 5.0
LOOK_S: Final = 1.0
"""How often it is looked whether the files are still there."""


class Journal:
    """Writes events to disk before they are posted, and notes which ones were accepted.

    Nothing here raises for the disk's sake: where it is full or read-only, one WARNING says so,
    :meth:`append` answers False, and the caller keeps the event in memory until it works again.

    Events are numbered as in the outbox; the journal begins with number `first`. One thread at a
    time may append, another one may read and note what became of them.

    Parameters
    ----------
    endpoint_folder : Path
        See :func:`endpoint_folder`; created with owner-only rights.
    endpoint : str
        The masked URL.
    first : int
        The number of its first event.
    limits : Limits
        How large it may grow.
    accepted : {"2xx", "edges"}
        What counts as accepted there, for whoever flushes what is left; see `HttpOptions`.

    Attributes
    ----------
    trouble : str or None
        Why events stay in memory at present.
    ended : bool
        Whether it was let go of.
    folder : Path or None
        Where it is; None where it could not be made.
    """

    def __init__(
        self,
        endpoint_folder: Path,
        endpoint: str,
        first: int,
        limits: Limits | None = None,
        *,
        accepted: Accepted = "2xx",
    ) -> None:
        self._parent = endpoint_folder
        self._endpoint = endpoint
        self._accepted = accepted
        self._limits = limits or Limits()
        self._segments: Segments | None = None
        self._lock: Lock | None = None
        self._retry_at = 0.0
        self._look_at = time.monotonic() + LOOK_S
        self.ended = False
        self._done = first
        self.first = first
        self.end = first
        self.folder: Path | None = None
        self.trouble: str | None = None
        self._open()

    # what the outbox calls

    @property
    def ready(self) -> bool:
        """Whether it makes sense to try to append."""
        if self.ended:
            return False
        return self.trouble is None or time.monotonic() >= self._retry_at

    def retry_now(self) -> None:
        """Do not wait with the next try."""
        self._retry_at = 0.0

    def append(self, body: bytes) -> bool:
        """Write the event with the number `end`; return whether it is in the file."""
        try:
            segments = self._writable()
            if segments is None:
                return False
            segments.append(body)
        except OSError as error:
            self._fail(error.strerror or type(error).__name__)
            return False
        self.end += 1
        if self.trouble is not None:
            self._recover()
        return True

    def extend(self, bodies: Sequence[bytes]) -> bool:
        """Write the events from number `end` on; return whether all are in the file, else none."""
        try:
            segments = self._writable()
            if segments is None:
                return False
            segments.extend(bodies)
        except OSError as error:
            self._fail(error.strerror or type(error).__name__)
            return False
        self.end += len(bodies)
        if self.trouble is not None:
            self._recover()
        return True

    def _writable(self) -> Segments | None:
        """Return the files, with room in them; None where there are none."""
        segments = self._segments
        if segments is None:  # not by its truth: it may be empty
            segments = self._open()
            if segments is None:
                return None
        if time.monotonic() >= self._look_at and self._is_gone(segments):
            return None
        if segments.size >= self._limits.max_bytes:
            self._make_room(segments)
        return segments

    def mend(self) -> None:
        """Count what is in the file, after an interrupt in the middle of :meth:`append`."""
        if self._segments is not None:
            try:
                self._segments.mend()
            except OSError as error:
                self._fail(error.strerror or type(error).__name__)
            self.end = self.first + len(self._segments)

    def read(self, index: int) -> bytes:
        """Return an event.

        Raises
        ------
        LookupError
            It is not in the journal, or no more.
        """
        if self._segments is None or not self.first <= index < self.end:
            raise LookupError(index)
        return self._segments.read(index - self.first)

    def read_from(self, index: int, limit: int) -> list[bytes]:
        """Return events from a number on, at most `limit`, as many as are read at once.

        Raises
        ------
        LookupError
            The first is not in the journal, or no more.
        """
        if self._segments is None or not self.first <= index < self.end:
            raise LookupError(index)
        return self._segments.read_from(index - self.first, min(limit, self.end - index))

    # what the line of a courier calls

    def done(self, index: int) -> None:
        """Note that every event before `index` was accepted, or set aside."""
        self._done = index
        if self._lock is not None:
            self._cursor.write(min(index, self.end) - self.first)

    def waiting(self) -> None:
        """Note that somebody still tries."""
        if self._lock is not None:
            self._lock.touch()

    def set_aside(self, index: int, body: bytes, status: int | None, reason: str) -> bool:
        """Keep a refused event with the reason; return whether that is on disk."""
        if self.folder is None:
            return False
        try:
            self._rejected.add(index - self.first, body, status, reason)
        except OSError:
            return False
        return True

    def taken_back(self, indices: Collection[int]) -> None:
        """Forget the refusal of events that were accepted after all."""
        if self.folder is not None:
            with contextlib.suppress(OSError):
                self._rejected.without({index - self.first for index in indices})

    def finish(self) -> bool:
        """Stop writing and let go; return whether nothing of it is left to be sent.

        What was delivered is removed (or kept for the time that was set), what was not stays for
        the next start. It can be read on.
        """
        self.ended = True
        if self._lock is None or self.folder is None:
            return self._done >= self.end
        complete = self._done >= self.end
        self._cursor.close()
        if complete and not self._limits.keep_s:
            remove(self.folder, self._rejected)
        self._lock.release()
        self._lock = None
        return complete

    def reopen(self) -> bool:
        """Go on after :meth:`finish`; return False where it is gone, or somebody else's now."""
        lock = None if self.folder is None else Lock.take(self.folder)
        if lock is None:
            return False
        self._lock = lock
        self.ended = False
        return True

    def after_fork(self) -> None:
        """In a forked child: it is the parent's. What is in it can be read on."""
        self.ended = True
        if self._lock is not None:
            self._cursor.close()
            self._lock.release()
            self._lock = None

    # the disk

    def _open(self) -> Segments | None:
        if self.ended:
            return None
        try:
            return self._create()
        except OSError as error:
            self._fail(error.strerror or type(error).__name__)
            return None

    def _create(self) -> Segments:
        for folder in (self._parent.parent, self._parent):  # the mode is for the last one only
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        owner = Owner.here(self._endpoint, self._accepted)
        name = f"{owner.host}-{owner.pid}-{secrets.token_hex(4)}"
        hidden = self._parent / f".{name}"  # not to be taken for one that was left behind
        hidden.mkdir(mode=0o700)
        fd = os.open(hidden / OWNER, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            os.write(fd, owner.to_json())
        finally:
            os.close(fd)
        lock = Lock.take(hidden)
        if lock is None:
            shutil.rmtree(hidden, ignore_errors=True)
            raise OSError(errno.EAGAIN, "the journal cannot be locked")
        folder = self._parent / name
        hidden.rename(folder)
        lock.moved(folder / OWNER)
        self.folder, self._lock = folder, lock
        self._segments = Segments(folder, self._limits.segment_bytes)
        self._cursor, self._rejected = Cursor(folder), RejectedFile(folder)
        return self._segments

    def _is_gone(self, segments: Segments) -> bool:
        """Look whether somebody removed the files; then this journal has ended, for another one."""
        self._look_at = time.monotonic() + LOOK_S
        if not segments.gone:
            return False
        logger.warning("the journal in %s was removed; another one is begun", self.folder)
        self.finish()
        return True

    def _make_room(self, segments: Segments) -> None:
        limit = self._limits.max_bytes
        keep = max(0, limit - self._limits.segment_bytes)
        segments.drop_before(self._done - self.first, keep)
        if segments.size >= limit:
            raise OSError(errno.ENOSPC, f"it has reached its limit of {limit / MIB:,.0f} MiB")

    def _fail(self, reason: str) -> None:
        begins, self.trouble = self.trouble is None, reason
        self._retry_at = time.monotonic() + RETRY_S
        if not begins:
            return
        logger.warning(
            "the journal in %s cannot be written: %s. OpenLineage events wait in memory only and "
            "would be lost with this process; make room, or name another folder with "
            "HUTCH_OPENLINEAGE_JOURNAL",
            self._parent,
            reason,
        )

    def _recover(self) -> None:
        self.trouble = None
        logger.info("the journal in %s can be written again", self._parent)


def remove(folder: Path, rejected: RejectedFile) -> None:
    """Remove a journal of which nothing is owed; what was refused stays, with its owner."""
    with contextlib.suppress(OSError):
        kept = {OWNER, "rejected.ndjson"} if rejected else set()
        for path in folder.iterdir():
            if path.name not in kept:
                path.unlink(missing_ok=True)
        if not kept:
            folder.rmdir()
            folder.parent.rmdir()  # if it was the last one of its endpoint
