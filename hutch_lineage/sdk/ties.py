"""The ties of a process to others: to its worker processes, or to the session it works for."""

from __future__ import annotations

import os
import threading
from pathlib import Path

from hutch_lineage.errors import CaptureError
from hutch_lineage.model import Event

from .crew import Crew
from .host import Host
from .joining import Membership, may_be_worker


class Ties:
    """What a session knows of other processes of its own.

    A process has either workers, whose events it takes in, or a membership: then it is a worker,
    and all its events go to the session of another process.

    Attributes
    ----------
    apart : bool
        Whether :meth:`capture_apart` has to be asked about each event.
    alone : bool
        Whether nothing was done yet about workers, which may come.
    may_join : bool
        Whether this process may be a worker.
    membership : Membership or None
        The session that it works for.
    worker_id : str or None
        How its events call it, where it is a worker.
    """

    def __init__(self, host: Host) -> None:
        self._host = host
        self._lock = threading.RLock()
        self._forked = False
        self._crew = Crew(host)
        self.membership: Membership | None = None
        self.worker_id: str | None = None
        self.may_join = may_be_worker()
        self.alone = True
        self.apart = False

    @property
    def folder(self) -> Path | None:
        """The session folder, where there is one yet."""
        if self.membership is not None:
            return self.membership.folder
        return self._crew.folder

    # -- with workers ------------------------------------------------------------------------

    def expect_workers(self) -> Path | None:
        """Make ready for worker processes; return the session folder, None where there is none.

        Cheap after the first call.
        """
        if self.membership is not None:
            return self.membership.folder
        with self._lock:
            if self.alone and not self._host.closed:
                self.alone = False
                if self._crew.expect():
                    from .following import at_the_end

                    at_the_end(self)
        self.follow()
        return self.folder

    def follow(self) -> None:
        """Have events of workers taken in as they come, see :meth:`Crew.follow`."""
        self._crew.follow()

    def gather(self) -> None:
        """Take in what workers have written until now, each event once.

        Raises
        ------
        CaptureError
            In strict mode, when an event was not captured or delivered; all were taken.
        """
        self._crew.gather()

    def announce(self) -> None:
        """Tell workers which runs are open, and where events go."""
        self._crew.announce()

    # -- as a worker -------------------------------------------------------------------------

    def look_for_session(self) -> None:
        """Join the session that this process works for, if there is one.

        Not while a run of its own is open.
        """
        if self.membership is None and (self._forked or not self._crew.has_open_runs()):
            from hutch_lineage.workers import parent_folder

            folder = parent_folder()
            if folder is not None:
                self.join(folder)

    def join(self, folder: Path) -> None:
        """Send all events to the session of that folder from now on."""
        self.membership = Membership(folder)
        self.worker_id = self.membership.worker_id
        self.may_join = self.apart = True
        self.alone = False
        self._host.drop_emitter(close=not self._forked)  # a forked child's is its parent's
        for run in list(self._host.runs.values()):
            run.foreign = True
            self.membership.told.add(run.id)

    def capture_apart(self, event: Event) -> bool:
        """In a worker, send an event to the session; return whether that was all to be done."""
        if self._forked and self.membership is None and not self._host.closed:
            self.look_for_session()
        if self.membership is not None:
            try:
                self.membership.send(event)
                return True
            except FileNotFoundError as error:
                self.membership.give_up()
                self._say_unsent(
                    "the session that this worker logs to has ended, or its folder was removed: "
                    "what it logs stays in it",
                    error,
                )
                return False
            except OSError as error:
                self._say_unsent(
                    f"{self.membership.folder} cannot be written ({error.strerror}): the events "
                    "of this worker wait in its memory",
                    error,
                )
                return True
        if self._forked:
            self._host.say_once(
                "forked",
                f"process {os.getpid()} was forked from a session without an open run: the events "
                "logged in it stay in it. Fork while a run is open, or pass the run to the worker",
            )
        if self._host.closed:
            self._host.say_once(
                "closed", "reset() has ended this session: its events are seen nowhere"
            )
        return False

    def _say_unsent(self, problem: str, error: OSError) -> None:
        if self._host.config.strict:
            raise CaptureError(problem) from error
        self._host.say_once("unsent", problem)

    # -- the life of the process -------------------------------------------------------------

    def before_fork(self) -> None:
        """Make ready for a worker, and let no thread be half way through an event."""
        if self.alone and self._crew.has_open_runs():
            self.expect_workers()
        self._crew.before_fork()

    def after_fork_in_parent(self) -> None:
        """Go on."""
        self._crew.after_fork_in_parent()

    def after_fork(self) -> None:
        """In a forked child: it is a worker where its parent has a session folder."""
        self._lock = threading.RLock()
        self._forked = self.apart = self.may_join = True
        self.alone = False
        folder = self._crew.folder
        self._crew.after_fork()
        if self.membership is not None:
            self.membership.after_fork()
            self.worker_id = self.membership.worker_id
        elif folder is not None and not self._host.closed:
            self.join(folder)

    def before_exit(self) -> None:
        """Take in, or hand over, what there is, as long as emitters still post."""
        if self.membership is not None:
            self.membership.at_exit()
        try:
            self.gather()
        except CaptureError as error:
            self._host.say_once("last", f"an event of a worker was not delivered: {error}")

    def leave(self) -> None:
        """At the end: take in what there is, and remove the folder if nothing more can come."""
        self.before_exit()
        self.apart = True
        self._crew.leave()
