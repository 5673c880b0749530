"""The courier: brings an outbox to a backend, in order, on few connections."""

from __future__ import annotations

import logging
import threading
import time
from typing import Final

from hutch_lineage.errors import DeliveryError
from hutch_lineage.model import undisturbed
from hutch_lineage.plumbing import EXIT_TIMEOUT_S, Backoff, register

from .bells import Bells
from .dispatch import Dispatch, Post
from .lanes import Lanes
from .lines import Lines
from .outage import Outage
from .replies import Reply
from .seams import (
    Adoption,
    DeliveryState,
    DeliveryStats,
    OnChange,
    Outbox,
    Posting,
    Record,
    Rejected,
    Sender,
)

logger = logging.getLogger("hutch_lineage.delivery")

OUTAGE_EXIT_S: Final = 1.0
"""How long the interpreter's end waits for a backend that is away already."""


class Courier:
    """Brings event bodies to one endpoint, the events of each run in their order.

    Lanes do it, daemon threads with a connection each; the first body starts one. A post that fails
    is tried again, later and later, until it succeeds, so the order is kept and nothing is lost
    while the process lives; a body that the backend rejects is set aside and the next one follows.
    Callers never wait for the network, except in :meth:`drain`, :meth:`flush` and :meth:`close`.

    Thread-safe. A forked child sends only what its own process appends, on its own connections.

    Parameters
    ----------
    outbox : Outbox
        What to bring.
    sender : Sender
        Where to.
    name : str
        The endpoint as people read it, secrets masked.
    start : int
        The first position of the outbox that is owed.
    backoff : Backoff, optional
        How long to wait after failures.
    on_change : callable, optional
        Called without arguments, from any thread, after the figures changed.
    record : Record, optional
        Where progress is noted: the journal of the outbox.
    adoption : Adoption, optional
        Finds what former processes have left for this endpoint; it is sent first.
    journal : str, optional
        Where the journal is, for people.
    exit_timeout_s : float
        How long the end of the interpreter may be held up, in seconds.
    lanes : int
        The most connections at a time.
    silent : bool
        Whether outages and refusals are not told of here: whoever waits reads :meth:`stats`, and
        says it.
    """

    def __init__(
        self,
        outbox: Outbox,
        sender: Sender,
        *,
        name: str,
        start: int = 0,
        backoff: Backoff | None = None,
        on_change: OnChange | None = None,
        record: Record | None = None,
        adoption: Adoption | None = None,
        journal: str | None = None,
        exit_timeout_s: float = EXIT_TIMEOUT_S,
        lanes: int = 1,
        silent: bool = False,
    ) -> None:
        self._outbox = outbox
        self._name = name
        self._backoff = backoff or Backoff()
        self._on_change = on_change or _nothing
        self._adoption = adoption
        self._journal = journal
        self._exit_timeout_s = exit_timeout_s
        self._silent = silent
        self._start_from(start, record)
        self._lanes = Lanes(
            sender,
            lanes,
            lock=self._lock,
            dispatch=self._dispatch,
            on_progress=self._tell,
            on_end=self._let_go,
            on_change=self._on_change,
        )
        self._background = True
        register(self)

    def _start_from(self, position: int, record: Record | None) -> None:
        # lanes wait on a condition; callers do not: an interrupt between its steps keeps the lock
        self._lock = threading.Lock()
        self._news = Bells(self._lock)
        self._marks: list[int] = []  # up to where they wait for all to be done
        self._draining = threading.Lock()
        self._lines = Lines(self._outbox, position, record, self._adoption)
        self._outage = Outage(self._name, silent=self._silent)
        self._outage.journal = self._journal if record is not None else None
        self._dispatch = Dispatch(self._lines, self._outage, self._backoff)

    # what the emitter calls

    def resume(self, *, background: bool = True) -> None:
        """Start, or go on, from the first body that is still owed."""
        with self._lock:
            self._lanes.active = True
            self._background = background
            self._dispatch.go_on()
            if background:
                self._lines.look()
        self.wake()

    def pause(self) -> None:
        """Stop after the posts under way; what is left stays owed."""
        with self._lock:
            self._stop()

    def wake(self) -> None:
        """Say that the outbox has grown."""
        if self._lanes.awake:
            return
        with self._lock:
            if self._is_on and self._lines.has_work:
                self._lanes.wake()

    def drain(self) -> None:
        """Post what is owed on the caller's thread.

        Raises
        ------
        DeliveryError
            The backend did not accept a body. A rejected one is set aside; any other stays owed
            and is the first of the next call.
        """
        with self._draining:
            while (post := self._next_here()) is not None:
                reply = Reply("retry")  # what an interrupt leaves
                try:
                    reply = self._lanes.sender.send(post.bodies[0])
                finally:
                    with undisturbed(), self._lock:
                        self._dispatch.settle(post, [reply], time.monotonic())
                self._on_change()
                if reply.verdict != "accepted":
                    raise DeliveryError(
                        f"{self._name} did not accept an OpenLineage event: {reply.reason}; "
                        "unset HUTCH_STRICT to go on without it",
                        self._name,
                        reply.status,
                    )

    def _next_here(self) -> Post | None:
        with undisturbed(), self._lock:
            self._dispatch.hurry()
            return self._dispatch.take(1, time.monotonic())

    def flush(self, timeout_s: float | None = 10.0) -> bool:
        """Wait until the backend has accepted what is in the outbox now.

        In an outage it is tried once at once; otherwise the waits between tries stay as they are.

        Parameters
        ----------
        timeout_s : float or None
            The longest wait in seconds; None waits as long as it takes.

        Returns
        -------
        bool
            Whether all was accepted; False also where a body was rejected.
        """
        self.wake()
        with self._lock:
            mark = len(self._outbox)
            if not self._reached(mark):
                self._marks.append(mark)
                self._dispatch.hurry()
                self._lanes.rouse()
        self._news.wait_for(lambda: self._reached(mark) or not self._lanes.active, timeout_s)
        with self._lock:
            if mark in self._marks:
                self._marks.remove(mark)
            return self._reached(mark) and not self._lines.own.refused.count

    def close(self, timeout_s: float | None = 5.0) -> bool:
        """Flush, then pause and free the connections; return whether all was accepted.

        With a journal, what was not accepted stays in it for the next start. An interrupt ends the
        waiting, not the rest.
        """
        try:
            done = self.flush(timeout_s) if self._is_on else self._done()
        finally:
            with undisturbed():
                self._end()
        return done

    def _end(self) -> None:
        with self._lock:
            self._stop()
            lanes, left = self._lanes.threads(), self._lines.own.owed
            if not lanes:
                self._lanes.sender.close()
                self._lines.let_go()
        if not left:
            for lane in lanes:  # nothing under way: they only have to close their connections
                lane.join(1.0 / len(lanes))
        with self._lock:
            journaled = self._outage.journal is not None
            complete = self._lines.own.close()
        if left and self._background:
            kept = journaled and not complete
            logger.warning("%s", self._outage.left_behind(left, kept=kept))

    def use(self, sender: Sender) -> None:
        """Post through another sender from now on, and offer once more what was refused."""
        with self._lock, undisturbed():
            former, self._lanes.sender = self._lanes.sender, sender
            self._dispatch.go_on()
            self._lines.own.offer_again()
            self._lanes.rouse()
        with self._draining:  # a post may be under way on it
            former.close()

    def owed_from(self) -> int:
        """Return the position of the first event that is owed, or will be."""
        with self._lock:
            return self._lines.own.first_owed

    def write_to(self, record: Record) -> None:
        """Note progress in another journal from now on."""
        with self._lock:
            self._lines.own.write_to(record)
            self._outage.journal = self._journal

    def release(self) -> None:
        """Stop, and let go of the journal: the next start may send what is left."""
        with self._lock:
            self._stop()
            self._lines.own.close()

    def send_rejected(self) -> int:
        """Offer once more what was refused; return how many events that is."""
        with self._lock, undisturbed():
            count = self._lines.own.offer_again()
            self._lanes.rouse()
        self.wake()
        return count

    def rejected(self) -> list[Rejected]:
        """Return what was refused, oldest first; the last 10,000 are kept."""
        with self._lock:
            return list(self._lines.own.refused.kept)

    def postings(self, start: int, stop: int) -> list[Posting]:
        """Return where the events at these positions of the outbox are; see `Delivery`."""
        with self._lock:
            return self._lines.own.postings(start, stop)

    def stats(self) -> DeliveryStats:
        """Return the figures of this endpoint."""
        with self._lock:
            own, dispatch = self._lines.own, self._dispatch
            queued, left = own.owed, self._lines.adopted_owed
            state: DeliveryState = "waiting" if queued or left else "ok"
            if dispatch.failing:
                state = "failing"
            refused = own.refused
            last = self._outage.reason or (refused.kept[-1].reason if refused.kept else None)
            return DeliveryStats(
                dispatch.sent,
                queued,
                dispatch.failed,
                refused.count,
                last,
                state,
                dispatch.sent_adopted,
                left,
                len(dispatch.refused_adopted),
                next(iter(dispatch.refused_adopted), ""),
            )

    @property
    def _is_on(self) -> bool:
        """Whether lanes bring what is owed; else :meth:`drain` does, or nobody."""
        return self._lanes.active and self._background

    # under the lock

    def _stop(self) -> None:
        self._lanes.stop()
        self._news.ring()

    def _let_go(self) -> None:
        self._lines.let_go()
        self._news.ring()

    def _tell(self) -> None:
        """Wake callers if what they wait for is done; not for each post, they would slow it."""
        if self._marks and self._reached(min(self._marks)):
            self._news.ring()

    def _reached(self, mark: int) -> bool:
        return self._lines.own.reached(mark) and self._lines.settled

    def _done(self) -> bool:
        with self._lock:
            own = self._lines.own
            return own.owed == 0 and not own.refused.count

    # process life

    def before_exit(self) -> None:
        """Nothing: emitters save what they have first."""

    def at_exit(self) -> None:
        """Bring what is left, within a bounded time, before the interpreter ends."""
        if self._is_on:
            failing = self._dispatch.failing
            longest = self._exit_timeout_s
            self.close(min(longest, OUTAGE_EXIT_S) if failing else longest)
        else:
            self._lines.own.close()

    def before_fork(self) -> None:
        """Nothing: the child begins with a state of its own."""

    def after_fork(self) -> None:
        """In a forked child: leave the parent its queue, its threads and its connections."""
        self._lines.after_fork()
        self._start_from(len(self._outbox), None)
        self._lanes.after_fork(self._lock, self._dispatch)


def _nothing() -> None:
    return None
