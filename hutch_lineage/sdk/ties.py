"""The ties of a process to others: to its worker processes, or to the session it works for."""

from __future__ import annotations

import contextlib
import logging
import os
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from hutch_lineage.errors import CaptureError
from hutch_lineage.model import Event, RunStatus, RunUpdateEvent

from .config import SDKConfig
from .joining import Membership, may_be_worker

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hutch_lineage.openlineage import OpenLineageEmitter
    from hutch_lineage.workers import SessionFacts

    from .following import Follower

logger = logging.getLogger("hutch_lineage.sdk")


class KnownRun(Protocol):
    """What there is to know of a run."""

    id: str
    name: str | None
    project: str | None
    ended: bool
    foreign: bool
    status: RunStatus


class Host(Protocol):
    """The session that has the ties: :class:`Runtime`."""

    config: SDKConfig
    closed: bool
    emitter: OpenLineageEmitter | None

    @property
    def runs(self) -> Mapping[str, KnownRun]:
        """The runs by their id."""

    @property
    def is_heard(self) -> bool:
        """Whether anybody wants events as they come."""

    def capture(self, event: Event) -> None:
        """Keep an event and hand it on."""

    def say_once(self, key: str, message: str) -> None:
        """Log a WARNING once."""

    def drop_emitter(self, *, close: bool) -> None:
        """Have no emitter any more."""


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
        self._follower: Follower | None = None
        self._held: Follower | None = None
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
        return None if self._follower is None else self._follower.folder.path

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
                self._follower = self._new_follower()
        self.follow()
        return self.folder

    def _new_follower(self) -> Follower | None:
        from .following import Follower, at_the_end, process_folder

        try:
            folder = process_folder(self._facts())
        except OSError as error:
            self._host.say_once(
                "sessions",
                "worker processes cannot log to this session: its folder cannot be made "
                f"({error}). Name a place for it with HUTCH_LINEAGE_SESSIONS",
            )
            return None
        if folder is None:
            return None
        at_the_end(self)
        return Follower(folder, self)

    def follow(self) -> None:
        """Have events taken in as they come, where somebody hears of them.

        Elsewhere, and in strict mode, whose failures are to raise, :meth:`gather` is enough.
        """
        if self._follower is not None and self._host.is_heard and not self._host.config.strict:
            self._follower.start()

    def gather(self) -> None:
        """Take in what workers have written until now, each event once.

        Raises
        ------
        CaptureError
            In strict mode, when an event was not captured or delivered; all were taken.
        """
        if self._follower is not None:
            self._follower.gather()

    def take_in(self, event: Event) -> None:
        """Capture an event of a worker."""
        run = self._host.runs.get(event.run_id)
        if run is not None and run.ended:
            self.say_once(
                f"late {run.id}",
                f"a worker logged to run {run.name or run.id} after its end: the event is kept",
            )
        self._host.capture(event)
        if run is not None and isinstance(event, RunUpdateEvent) and event.payload.status:
            run.status = event.payload.status

    def say_once(self, key: str, message: str) -> None:
        """Log a WARNING once."""
        self._host.say_once(key, message)

    def has_open_runs(self) -> bool:
        """Whether a worker has something to log to."""
        return any(not run.ended for run in list(self._host.runs.values()))

    def announce(self) -> None:
        """Tell workers which runs are open, and where events go."""
        if self._follower is None or self._host.closed:
            return
        try:
            self._follower.folder.tell(self._facts())
        except OSError as error:
            self.say_once("announce", f"worker processes were not told of a run ({error})")
        self.follow()

    def _facts(self) -> SessionFacts:
        from hutch_lineage.plumbing import this_host
        from hutch_lineage.workers import RunFacts, SessionFacts

        host, emitter = self._host, self._host.emitter
        endpoint = None if emitter is None else emitter.endpoint
        folder = None if emitter is None or endpoint is None else emitter.stats()["journal"]
        journal = None if folder is None else str(Path(folder).parent.absolute())
        return SessionFacts(
            host=this_host(),
            pid=os.getpid(),
            strict=host.config.strict,
            runs=tuple(
                RunFacts(run.id, run.name, run.project)
                for run in list(host.runs.values())
                if not run.ended
            ),
            endpoint=endpoint,
            namespace=host.config.openlineage_namespace,
            journal=journal,
        )

    # -- as a worker -------------------------------------------------------------------------

    def look_for_session(self) -> None:
        """Join the session that this process works for, if there is one.

        Not while a run of its own is open.
        """
        if self.membership is None and (self._forked or not self.has_open_runs()):
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
            self.say_once(
                "forked",
                f"process {os.getpid()} was forked from a session without an open run: the events "
                "logged in it stay in it. Fork while a run is open, or pass the run to the worker",
            )
        if self._host.closed:
            self.say_once("closed", "reset() has ended this session: its events are seen nowhere")
        return False

    def _say_unsent(self, problem: str, error: OSError) -> None:
        if self._host.config.strict:
            raise CaptureError(problem) from error
        self.say_once("unsent", problem)

    # -- the life of the process -------------------------------------------------------------

    def before_fork(self) -> None:
        """Make ready for a worker, and let no thread be half way through an event."""
        if self.alone and self.has_open_runs():
            self.expect_workers()
        elif self._follower is not None and not self._host.closed:
            with contextlib.suppress(OSError):  # the child finds none then, and says so
                self._follower.folder.mend()
        self._held = self._follower
        if self._held is not None:
            self._held.mutex.acquire()

    def after_fork_in_parent(self) -> None:
        """Go on."""
        held, self._held = self._held, None
        if held is not None:
            held.mutex.release()

    def after_fork(self) -> None:
        """In a forked child: it is a worker where its parent has a session folder."""
        self._lock = threading.RLock()
        self._forked = self.apart = self.may_join = True
        self.alone = False
        self._held = None
        follower, self._follower = self._follower, None
        if self.membership is not None:
            self.membership.after_fork()
            self.worker_id = self.membership.worker_id
        elif follower is not None and not self._host.closed:
            self.join(follower.folder.path)

    def before_exit(self) -> None:
        """Take in, or hand over, what there is, as long as emitters still post."""
        if self.membership is not None:
            self.membership.at_exit()
        try:
            self.gather()
        except CaptureError as error:
            self.say_once("last", f"an event of a worker was not delivered: {error}")

    def leave(self) -> None:
        """At the end: take in what there is, and remove the folder if nothing more can come."""
        self.before_exit()
        self.apart = True
        follower, self._follower = self._follower, None  # what comes later is the next session's
        if follower is not None:
            from .following import remove_folder

            follower.stop()
            remove_folder(follower.folder)
