"""How a file is told from itself at another time."""

from __future__ import annotations

from pathlib import Path


def file_state(path: Path) -> tuple[int, int] | None:
    """Return a file's size in bytes and its date in nanoseconds; None where it cannot be seen.

    Examples
    --------
    >>> file_state(Path("nowhere")) is None
    True
    """
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_size, found.st_mtime_ns
