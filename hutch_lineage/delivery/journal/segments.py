"""The lines of a journal, in files of a bounded size."""

from __future__ import annotations

import errno
import os
from array import array
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path
from typing import Final, NoReturn

from hutch_lineage.plumbing import OneWrite

PATTERN: Final = "events-*.ndjson"
_READ_BYTES: Final = 1024 * 1024
_BLOCK_BYTES: Final = 120 * 1024  # what is larger, the allocator gets from the system each time


def first_line(path: Path) -> int:
    """Return the number of the first line of a segment file, which is in its name."""
    try:
        return int(path.stem.rpartition("-")[2])
    except ValueError:
        return 0


class Segment:
    """One file of lines. It is kept open, so it stays readable even if somebody removes it."""

    _fd = -1  # of one that an interrupt kept from being made

    def __init__(self, path: Path, fd: int, first: int) -> None:
        self.path = path
        self.first = first
        self.size = 0
        self.broken = False  # half a line is at its end, and it cannot be cut off
        self._fd = fd
        self._starts = array("Q")
        self._write = OneWrite()

    @classmethod
    def create(cls, path: Path, first: int) -> Segment:
        """Begin a new file; `first` is the number of its first line."""
        flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_EXCL
        return cls(path, os.open(path, flags, 0o600), first)

    @classmethod
    def reopen(cls, path: Path, first: int) -> Segment:
        """Open a file that another process left, and repair its last line where that is torn."""
        segment = cls(path, os.open(path, os.O_RDWR | os.O_APPEND), first)
        segment._index()
        return segment

    def __len__(self) -> int:
        return len(self._starts)

    def append(self, body: bytes) -> None:
        """Write one line, whole or not at all.

        Raises
        ------
        OSError
            It cannot be written; the file is as before.
        """
        line = body + b"\n"
        size = len(line)
        if self._write(self._fd, line) != size:
            self._cut_off()
        self._starts.append(self.size)
        self.size += size

    def extend(self, bodies: Sequence[bytes]) -> None:
        """Write lines at once, all of them or none.

        Raises
        ------
        OSError
            They cannot be written; the file is as before.
        """
        block = b"\n".join(bodies) + b"\n"
        if self._write(self._fd, block) != len(block):
            self._cut_off()
        ends = list(accumulate([len(body) + 1 for body in bodies], initial=self.size))
        self._starts.extend(ends[:-1])
        self.size = ends[-1]

    def _cut_off(self) -> NoReturn:
        """Take back what was written of a line, and say why it was not more."""
        self.broken = True
        os.ftruncate(self._fd, self.size)
        self.broken = False
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def read(self, line: int) -> bytes:
        """Return one line, counted from the beginning of the journal; LookupError if none."""
        place = line - self.first
        start = self._starts[place]
        end = self._starts[place + 1] if place + 1 < len(self._starts) else self.size
        return os.pread(self._fd, end - start - 1, start)

    def read_from(self, line: int, limit: int) -> list[bytes]:
        """Return lines from one on, one at least and at most `limit`, as many as are read at once.

        Raises
        ------
        LookupError
            There is no such line.
        """
        starts, first = self._starts, line - self.first
        if first >= len(starts):
            raise LookupError(line)
        start = starts[first]
        stop = min(first + limit, len(starts))
        within = bisect_right(starts, start + _BLOCK_BYTES, first, stop)
        if within < stop:
            stop = max(first + 1, within - 1)
        end = starts[stop] if stop < len(starts) else self.size
        lines = os.pread(self._fd, end - start - 1, start).split(b"\n")
        if len(lines) != stop - first:  # somebody has written into the file, or cut it off
            return [self.read(self.first + place) for place in range(first, stop)]
        return lines

    def mend(self) -> None:
        """Cut off lines that were written and not counted: an interrupt came in the middle.

        Raises
        ------
        OSError
            It cannot be cut off.
        """
        while self._starts and self._starts[-1] >= self.size:
            self._starts.pop()
        self.broken = True
        os.ftruncate(self._fd, self.size)
        self.broken = False

    @property
    def gone(self) -> bool:
        """Whether somebody removed the file: what is written to it is lost with the process."""
        return os.fstat(self._fd).st_nlink == 0

    def close(self) -> None:
        """Close the file."""
        fd, self._fd = self._fd, -1
        if fd >= 0:
            os.close(fd)

    def __del__(self) -> None:
        self.close()

    def _index(self) -> None:
        start = position = 0
        while part := os.pread(self._fd, _READ_BYTES, position):
            end = part.find(b"\n")
            while end >= 0:
                self._starts.append(start)
                start = position + end + 1
                end = part.find(b"\n", end + 1)
            position += len(part)
        if start < position:  # the process died while it wrote: that one was never confirmed
            os.ftruncate(self._fd, start)
        self.size = start


