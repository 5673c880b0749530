"""What a path leads to, without an error where nobody may look."""

from __future__ import annotations

from pathlib import Path


def is_file(path: Path) -> bool:
    """Return whether there is a regular file; False where its folder may not be looked into.

    Examples
    --------
    >>> is_file(Path("nowhere"))
    False
    """
    try:
        return path.is_file()
    except OSError:  # of others, as on a cluster
        return False


def is_folder(path: Path) -> bool:
    """Return whether there is a folder; False where nobody may look.

    Examples
    --------
    >>> is_folder(Path("nowhere"))
    False
    """
    try:
        return path.is_dir()
    except OSError:
        return False
