"""Events go into a DuckDB file that Hutch opens, without holding anybody up."""

from __future__ import annotations

import logging
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from hutch_lineage.errors import CaptureError, StoreError
from hutch_lineage.model import Event
from hutch_lineage.plumbing import Spell, tell_of_forks

from .ahead import WriteAhead, left_behind
from .lines import events_among, set_aside
from .store import HutchStore
from .worker import LONGEST_CLOSE_S, NotNow, Worker

logger = logging.getLogger("hutch_lineage.transports")

BATCH: Final = 2000
LINGER_S: Final = 0.5


class EmbeddedTransport:
    """Keep events in a DuckDB file with Hutch's ``events`` table.

    ``send`` appends the event to a file beside it and returns; one thread inserts what has come,
    many rows at a time. When the process is killed, the next one that opens the file inserts what
    was left. In strict mode ``send`` inserts the event itself.

    Parameters
    ----------
    path : path
        The DuckDB file.
    strict : bool
        Raise where an event could not be stored.
    forgiving : bool
        Where another process has the file, wait for it instead of raising.

    Raises
    ------
    StoreBusyError
        Another process has the file open.
    StoreError
        The file cannot be used; in strict mode also where the disk does not let us.

    Examples
    --------
    >>> import tempfile
    >>> transport = EmbeddedTransport(Path(tempfile.mkdtemp(), "runs.duckdb"))
    >>> transport.flush()
    True
    >>> transport.close()
    """

    def __init__(self, path: str | Path, *, strict: bool = False, forgiving: bool = False) -> None:
        self.path = Path(path)
        self._strict = strict
        self._store = HutchStore(self.path)
        self._ahead = WriteAhead(self.path)
        self._worker: Worker[bytes] = Worker(
            "hutch-lineage-embedded", self._insert, batch=BATCH, linger_s=LINGER_S
        )
        self._lock = threading.Lock()
        self._store_lock = threading.Lock()
        self._trouble = Spell()  # with the store
        self._ahead_trouble = Spell()  # with the file beside it
        self._closed = False
        self._forked = False
        try:
            self._open()
        except StoreError as error:
            if strict or not forgiving:
                raise
            self._tell(str(error))
        except OSError as error:
            if strict:
                raise StoreError(f"{self.path} cannot be opened: {error}", str(path)) from error
            self._tell(f"{self.path} cannot be opened: {_reason(error)}")
        tell_of_forks(self)

    @property
    def waiting(self) -> int:
        """How many events are not in the DuckDB file yet."""
        return len(self._worker.items)

    @property
    def summary(self) -> str:
        """The file, and how many events are not in it yet."""
        return f"{self.path}" + (f", {self.waiting:,} waiting" if self.waiting else "")

    def send(self, event: Event) -> None:
        """Keep one event.

        Raises
        ------
        CaptureError
            In strict mode: it could not be stored.
        """
        line = event.__pydantic_serializer__.to_json(event)
        if self._strict and not (self._closed or self._forked):
            self._store_at_once(line)
            return
        with self._lock:
            if not (self._closed or self._forked):
                self._worker.add(line)
            try:
                self._ahead.append(line)
            except OSError as error:
                self._tell_of_ahead(error)

    def flush(self, timeout_s: float | None = None) -> bool:
        """Wait until all events are in the DuckDB file; return whether they are."""
        return self._worker.flush(timeout_s) if self._worker.items else True

    def close(self) -> None:
        """Store what is left, for 5 s at most, and close the file; it is whole then.

        What could not be stored stays in the file beside it, and is stored at the next start.
        """
        if self._closed or self._forked:
            with self._lock:
                self._ahead.close()
            return
        # the end of the interpreter must not come in the middle of DuckDB's work
        whole = self._worker.close(task_s=LONGEST_CLOSE_S)
        with self._lock:
            self._closed = True
            kept = self._ahead.path
            self._ahead.close()
        if not whole:
            left = len(self._worker.items)
            wait, are = ("it waits", "it is") if left == 1 else ("they wait", "they are")
            logger.warning(
                "%s not in %s%s; %s",
                "1 event is" if left == 1 else f"{left:,} events are",
                self.path,
                "" if self._trouble.lasts else f" ({self._worker.reason})",
                f"{wait} in {kept} for the next start with this file"
                if kept is not None and not self._ahead_trouble.lasts
                else f"{are} lost with this process",
            )
        if self._store_lock.acquire(timeout=0.2):  # else the thread is stuck in it: leave it be
            try:
                self._close_store()
            finally:
                self._store_lock.release()

    def __repr__(self) -> str:
        return f"EmbeddedTransport({str(self.path)!r}, {self.waiting} waiting)"

    def after_fork(self) -> None:
        """In a forked child: the DuckDB file is the parent's.

        The child's events go to a file of its own beside it, for the next start.
        """
        self._lock = threading.Lock()
        self._store_lock = threading.Lock()
        self._forked = True
        self._store.forget()
        self._ahead.after_fork()
        self._worker.after_fork()

    # -- the store -----------------------------------------------------------------------------

    def _open(self) -> None:
        with self._store_lock:
            self._store.open()
            self._take_over()

    def _close_store(self) -> None:
        try:
            if self._store.is_open:
                self._take_over()  # forked children and others may have left something meanwhile
            self._store.close()
        except OSError as error:
            logger.warning("closing %s: %s", self.path, error)

    def _insert(self, lines: list[bytes]) -> int:
        """Insert a batch, on the worker's thread."""
        try:
            with self._store_lock:
                if not self._store.is_open:
                    if self._closed:
                        raise NotNow("it is closed")
                    self._store.open()
                    self._take_over()
                self._insert_good(lines)
        except (OSError, StoreError) as error:
            self._tell(f"events cannot be stored in {self.path}: {_reason(error)}")
            raise NotNow(str(error)) from error
        if self._trouble.ends():
            logger.info("events are stored in %s again", self.path)
        with self._lock:
            if not self._closed:
                self._ahead.stored(len(lines), len(self._worker.items) - len(lines))
        return len(lines)

    def _insert_good(self, lines: Sequence[bytes]) -> None:
        """Insert events; those that the table cannot hold are set aside."""
        try:
            self._store.insert(lines)
        except ValueError as error:
            if len(lines) == 1:
                self._set_aside(lines, str(error))
                return
            middle = len(lines) // 2  # which one it is, only smaller batches can tell
            self._insert_good(lines[:middle])
            self._insert_good(lines[middle:])

    def _store_at_once(self, line: bytes) -> None:
        try:
            with self._store_lock:
                self._store.open()
                self._store.insert([line])
        except (OSError, ValueError) as error:
            raise CaptureError(f"an event was not stored in {self.path}: {error}") from error

    def _take_over(self) -> None:
        """Store what processes that are gone have left beside the file."""
        for left in left_behind(self.path):
            try:
                good, odd = events_among(left.lines())
                for start in range(0, len(good), BATCH):
                    self._insert_good(good[start : start + BATCH])
                if odd:
                    self._set_aside(odd, "they are no Hutch events")
            except BaseException:
                left.release()
                raise
            left.remove()
            if good:
                logger.info("%d events that were left in %s are stored", len(good), left.path)

    def _set_aside(self, lines: Sequence[bytes], reason: str) -> None:
        path = self.path.with_name(f"{self.path.name}.rejected.jsonl")
        set_aside(path, lines)
        logger.warning("%d lines were set aside in %s: %s", len(lines), path, reason)

    # -- what is told --------------------------------------------------------------------------

    def _tell(self, problem: str) -> None:
        if not self._trouble.begins():
            return
        try:
            with self._lock:
                self._ahead.begin()
        except OSError as error:
            self._ahead_trouble.begins()
            why = _reason(error)
            logger.warning(
                "%s. Nor can a file beside it be written%s: until one of them can, events are in "
                "memory only, and the end of the process loses them. Name another file with "
                "db_path or HUTCH_DB_PATH",
                problem,
                "" if why in problem else f" ({why})",
            )
            return
        logger.warning(
            "%s. Until the store can be used, events wait in this process and in a file beside it",
            problem,
        )

    def _tell_of_ahead(self, error: OSError) -> None:
        if self._ahead_trouble.begins():
            logger.warning(
                "events cannot be written beside %s (%s): until they are stored they are in memory "
                "only, and a process that is killed loses them",
                self.path,
                error,
            )


def _reason(error: Exception) -> str:
    """Return why, for a person: a number of the system's says nothing."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror + (f": {error.filename}" if error.filename else "")
    return str(error)
