"""The courier: one thread that brings an outbox to a sender, in order."""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Iterable
from typing import Final

from hutch_lineage.errors import DeliveryError

from .backoff import Backoff
from .lifetime import register
from .outage import Outage
from .replies import Reply
from .seams import (
    DeliveryState,
    DeliveryStats,
    OnChange,
    Outbox,
    Posting,
    Rejected,
    Sender,
)

logger = logging.getLogger("hutch_lineage.delivery")

MAX_REJECTED: Final = 10_000
MEMORY, QUEUED, SENT = Posting("memory"), Posting("queued"), Posting("sent")
FORGOTTEN: Final = Posting("rejected", None, f"one of more than {MAX_REJECTED:,}: not kept")


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
    ) -> None:
        self._outbox = outbox
        self._sender = sender
        self._name = name
        self._backoff = backoff or Backoff()
        self._on_change = on_change or _nothing
        self._start_from(start)
        self._active = False
        self._background = True
        register(self)

    def _start_from(self, position: int) -> None:
        self._cond = threading.Condition()
        self._posting = threading.Lock()
        self._thread: threading.Thread | None = None
        self._idle = False
        self._first = self._next = position
        self._again: deque[int] = deque()
        self._current = -1
        self._retired: list[Sender] = []
        self._outage = Outage(self._name)
        self._retry_at = 0.0
        self._hurry = False
        self._sent = self._failed = self._refused = 0
        self._rejected: deque[Rejected] = deque(maxlen=MAX_REJECTED)
        self._forgotten: set[int] = set()

    # what the emitter calls

    def resume(self, *, background: bool = True) -> None:
        """Start, or go on, from the first body that is still owed."""
        with self._cond:
            self._active = True
            self._background = background
            self._retry_at = 0.0
        self.wake()

    def pause(self) -> None:
        """Stop after the post under way; what is left stays owed."""
        with self._cond:
            self._active = False
            self._cond.notify_all()

    def wake(self) -> None:
        """Say that the outbox has grown."""
        with self._cond:
            if not (self._active and self._background) or self._owed() == 0:
                return
            if self._thread is None:
                self._start_thread()
            elif self._idle:
                self._cond.notify_all()

    def drain(self) -> None:
        """Post what is owed on the caller's thread.

        Raises
        ------
        DeliveryError
            The backend did not accept a body. A rejected one is set aside; any other stays owed
            and is the first of the next call.
        """
        with self._posting:
            while (body := self._peek()) is not None:
                reply = self._sender.send(body)
                self._settle(reply, quiet=True)
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
        with self._cond:
            mark = len(self._outbox)
            self._hurry = not self._reached(mark)
            self._cond.notify_all()
            self._cond.wait_for(lambda: self._reached(mark) or not self._active, timeout_s)
            return self._reached(mark) and not self._refused

    def close(self, timeout_s: float | None = 5.0) -> bool:
        """Flush, then pause and free the connection; return whether all was accepted."""
        done = self.flush(timeout_s) if self._active and self._background else self._done()
        with self._cond:
            self._active = False
            self._cond.notify_all()
            thread = self._thread
            left = self._owed()
            if thread is None:
                self._close_senders()
        if thread not in (None, threading.current_thread()) and not left:
            thread.join(1.0)  # nothing under way: it only has to close its connection
        if left and self._background:
            logger.warning("%s", self._outage.left_behind(left))
        return done

    def use(self, sender: Sender) -> None:
        """Post through another sender from now on, and offer once more what was refused."""
        with self._cond:
            self._retired.append(self._sender)  # a post may be under way on it
            self._sender = sender
            self._retry_at = 0.0
            self._offer_again()
            self._cond.notify_all()

    def send_rejected(self) -> int:
        """Offer once more what was refused; return how many events that is."""
        with self._cond:
            count = self._offer_again()
            self._cond.notify_all()
        self.wake()
        return count

    def rejected(self) -> list[Rejected]:
        """Return what was refused, oldest first; the last 10,000 are kept."""
        with self._cond:
            return list(self._rejected)

    def postings(self, start: int, stop: int) -> list[Posting]:
        """Return where the events at these positions of the outbox are; see `Delivery`."""
        with self._cond:
            stop = min(stop, len(self._outbox))
            found = [
                MEMORY if index < self._first else SENT if index < self._next else QUEUED
                for index in range(start, stop)
            ]
            for index in self._again:
                if start <= index < stop:
                    found[index - start] = QUEUED
            for item in self._rejected:
                if start <= item.index < stop:
                    found[item.index - start] = Posting("rejected", item.status, item.reason)
            if self._forgotten:
                for index in self._forgotten.intersection(range(start, stop)):
                    found[index - start] = FORGOTTEN
            return found

    def stats(self) -> DeliveryStats:
        """Return the figures of this endpoint."""
        with self._cond:
            queued = self._owed()
            state: DeliveryState = "waiting" if queued else "ok"
            if self._outage.since is not None:
                state = "failing"
            last = self._outage.reason or (self._rejected[-1].reason if self._rejected else None)
            return DeliveryStats(self._sent, queued, self._failed, self._refused, last, state)

    # the thread

    def _start_thread(self) -> None:
        thread = threading.Thread(target=self._run, name="hutch-lineage-courier", daemon=True)
        try:
            thread.start()
        except RuntimeError as error:  # no more threads, or the interpreter is ending
            logger.debug("no delivery thread: %s", error)
            return
        self._thread = thread

    def _run(self) -> None:
        # when there is no body, _await_body has taken this thread off the record
        while (body := self._await_body()) is not None:
            try:
                reply = self._sender.send(body)
            except Exception as error:  # a sender never raises; one that does must not end this
                reply = Reply("retry", None, type(error).__name__)
            self._settle(reply)

    def _await_body(self) -> bytes | None:
        """Return the next body once it may be posted; None when the thread has to end."""
        with self._cond:
            while self._active:
                wait_s = self._retry_at - time.monotonic() if self._retry_at else 0.0
                if wait_s > 0 and not self._hurry:
                    self._cond.wait(wait_s)
                elif self._index() is not None:
                    self._hurry = False
                    return self._take()
                else:
                    self._idle = True
                    self._cond.wait()
                    self._idle = False
            self._close_senders()
            self._thread = None
            self._cond.notify_all()
            return None

    def _settle(self, reply: Reply, *, quiet: bool = False) -> None:
        with self._cond:
            lines = self._postpone(reply) if reply.verdict == "retry" else self._advance(reply)
            self._cond.notify_all()
        if not quiet:
            for level, line in lines:
                logger.log(level, "%s", line)
        self._on_change()

    def _postpone(self, reply: Reply) -> list[tuple[int, str]]:
        self._failed += 1
        if not self._active:  # paused meanwhile: nobody waits, so there is no outage to tell of
            return []
        line = self._outage.failed(reply.reason)
        wait_s = max(self._backoff.wait_s(self._outage.failures), reply.wait_s or 0.0)
        self._retry_at = time.monotonic() + wait_s
        return [(logging.WARNING, line)] if line else []

    def _advance(self, reply: Reply) -> list[tuple[int, str]]:
        lines: list[tuple[int, str]] = []
        index = self._current
        if index == self._next:
            self._next += 1
        else:
            self._again.remove(index)
        self._retry_at = 0.0
        if reply.verdict == "accepted":
            self._sent += 1
        else:
            self._refused += 1
            if len(self._rejected) == MAX_REJECTED:
                self._forgotten.add(self._rejected[0].index)
            self._rejected.append(Rejected(index, reply.status, reply.reason))
            line = self._outage.rejected(reply.reason)
            lines += [(logging.WARNING, line)] if line else []
        recovered = self._outage.answered(self._owed())
        lines += [(logging.INFO, recovered)] if recovered else []
        return lines

    # under the lock

    def _peek(self) -> bytes | None:
        with self._cond:
            return None if self._index() is None else self._take()

    def _take(self) -> bytes:
        while self._retired:
            self._retired.pop().close()
        self._current = self._again[0] if self._again else self._next
        return self._outbox.read(self._current)

    def _close_senders(self) -> None:
        for sender in (self._sender, *self._retired):
            sender.close()
        self._retired.clear()

    def _index(self) -> int | None:
        if self._again:
            return self._again[0]
        return self._next if self._next < len(self._outbox) else None

    def _owed(self) -> int:
        return len(self._again) + len(self._outbox) - self._next

    def _reached(self, mark: int) -> bool:
        return self._next >= mark and not self._again

    def _done(self) -> bool:
        with self._cond:
            return self._owed() == 0 and not self._refused

    def _offer_again(self) -> int:
        indices: Iterable[int] = (item.index for item in self._rejected)
        self._again = deque(sorted({*self._again, *indices}))
        count = len(self._rejected)
        self._refused -= count
        self._rejected.clear()
        return count

    # process life

    def at_exit(self, timeout_s: float) -> None:
        """Bring what is left, within a bounded time, before the interpreter ends."""
        if self._active and self._background and self._owed():
            failing = self._outage.since is not None
            self.close(min(timeout_s, 1.0) if failing else timeout_s)

    def before_fork(self) -> None:
        """Nothing: the child begins with a state of its own."""

    def after_fork(self) -> None:
        """In a forked child: leave the parent its queue, its thread and its connection."""
        self._sender.forget()
        self._start_from(len(self._outbox))


def _nothing() -> None:
    return None
