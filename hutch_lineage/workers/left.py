"""Session folders whose process is gone: what is in them still, and who may remove them."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from hutch_lineage.plumbing import is_held, lock, this_host

from .facts import SessionFacts
from .inbox import is_letters, pid_of, taken_of
from .place import OWNER, is_own, session_roots


class LeftSession(NamedTuple):
    """A session that has ended, with events of its workers that it did not take.

    Attributes
    ----------
    folder : Path
        Where they are.
    facts : SessionFacts
        Whose they are.
    events : int
        How many.
    growing : bool
        Whether one of its workers still lives.
    """

    folder: Path
    facts: SessionFacts
    events: int
    growing: bool

    @contextlib.contextmanager
    def claimed(self) -> Iterator[list[bytes] | None]:
        """Keep others from taking the events meanwhile; None where somebody else does."""
        try:
            fd = os.open(self.folder / OWNER, os.O_RDWR)
        except OSError:
            yield None
            return
        try:
            yield None if lock(fd) is False else list(self.lines())
        finally:
            os.close(fd)

    def lines(self) -> Iterator[bytes]:
        """Yield the events, each worker's in its order, as Hutch JSON."""
        for path in letters_in(self.folder):
            yield from untaken(path)

    def remove(self) -> None:
        """Remove the folder; for whoever has taken its events."""
        shutil.rmtree(self.folder, ignore_errors=True)


def left_sessions() -> list[LeftSession]:
    """Return the sessions of this host that left something behind.

    Examples
    --------
    >>> left_sessions()
    []
    """
    return [left for left in _ended() if left.events]


def sweep() -> list[LeftSession]:
    """Remove the folders of ended sessions of which everything was taken; return the others.

    Examples
    --------
    >>> sweep()
    []
    """
    kept = []
    for left in _ended():
        if left.events:
            kept.append(left)
        elif not left.growing:
            left.remove()
    return kept


def _ended() -> Iterator[LeftSession]:
    for root in session_roots():
        try:
            found = sorted(root.iterdir()) if is_own(root) else []
        except OSError:
            continue
        for folder in found:
            if folder.name.startswith(".") or not is_own(folder):
                continue
            facts = SessionFacts.read(folder)
            if facts is None or facts.host != this_host():
                continue
            if is_held(folder / OWNER, facts.pid):
                continue
            letters = letters_in(folder)
            growing = any(is_held(path, pid_of(path)) for path in letters)
            yield LeftSession(folder, facts, sum(len(untaken(path)) for path in letters), growing)


def letters_in(folder: Path) -> list[Path]:
    """Return the files of the workers, in the order in which they were begun."""
    try:
        found = [path for path in folder.iterdir() if is_letters(path.name)]
        return sorted(found, key=lambda path: (path.stat().st_ctime_ns, path.name))
    except OSError:
        return []


def untaken(path: Path) -> list[bytes]:
    """Return the whole lines of a worker's file that its session did not take."""
    try:
        with path.open("rb") as file:
            file.seek(taken_of(path), os.SEEK_SET)
            text = file.read()
    except OSError:
        return []
    return text[: text.rfind(b"\n") + 1].splitlines()
