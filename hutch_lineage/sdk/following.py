"""The session's side of its workers: what they have written is taken in, in their order."""

from __future__ import annotations

import atexit
import itertools
import logging
import threading
import weakref
from typing import TYPE_CHECKING, Final, Protocol

from hutch_lineage.errors import CaptureError, InvalidEventError
from hutch_lineage.model import Event, parse_event, undisturbed
from hutch_lineage.workers import SessionFacts, SessionFolder, sweep

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

logger = logging.getLogger("hutch_lineage.sdk")

LEAST_S: Final = 0.02
MOST_S: Final = 0.5
_AT_ONCE: Final = 500  # so long, some 20 ms, an interrupt and a fork wait


class Taker(Protocol):
    """What a follower needs of the session: :class:`Runtime`."""

    def take_in(self, event: Event) -> None:
        """Capture an event of a worker."""

    def say_once(self, key: str, message: str) -> None:
        """Log a WARNING once."""

    def has_open_runs(self) -> bool:
        """Whether a worker may have something to log to."""


class Follower:
    """Takes events out of the session folder: when asked, and from a thread where one is started.

    The thread looks every 20 ms while events come and at ever longer intervals, up to 0.5 s, while
    none do. It ends when no run is open and no worker lives. Each event is taken once; those of a
    worker in their order.

    Parameters
    ----------
    folder : SessionFolder
        Where the workers write.
    taker : Taker
        Who gets the events.
    """

    def __init__(self, folder: SessionFolder, taker: Taker) -> None:
        self.folder = folder
        self._taker = taker
        self.mutex = threading.RLock()
        self._gathering = False
        self._thread: threading.Thread | None = None
        self._stop = threading.Event()

    def gather(self) -> int:
        """Take in everything that the workers have written until now; return how much it was.

        Nothing where it is called by somebody who is just handed an event: the others are to come.

        Raises
        ------
        CaptureError
            In strict mode, where an event was not captured or delivered; all were taken.
        """
        count = 0
        failures: list[CaptureError] = []
        with self.mutex:
            if self._gathering:
                return 0
            self._gathering = True
            try:
                lines = iter(self.folder.inbox)
                while taken := self._take(lines, failures):
                    count += taken
            finally:
                self._gathering = False
        if failures:
            raise failures[0]
        return count

    def _take(self, lines: Iterator[bytes], failures: list[CaptureError]) -> int:
        count = 0
        with undisturbed():
            for line in itertools.islice(lines, _AT_ONCE):
                count += 1
                try:
                    self._taker.take_in(parse_event(line))
                except InvalidEventError as error:
                    self._taker.say_once(
                        "worker line", f"a line of a worker is left out: {error}; said once"
                    )
                except CaptureError as error:
                    failures.append(error)
        return count

    def start(self) -> None:
        """Have a thread take events in from now on; one that runs goes on."""
        with self.mutex, undisturbed():
            if self._thread is None and not self._stop.is_set():
                self._thread = threading.Thread(
                    target=self._follow, name="hutch-lineage-workers", daemon=True
                )
                self._thread.start()

    def _follow(self) -> None:
        wait = LEAST_S
        while not self._stop.wait(wait):
            try:
                taken = self.gather()
            except Exception:  # the thread goes on, whatever a sink meets
                logger.warning("the events of workers were not taken in", exc_info=True)
                taken = 0
            wait = LEAST_S if taken else min(MOST_S, wait * 1.5)
            if not taken and wait == MOST_S:
                with self.mutex:
                    if not (self._taker.has_open_runs() or self.folder.inbox.has_workers()):
                        self._thread = None
                        return

    def stop(self) -> None:
        """End the thread."""
        self._stop.set()
        thread = self._thread
        if thread is not None and thread is not threading.current_thread():
            thread.join(5.0)


_told_of: set[Path] = set()


def tell_of_left() -> None:
    """Say once what sessions that were killed left of their workers, with a WARNING for each."""
    for left in sweep():
        if left.folder in _told_of:
            continue
        _told_of.add(left.folder)
        logger.warning(
            "%d event%s of workers %s in %s: their session (process %d) ended without taking them. "
            "`hutch-lineage status` lists such, `hutch-lineage flush` sends those meant for a "
            "backend, and hutch_lineage.load() opens a file of them",
            left.events,
            "" if left.events == 1 else "s",
            "waits" if left.events == 1 else "wait",
            left.folder,
            left.facts.pid,
        )


_folder: SessionFolder | None = None
_folder_lock = threading.Lock()


def process_folder(facts: SessionFacts) -> SessionFolder | None:
    """Return the session folder of this process, made with `facts` at the first call.

    None where HUTCH_LINEAGE_SESSIONS is ``off``. What former sessions left is told with a WARNING.

    Raises
    ------
    OSError
        It cannot be made.
    """
    global _folder
    with _folder_lock:
        if _folder is not None:
            _folder.tell(facts)
            return _folder
        tell_of_left()
        _folder = SessionFolder.make(facts)
        return _folder


class Leaver(Protocol):
    """Somebody who has to act when the interpreter ends."""

    def before_exit(self) -> None:
        """Act before emitters end."""

    def leave(self) -> None:
        """Act after the child processes have ended."""


_leavers: weakref.WeakSet[Leaver] = weakref.WeakSet()


def at_the_end(leaver: Leaver) -> None:
    """Have somebody told before the interpreter ends, for as long as it is used elsewhere."""
    from multiprocessing import util

    if not _leavers:
        # What was registered last comes first: before the emitters end. And what has a negative
        # priority comes after multiprocessing has ended its daemons and waited for the others.
        atexit.register(_before_exit)
        util.Finalize(None, _leave, exitpriority=-1000)
    _leavers.add(leaver)


def _before_exit() -> None:
    for leaver in list(_leavers):
        leaver.before_exit()


def _leave() -> None:
    for leaver in list(_leavers):
        leaver.leave()


def remove_folder(folder: SessionFolder) -> None:
    """Remove the session folder of this process, unless something may come into it still."""
    global _folder
    with _folder_lock:
        if folder.remove() and folder is _folder:
            _folder = None


def after_fork() -> None:
    """In a forked child: the folder is the parent's."""
    global _folder, _folder_lock
    _folder_lock = threading.Lock()
    if _folder is not None:
        _folder.let_go()
        _folder = None
