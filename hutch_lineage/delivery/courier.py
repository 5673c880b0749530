"""The courier: one thread that brings an outbox to a sender, in order."""

from __future__ import annotations

import contextlib
import logging
import math
import threading
import time
from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import Final, NamedTuple

from hutch_lineage.errors import DeliveryError
from hutch_lineage.model import undisturbed
from hutch_lineage.plumbing import EXIT_TIMEOUT_S, Backoff, register

from .line import Line
from .outage import Outage, Said
from .replies import Reply
from .seams import (
    Adoption,
    DeliveryState,
    DeliveryStats,
    LeftBehind,
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


class _Post(NamedTuple):
    """What is posted next: of which line, which events, and their bodies."""

    line: Line
    indices: list[int]
    bodies: list[bytes]


class Courier:
    """Brings event bodies to one endpoint: first in, first out, one post under way at a time.

    A daemon thread, started by the first body, waits on a condition. A post that fails is tried
    again, later and later, until it succeeds, so the order is kept and nothing is lost while the
    process lives; a body that the backend rejects is set aside and the next one follows. Callers
    never wait for the network, except in :meth:`drain`, :meth:`flush` and :meth:`close`.

    Thread-safe. A forked child sends only what its own process appends, on its own connection.

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
    ) -> None:
        self._outbox = outbox
        self._sender = sender
        self._name = name
        self._backoff = backoff or Backoff()
        self._on_change = on_change or _nothing
        self._adoption = adoption
        self._journal = journal
        self._exit_timeout_s = exit_timeout_s
        self._start_from(start, record)
        self._active = False
        self._background = True
        register(self)

    def _start_from(self, position: int, record: Record | None) -> None:
        # the lock is taken by itself: an interrupt between the steps of a Condition would keep it
        self._lock = threading.Lock()
        self._cond = threading.Condition(self._lock)  # for the thread of delivery, which has none
        self._bells: set[SimpleQueue[None]] = set()
        self._posting = threading.Lock()
        self._thread: threading.Thread | None = None
        self._idle = False
        self._line = Line(self._outbox, position, record)
        self._adopted: tuple[LeftBehind, Line] | None = None
        self._looking = False
        self._post: _Post | None = None
        self._retired: list[Sender] = []
        self._outage = Outage(self._name)
        self._outage.journal = self._journal if record is not None else None
        self._retry_at = 0.0
        self._hurry = False
        self._sent = self._failed = self._sent_adopted = 0

    # what the emitter calls

    def resume(self, *, background: bool = True) -> None:
        """Start, or go on, from the first body that is still owed."""
        with self._lock:
            self._active = True
            self._background = background
            self._retry_at = 0.0
            if self._adoption is not None and background and self._adopted is None:
                self._looking = self._adoption.any()
        self.wake()

    def pause(self) -> None:
        """Stop after the post under way; what is left stays owed."""
        with self._lock:
            self._active = False
            self._tell()

    def wake(self) -> None:
        """Say that the outbox has grown."""
        if self._thread is not None and not self._idle:
            return  # it looks once more before it rests
        with self._lock:
            if not (self._active and self._background) or not self._has_work():
                return
            if self._thread is None:
                self._start_thread()
            elif self._idle:
                self._cond.notify()

    def drain(self) -> None:
        """Post what is owed on the caller's thread.

        Raises
        ------
        DeliveryError
            The backend did not accept a body. A rejected one is set aside; any other stays owed
            and is the first of the next call.
        """
        with self._posting:
            while (post := self._peek()) is not None:
                reply = self._sender.send(post.bodies[0])
                with undisturbed():
                    self._settle(post, [reply], quiet=True)
                if reply.verdict != "accepted":
                    raise DeliveryError(
                        f"{self._name} did not accept an OpenLineage event: {reply.reason}; "
                        "unset HUTCH_STRICT to go on without it",
                        self._name,
                        reply.status,
                    )

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
            self._hurry = not self._reached(mark)
            self._tell()
        self._wait_for(lambda: self._reached(mark) or not self._active, timeout_s)
        with self._lock:
            return self._reached(mark) and not self._line.refused

    def close(self, timeout_s: float | None = 5.0) -> bool:
        """Flush, then pause and free the connection; return whether all was accepted.

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
            self._active = False
            self._tell()
            thread = self._thread
            left = self._line.owed
            if thread is None:
                self._close_senders()
                self._let_go_of_adopted()
        if thread not in (None, threading.current_thread()) and not left:
            thread.join(1.0)  # nothing under way: it only has to close its connection
        with self._lock:
            journaled = self._outage.journal is not None
            complete = self._line.close()
        if left and self._background:
            kept = journaled and not complete
            logger.warning("%s", self._outage.left_behind(left, kept=kept))

    def use(self, sender: Sender) -> None:
        """Post through another sender from now on, and offer once more what was refused."""
        with self._lock:
            self._retired.append(self._sender)  # a post may be under way on it
            self._sender = sender
            self._retry_at = 0.0
            self._line.offer_again()
            self._tell()

    def owed_from(self) -> int:
        """Return the position of the first event that is owed, or will be."""
        with self._lock:
            return self._line.first_owed

    def write_to(self, record: Record) -> None:
        """Note progress in another journal from now on."""
        with self._lock:
            self._line.write_to(record)
            self._outage.journal = self._journal

    def release(self) -> None:
        """Stop, and let go of the journal: the next start may send what is left."""
        with self._lock:
            self._active = False
            self._line.close()
            self._tell()

    def send_rejected(self) -> int:
        """Offer once more what was refused; return how many events that is."""
        with self._lock, undisturbed():
            count = self._line.offer_again()
            self._tell()
        self.wake()
        return count

    def rejected(self) -> list[Rejected]:
        """Return what was refused, oldest first; the last 10,000 are kept."""
        with self._lock:
            return list(self._line.rejected)

    def postings(self, start: int, stop: int) -> list[Posting]:
        """Return where the events at these positions of the outbox are; see `Delivery`."""
        with self._lock:
            return self._line.postings(start, stop)

    def stats(self) -> DeliveryStats:
        """Return the figures of this endpoint."""
        with self._lock:
            line = self._line
            queued = line.owed
            left = self._adopted[1].owed if self._adopted is not None else 0
            state: DeliveryState = "waiting" if queued or left else "ok"
            if self._outage.since is not None:
                state = "failing"
            last = self._outage.reason or (line.rejected[-1].reason if line.rejected else None)
            return DeliveryStats(
                self._sent,
                queued,
                self._failed,
                line.refused,
                last,
                state,
                self._sent_adopted,
                left,
            )

    # the thread

    def _start_thread(self) -> None:
        thread = threading.Thread(target=self._run, name="hutch-lineage-courier", daemon=True)
        try:
            with undisturbed():  # one that runs and is not known would be followed by another
                thread.start()
                self._thread = thread
        except RuntimeError as error:  # no more threads, or the interpreter is ending
            logger.debug("no delivery thread: %s", error)

    def _run(self) -> None:
        # when there is no post, _await_post has taken this thread off the record
        while (post := self._await_post()) is not None:
            try:
                if len(post.bodies) == 1:
                    replies = [self._sender.send(post.bodies[0])]
                else:
                    replies = self._sender.send_batch(post.bodies)
            except Exception as error:  # a sender never raises; one that does must not end this
                replies = [Reply("retry", None, type(error).__name__)] * len(post.bodies)
            self._settle(post, replies)

    def _await_post(self) -> _Post | None:
        """Return the next post once it is time for it; None when the thread has to end."""
        with self._lock:
            while self._active:
                wait_s = self._retry_at - time.monotonic() if self._retry_at else 0.0
                if wait_s > 0 and not self._hurry:
                    self._cond.wait(wait_s)
                    continue
                post = self._take()
                if post is not None:
                    self._hurry = False
                    return post
                self._idle = True  # first said, then looked: see wake()
                if not self._has_work():
                    self._cond.wait()
                self._idle = False
            self._close_senders()
            self._let_go_of_adopted()
            self._thread = None
            self._tell()
            return None

    def _settle(self, post: _Post, replies: list[Reply], *, quiet: bool = False) -> None:
        said: list[Said | None] = []
        with self._lock:
            verdicts = {reply.verdict for reply in replies}
            if verdicts == {"retry"}:
                said += self._postpone(post, replies[0])
            else:
                if verdicts == {"accepted"}:
                    self._accept(post.line, post.indices[: len(replies)])
                else:
                    for index, reply in zip(post.indices, replies, strict=False):
                        said += self._advance(post.line, index, reply)
                self._retry_at = 0.0
                if self._outage.since is not None:
                    said.append(self._outage.answered(self._owed()))
            self._tell()
        if not quiet:
            for each in said:
                if each is not None:
                    logger.log(each[0], "%s", each[1])
        self._on_change()

    def _postpone(self, post: _Post, reply: Reply) -> list[Said | None]:
        self._failed += 1
        if not self._active:  # paused meanwhile: nobody waits, so there is no outage to tell of
            return []
        refused = post.line.refused
        if post.line.postponed(post.indices[0], reply):
            self._retry_at = 0.0
            if post.line.refused == refused:
                return []
            return [self._outage.rejected(post.line.rejected[-1].reason)]
        said = self._outage.failed(reply.reason)
        wait_s = max(self._backoff.wait_s(self._outage.failures), reply.wait_s or 0.0)
        self._retry_at = time.monotonic() + wait_s
        return [said]

    def _accept(self, line: Line, indices: list[int]) -> None:
        if line is self._line:
            self._sent += len(indices)
        else:
            self._sent_adopted += len(indices)
        line.accepted(indices)

    def _advance(self, line: Line, index: int, reply: Reply) -> list[Said | None]:
        """Note one reply of several that are not alike."""
        if reply.verdict == "accepted":
            self._accept(line, [index])
        elif reply.verdict == "rejected":
            line.reject(index, reply)
            return [self._outage.rejected(reply.reason)]
        else:
            self._failed += 1
            line.put_back(index)
        return []

    def _wait_for(self, reached: Callable[[], bool], timeout_s: float | None) -> None:
        """Wait on a caller's thread, and hold nothing: an interrupt may come at any moment."""
        end = math.inf if timeout_s is None else time.monotonic() + timeout_s
        bell: SimpleQueue[None] = SimpleQueue()
        try:
            self._bells.add(bell)
            while (left_s := end - time.monotonic()) > 0:
                with self._lock:
                    if reached():
                        return
                with contextlib.suppress(Empty):
                    bell.get(timeout=min(left_s, threading.TIMEOUT_MAX))
        finally:
            self._bells.discard(bell)

    # under the lock

    def _tell(self) -> None:
        """Wake whoever waits for a change."""
        self._cond.notify_all()
        for bell in tuple(self._bells):
            bell.put(None)

    def _peek(self) -> _Post | None:
        with self._lock:
            return self._take(limit=1)

    def _take(self, limit: int | None = None) -> _Post | None:
        while self._retired:
            self._retired.pop().close()
        batch = self._sender.batch if limit is None else limit
        while (line := self._current_line()) is not None:
            post = self._read(line, batch)
            if post is not None:
                return post
        return None

    def _read(self, line: Line, limit: int) -> _Post | None:
        indices, bodies = [], []
        for index in line.choose(limit):
            try:
                bodies.append(line.read(index))
                indices.append(index)
            except LookupError:
                line.skip(index)
        return _Post(line, indices, bodies) if bodies else None

    def _current_line(self) -> Line | None:
        """Return the line that has something to send: what was left behind comes first."""
        if self._looking or self._adopted is not None:
            while self._adopted is None or not self._adopted[1].owed:
                # one that cannot be finished, since the disk is full, would be found again
                whole = self._let_go_of_adopted()
                found = self._adoption.take() if whole and self._adoption is not None else None
                if found is None:
                    self._looking = False
                    break
                self._adopted = found, Line(found, found.start, found)
            if self._adopted is not None:
                return self._adopted[1]
        return self._line if self._line.owed else None

    def _let_go_of_adopted(self) -> bool:
        """Give free what was taken over; return whether nothing of it is left."""
        adopted, self._adopted = self._adopted, None
        return True if adopted is None else adopted[0].finish()

    def _has_work(self) -> bool:
        return self._looking or self._adopted is not None or self._line.owed > 0

    def _close_senders(self) -> None:
        for sender in (self._sender, *self._retired):
            sender.close()
        self._retired.clear()

    def _owed(self) -> int:
        return self._line.owed + (self._adopted[1].owed if self._adopted is not None else 0)

    def _reached(self, mark: int) -> bool:
        return self._line.reached(mark) and not self._looking and self._adopted is None

    def _done(self) -> bool:
        with self._lock:
            return self._line.owed == 0 and not self._line.refused

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
            self._line.close()

    def before_fork(self) -> None:
        """Nothing: the child begins with a state of its own."""

    def after_fork(self) -> None:
        """In a forked child: leave the parent its queue, its thread and its connection."""
        self._sender.forget()
        if self._adopted is not None:
            self._adopted[0].after_fork()
        self._start_from(len(self._outbox), None)


def _nothing() -> None:
    return None
