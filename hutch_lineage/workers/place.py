"""Where session folders are, and which one is this process's.

The folder of a session is named after the secret that :mod:`multiprocessing` hands from a process
to its children, and by which they know each other (``current_process().authkey``; the name is a
digest that tells nothing of it). So a worker finds its session however it was started (fork,
spawn, forkserver, loky), also one that was started before the session. A process of anybody else,
even one started from here, does not.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
import tempfile
from pathlib import Path
from typing import Final

SESSIONS_VARIABLE: Final = "HUTCH_LINEAGE_SESSIONS"
"""Where session folders are, or ``off``."""

SESSION_VARIABLE: Final = "HUTCH_LINEAGE_SESSION"
"""The folder that this process belongs to; only set by hand, see ``Run.for_workers``."""

RUN_VARIABLE: Final = "HUTCH_LINEAGE_RUN"
"""The run that module functions mean in this process; set with it."""

OFF: Final = "off"
OWNER: Final = "owner"
LETTERS: Final = ".ndjson"
BINARY: Final = getattr(os, "O_BINARY", 0)  # Windows would write its own line ends


def session_roots() -> list[Path]:
    """Return the folders in which session folders may be, the preferred one first.

    Empty where HUTCH_LINEAGE_SESSIONS is ``off``. Without it: ``~/.hutch/sessions``, and for a
    home that cannot be written a folder of this user among the temporary files.

    Examples
    --------
    >>> all(root.is_absolute() for root in session_roots())
    True
    """
    given = os.environ.get(SESSIONS_VARIABLE, "").strip()
    if given.lower() == OFF:
        return []
    if given:
        return [Path(os.path.expanduser(given)).absolute()]  # noqa: PTH111 - never raises
    home = Path(os.path.expanduser("~/.hutch/sessions"))  # noqa: PTH111
    user = os.getuid() if hasattr(os, "getuid") else os.environ.get("USERNAME", "user")
    return [home, Path(tempfile.gettempdir(), f"hutch-sessions-{user}")]


def make_root(root: Path) -> None:
    """Create a root with owner-only rights.

    Raises
    ------
    OSError
        It cannot be made, or is somebody else's: temporary files are anybody's.
    """
    root.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    root.mkdir(mode=0o700, exist_ok=True)
    if not is_own(root):
        raise PermissionError(f"{root} is not a folder of this user")


def is_own(folder: Path) -> bool:
    """Whether it is a folder of this user, and no link: others may put such things there."""
    try:
        found = folder.lstat()
    except OSError:
        return False
    mine = not hasattr(os, "getuid") or found.st_uid == os.getuid()
    return mine and stat.S_ISDIR(found.st_mode)


def family() -> str:
    """Return the digest that this process, its workers and theirs have in common."""
    from multiprocessing import process

    secret = bytes(process.current_process().authkey)
    return hashlib.sha256(b"hutch-lineage" + secret).hexdigest()[:16]


def own_folder(root: Path) -> Path:
    """Return where the session of this process has its folder."""
    return root / f"{family()}-{os.getpid()}"


def is_session(folder: Path) -> bool:
    """Whether a folder is that of a session.

    Examples
    --------
    >>> is_session(Path("nowhere"))
    False
    """
    return (folder / OWNER).exists()


def parent_folder() -> Path | None:
    """Return the folder of the session that this process works for; None where there is none.

    That of the parent process, or else, for a worker of a worker, the only one of the family.

    Examples
    --------
    >>> parent_folder() is None
    True
    """
    told = os.environ.get(SESSION_VARIABLE)
    if told:
        return Path(told) if is_session(Path(told)) else None
    from multiprocessing import process

    parent = process.parent_process()
    roots = session_roots()
    if parent is None or not roots:
        return None
    name = family()
    found: list[Path] = []
    for root in roots:
        direct = root / f"{name}-{parent.pid}"
        if is_session(direct):
            return direct
        with contextlib.suppress(OSError):
            found += [path.parent for path in root.glob(f"{name}-*/{OWNER}")]
    return found[0] if len(found) == 1 else None
