"""A worker's file: it appends an event a line, and nobody else writes to it."""

from __future__ import annotations

import os
import secrets
import threading
from pathlib import Path
from typing import Final

from hutch_lineage.plumbing import LOCKS, OneWrite, append_whole, lock

from .place import BINARY, LETTERS

MOST_WAITING: Final = 10_000
FILE_BYTES: Final = 32 * 1024 * 1024


class Outbox:
    """Appends events to a file of this process in a session folder. Thread-safe.

    A line is in the file when :meth:`append` returns, so killing the process loses none. The file
    is made with the first one; after 32 MiB another one follows, so that the first can be removed.

    Parameters
    ----------
    folder : Path
        The session folder.

    Examples
    --------
    >>> import tempfile
    >>> outbox = Outbox(Path(tempfile.mkdtemp()))
    >>> outbox.append(b'{"event_kind": "run_end"}')
    >>> [path.suffix for path in outbox.folder.iterdir()]
    ['.ndjson']
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._mutex = threading.Lock()
        self._fd = -1
        self._size = 0
        self._name = ""
        self._number = 0
        self._waiting: list[bytes] = []
        self._write_to = OneWrite()

    def append(self, body: bytes) -> None:
        """Write one event, after those that could not be written before.

        Raises
        ------
        OSError
            It cannot be written now; it waits, as the newest 10,000 do, and is tried again with
            the next one. FileNotFoundError: the folder is gone, since the session has ended.
        """
        line = body + b"\n"
        with self._mutex:
            waiting = self._waiting
            if waiting:
                waiting.append(line)
                del waiting[:-MOST_WAITING]
                self._write_waiting()
                return
            try:
                self._write(line)
            except OSError:
                waiting.append(line)
                raise

    def flush(self) -> None:
        """Try once more to write what waits.

        Raises
        ------
        OSError
            It still cannot be written.
        """
        with self._mutex:
            self._write_waiting()

    def take_back(self) -> list[bytes]:
        """Return what could not be written, and forget it."""
        with self._mutex:
            waiting, self._waiting = self._waiting, []
            return waiting

    def after_fork(self) -> None:
        """In a forked child: the file is the parent's; a new one is begun."""
        self._mutex = threading.Lock()
        self._waiting = []
        self._name = ""
        fd, self._fd, self._size = self._fd, -1, 0
        if fd >= 0:
            os.close(fd)

    def _write_waiting(self) -> None:
        while self._waiting:
            self._write(self._waiting[0])
            del self._waiting[0]

    def _write(self, line: bytes) -> None:
        # one that was removed would take events that nobody finds
        if self._size >= FILE_BYTES or (self._fd >= 0 and not os.fstat(self._fd).st_nlink):
            os.close(self._fd)  # before the next one is there: the session reads this to its end
            self._fd, self._size = -1, 0
        if self._fd < 0:
            self._fd = self._begin()
        append_whole(self._fd, line, self._write_to)
        self._size += len(line)

    def _begin(self) -> int:
        if not self._name:
            self._name, self._number = f"{os.getpid()}-{secrets.token_hex(4)}", 0
        self._number += 1
        name = f"{self._name}-{self._number:06d}{LETTERS}"  # read in the order of their names
        path = self.folder / name
        # hidden until it is locked, or it would be taken for that of a worker which has ended
        begun = self.folder / f".{name}" if LOCKS else path
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_EXCL | BINARY
        fd = os.open(begun, flags, 0o600)
        try:
            lock(fd)
            if begun is not path:
                begun.rename(path)
        except OSError:
            os.close(fd)
            raise
        return fd
