"""One write of one line, on the caller's thread.

:func:`os.write` lets other threads run while the kernel copies the line. The copy takes a
microsecond, but to get its turn back the caller may have to wait for a delivery thread that does
something else. So the line is written without giving up the turn, as long as the file system is
quick; from the first write on that takes long (a full queue, a network), :func:`os.write` serves.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable
from time import monotonic
from typing import Final

SLOW_S: Final = 0.02


def _write_of_libc() -> Callable[[int, bytes, int], int] | None:
    if os.name != "posix":
        return None
    try:
        write = ctypes.PyDLL(None, use_errno=True).write
    except (OSError, AttributeError):
        return None
    write.argtypes = (ctypes.c_int, ctypes.c_char_p, ctypes.c_size_t)
    write.restype = ctypes.c_ssize_t
    return write


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
        if not self._quick or _libc_write is None:
            return os.write(fd, line)
        start = monotonic()
        written = _libc_write(fd, line, len(line))
        if monotonic() - start > SLOW_S:
            self._quick = False
        if written >= 0:
            return written
        number = ctypes.get_errno()
        error = OSError(number, os.strerror(number))
        if isinstance(error, InterruptedError | BlockingIOError):
            return os.write(fd, line)
        raise error
