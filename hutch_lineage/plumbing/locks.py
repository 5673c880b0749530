"""Locks by which others see whether a process lives: they end with it, however that ends.

They are the kernel's (``flock``). Where there are none (Windows, some network file systems), what
is known of the process has to do.
"""

from __future__ import annotations

import contextlib
import errno
import os
from pathlib import Path
from typing import Final

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

LOCKS: Final = fcntl is not None
"""Whether this system has such locks. One without them keeps open files from being renamed."""

FOREIGN_AFTER_S: Final = 24 * 3600.0
"""After so long untouched, what a process of another host wrote is taken to be left behind.

A home folder may be shared between hosts, where locks do not always reach."""

_UNKNOWN: Final = (errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL)


def this_host() -> str:
    """Return the name of this host.

    Examples
    --------
    >>> bool(this_host())
    True
    """
    import socket  # here: it takes longer to load than the rest of this room

    return socket.gethostname() or "localhost"


def lives(pid: int) -> bool:
    """Whether a process of this host with that number lives, as far as can be known.

    Examples
    --------
    >>> lives(os.getpid())
    True
    """
    if os.name != "posix" or pid <= 0:
        return True  # not to be asked: elsewhere a signal of 0 is one
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        pass  # another user's: it lives
    return True


def lock(fd: int, *, wait: bool = False) -> bool | None:
    """Lock an open file; False where somebody else has, None where it cannot be known.

    Parameters
    ----------
    fd : int
        The file. The lock goes when every copy of the descriptor is closed, also those of forks.
    wait : bool
        Wait for whoever has it.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryFile() as file:
    ...     lock(file.fileno()) is not False
    True
    """
    if fcntl is None:
        return None
    try:
        fcntl.flock(fd, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        return None if wait or error.errno in _UNKNOWN else False
    return True


def unlock(fd: int) -> None:
    """Give a file free again; harmless where it is not locked.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryFile() as file:
    ...     unlock(file.fileno())
    """
    if fcntl is not None:
        with contextlib.suppress(OSError):  # a file system without locks
            fcntl.flock(fd, fcntl.LOCK_UN)


def is_at(fd: int, path: Path) -> bool:
    """Whether an open file still stands at `path`: somebody may have renamed or removed it.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile() as file:
    ...     is_at(file.fileno(), Path(file.name)), is_at(file.fileno(), Path("nowhere"))
    (True, False)
    """
    try:
        return os.path.samestat(os.fstat(fd), path.stat())
    except OSError:
        return False


def is_held(path: Path, pid: int) -> bool:
    """Whether a living process, by its number `pid`, holds the lock on a file.

    Where locks do not work, whether a process with that number lives.

    Examples
    --------
    >>> is_held(Path("nowhere"), os.getpid())
    False
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
    return lives(pid) if got is None else not got
