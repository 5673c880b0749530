"""One thread that takes what callers leave, several at a time, so that they never wait."""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from itertools import islice
from typing import Final, Generic, TypeVar

from hutch_lineage.plumbing import Backoff, Spell

logger = logging.getLogger("hutch_lineage.transports")

LONGEST_CLOSE_S: Final = 5.0
IN_TROUBLE_CLOSE_S: Final = 1.0
"""How long an end may take where each try fails: the other side will not be back at once."""
_TRY_AGAIN_S: Final = 0.25

T = TypeVar("T")


class NotNow(Exception):  # noqa: N818 - no error of the program: the other side is away
    """What a task raises where its items have to wait. The message is the reason, for a person."""


class Worker(Generic[T]):
    """A queue, and a thread that empties it in batches.

    The thread starts with the first item. It waits a moment for more before it takes a batch, and
    longer and longer while its task cannot be done. Safe to use from several threads.

    Parameters
    ----------
    name : str
        The name of the thread.
    task : callable
        Gets a list of items, oldest first, on the thread, and returns how many of them are done
        with. Raises NotNow where they have to wait.
    batch : int
        The most items of one call.
    linger_s : float
        How long to wait for more, in seconds.
    backoff : Backoff, optional
        The waits while there is trouble.

    Attributes
    ----------
    items : deque
        What is not done yet, oldest first.
    trouble : str or None
        Why the task could not be done the last time.
    busy : bool
        Whether the task is at work just now.
    ended : bool
        Whether :meth:`close` waits no more: a long task does well to stop where it is.

    Examples
    --------
    >>> def show(numbers):
    ...     print(numbers)
    ...     return len(numbers)
    >>> worker = Worker("doc", show)
    >>> worker.add(1)
    >>> worker.close()
    [1]
    True
    """

    def __init__(
        self,
        name: str,
        task: Callable[[list[T]], int],
        *,
        batch: int = 2000,
        linger_s: float = 0.1,
        backoff: Backoff | None = None,
    ) -> None:
        self._name = name
        self._task = task
        self._batch = batch
        self._linger_s = linger_s
        self._backoff = backoff or Backoff(base_s=0.25, cap_s=5.0)
        self.trouble: str | None = None
        self._surprise = Spell()
        self.after_fork()

    def after_fork(self) -> None:
        """In a forked child: nothing waits, and there is no thread yet."""
        self.items: deque[T] = deque()
        self._lock = threading.Lock()
        self._changed = threading.Condition(self._lock)
        self._bell = threading.Event()
        self._thread: threading.Thread | None = None
        self._awake = False
        self._hurry = False
        self.busy = False
        self.ended = False

    def add(self, item: T) -> None:
        """Leave an item. Never blocks."""
        self.items.append(item)
        if not self._awake:
            self._ring()

    def flush(self, timeout_s: float | None = None) -> bool:
        """Wait until nothing is left; return whether that is so."""
        until = None if timeout_s is None else time.monotonic() + timeout_s
        self._hurry = True
        self._ring()
        with self._changed:
            while self.items:
                left_s = None if until is None else until - time.monotonic()
                if left_s is not None and left_s <= 0:
                    return False
                if self._thread is None or not self._thread.is_alive():
                    return False
                self._changed.wait(0.5 if left_s is None else min(left_s, 0.5))
        return True

    def close(self, timeout_s: float = LONGEST_CLOSE_S, *, task_s: float = 0.2) -> bool:
        """Flush, then end the thread; return whether nothing is left. An interrupt ends the wait.

        Parameters
        ----------
        timeout_s : float
            How long to flush.
        task_s : float
            How much longer to wait for a task that is under way.
        """
        try:
            if self.items:
                self._try_to_the_end(timeout_s)
        except KeyboardInterrupt:
            task_s = 0
        self.ended = True
        self._bell.set()
        thread = self._thread
        if thread is not None and thread is not threading.current_thread():
            with contextlib.suppress(KeyboardInterrupt):
                thread.join(task_s)
        return not self.items

    def _try_to_the_end(self, timeout_s: float) -> None:
        """Flush for so long while the task gets on, and for a moment where it only fails."""
        start = time.monotonic()
        while (left_s := start + timeout_s - time.monotonic()) > 0:
            if self.flush(min(left_s, _TRY_AGAIN_S)):  # each flush tries at once, whatever was
                return
            if self._thread is None or not self._thread.is_alive():
                return
            failing = self.trouble is not None and not self.busy
            if failing and time.monotonic() - start >= IN_TROUBLE_CLOSE_S:
                return

    @property
    def reason(self) -> str:
        """Why something is left after :meth:`close`, for a person."""
        no_time = "there was no time left"
        return no_time if self.busy else self.trouble or no_time

    def _ring(self) -> None:
        try:
            with self._lock:
                self._awake = True
                if (self._thread is None or not self._thread.is_alive()) and not self.ended:
                    thread = threading.Thread(target=self._run, name=self._name, daemon=True)
                    thread.start()
                    self._thread = thread
            self._bell.set()
        except RuntimeError:  # the interpreter is ending
            self._thread = None
            self._awake = False
        except BaseException:  # an interrupt: whoever adds next rings
            self._awake = False
            raise

    def _run(self) -> None:
        with self._lock:  # an interrupt while one began may have led to another
            former, self._thread = self._thread, threading.current_thread()
            if former not in (None, self._thread) and former.is_alive():
                self._thread = former
                return
        failures = 0
        while not self.ended:
            if not self.items:
                self._awake = False  # whoever adds from now on rings
                if not self.items:
                    self._bell.wait()
            self._awake = True
            self._bell.clear()
            if len(self.items) < self._batch and not (self._hurry or self.ended):
                self._bell.wait(self._linger_s)
                self._bell.clear()
            failures = 0 if self._once() else failures + 1
            if failures and not self.ended:
                self._bell.wait(self._backoff.wait_s(failures))

    def _once(self) -> bool:
        """Take a batch; return whether it went well."""
        items = list(islice(self.items, self._batch))
        done = 0
        trouble = None
        self.busy = True
        try:
            if items:
                done = self._task(items)
        except NotNow as error:
            trouble = str(error)
        except Exception as error:  # the thread must outlive whatever a task meets
            trouble = f"{type(error).__name__}: {error}"
            level = logging.WARNING if self._surprise.begins() else logging.DEBUG
            logger.log(level, "%s met %s; it tries again", self._name, trouble, exc_info=True)
        with self._changed:
            for _ in range(done):
                self.items.popleft()
            self.trouble = trouble
            self.busy = False
            if not self.items or trouble:
                self._hurry = False
            self._changed.notify_all()
        return trouble is None
