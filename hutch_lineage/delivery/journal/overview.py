"""What lies in the journals, for people to read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from hutch_lineage.mapping import Accepted
from hutch_lineage.plumbing import this_host

from .owner import Lock, Owner
from .progress import Cursor, RejectedFile
from .segments import PATTERN, first_line


class JournalFacts(NamedTuple):
    """One journal.

    Attributes
    ----------
    folder : Path
        Where it is.
    endpoint : str
        The masked URL that its events are for.
    host, pid : str, int
        The process that wrote it.
    state : str
        ``in use`` by a living process, ``left behind``, or ``other host``.
    events : int
        How many are in it.
    owed : int
        How many the backend has not accepted, at most: what it accepted ahead of older events of
        other runs is not noted on disk.
    rejected : int
        How many it refused.
    size : int
        Bytes on disk.
    accepted_by : {"2xx", "edges"}
        What counts as accepted there; see :class:`hutch_lineage.delivery.HttpOptions`.
    """

    folder: Path
    endpoint: str
    host: str
    pid: int
    state: str
    events: int
    owed: int
    rejected: int
    size: int
    accepted_by: Accepted = "2xx"


def journals_below(root: Path) -> Iterator[Path]:
    """Yield the folders of journals below a root, sorted.

    Examples
    --------
    >>> list(journals_below(Path("nowhere")))
    []
    """
    try:
        found = sorted(path.parent for path in root.glob("*/*/owner.json"))
    except OSError:
        return
    yield from (path for path in found if not path.name.startswith("."))


def facts_of(folder: Path) -> JournalFacts | None:
    """Read one journal without disturbing its owner; None where it is none.

    Examples
    --------
    >>> facts_of(Path("nowhere")) is None
    True
    """
    owner = Owner.of(folder)
    if owner is None:
        return None
    events = end = size = 0
    for path in sorted(folder.glob(PATTERN)):
        try:
            size += path.stat().st_size
            lines = 0
            with path.open("rb") as file:
                while part := file.read(1024 * 1024):
                    lines += part.count(b"\n")
        except OSError:
            continue
        events += lines
        end = first_line(path) + lines
    lock = Lock.take(folder)
    state = "left behind"
    if lock is None:
        state = "in use" if owner.host == this_host() else "other host"
    else:
        lock.release()
    return JournalFacts(
        folder,
        owner.endpoint,
        owner.host,
        owner.pid,
        state,
        events,
        max(0, end - Cursor(folder).read()),
        len(RejectedFile(folder).records()),
        size,
        owner.accepted,
    )


def refused_in(folder: Path) -> list[dict[str, Any]]:
    """Return what was refused of one journal: ``event, status, reason`` of each.

    Examples
    --------
    >>> refused_in(Path("nowhere"))
    []
    """
    return RejectedFile(folder).records()


def newest_lines(folder: Path, count: int | None = None) -> list[bytes]:
    """Return the newest `count` lines of one journal, or all, oldest first.

    Examples
    --------
    >>> newest_lines(Path("nowhere"))
    []
    """
    lines: list[bytes] = []
    for path in sorted(folder.glob(PATTERN), reverse=True):
        try:
            lines = path.read_bytes().splitlines() + lines
        except OSError:
            continue
        if count is not None and len(lines) >= count:
            break
    return lines if count is None else lines[max(0, len(lines) - count) :]
