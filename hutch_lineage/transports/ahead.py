"""Events on disk before anybody else has them, so that a process that is killed loses none.

Each process has a file of its own beside what it serves, ``NAME.HOST-PID-TOKEN.ahead``, one JSON
object a line. The kernel's lock (``flock``) says whether its process lives; whoever opens the same
thing next takes over what others have left.
"""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

from hutch_lineage.plumbing import (
    FOREIGN_AFTER_S,
    LOCKS,
    OneWrite,
    append_whole,
    is_at,
    lock,
    this_host,
)

SUFFIX: Final = ".ahead"
_LARGEST: Final = 16 * 1024 * 1024
_NAME: Final = re.compile(r"(?P<host>.+)-(?P<pid>\d+)-[0-9a-f]{8}")


class Writer(NamedTuple):
    """The process that a file belongs to."""

    host: str
    pid: int


@dataclass
class _Full:
    """A file that takes no more, and how many events have to be stored before it may go."""

    path: Path
    fd: int
    left: int


class WriteAhead:
    """The file of this process. Not locked: its owner calls one method at a time.

    Parameters
    ----------
    beside : Path
        What the events are for; the file stands beside it, and is made with the first event.
    """

    def __init__(self, beside: Path) -> None:
        self._beside = beside
        self._full: list[_Full] = []
        self._clear()

    def _clear(self) -> None:
        self.path: Path | None = None
        self._fd = -1
        self._size = 0
        self._write = OneWrite()

    def begin(self) -> None:
        """Make the file, if that was not done yet.

        Raises
        ------
        OSError
            It cannot be made.
        """
        if self._fd < 0:
            self._create()

    def append(self, line: bytes) -> None:
        """Write one event, whole or not at all.

        Raises
        ------
        OSError
            It could not be written.
        """
        if self._fd < 0:
            self._create()
        self._size += len(line) + 1  # first: after an interrupt too large rather than too small
        append_whole(self._fd, line + b"\n", self._write)

    def stored(self, count: int, left: int) -> None:
        """Note that the oldest events are safe elsewhere.

        Parameters
        ----------
        count : int
            How many more of them.
        left : int
            How many of all that were taken are not safe yet.
        """
        for full in self._full:
            full.left -= count
        while self._full and (self._full[0].left <= 0 or not left):
            full = self._full.pop(0)
            _remove(full.path, full.fd)
        if self._size and not left:
            os.ftruncate(self._fd, 0)
            self._size = 0
        elif self._size > _LARGEST and self.path is not None:
            self._full.append(_Full(self.path, self._fd, left))
            self._fd, self._size = -1, 0

    def close(self) -> None:
        """Remove the file where all is stored, else leave it to the next start."""
        full, self._full = self._full, []
        for each in full:
            os.close(each.fd)
        if self._fd >= 0 and self.path is not None:
            if self._size:
                os.close(self._fd)
            else:
                _remove(self.path, self._fd)
        self._clear()

    def after_fork(self) -> None:
        """In a forked child: the file is the parent's; the next event begins another one."""
        for full in self._full:
            os.close(full.fd)
        self._full = []
        if self._fd >= 0:
            os.close(self._fd)
        self._clear()

    def _create(self) -> None:
        self._beside.parent.mkdir(parents=True, exist_ok=True)
        while True:
            token = f"{_named_host()}-{os.getpid()}-{secrets.token_hex(4)}"
            path = self._beside.with_name(f"{self._beside.name}.{token}{SUFFIX}")
            fd = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_EXCL, 0o600)
            if lock(fd) is not False and is_at(fd, path):
                self._fd, self.path, self._size = fd, path, 0
                return
            os.close(fd)  # somebody who cleans up was quicker


class LeftBehind:
    """The file of a process that is gone, locked until it is removed or released."""

    def __init__(self, path: Path, fd: int) -> None:
        self.path = path
        self._fd = fd

    def lines(self) -> list[bytes]:
        """Return its events. Half a line at the end was never confirmed to its caller: left out."""
        with self.path.open("rb") as file:
            *whole, _ = file.read().split(b"\n")
        return [line for line in whole if line.strip()]

    def remove(self) -> None:
        """Remove it: its events are safe elsewhere."""
        _remove(self.path, self._fd)

    def release(self) -> None:
        """Leave it to somebody else."""
        os.close(self._fd)


def left_behind(beside: Path) -> Iterator[LeftBehind]:
    """Yield what processes that are gone have left beside `beside`, oldest first."""
    for path in sorted(files_beside(beside), key=_age):
        writer = writer_of(path, beside)
        foreign = writer is not None and writer.host != _named_host()
        try:
            if foreign and time.time() - path.stat().st_mtime < FOREIGN_AFTER_S:
                continue
            if not LOCKS:
                path = path.replace(path)  # which fails while its process has it open
            fd = os.open(path, os.O_RDWR)
        except OSError:
            continue
        if lock(fd) is not False and is_at(fd, path):
            yield LeftBehind(path, fd)
        else:
            os.close(fd)


def writers(beside: Path) -> list[Writer]:
    """Return the other processes that have a file beside `beside`."""
    here = (_named_host(), os.getpid())
    found = (writer_of(path, beside) for path in files_beside(beside))
    return [writer for writer in found if writer is not None and writer != here]


def writer_of(path: Path, beside: Path) -> Writer | None:
    """Return the process that a file belongs to, by its name.

    Examples
    --------
    >>> writer_of(Path("runs.duckdb.lab-1-77-0123abcd.ahead"), Path("runs.duckdb"))
    Writer(host='lab-1', pid=77)
    """
    match = _NAME.fullmatch(path.name[len(beside.name) + 1 : -len(SUFFIX)])
    return Writer(match["host"], int(match["pid"])) if match else None


def files_beside(beside: Path) -> list[Path]:
    """Return the files of all processes that stand beside `beside`."""
    try:
        names = os.listdir(beside.parent)  # noqa: PTH208 - names are enough
    except OSError:
        return []
    start = beside.name + "."
    return [beside.parent / n for n in names if n.startswith(start) and n.endswith(SUFFIX)]


def _age(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def _named_host() -> str:
    """Return this host as it stands in the name of a file."""
    return re.sub(r"[^A-Za-z0-9.-]", "_", this_host())


def _remove(path: Path, fd: int) -> None:
    if not LOCKS:
        os.close(fd)  # what is open cannot be removed there
    with contextlib.suppress(OSError):
        path.unlink(missing_ok=True)
    if LOCKS:
        os.close(fd)  # last: nobody else takes it meanwhile
