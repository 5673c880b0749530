"""The DuckDB file with Hutch's ``events`` table, which ``hutch serve`` and Hutch's readers open."""

from __future__ import annotations

import contextlib
import ctypes
import logging
import os
import re
import socket
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from hutch_lineage.errors import StoreBusyError, StoreError

from .ahead import writers

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

logger = logging.getLogger("hutch_lineage.transports")

# The table and its indexes as of Hutch's first migration. Hutch adds its other tables when it opens
# the file; it makes what is missing, and finds this one.
_TABLE: Final = (
    "CREATE TABLE IF NOT EXISTS events (event_id UUID PRIMARY KEY, event_kind VARCHAR NOT NULL, "
    "run_id VARCHAR NOT NULL, timestamp_ns BIGINT NOT NULL, stream_id VARCHAR, worker_id VARCHAR, "
    "span_id VARCHAR, trace_id VARCHAR, payload JSON NOT NULL)",
    "CREATE INDEX IF NOT EXISTS events_run_idx ON events (run_id, timestamp_ns)",
    "CREATE INDEX IF NOT EXISTS events_kind_idx ON events (event_kind)",
)
_FIELDS: Final = (
    *("event_id", "event_kind", "run_id", "timestamp_ns"),
    *("stream_id", "worker_id", "span_id", "trace_id"),
)
# DuckDB takes one text apart itself, into events and their fields: twice as fast as columns made
# here, and meanwhile the threads of the search have the interpreter to themselves.
_INSERT: Final = (
    f"INSERT INTO events ({', '.join(_FIELDS)}, payload) "  # noqa: S608 - no value is in it
    "SELECT f[1]::UUID, f[2], f[3], f[4]::BIGINT, f[5], f[6], f[7], f[8], event->'payload' FROM ("
    f"SELECT event, json_extract_string(event, {[f'$.{name}' for name in _FIELDS]}) AS f "
    "FROM (SELECT line::JSON AS event FROM (SELECT unnest(string_split(?, chr(10))) AS line)))"
    " ON CONFLICT DO NOTHING"
)
_HOLDER: Final = re.compile(r"held in (?P<program>.+?) \(PID (?P<pid>\d+)\)")


class HutchStore:
    """An ``events`` table in a DuckDB file. One thread at a time.

    Parameters
    ----------
    path : Path
        The file; it is made, with its folder, where it is missing.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._connection: DuckDBPyConnection | None = None
        self._opened: os.stat_result | None = None

    @property
    def is_open(self) -> bool:
        """Whether the file is open here, and still where it was: one may be removed meanwhile."""
        if self._connection is None or self._opened is None:
            return False
        try:
            return os.path.samestat(self._opened, self.path.stat())
        except OSError:
            return False

    def open(self) -> None:
        """Open the file and see to the table.

        Raises
        ------
        StoreBusyError
            Another process has it open.
        StoreError
            It is no DuckDB file, or one of a version that cannot be read, or its ``events`` table
            is another one.
        OSError
            The disk does not let us.
        """
        if self.is_open:
            return
        import duckdb

        self._see_to_removal()
        self.path.parent.mkdir(parents=True, exist_ok=True)
        try:
            connection = duckdb.connect(str(self.path))
        except (duckdb.Error, RuntimeError) as error:  # the latter where the name is no Unicode
            raise self._translated(error) from error
        try:
            for statement in _TABLE:
                connection.execute(statement)
            self._opened = self.path.stat()
        except duckdb.Error as error:
            connection.close()
            raise self._translated(error) from error
        except OSError as error:  # ":memory:", for one
            connection.close()
            raise self._unusable("it is no file") from error
        self._connection = connection

    def insert(self, lines: Sequence[bytes]) -> None:
        """Store events, each the JSON of one; what is there already is left as it is.

        Raises
        ------
        ValueError
            None of them was stored: one has a value that the table cannot hold.
        OSError
            None of them was stored. The file is closed; it may be opened again.
        """
        import duckdb

        if not lines:
            return
        if self._connection is None:
            raise OSError(f"{self.path} is not open")
        try:
            self._connection.execute(_INSERT, [b"\n".join(lines).decode()])
        except (duckdb.DataError, duckdb.IntegrityError) as error:
            raise ValueError(_first_line(error)) from error
        except duckdb.Error as error:
            self._abandon()
            raise OSError(_first_line(error)) from error

    def close(self) -> None:
        """Bring everything into the one file, and close it. Harmless where it is not open.

        Raises
        ------
        OSError
            What was inserted is safe, but part of it is in the ``.wal`` file beside.
        """
        import duckdb

        self._see_to_removal()
        connection, self._connection = self._connection, None
        if connection is None:
            return
        try:
            connection.execute("CHECKPOINT")
        except duckdb.TransactionException:
            pass  # others of this process write to it: the last one to close does this
        except duckdb.Error as error:
            raise OSError(_first_line(error)) from error
        finally:
            with contextlib.suppress(duckdb.Error):
                connection.close()

    def forget(self) -> None:
        """In a forked child: never touch the parent's file.

        Freeing the connection would write to it, so it is kept for as long as the child lives.
        """
        connection, self._connection = self._connection, None
        if connection is not None:
            ctypes.pythonapi.Py_IncRef(ctypes.py_object(connection))

    def _see_to_removal(self) -> None:
        """Close a file that was removed or replaced; what is written to it nobody would find."""
        if self._connection is not None and not self.is_open:
            logger.warning(
                "%s was removed or replaced while it was open: what was stored in it is gone with "
                "it, and what comes goes into a new one",
                self.path,
            )
            self._abandon()

    def _abandon(self) -> None:
        """Close after a failure, which may have made the connection unusable."""
        import duckdb

        connection, self._connection = self._connection, None
        if connection is not None:
            with contextlib.suppress(duckdb.Error):
                connection.close()

    def _translated(self, error: Exception) -> Exception:
        text = _first_line(error)
        if any(sign in text for sign in ("not set lock", "used by another process")):
            return self._busy(text)
        another_table = text.startswith(("Binder Error", "Catalog Error"))
        signs = ("not a valid DuckDB", "version number", "storage ver")
        if another_table or any(sign in text for sign in signs):
            return self._unusable(text)
        return OSError(text)

    def _unusable(self, reason: str) -> StoreError:
        return StoreError(
            f"{self.path} cannot be used as a store ({reason}): name another file with db_path "
            "or HUTCH_DB_PATH",
            str(self.path),
        )

    def _busy(self, text: str) -> StoreBusyError:
        match = _HOLDER.search(text)
        others = writers(self.path)
        pid: int | None = None
        host: str | None = None
        if match:
            pid, host = int(match["pid"]), socket.gethostname()
            who = f"process {pid} ({Path(match['program']).name}) on this host, {host},"
        elif others:
            host, pid = others[0]
            who = f"another process, probably {pid} on host {host},"
        else:
            who = "another process"
        return StoreBusyError(
            f"{self.path} cannot be opened: {who} has it open, and DuckDB gives a file to one "
            "process at a time. End that process or call hutch_lineage.reset() in it; or give "
            "this process a file of its own (db_path, HUTCH_DB_PATH); or let both send to one "
            "`hutch serve` (HUTCH_DAEMON_URL)",
            str(self.path),
            pid,
            host,
        )


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
