"""The worker processes of a session: the folder they write to, and what they are told."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import TYPE_CHECKING

from hutch_lineage.model import Event, RunUpdateEvent

from .host import Host

if TYPE_CHECKING:
    from hutch_lineage.workers import SessionFacts

    from .following import Follower


class Crew:
    """What a session does for its workers; nothing before :meth:`expect` has made their folder.

    Parameters
    ----------
    host : Host
        The session.
    """

    def __init__(self, host: Host) -> None:
        self._host = host
        self._follower: Follower | None = None
        self._held: Follower | None = None

    @property
    def folder(self) -> Path | None:
        """The session folder, where there is one yet."""
        return None if self._follower is None else self._follower.folder.path

    def expect(self) -> bool:
        """Make the session folder; return whether there is one.

        Where it cannot be made, a WARNING says so once.
        """
        from .following import Follower, process_folder

        try:
            folder = process_folder(self._facts())
        except OSError as error:
            self.say_once(
                "sessions",
                "worker processes cannot log to this session: its folder cannot be made "
                f"({error}). Name a place for it with HUTCH_LINEAGE_SESSIONS",
            )
            return False
        if folder is None:
            return False
        self._follower = Follower(folder, self)
        return True

    # what workers have written

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
        if event.run_id in self._host.heard_runs:
            self._host.take(event)
        else:
            self._host.capture(event)
        if run is not None and isinstance(event, RunUpdateEvent) and event.payload.status:
            run.status = event.payload.status

    def say_once(self, key: str, message: str) -> None:
        """Log a WARNING once."""
        self._host.say_once(key, message)

    def has_open_runs(self) -> bool:
        """Whether a worker has something to log to."""
        host = self._host
        heard = list(host.heard_runs.values())
        return any(heard) or any(not run.ended for run in list(host.runs.values()))

    # what workers are told

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

    # the life of the process

    def before_fork(self) -> None:
        """Let no thread be half way through an event, and see that a child finds the folder."""
        if self._follower is not None and not self._host.closed:
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
        """In a forked child: the workers are the parent's."""
        self._held = self._follower = None

    def leave(self) -> None:
        """Remove the folder if nothing more can come; what comes later is the next session's."""
        follower, self._follower = self._follower, None
        if follower is not None:
            from .following import remove_folder

            follower.stop()
            remove_folder(follower.folder)
