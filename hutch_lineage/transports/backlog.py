"""What a Hutch server has not taken, in files."""

from __future__ import annotations

import hashlib
import logging
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

from hutch_lineage.plumbing import Spell, counted

from .ahead import WriteAhead, left_behind
from .fallback import FallbackQueue
from .lines import events_among, is_event, set_aside
from .server import MOST_EVENTS, HutchServer, NotTakenError

logger = logging.getLogger("hutch_lineage.transports")


class Backlog:
    """Events for a Hutch server that stand in files until it has them.

    A new event is noted in a file of this process, which the next start takes over after a crash.
    While the server is away, events are put into Hutch's fallback queue instead, which processes
    share. Where the disk fails, one WARNING says so and events are in memory only.

    One thread sends; `lock` is held by whoever decides where an event goes, so that the order
    holds.

    Parameters
    ----------
    server : HutchServer
        Where the events are for.
    path : Path, optional
        The fallback queue. None: nothing is kept in files.

    Attributes
    ----------
    lock : threading.Lock
        See above; it is for :meth:`note`, :meth:`stored` and :meth:`put`.
    waiting : int
        How many events of this process were put into the queue and not sent since.
    """

    def __init__(self, server: HutchServer, path: Path | None) -> None:
        self.lock = threading.Lock()
        self.waiting = 0
        self.path = path
        self._server = server
        self._disk_trouble = Spell()
        self._former = False
        self._queue: FallbackQueue | None = None
        self._beside: Path | None = None
        self._ahead: WriteAhead | None = None
        if path is not None:
            self._queue = FallbackQueue(path)
            mark = hashlib.sha256(server.name.encode()).hexdigest()[:8]
            self._beside = path.with_name(f"{path.name}.{mark}")
            self._ahead = WriteAhead(self._beside)

    @property
    def is_empty(self) -> bool:
        """Whether nothing waits in the queue."""
        return self._queue is None or self._queue.is_empty

    def may_hold_more(self, *, told: bool = True) -> bool:
        """Whether former processes may have left something; quick.

        When it is sent, a WARNING says so, unless `told` is False: then the caller does.
        """
        if self._beside is None:
            return False
        try:
            if not self.is_empty:
                self._former = told
                return True
            for left in left_behind(self._beside):
                left.release()
                return True
        except OSError:
            pass  # whoever sends will say so
        return False

    def left(self) -> dict[Path, int]:
        """Return how many events wait in the queue, by file."""
        return {} if self._queue is None else self._queue.left()

    # -- keeping -------------------------------------------------------------------------------

    def note(self, line: bytes) -> None:
        """Note an event that is to be posted."""
        if self._ahead is not None:
            try:
                self._ahead.append(line)
            except OSError as error:
                self._tell(error)

    def stored(self, count: int, left: int) -> None:
        """Forget the oldest `count` events that were noted; `left` of them are needed still."""
        if self._ahead is not None:
            self._ahead.stored(count, left)

    def put(self, lines: Sequence[bytes]) -> bool:
        """Put events into the queue; return whether that went well."""
        if self._queue is None:
            return False
        try:
            self._queue.append(lines)
        except OSError as error:
            self._tell(error)
            return False
        self.waiting += len(lines)
        return True

    # -- sending -------------------------------------------------------------------------------

    def post(self, lines: Sequence[bytes]) -> None:
        """Post events; set aside those that are refused.

        Raises
        ------
        NotTakenError
            They have to be posted again.
        """
        refused = self._server.post(lines)
        if refused:
            logger.warning(
                "the Hutch server at %s refused %s (the first: %s), %s",
                self._server.name,
                counted(len(refused)),
                refused[0].reason,
                self._set_aside([each.line for each in refused]),
            )

    def _leave_out(self, lines: Sequence[bytes], path: Path) -> None:
        """Set aside the lines of a file that are no events: a newer version may know them."""
        if lines:
            logger.warning(
                "%d lines of %s are no Hutch events; they are %s",
                len(lines),
                path,
                self._set_aside(lines),
            )

    def _set_aside(self, lines: Sequence[bytes]) -> str:
        """Keep what cannot be sent; return what became of it."""
        if self.path is not None:
            aside = self.path.with_name(f"{self.path.name}.rejected")
            try:
                set_aside(aside, lines)
                return f"set aside in {aside}"
            except OSError as error:
                self._tell(error)
        return "lost"

    def send_left_behind(self) -> int:
        """Post what processes that are gone have noted; return how many events that was.

        Raises
        ------
        NotTakenError
            The server is away; those that it has not had are in the queue where there is room.
        OSError
            They cannot be read.
        """
        sent = 0
        for left in left_behind(self._beside) if self._beside is not None else ():
            try:
                lines, odd = events_among(left.lines())
                start = 0
                while start < len(lines):
                    part = self._server.fitting(lines[start : start + MOST_EVENTS])
                    self.post(part)
                    start += len(part)
            except NotTakenError:
                with self.lock:
                    put = self.put(lines)  # all: the server stores none twice
                if put:
                    self._leave_out(odd, left.path)
                    left.remove()
                else:
                    left.release()
                raise
            except BaseException:
                left.release()
                raise
            self._leave_out(odd, left.path)
            left.remove()
            sent += len(lines)
            if lines:
                logger.info(
                    "%s of a former process, left in %s: sent", counted(len(lines)), left.path
                )
        return sent

    def send_queue(self, going: Callable[[], bool] = lambda: True) -> int:
        """Post what stands in the queue, in order; return how many events that was.

        It stops where `going` says no any more.

        Raises
        ------
        NotTakenError
            The server is away; what it has not had stays in the queue.
        BlockingIOError
            Another process sends them at the moment.
        OSError
            They cannot be read.
        """
        if self._queue is None:
            return 0
        sent = 0
        # one first: as long as the server is away, the queue stays as it is
        first = self._queue.peek()
        if not is_event(first) or self._server.post([first]):
            first = b""
        self._tell_of_former()
        while going() and (lines := self._queue.take(self._server.most)):
            good, odd = events_among(lines)
            self.post(good[1:] if good[:1] == [first] else good)
            self._leave_out(odd, self._queue.path)
            self._queue.done()
            sent += len(good)
            with self.lock:
                self.waiting = max(0, self.waiting - len(good))
        return sent

    def _tell_of_former(self) -> None:
        """Say once where events of former processes go: the queue is not bound to a server."""
        if not self._former:
            return
        self._former = False
        count = sum(self.left().values()) - self.waiting
        if count > 0:
            logger.warning(
                "%s that former processes left in %s %s sent to the Hutch server at %s first",
                counted(count),
                self.path,
                "is" if count == 1 else "are",
                self._server.name,
            )

    def release(self) -> None:
        """Let other processes send what is left."""
        if self._queue is not None:
            self._queue.release()

    # -- the end -------------------------------------------------------------------------------

    def close_notes(self) -> Path | None:
        """Remove the file of this process where all in it is safe, else leave and return it."""
        if self._ahead is None:
            return None
        path = self._ahead.path
        self._ahead.close()
        return path

    def close_queue(self) -> None:
        """Close the queue; what waits in it stays."""
        if self._queue is not None:
            self._queue.close()

    def after_fork(self) -> None:
        """In a forked child: files of its own; what waits is the parent's."""
        self.lock = threading.Lock()
        self.waiting = 0
        if self._queue is not None:
            self._queue.forget()
        if self._ahead is not None:
            self._ahead.after_fork()

    def _tell(self, error: OSError) -> None:
        if self._disk_trouble.begins():
            logger.warning(
                "events cannot be written to disk (%s): while the Hutch server is away they are in "
                "memory only, and a process that is killed loses them",
                error,
            )
