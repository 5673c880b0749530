"""What the workers of a session have written, each line taken once."""

from __future__ import annotations

import contextlib
import logging
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from hutch_lineage.plumbing import is_held

from .place import BINARY, LETTERS

logger = logging.getLogger("hutch_lineage.workers")

TAKEN: Final = ".taken"
_READ_BYTES: Final = 256 * 1024
_NOTE_EVERY: Final = 64  # so many may be sent twice after a crash


class Letters:
    """The file of one worker, read line by line."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._taken_path = path.with_suffix(TAKEN)
        self._fd = os.open(path, os.O_RDONLY | BINARY)
        self._taken_fd = -1
        self.taken = self.noted = taken_of(path)

    def is_held(self) -> bool:
        """Whether the worker may still write to it."""
        return is_held(self.path, pid_of(self.path))

    def size(self) -> int:
        """Return how many bytes the worker has written so far."""
        return os.fstat(self._fd).st_size

    def lines(self, end: int) -> Iterator[bytes]:
        """Yield the whole lines that begin before `end` and were not taken yet.

        A line counts as taken when it is yielded.
        """
        rest = b""
        count = 0
        while self.taken < end:
            os.lseek(self._fd, self.taken + len(rest), os.SEEK_SET)  # a reader may stop in between
            part = os.read(self._fd, _READ_BYTES)
            if not part:
                return
            text = rest + part
            start = 0
            while self.taken < end and (stop := text.find(b"\n", start)) >= 0:
                self.taken += stop + 1 - start
                line = text[start:stop]
                start = stop + 1
                yield line
                count += 1
                if count % _NOTE_EVERY == 0:  # who asks for the next has dealt with this one
                    self.note()
            rest = text[start:]

    def note(self) -> None:
        """Write down how far it was taken, for whoever finds the folder after a crash."""
        if self.noted == self.taken:
            return
        with contextlib.suppress(OSError):
            if self._taken_fd < 0:
                self._taken_fd = os.open(self._taken_path, os.O_WRONLY | os.O_CREAT, 0o600)
            os.lseek(self._taken_fd, 0, os.SEEK_SET)
            os.write(self._taken_fd, b"%020d" % self.taken)
            self.noted = self.taken

    def remove(self) -> None:
        """Remove the file of a worker that has ended; tell of a line that was never finished."""
        torn = self.size() - self.taken
        if torn > 0:
            logger.warning(
                "a worker (process %s) was ended while it wrote: its last, half event "
                "(%d bytes) is left out",
                pid_of(self.path),
                torn,
            )
        self.close()
        self.path.unlink(missing_ok=True)
        self._taken_path.unlink(missing_ok=True)

    def close(self) -> None:
        """Close the file."""
        for fd in (self._fd, self._taken_fd):
            if fd >= 0:
                os.close(fd)
        self._fd = self._taken_fd = -1


class Inbox:
    """Takes the events of all workers out of a session folder. One thread at a time.

    Examples
    --------
    >>> import tempfile
    >>> from hutch_lineage.workers import Outbox
    >>> folder = Path(tempfile.mkdtemp())
    >>> Outbox(folder).append(b'{"event_kind": "run_end"}')
    >>> [line for line in Inbox(folder)]
    [b'{"event_kind": "run_end"}']
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._letters: dict[str, Letters] = {}

    def __iter__(self) -> Iterator[bytes]:
        """Yield what stands there now; lines that come meanwhile are for the next time.

        Those of one worker come in their order. The file of one that has ended is removed.
        """
        self._look()
        for name, letters in list(self._letters.items()):
            try:
                yield from letters.lines(letters.size())
                ended = not letters.is_held()
                if ended:  # what it wrote until then, and nothing can come after it
                    yield from letters.lines(letters.size())
            finally:
                letters.note()
            if ended:
                letters.remove()
                del self._letters[name]

    def has_workers(self) -> bool:
        """Whether there is a file of a worker that may write to it still."""
        self._look()
        return bool(self._letters)

    def close(self) -> None:
        """Close the files; they stay."""
        for letters in self._letters.values():
            letters.close()
        self._letters = {}

    def _look(self) -> None:
        try:
            names = sorted(entry.name for entry in os.scandir(self._folder))
        except OSError:
            return
        for name in names:
            if is_letters(name) and name not in self._letters:
                with contextlib.suppress(OSError):
                    self._letters[name] = Letters(self._folder / name)


def taken_of(path: Path) -> int:
    """Return how many bytes of a worker's file were taken."""
    try:
        return max(0, int(path.with_suffix(TAKEN).read_text(encoding="ascii")))
    except (OSError, ValueError):
        return 0


def pid_of(path: Path) -> int:
    """Return the process id of the worker that writes a file; 0 where its name tells none."""
    text = path.name.partition("-")[0]
    return int(text) if text.isdecimal() else 0


def is_letters(name: str) -> bool:
    """Whether a file of this name holds a worker's events; a hidden one is only being begun."""
    return name.endswith(LETTERS) and not name.startswith(".")
