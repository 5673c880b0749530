"""The lanes of a courier: how many threads post at a time, and what each of them does next."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from typing import Final

from hutch_lineage.model import undisturbed

from .dispatch import Dispatch, Post
from .lane import Lane
from .seams import OnChange, Sender

logger = logging.getLogger("hutch_lineage.delivery")

SLOW_S: Final = 0.01
"""A backend that takes longer than this for a post gets several at a time, ..."""
IDLE_S: Final = 2.0
"""... and the further connections end when they had nothing to do for so long."""


class Lanes:
    """Threads that post what a dispatch gives out: one, and more where the backend is slow.

    Another one is started only where another run has events, since those of one run are never under
    way twice. Every method is called with the lock held, but for :attr:`awake`.

    Parameters
    ----------
    sender : Sender
        See below.
    most : int
        The most of them at a time.
    lock : threading.Lock
        Held while it is decided what goes out, and while an answer is taken in; not during a post.
    dispatch : Dispatch
        What goes out, and what an answer changes.
    on_progress : callable
        Called with the lock held, where something may be done now that callers wait for.
    on_end : callable
        Called with the lock held, when the last one ends.
    on_change : callable
        Called without the lock, after each post.

    Attributes
    ----------
    active : bool
        Whether they post; where not, each ends after the post that is under way.
    sender : Sender
        What the connections are made like.
    """

    def __init__(
        self,
        sender: Sender,
        most: int,
        *,
        lock: threading.Lock,
        dispatch: Dispatch,
        on_progress: Callable[[], None],
        on_end: Callable[[], None],
        on_change: OnChange,
    ) -> None:
        self.active = False
        self.sender = sender
        self._most = max(1, most)
        self._on_progress = on_progress
        self._on_end = on_end
        self._on_change = on_change
        self._begin(lock, dispatch)

    def _begin(self, lock: threading.Lock, dispatch: Dispatch) -> None:
        self._lock = lock
        self._work = threading.Condition(lock)
        self._dispatch = dispatch
        self._lanes: list[Lane] = []
        self._idle = 0
        self._pace_s = 0.0

    def after_fork(self, lock: threading.Lock, dispatch: Dispatch) -> None:
        """In a forked child: leave the parent its threads and its connections."""
        self.sender.forget()
        for lane in self._lanes:
            lane.forget()
        self._begin(lock, dispatch)

    def __len__(self) -> int:
        return len(self._lanes)

    @property
    def awake(self) -> bool:
        """Whether all that there are look once more before they rest. Needs no lock."""
        return bool(self._lanes) and not self._idle

    def wake(self) -> None:
        """Have a lane look what there is to post; the first call starts one."""
        if not self._lanes:
            self._add()
        elif self._idle:
            self._work.notify()

    def rouse(self) -> None:
        """Have all of them look, also those that wait for the end of an outage."""
        self._work.notify_all()

    def stop(self) -> None:
        """End each of them after the post that is under way."""
        self.active = False
        self._work.notify_all()

    def threads(self) -> list[Lane]:
        """Return those there are, to be waited for without the lock."""
        return list(self._lanes)

    # on their threads

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
            replies = lane.post(post.bodies, self.sender)
            now = time.monotonic()
            with self._lock:
                self._pace_s += (now - began - self._pace_s) / 4
                held_up = self._dispatch.failing
                lane.under_way = None
                said = self._dispatch.settle(post, replies, now, awaited=self.active)
                if held_up:
                    self.rouse()  # the others wait for this answer
                self._on_progress()
            for level, text in said:
                logger.log(level, "%s", text)
            self._on_change()

    def _await_post(self, lane: Lane) -> Post | None:
        """Return the next post once it is time for it; None when the lane has to end."""
        with self._lock:
            while self.active and not self._superfluous(lane):
                post = self._take(lane)
                if post is not None:
                    lane.under_way, lane.worked_at = post, time.monotonic()
                    self._share_work()
                    return post
            self._lanes.remove(lane)
            lane.close()
            if not self._lanes:
                self._on_end()
            return None

    def _take(self, lane: Lane) -> Post | None:
        """Take a post, or wait a while and return None."""
        now = time.monotonic()
        batch = lane.batch(self.sender)
        post = self._dispatch.take(batch, now)
        if post is not None:
            return post
        self._on_progress()
        wait_s = self._dispatch.wait_s(now)
        if self._dispatch.held_up(now):
            self._work.wait(wait_s)
            return None
        self._idle += 1  # first said, then looked: who appends finds it so, or is found (`awake`)
        try:
            post = self._dispatch.take(batch, now)
            if post is None:
                if len(self._lanes) > 1:
                    wait_s = min(IDLE_S, IDLE_S if wait_s is None else wait_s)
                self._work.wait(wait_s)
            return post
        finally:
            self._idle -= 1

    def _share_work(self) -> None:
        """Have another lane post what another run has, where that is worth it."""
        if self._idle:
            if self._dispatch.more():
                self._work.notify()
        elif self._pace_s > SLOW_S and len(self._lanes) < self._most and self._dispatch.more():
            self._add()

    def _superfluous(self, lane: Lane) -> bool:
        """Whether a lane can end: the others do without it."""
        if len(self._lanes) == 1:
            return False
        return self._pace_s < SLOW_S / 2 or time.monotonic() - lane.worked_at > IDLE_S

    def _add(self) -> None:
        lane = Lane()
        lane.worked_at = time.monotonic()
        with undisturbed():  # one that runs and is not known would be followed by another
            self._lanes.append(lane)
            if not lane.start(self._run):
                self._lanes.remove(lane)
