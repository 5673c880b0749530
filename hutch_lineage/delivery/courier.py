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
from .lane import Lane
from .lines import Lines
from .outage import Outage, Said
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
SLOW_S: Final = 0.01
"""A backend that takes longer than this for a post gets several at a time, ..."""
IDLE_S: Final = 2.0
"""... and the further connections end when they had nothing to do for so long."""


class Courier:
    """Brings event bodies to one endpoint, the events of each run in their order.

    A lane, a daemon thread with a connection of its own, is started by the first body and waits on
    a condition. Another one is started only where the backend is slow and another run has events:
    those of one run are never under way twice. A post that fails is tried again, later and later,
    until it succeeds, so the order is kept and nothing is lost while the process lives; a body that
    the backend rejects is set aside and the next one follows. Callers never wait for the network,
    except in :meth:`drain`, :meth:`flush` and :meth:`close`.

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
        Whether outages are not told of here: whoever waits reads :meth:`stats`, and says it.
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
        self._sender = sender
        self._name = name
        self._backoff = backoff or Backoff()
        self._on_change = on_change or _nothing
        self._adoption = adoption
        self._journal = journal
        self._exit_timeout_s = exit_timeout_s
        self._most_lanes = max(1, lanes)
        self._silent = silent
        self._start_from(start, record)
        self._active = False
        self._background = True
        register(self)

    def _start_from(self, position: int, record: Record | None) -> None:
        # the lock is taken by itself: an interrupt between the steps of a Condition would keep it
        self._lock = threading.Lock()
        self._work = threading.Condition(self._lock)  # for lanes, which nobody interrupts
        self._news = Bells(self._lock)  # for callers
        self._marks: list[int] = []  # up to where they wait for all to be done
        self._draining = threading.Lock()
        self._lanes: list[Lane] = []
        self._idle = 0
        self._pace_s = 0.0
        self._lines = Lines(self._outbox, position, record, self._adoption)
        self._outage = Outage(self._name, silent=self._silent)
        self._outage.journal = self._journal if record is not None else None
        self._dispatch = Dispatch(self._lines, self._outage, self._backoff)

    # what the emitter calls

    def resume(self, *, background: bool = True) -> None:
        """Start, or go on, from the first body that is still owed."""
        with self._lock:
            self._active = True
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
        if self._lanes and not self._idle:
            return  # each looks once more before it rests
        with self._lock:
            if not (self._active and self._background and self._lines.has_work):
                return
            if not self._lanes:
                self._add_lane()
            elif self._idle:
                self._work.notify()

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
                    reply = self._sender.send(post.bodies[0])
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
                self._work.notify_all()
        self._news.wait_for(lambda: self._reached(mark) or not self._active, timeout_s)
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
            done = self.flush(timeout_s) if self._active and self._background else self._done()
        finally:
            with undisturbed():
                self._end()
        return done

    def _end(self) -> None:
        with self._lock:
            self._stop()
            lanes, left = list(self._lanes), self._lines.own.owed
            if not lanes:
                self._sender.close()
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
            former, self._sender = self._sender, sender
            self._dispatch.go_on()
            self._lines.own.offer_again()
            self._work.notify_all()
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
            self._work.notify_all()
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
            if self._outage.since is not None:
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
            )

    # the lanes

    def _run(self, lane: Lane) -> None:
        try:
            self._serve(lane)
        except Exception:  # a disk that cannot be read, or a fault of ours: the next one goes on
            logger.exception("a thread of delivery ended; the next event or flush begins another")
            with self._lock:
                if lane in self._lanes:
                    self._lanes.remove(lane)
                lane.close()
                if lane.under_way is not None:
                    self._dispatch.give_back(lane.under_way)

    def _serve(self, lane: Lane) -> None:
        # when there is no post, _await_post has taken this lane off the record
        while (post := self._await_post(lane)) is not None:
            began = time.monotonic()
            replies = lane.post(post.bodies, self._sender)
            now = time.monotonic()
            with self._lock:
                self._pace_s += (now - began - self._pace_s) / 4
                failing = self._outage.since
                lane.under_way = None
                said = self._dispatch.settle(post, replies, now, awaited=self._active)
                if failing is not None:
                    self._work.notify_all()  # they wait for this answer
                self._tell()
            _log(said)
            self._on_change()

    def _await_post(self, lane: Lane) -> Post | None:
        """Return the next post once it is time for it; None when the lane has to end."""
        with self._lock:
            while self._active and not self._superfluous(lane):
                post = self._take(lane)
                if post is not None:
                    lane.under_way, lane.worked_at = post, time.monotonic()
                    self._share_work()
                    return post
            self._lanes.remove(lane)
            lane.close()
            if not self._lanes:
                self._lines.let_go()
                self._news.ring()
            return None

    def _take(self, lane: Lane) -> Post | None:
        """Take a post, or wait a while and return None."""
        now = time.monotonic()
        batch = lane.batch(self._sender)
        post = self._dispatch.take(batch, now)
        if post is not None:
            return post
        self._tell()
        wait_s = self._dispatch.wait_s(now)
        if self._dispatch.held_up(now):
            self._work.wait(wait_s)
            return None
        self._idle += 1  # first said, then looked: see wake()
        try:
            post = self._dispatch.take(batch, now)
            if post is None:
                if len(self._lanes) > 1:
                    wait_s = min(IDLE_S, IDLE_S if wait_s is None else wait_s)
                self._work.wait(wait_s)
            return post
        finally:
            self._idle -= 1

    def _tell(self) -> None:
        """Wake callers if what they wait for is done; not for each post, they would slow it."""
        if self._marks and self._reached(min(self._marks)):
            self._news.ring()

    def _share_work(self) -> None:
        """Have another lane post what another run has, where that is worth it."""
        if self._idle:
            if self._dispatch.more():
                self._work.notify()
        elif (
            self._pace_s > SLOW_S and len(self._lanes) < self._most_lanes and self._dispatch.more()
        ):
            self._add_lane()

    def _superfluous(self, lane: Lane) -> bool:
        """Whether a lane can end: the others do without it."""
        if len(self._lanes) == 1:
            return False
        return self._pace_s < SLOW_S / 2 or time.monotonic() - lane.worked_at > IDLE_S

    def _add_lane(self) -> None:
        lane = Lane()
        lane.worked_at = time.monotonic()
        with undisturbed():  # one that runs and is not known would be followed by another
            self._lanes.append(lane)
            if not lane.start(self._run):
                self._lanes.remove(lane)

    def _stop(self) -> None:
        self._active = False
        self._work.notify_all()
        self._news.ring()

    # under the lock

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
        if self._active and self._background:
            failing = self._outage.since is not None
            longest = self._exit_timeout_s
            self.close(min(longest, OUTAGE_EXIT_S) if failing else longest)
        else:
            self._lines.own.close()

    def before_fork(self) -> None:
        """Nothing: the child begins with a state of its own."""

    def after_fork(self) -> None:
        """In a forked child: leave the parent its queue, its threads and its connections."""
        self._sender.forget()
        for lane in self._lanes:
            lane.forget()
        self._lines.after_fork()
        self._start_from(len(self._outbox), None)


def _log(said: list[Said]) -> None:
    for level, text in said:
        logger.log(level, "%s", text)


def _nothing() -> None:
    return None