class Segments:
    """The segments of one journal, oldest first."""

    def __init__(self, folder: Path, segment_bytes: int) -> None:
        self._folder = folder
        self._segment_bytes = segment_bytes
        self._all: list[Segment] = []
        self.size = 0

    def reopen(self) -> None:
        """Take over the segments that are in the folder."""
        for path in sorted(self._folder.glob(PATTERN)):
            if path.is_symlink():  # it is none of ours, and its target is not to be sent
                continue
            segment = Segment.reopen(path, first_line(path))
            self._all.append(segment)
            self.size += segment.size

    def __len__(self) -> int:
        return self._all[-1].first + len(self._all[-1]) if self._all else 0

    @property
    def first(self) -> int:
        """The number of the first line that is kept."""
        return self._all[0].first if self._all else 0

    @property
    def gone(self) -> bool:
        """Whether somebody removed the file that is written to."""
        return bool(self._all) and self._all[-1].gone

    def append(self, body: bytes) -> None:
        """Write one line.

        Raises
        ------
        OSError
            It cannot be written.
        """
        self._last().append(body)
        self.size += len(body) + 1

    def extend(self, bodies: Sequence[bytes]) -> None:
        """Write lines, all of them or none.

        Raises
        ------
        OSError
            They cannot be written.
        """
        last = self._last()
        before = last.size
        last.extend(bodies)
        self.size += last.size - before

    def _last(self) -> Segment:
        """Return the file to write to."""
        last = self._all[-1] if self._all else None
        if last is None or last.broken or last.size >= self._segment_bytes:
            last = Segment.create(self._next_path(), len(self))
            self._all.append(last)
        return last

    def _next_path(self) -> Path:
        return self._folder / f"events-{len(self):012d}.ndjson"

    def mend(self) -> None:
        """Bring lines and counts in step after an interrupt in the middle of :meth:`append`.

        Raises
        ------
        OSError
            Half a line cannot be cut off.
        """
        if self._all:
            self._all[-1].mend()
        self.size = sum(segment.size for segment in self._all)
        unused = self._next_path()  # begun, and not taken in
        if all(segment.path != unused for segment in self._all):
            unused.unlink(missing_ok=True)

    def read(self, line: int) -> bytes:
        """Return one line.

        Raises
        ------
        LookupError
            Its segment was removed.
        """
        return self._with(line).read(line)

    def read_from(self, line: int, limit: int) -> list[bytes]:
        """Return lines from one on, at most `limit`, as many as are read at once.

        Raises
        ------
        LookupError
            The segment of the first one was removed.
        """
        return self._with(line).read_from(line, limit)

    def missing_from(self, line: int) -> int:
        """Return how many lines are gone from one on, because their file is."""
        kept = [max(0, each.first - line) for each in self._all if each.first + len(each) > line]
        return min(kept, default=len(self) - line)

    def _with(self, line: int) -> Segment:
        segments = self._all
        if len(segments) == 1 and line >= segments[0].first:
            return segments[0]
        place = bisect_right(segments, line, key=lambda segment: segment.first) - 1
        if place < 0:
            raise LookupError(line)
        return segments[place]

    def drop_before(self, line: int, size: int) -> None:
        """Remove the oldest files, until `size` is reached, where all lines are before `line`."""
        while self.size > size and len(self._all) > 1 and self._all[1].first <= line:
            oldest = self._all.pop(0)
            self.size -= oldest.size
            oldest.close()
            oldest.path.unlink(missing_ok=True)

    def unlink(self) -> None:
        """Remove the files; who holds this can still read them."""
        for segment in self._all:
            segment.path.unlink(missing_ok=True)
