"""The lock by which others see whether a process lives: it ends with it, however that ends."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Final

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

BINARY: Final = getattr(os, "O_BINARY", 0)  # Windows would write its own line ends


LOCKS: Final = fcntl is not None


def lock(fd: int) -> bool | None:
    """Lock an open file; False where somebody else has, None where it cannot be known."""
    if fcntl is None:
        return None
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        unknown = (errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL)
        return None if error.errno in unknown else False
    return True


def unlock(fd: int) -> None:
    """Give it free again."""
    if fcntl is not None:
        fcntl.flock(fd, fcntl.LOCK_UN)


def is_held(path: Path, pid: int) -> bool:
    """Whether a living process, by its number `pid`, holds the lock on a file.

    Where locks do not work, whether a process with that number lives.
    """
    try:
        fd = os.open(path, os.O_RDWR)
    except FileNotFoundError:
        return False
    except OSError:
        return True
    try:
        got = lock(fd)
        if got:
            unlock(fd)
    finally:
        os.close(fd)
    return _lives(pid) if got is None else not got


def _lives(pid: int) -> bool:
    if os.name != "posix" or pid <= 0:
        return True  # not to be asked: elsewhere a signal of 0 is one
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        pass  # another user's: it lives
    return True
