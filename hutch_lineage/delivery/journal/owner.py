"""Who writes a journal: one process, by a lock that knows the host.

The lock is the kernel's (``flock``), so it ends with the process, however that ends. A home folder
may be shared between hosts, where such locks do not always reach: a journal of another host counts
as left behind only after it has been untouched for a day.
"""

from __future__ import annotations

import contextlib
import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import orjson

from hutch_lineage._version import __version__
from hutch_lineage.mapping import Accepted
from hutch_lineage.plumbing import FOREIGN_AFTER_S, is_at, lives, lock, this_host

OWNER: Final = "owner.json"
_held: set[Path] = set()  # by this process; some file systems do not keep a process from itself
TOUCH_EVERY_S: Final = 600.0


@dataclass(frozen=True, slots=True)
class Owner:
    """What ``owner.json`` says.

    Attributes
    ----------
    host, pid, started : str, int, str
        The process, and when it started.
    endpoint : str
        The masked URL.
    accepted : {"2xx", "edges"}
        What counts as accepted there; see :class:`hutch_lineage.delivery.HttpOptions`.
    """

    host: str
    pid: int
    started: str
    endpoint: str
    accepted: Accepted = "2xx"

    @classmethod
    def here(cls, endpoint: str, accepted: Accepted = "2xx") -> Owner:
        """Return this process as an owner."""
        return cls(this_host(), os.getpid(), _started(os.getpid()), endpoint, accepted)

    @classmethod
    def of(cls, folder: Path) -> Owner | None:
        """Return the owner of a journal; None where it cannot be read."""
        try:
            data: dict[str, Any] = orjson.loads((folder / OWNER).read_bytes())
            return cls(
                str(data["host"]),
                int(data["pid"]),
                str(data["started"]),
                str(data["endpoint"]),
                "edges" if data.get("accepted") == "edges" else "2xx",
            )
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def to_json(self) -> bytes:
        """Return the content of ``owner.json``."""
        return orjson.dumps(
            {
                "host": self.host,
                "pid": self.pid,
                "started": self.started,
                "endpoint": self.endpoint,
                "accepted": self.accepted,
                "producer": f"hutch-lineage/{__version__}",
            }
        )

    @property
    def lives(self) -> bool:
        """Whether that process is there; only to be asked on its own host."""
        return lives(self.pid) and (
            not self.started or _started(self.pid) in ("", self.started)  # else its number anew
        )


class Lock:
    """The lock on one journal, held until :meth:`release`."""

    def __init__(self, fd: int, path: Path) -> None:
        self._fd = fd
        self._path = path
        self._touched = time.monotonic()
        _held.add(path)

    @classmethod
    def take(cls, folder: Path) -> Lock | None:
        """Lock a journal; None where its owner lives, or it is gone."""
        path = folder / OWNER
        try:
            fd = os.open(path, os.O_RDWR)
        except OSError:
            return None
        try:
            # another process may have finished and removed it
            if path not in _held and _locked(fd, folder) and is_at(fd, path):
                return cls(fd, path)
        except OSError:
            pass
        os.close(fd)
        return None

    def touch(self) -> None:
        """Show other hosts, now and then, that somebody is here."""
        now = time.monotonic()
        if now - self._touched > TOUCH_EVERY_S:
            self._touched = now
            with contextlib.suppress(OSError):
                os.utime(self._path)

    def release(self) -> None:
        """Give the journal free; in a forked child the parent keeps its hold."""
        fd, self._fd = self._fd, -1
        _held.discard(self._path)
        if fd >= 0:
            os.close(fd)

    def moved(self, path: Path) -> None:
        """Note that the folder was renamed."""
        _held.discard(self._path)
        self._path = path
        _held.add(path)


def _locked(fd: int, folder: Path) -> bool:
    owner = Owner.of(folder)
    foreign = owner is not None and owner.host != this_host()
    if foreign and time.time() - os.fstat(fd).st_mtime < FOREIGN_AFTER_S:
        return False
    got = lock(fd)
    if got is not None:
        return got
    # no such locks on this file system: what is known of the process has to do
    ours = owner is not None and owner.host == this_host() and owner.pid == os.getpid()
    return ours or foreign or owner is None or not owner.lives  # ours, and released before


def _started(pid: int) -> str:
    """Return when a process started, as the kernel counts; empty where that is not told."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace")
        return stat.rpartition(")")[2].split()[19]
    except (OSError, IndexError):
        return ""
