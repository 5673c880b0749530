"""A worker process's side of a session: what it logs goes to the session's folder."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from hutch_lineage.model import Event
from hutch_lineage.plumbing import this_host

if TYPE_CHECKING:
    from hutch_lineage.workers import SessionFacts

_SESSION_VARIABLE = "HUTCH_LINEAGE_SESSION"  # workers.SESSION_VARIABLE, which loads much more
_SESSIONS_VARIABLE = "HUTCH_LINEAGE_SESSIONS"  # workers.SESSIONS_VARIABLE


def may_be_worker() -> bool:
    """Whether :mod:`multiprocessing` started this process, or somebody told it of a session.

    Examples
    --------
    >>> may_be_worker()
    False
    """
    if os.environ.get(_SESSION_VARIABLE):
        return True
    process = sys.modules.get("multiprocessing.process")
    return process is not None and process.parent_process() is not None


def may_have_left() -> bool:
    """Whether a session has a folder at the usual place; some microseconds, and nothing is loaded.

    Examples
    --------
    >>> may_have_left() in (True, False)
    True
    """
    root = os.environ.get(_SESSIONS_VARIABLE, "").strip() or "~/.hutch/sessions"
    try:
        with os.scandir(os.path.expanduser(root)) as found:  # noqa: PTH111 - never raises
            return next(found, None) is not None
    except OSError:
        return False


class Membership:
    """Ties a worker process to a session of another process. Thread-safe.

    Parameters
    ----------
    folder : Path
        The session's folder.

    Attributes
    ----------
    worker_id : str
        How events call this process: ``4802@myhost``.
    told : set of str
        The runs of the session that this process has heard of, by their id.
    """

    def __init__(self, folder: Path) -> None:
        from hutch_lineage.workers import Outbox

        self.folder = folder
        self._outbox = Outbox(folder)
        self.told: set[str] = set()
        self._seen: tuple[int, ...] = ()
        self._name_worker()

    def _name_worker(self) -> None:
        self.worker_id = f"{os.getpid()}@{this_host()}"

    def send(self, event: Event) -> None:
        """Write one event, so that it is in the file when this returns.

        Raises
        ------
        OSError
            It waits in memory; FileNotFoundError where the session has ended.
        """
        self._outbox.append(event.__pydantic_serializer__.to_json(event))

    def give_up(self) -> None:
        """Forget what waits: there is no session left to take it."""
        self._outbox.take_back()

    def news(self) -> SessionFacts | None:
        """Return what the session tells, where it has changed since the last call."""
        from hutch_lineage.workers import FACTS, SessionFacts

        try:
            found = os.stat(self.folder / FACTS)  # noqa: PTH116 - a microsecond, each time
        except OSError:
            return None
        seen = (found.st_mtime_ns, found.st_ino, found.st_size)
        if seen == self._seen:
            return None
        self._seen = seen
        return SessionFacts.read(self.folder)

    def at_exit(self) -> None:
        """Try once more to write what waits."""
        try:
            self._outbox.flush()
        except OSError:
            self.give_up()

    def after_fork(self) -> None:
        """In a forked child of the worker: a worker of the same session, with a file of its own."""
        self._outbox.after_fork()
        self._name_worker()
