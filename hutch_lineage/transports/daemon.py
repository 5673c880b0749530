"""Events are posted to a Hutch server, without holding anybody up."""

from __future__ import annotations

import logging
import threading
import weakref
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from hutch_lineage.errors import DeliveryError
from hutch_lineage.model import Event
from hutch_lineage.plumbing import Spell, counted, tell_of_forks

from .backlog import Backlog
from .server import MOST_EVENTS, HutchServer, NotTakenError
from .worker import LONGEST_CLOSE_S, NotNow, Worker

logger = logging.getLogger("hutch_lineage.transports")

LINGER_S: Final = 0.05
LAST_POST_S: Final = 1.0
"""So much of the time of an end is for the post that is under way then."""
_living: weakref.WeakSet[DaemonTransport] = weakref.WeakSet()
_WAITING: Final = b""
"""Stands in the worker's queue for everything that waits in the backlog."""


class DaemonTransport:
    """Post events to a running ``hutch serve``.

    ``send`` appends the event to a file and returns; one thread posts what has come, several events
    in one request. While the server is away, events go into Hutch's fallback queue; they are sent
    first, in order, when it is back. The server knows an event by its id, so one that is posted
    twice is stored once. In strict mode ``send`` posts the event itself.

    Parameters
    ----------
    url : str
        Where the server is.
    token : str, optional
        Its bearer token.
    timeout_s : float
        Time limit of one request, in seconds.
    fallback : path, optional
        The fallback queue. None: while the server is away events are in memory only.
    strict : bool
        Raise where an event was not taken.

    Examples
    --------
    >>> transport = DaemonTransport("http://127.0.0.1:9", token="secret")
    >>> transport
    DaemonTransport('http://127.0.0.1:9', 0 waiting)
    >>> transport.close()
    """

    def __init__(
        self,
        url: str,
        *,
        token: str | None = None,
        timeout_s: float = 5.0,
        fallback: Path | None = None,
        strict: bool = False,
    ) -> None:
        self._server = HutchServer(url, token, timeout_s)
        self._strict = strict
        self._backlog = Backlog(self._server, fallback)
        self._worker: Worker[bytes] = Worker(
            "hutch-lineage-daemon", self._work, batch=MOST_EVENTS, linger_s=LINGER_S
        )
        self._post_lock = threading.Lock()
        self._down = False
        self._outage = Spell()
        self._closed = False
        if self._backlog.may_hold_more():
            self._worker.add(_WAITING)
        _living.add(self)
        tell_of_forks(self)

    @property
    def waiting(self) -> int:
        """How many events of this process the server has not taken yet."""
        return self._backlog.waiting + self._in_memory()

    @property
    def summary(self) -> str:
        """The server, and how many events it has not taken."""
        place = f"the Hutch server at {self._server.name}"
        return place + (f", {self.waiting:,} waiting" if self.waiting else "")

    def send(self, event: Event) -> None:
        """Keep one event.

        Raises
        ------
        DeliveryError
            In strict mode: the server did not take it.
        """
        line = event.__pydantic_serializer__.to_json(event)
        if self._strict and not self._closed:
            self._post_at_once(line)
            return
        backlog = self._backlog
        with backlog.lock:
            if self._down and backlog.put([line]):
                return
            if self._closed:
                return
            self._worker.add(line)
            backlog.note(line)

    def flush(self, timeout_s: float | None = None) -> bool:
        """Wait until the server has taken all events; return whether it has."""
        return self._worker.flush(timeout_s) if self._worker.items else True

    def close(self) -> None:
        """Post what is left, for 5 s at most; what remains is put into the fallback queue.

        It is tried at once. Where the server is away, that is seen within a second.
        """
        if self._closed:
            return
        self._worker.close(LONGEST_CLOSE_S - LAST_POST_S, task_s=LAST_POST_S)
        backlog = self._backlog
        with backlog.lock:
            self._closed = self._down = True
            lines = [line for line in list(self._worker.items) if line]
            if lines and backlog.put(lines):
                backlog.stored(len(lines), 0)
                lines = []
            notes = backlog.close_notes()
            queued = backlog.left()
            waiting = min(backlog.waiting, sum(queued.values())) + len(lines)
        if waiting:
            self._tell_what_is_left(waiting, [notes] if lines else list(queued))
        if self._post_lock.acquire(timeout=0.2):  # else the thread is in a post: leave it be
            self._server.close()
            backlog.close_queue()
            self._post_lock.release()
        for other in list(_living):  # one that takes this one's place sends what it leaves
            if waiting and not other._closed and other._backlog.path is not None:
                other._worker.add(_WAITING)

    def __repr__(self) -> str:
        return f"DaemonTransport({self._server.name!r}, {self.waiting} waiting)"

    def after_fork(self) -> None:
        """In a forked child: a connection and a file of its own; what waits is the parent's."""
        self._post_lock = threading.Lock()
        self._down = False
        self._server.forget()
        self._worker.after_fork()
        self._backlog.after_fork()

    # -- on the worker's thread ----------------------------------------------------------------

    def _work(self, items: list[bytes]) -> int:
        with self._post_lock:
            if items[0] == _WAITING:
                self._send_waiting()
                return 1
            following = items[: items.index(_WAITING)] if _WAITING in items else items
            lines = self._server.fitting(following)
            try:
                self._backlog.post(lines)
            except NotTakenError as error:
                self._went_down(str(error))
                raise NotNow(str(error)) from error
            self._came_back(0)
        with self._backlog.lock:
            if not self._closed:
                self._backlog.stored(len(lines), self._in_memory() - len(lines))
        return len(lines)

    def _went_down(self, reason: str) -> None:
        """Begin an outage: from now on events go straight into the fallback queue."""
        backlog = self._backlog
        with backlog.lock:
            lines = [line for line in list(self._worker.items) if line]
            if not self._closed and backlog.put(lines):
                self._down = True
                self._worker.items.clear()
                self._worker.items.append(_WAITING)
                backlog.stored(len(lines), 0)
        self._tell(reason)

    def _send_waiting(self) -> None:
        """Send what waits in files, oldest first; then events are posted at once again."""
        backlog = self._backlog
        try:
            sent = backlog.send_left_behind()
            while True:
                sent += backlog.send_queue(lambda: not self._worker.ended)
                with backlog.lock:
                    if self._worker.ended and not backlog.is_empty:
                        raise NotNow("there was no time left")
                    if not self._down or backlog.is_empty:
                        self._down = self._closed
                        backlog.waiting = 0
                        break
        except NotTakenError as error:
            self._went_down(str(error))
            raise NotNow(str(error)) from error
        except BlockingIOError as error:
            if self._down:
                raise NotNow("another process sends what waits") from error
            return  # it sends them; what is new need not wait for it
        except OSError as error:
            if self._down:
                raise NotNow(str(error)) from error
            logger.warning("what waits in %s cannot be read: %s", backlog.path, error)
            return
        finally:
            backlog.release()
        self._came_back(sent)

    def _in_memory(self) -> int:
        return sum(1 for line in list(self._worker.items) if line)

    def _post_at_once(self, line: bytes) -> None:
        try:
            with self._post_lock:
                refused = self._server.post([line])
        except NotTakenError as error:
            raise DeliveryError(
                f"the Hutch server at {self._server.name} did not take an event: {error}",
                self._server.name,
                error.status,
            ) from error
        if refused:
            raise DeliveryError(
                f"the Hutch server at {self._server.name} refused an event: {refused[0].reason}",
                self._server.name,
            )

    # -- what is told --------------------------------------------------------------------------

    def _tell(self, reason: str) -> None:
        if not self._outage.begins():
            return
        path = self._backlog.path
        kept = f"in {path}" if path is not None and self._down else "in memory"
        logger.warning(
            "the Hutch server at %s does not take events: %s. They wait %s and are sent in order "
            "when it is back",
            self._server.name,
            reason,
            kept,
        )

    def _tell_what_is_left(self, count: int, files: Sequence[Path | None]) -> None:
        one = count == 1
        places = " and ".join(str(path) for path in files if path is not None)
        logger.warning(
            "%s %s not taken by the Hutch server at %s (%s); %s",
            counted(count),
            "was" if one else "were",
            self._server.name,
            self._worker.reason,
            f"{'it waits' if one else 'they wait'} in {places} for the next start with a server, "
            "or for `hutch-lineage flush`"
            if places
            else f"{'it is' if one else 'they are'} lost with this process",
        )

    def _came_back(self, sent: int) -> None:
        if self._outage.ends():
            logger.info(
                "the Hutch server at %s takes events again; %s that waited %s sent",
                self._server.name,
                counted(sent),
                "was" if sent == 1 else "were",
            )
