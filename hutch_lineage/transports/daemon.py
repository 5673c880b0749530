"""Events are posted to a Hutch server, without holding anybody up."""

from __future__ import annotations

import hashlib
import logging
import threading
import weakref
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from hutch_lineage.errors import DeliveryError, InvalidEventError
from hutch_lineage.model import Event, parse_event
from hutch_lineage.plumbing import tell_of_forks

from .ahead import WriteAhead, left_behind, set_aside
from .fallback import FallbackQueue
from .server import LARGEST_BODY, MOST_EVENTS, HutchServer, NotTakenError
from .worker import NotNow, Worker

logger = logging.getLogger("hutch_lineage.transports")

LINGER_S: Final = 0.05
_living: weakref.WeakSet[DaemonTransport] = weakref.WeakSet()
_WAITING: Final = b""
"""Stands in the worker's queue for everything that waits in files."""


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
        self._fallback = FallbackQueue(fallback) if fallback is not None else None
        self._beside: Path | None = None
        self._ahead: WriteAhead | None = None
        if fallback is not None:
            mark = hashlib.sha256(self._server.name.encode()).hexdigest()[:8]
            self._beside = fallback.with_name(f"{fallback.name}.{mark}")
            self._ahead = WriteAhead(self._beside)
        self._worker: Worker[bytes] = Worker(
            "hutch-lineage-daemon", self._work, batch=MOST_EVENTS, linger_s=LINGER_S
        )
        self._lock = threading.Lock()
        self._post_lock = threading.Lock()
        self._down = False
        self._spilled = 0
        self._told = False
        self._disk_told = False
        self._closed = False
        if self._left_over():
            self._worker.add(_WAITING)
        _living.add(self)
        tell_of_forks(self)

    @property
    def waiting(self) -> int:
        """How many events of this process the server has not taken yet."""
        return self._spilled + self._in_queue()

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
        with self._lock:
            if self._down and self._spill([line]):
                return
            if self._closed:
                return
            self._worker.add(line)
            if self._ahead is not None:
                try:
                    self._ahead.append(line)
                except OSError as error:
                    self._tell_of_disk(error)

    def flush(self, timeout_s: float | None = None) -> bool:
        """Wait until the server has taken all events; return whether it has."""
        return self._worker.flush(timeout_s) if self._worker.items else True

    def close(self) -> None:
        """Post what is left, for 5 s at most; what remains is put into the fallback queue."""
        if self._closed:
            return
        self._worker.close()
        with self._lock:
            self._closed = self._down = True
            lines = [line for line in list(self._worker.items) if line]
            if lines and self._spill(lines) and self._ahead is not None:
                self._ahead.stored(len(lines), 0)
                lines = []
            if self._ahead is not None:
                self._ahead.close()
            waiting = self._spilled + len(lines)
            if self._fallback is not None:
                place = f"wait in {self._fallback.path} for the next start"
            else:
                place = "are lost with this process"
        if waiting:
            logger.warning(
                "%d events were not taken by the Hutch server at %s (%s); they %s",
                waiting,
                self._server.name,
                self._worker.trouble or "there was no time left",
                place,
            )
        if self._post_lock.acquire(timeout=0.2):  # else the thread is in a post: leave it be
            self._server.close()
            if self._fallback is not None:
                self._fallback.close()
            self._post_lock.release()
        for other in list(_living):  # one that takes this one's place sends what it leaves
            if waiting and not other._closed and other._beside is not None:
                other._worker.add(_WAITING)

    def __repr__(self) -> str:
        return f"DaemonTransport({self._server.name!r}, {self.waiting} waiting)"

    def after_fork(self) -> None:
        """In a forked child: a connection and a file of its own; what waits is the parent's."""
        self._lock = threading.Lock()
        self._post_lock = threading.Lock()
        self._down = False
        self._spilled = 0
        self._server.close()
        self._worker.after_fork()
        if self._ahead is not None:
            self._ahead.after_fork()
        if self._fallback is not None:
            self._fallback.close()

    # -- on the worker's thread ----------------------------------------------------------------

    def _work(self, items: list[bytes]) -> int:
        with self._post_lock:
            if items[0] == _WAITING:
                self._send_waiting()
                return 1
            lines = _fitting(items[: self._server.most])
            try:
                self._post(lines)
            except NotTakenError as error:
                self._went_down(str(error))
                raise NotNow(str(error)) from error
            self._came_back(0)
        with self._lock:
            if self._ahead is not None and not self._closed:
                waits = self._in_queue()
                self._ahead.stored(len(lines), waits - len(lines))
        return len(lines)

    def _post(self, lines: Sequence[bytes]) -> None:
        """Post events; set aside those that are refused."""
        refused = self._server.post(lines)
        if not refused:
            return
        where = "lost"
        if self._fallback is not None:
            path = self._fallback.path.with_name(f"{self._fallback.path.name}.rejected")
            try:
                set_aside(path, [each.line for each in refused])
                where = f"set aside in {path}"
            except OSError as error:
                self._tell_of_disk(error)
        logger.warning(
            "the Hutch server at %s refused %d events (the first: %s); they are %s",
            self._server.name,
            len(refused),
            refused[0].reason,
            where,
        )

    def _went_down(self, reason: str) -> None:
        """Begin an outage: from now on events go straight into the fallback queue."""
        with self._lock:
            lines = [line for line in list(self._worker.items) if line]
            if not self._closed and self._spill(lines):
                self._down = True
                self._worker.items.clear()
                self._worker.items.append(_WAITING)
                if self._ahead is not None:
                    self._ahead.stored(len(lines), 0)
        self._tell(reason)

    def _send_waiting(self) -> None:
        """Send what waits in files, oldest first; then events are posted at once again."""
        sent = 0
        try:
            sent += self._send_left_behind()
            while True:
                sent += self._send_fallback()
                with self._lock:
                    if self._fallback is None or not self._down or self._fallback.is_empty:
                        self._down = self._closed
                        self._spilled = 0
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
            self._tell_of_disk(error)
            return
        finally:
            if self._fallback is not None:
                self._fallback.release()
        self._came_back(sent)

    def _send_left_behind(self) -> int:
        sent = 0
        for left in left_behind(self._beside) if self._beside is not None else ():
            try:
                lines = [line for line in left.lines() if _is_event(line)]
                start = 0
                while start < len(lines):
                    part = _fitting(lines[start : start + self._server.most])
                    self._post(part)
                    start += len(part)
            except NotTakenError:
                with self._lock:
                    spilled = self._spill(lines)
                if spilled:
                    left.remove()
                else:
                    left.release()
                raise
            except BaseException:
                left.release()
                raise
            left.remove()
            sent += len(lines)
        return sent

    def _send_fallback(self) -> int:
        sent = 0
        first = b"" if self._fallback is None else self._fallback.peek()
        if not _is_event(first) or self._server.post([first]):
            first = b""
        # as long as the server is away, the queue has stayed as it is
        while self._fallback is not None and (lines := self._fallback.take(self._server.most)):
            good = [line for line in lines if _is_event(line)]
            if len(good) < len(lines):
                logger.warning(
                    "%d lines of %s are no Hutch events: left out",
                    len(lines) - len(good),
                    self._fallback.path,
                )
            self._post(good[1:] if good[:1] == [first] else good)
            self._fallback.done()
            sent += len(good)
        return sent

    def _in_queue(self) -> int:
        return sum(1 for line in list(self._worker.items) if line)

    # -- files ---------------------------------------------------------------------------------

    def _left_over(self) -> bool:
        """Whether former processes may have left something; quick."""
        if self._fallback is None or self._beside is None:
            return False
        try:
            if not self._fallback.is_empty:
                return True
            for left in left_behind(self._beside):
                left.release()
                return True
        except OSError:
            pass
        return False

    def _spill(self, lines: Sequence[bytes]) -> bool:
        """Append events to the fallback queue; return whether that went well."""
        if self._fallback is None:
            return False
        try:
            self._fallback.append(lines)
        except OSError as error:
            self._tell_of_disk(error)
            return False
        self._spilled += len(lines)
        return True

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
        if self._told:
            return
        self._told = True
        kept = "in memory" if self._fallback is None else f"in {self._fallback.path}"
        logger.warning(
            "the Hutch server at %s does not take events: %s. They wait %s and are sent in order "
            "when it is back",
            self._server.name,
            reason,
            kept,
        )

    def _came_back(self, sent: int) -> None:
        if self._told:
            self._told = False
            logger.info(
                "the Hutch server at %s takes events again; %d that waited were sent",
                self._server.name,
                sent,
            )

    def _tell_of_disk(self, error: OSError) -> None:
        if self._disk_told:
            return
        self._disk_told = True
        logger.warning(
            "events cannot be written to disk (%s): while the Hutch server is away they are in "
            "memory only, and a process that is killed loses them",
            error,
        )


def _fitting(items: Sequence[bytes]) -> list[bytes]:
    """Return the first events, as many as one request may carry."""
    lines: list[bytes] = []
    size = 0
    for line in items:
        size += len(line) + 1
        if line == _WAITING or (lines and size > LARGEST_BODY):
            break
        lines.append(line)
    return lines


def _is_event(line: bytes) -> bool:
    try:
        parse_event(line)
    except InvalidEventError:
        return False
    return True
