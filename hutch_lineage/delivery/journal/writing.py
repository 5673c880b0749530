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


libc_write: Final = _write_of_libc()
"""``write(2)`` that keeps the turn; None where there is none. Negative: see `failure`."""


def failure() -> OSError:
    """Return why `libc_write` failed."""
    number = ctypes.get_errno()
    return OSError(number, os.strerror(number))
