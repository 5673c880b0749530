"""Hutch's fallback queue: events that wait for a Hutch server, in a file that processes share.

One event a line. Whoever sends them renames the file to ``NAME.replay`` first, as Hutch does, and
finishes such a file before the next. Hutch reads what is written here, and the other way round.
"""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
from collections.abc import Sequence
from io import FileIO
from pathlib import Path
from typing import Final

from hutch_lineage.plumbing import LOCKS, append_whole, is_at, lock, unlock

_MOST_LINES: Final = 500
_MOST_BYTES: Final = 1024 * 1024


class FallbackQueue:
    """The queue in one file. Appending and taking may go on at the same time, in any process.

    Parameters
    ----------
    path : Path
        The file; it is made, with its folder, when something is appended.

    Examples
    --------
    >>> import tempfile
    >>> queue = FallbackQueue(Path(tempfile.mkdtemp(), "queue.jsonl"))
    >>> queue.append([b'{"a":1}', b'{"a":2}'])
    >>> queue.take(), queue.done()
    ([b'{"a":1}', b'{"a":2}'], None)
    >>> queue.take(), queue.is_empty
    ([], True)
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._replay = path.with_name(path.name + ".replay")
        self._fd = -1
        self._lock_fd = -1
        self._file: FileIO | None = None
        self._done = self._next = 0
        self._seen: tuple[int, int, int] | None = None

    @property
    def is_empty(self) -> bool:
        """Whether nothing waits."""
        try:
            return not self._replay.exists() and not self.path.stat().st_size
        except FileNotFoundError:
            return True

    def left(self) -> dict[Path, int]:
        """Return how many events wait, by file: those that somebody began to send come first.

        What this queue has taken and noted as done is not counted.
        """
        found: dict[Path, int] = {}
        for path in (self._replay, self.path):
            with contextlib.suppress(OSError), path.open("rb") as file:
                if path == self._replay and _look_of(file.fileno()) == self._seen:
                    file.seek(self._done)
                count = sum(1 for line in file if line.strip() and line.endswith(b"\n"))
                if count:
                    found[path] = count
        return found

    def append(self, lines: Sequence[bytes]) -> None:
        """Add events at the end.

        Raises
        ------
        OSError
            None was added.
        """
        if not lines:
            return
        text = b"\n".join(lines) + b"\n"
        try:
            fd = self._held()
            if os.fstat(fd).st_size:
                os.lseek(fd, -1, os.SEEK_END)
                if os.read(fd, 1) != b"\n":  # half a line of a process that was killed
                    text = b"\n" + text
            append_whole(fd, text)
        finally:
            if self._fd >= 0 and LOCKS:
                unlock(self._fd)
            elif self._fd >= 0:  # whoever takes it could not rename it
                fd, self._fd = self._fd, -1
                os.close(fd)

    def peek(self) -> bytes:
        """Return the oldest event and leave everything as it is; empty where there is none.

        Raises
        ------
        OSError
            It cannot be read.
        """
        for path in (self._replay, self.path):
            with contextlib.suppress(FileNotFoundError), path.open("rb") as file:
                for line in file:
                    if line.strip() and line.endswith(b"\n"):
                        return line.strip()
        return b""

    def take(self, most: int = _MOST_LINES) -> list[bytes]:
        """Return the oldest events, so many at most; empty where there are none.

        Raises
        ------
        BlockingIOError
            Another process takes them at the moment.
        OSError
            They cannot be read.
        """
        while True:
            if self._file is None and not self._begin():
                return []
            lines = self._read(most)
            if lines:
                return lines
            self._replay.unlink(missing_ok=True)
            self._seen, self._done = None, 0
            self.release()

    def done(self) -> None:
        """Note that what was taken last is safe elsewhere."""
        self._done = self._next

    def release(self) -> None:
        """Let others take what is left; what is done they do not find any more."""
        if self._file is not None and self._done and is_at(self._file.fileno(), self._replay):
            self._cut()
        self._let_go()

    def _let_go(self) -> None:
        file, self._file = self._file, None
        if file is not None:
            file.close()
        if self._lock_fd >= 0:
            os.close(self._lock_fd)
            self._lock_fd = -1

    def close(self) -> None:
        """Close the files; what waits stays."""
        self.release()
        self.forget()

    def forget(self) -> None:
        """Close the files and leave them as they are: in a forked child they are the parent's."""
        self._let_go()
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1

    # -- appending -----------------------------------------------------------------------------

    def _held(self) -> int:
        """Return the open file, held so that whoever renames it waits for the line."""
        while True:
            if self._fd < 0:
                self.path.parent.mkdir(parents=True, exist_ok=True)
                flags = os.O_RDWR | os.O_APPEND | os.O_CREAT
                self._fd = os.open(self.path, flags, 0o600)
            if not LOCKS:
                return self._fd
            lock(self._fd, wait=True)
            if is_at(self._fd, self.path):
                return self._fd
            os.close(self._fd)  # it was renamed: its events are being sent
            self._fd = -1

    # -- taking --------------------------------------------------------------------------------

    def _begin(self) -> bool:
        """Open what is to be sent next; return whether there is anything."""
        if self.is_empty:
            return False
        self._lock()
        if not self._replay.exists():
            try:
                self.path.replace(self._replay)
            except FileNotFoundError:
                self.release()
                return False
        # raw: a buffer has a lock, which would stay locked in a process forked while this one reads
        self._file = FileIO(self._replay)
        if lock(self._file.fileno(), wait=True):  # whoever was appending to it has finished now
            unlock(self._file.fileno())
        seen = _look_of(self._file.fileno())
        if seen != self._seen:  # else it is the one that was begun before
            self._seen, self._done = seen, 0
        return True

    def _cut(self) -> None:
        """Leave only what is not done in the file; where that cannot be, it is sent twice."""
        assert self._file is not None  # noqa: S101 - it is open
        rest = self._replay.with_name(self._replay.name + ".rest")
        try:
            with open(rest, "wb", opener=_for_owner) as file:
                self._file.seek(self._done)
                shutil.copyfileobj(self._file, file)
                size = file.tell()
            if not LOCKS:
                self._let_go()  # what is open cannot be replaced there
            rest.replace(self._replay)
            if not size:
                self._replay.unlink()
        except OSError:
            with contextlib.suppress(OSError):
                rest.unlink()
        else:
            self._seen, self._done = None, 0

    def _lock(self) -> None:
        if not LOCKS:
            return
        fd = os.open(self.path.with_name(self.path.name + ".lock"), os.O_RDWR | os.O_CREAT, 0o600)
        if lock(fd) is False:
            os.close(fd)
            raise BlockingIOError(errno.EWOULDBLOCK, "another process sends them")
        self._lock_fd = fd

    def _read(self, most: int) -> list[bytes]:
        assert self._file is not None  # noqa: S101 - begun before
        self._next = self._done
        lines: list[bytes] = []
        text = b""
        self._file.seek(self._done)
        # until a line is found, which may be longer; half a line of a killed process is none
        while not lines and (part := self._file.read(_MOST_BYTES)):
            *whole, text = (text + part).split(b"\n")
            for line in whole:
                if len(lines) == most:
                    break
                self._next += len(line) + 1
                if line.strip():
                    lines.append(line.strip())
        return lines


def _look_of(fd: int) -> tuple[int, int, int]:
    """Return what tells a file from another one and from what it was before."""
    found = os.fstat(fd)
    return found.st_ino, found.st_size, found.st_mtime_ns


def _for_owner(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
