"""One write of one line, on the caller's thread: whole, or not at all.

:func:`os.write` lets other threads run while the kernel copies the line. The copy takes a
microsecond, but to get its turn back the caller may have to wait for a delivery thread that does
something else. So the line is written without giving up the turn, as long as the file system is
quick; from the first write on that takes long (a full queue, a network), :func:`os.write` serves.
"""

from __future__ import annotations

import ctypes
import errno
import os
from collections.abc import Callable
from time import monotonic
from typing import Final

SLOW_S: Final = 0.02
_LONGEST: Final = 2**31 - 1  # bytes that an int of C can count


def _write_of_libc() -> Callable[[int, bytes, int], int] | None:
    if os.name != "posix":
        return None
    try:
        # without argtypes a call takes two thirds of the time: ctypes makes an int of an int and a
        # char* of bytes, and nothing else must be given; an int is extended where it stands for a
        # size_t, and what comes back is an int, too
        return ctypes.PyDLL(None, use_errno=True).write
    except (OSError, AttributeError):
        return None


_libc_write: Final = _write_of_libc()


class OneWrite:
    """Writes to file descriptors of one file system, each time by one call.

    Examples
    --------
    >>> reading, writing = os.pipe()
    >>> OneWrite()(writing, b"a line")
    6
    >>> os.read(reading, 6)
    b'a line'
    """

    __slots__ = ("_quick",)

    def __init__(self) -> None:
        self._quick = _libc_write is not None

    def __call__(self, fd: int, line: bytes) -> int:
        """Write `line` and return how many bytes of it were taken.

        Raises
        ------
        OSError
            Nothing was written.
        """
        size = len(line)
        if not self._quick or _libc_write is None or size > _LONGEST:
            return os.write(fd, line)
        start = monotonic()
        written = _libc_write(fd, line, size)
        if monotonic() - start > SLOW_S:
            self._quick = False
        if written >= 0:
            return written
        number = ctypes.get_errno()
        error = OSError(number, os.strerror(number))
        if isinstance(error, InterruptedError | BlockingIOError):
            return os.write(fd, line)
        raise error


def append_whole(fd: int, text: bytes, write: Callable[[int, bytes], int] = os.write) -> None:
    """Append to a file that nobody else appends to now, all of `text` or nothing of it.

    Parameters
    ----------
    fd : int
        The file, opened with ``O_APPEND``.
    text : bytes
        A line, or several.
    write : callable
        What writes, such as a :class:`OneWrite`.

    Raises
    ------
    OSError
        It could not be written; the file is as before.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryFile("a+b") as file:
    ...     append_whole(file.fileno(), b"a line")
    ...     os.fstat(file.fileno()).st_size
    6
    """
    written = write(fd, text)
    if written != len(text):  # the disk is full; half a line would spoil the next one
        os.ftruncate(fd, os.fstat(fd).st_size - written)
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
