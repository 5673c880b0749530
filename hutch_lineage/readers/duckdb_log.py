"""Hutch's event log in a DuckDB file, as ``embedded`` capture and ``hutch serve`` keep it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import orjson

from hutch_lineage.errors import ReadError

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_FIELDS: Final = (
    *("event_id", "event_kind", "run_id", "timestamp_ns"),
    *("stream_id", "worker_id", "span_id", "trace_id"),
)
# Hutch reads them by their time; those of one time stay in the order in which they were stored.
_COLUMNS: Final = f"event_id::VARCHAR, {', '.join(_FIELDS[1:])}, payload::VARCHAR"
_SELECT: Final = f"SELECT {_COLUMNS} FROM events ORDER BY timestamp_ns, rowid"  # noqa: S608
_SELECT_RUNS: Final = (
    f"SELECT {_COLUMNS} FROM events WHERE run_id IN "  # noqa: S608
    "(SELECT run_id FROM events WHERE run_id = ? OR timestamp_ns >= ?) ORDER BY rowid"
)
# `system.main`, since a macro in the file may have the name of any function.
_SELECT_PROGRAMS: Final = (
    "SELECT 'view', view_name FROM system.main.duckdb_views() "
    "WHERE NOT internal AND view_name = 'events' UNION ALL "
    "SELECT 'macro', function_name FROM system.main.duckdb_functions() WHERE NOT internal"
)
_ROWS: Final = 10_000
_HOLDER: Final = re.compile(r"held in (?P<program>.+?) \(PID (?P<pid>\d+)\)")


def logged_values(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the events of a log in their order, each as its JSON says it. The file stays as it is.

    Raises
    ------
    ReadError
        Another process has the file open, it has no such log, or it cannot be read.

    Examples
    --------
    >>> list(logged_values(Path("nowhere.duckdb")))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    hutch_lineage.errors.ReadError: nowhere.duckdb: cannot be opened: ...
    """
    with duckdb_log(path) as connection:
        yield from _values(connection.execute(_SELECT))


def _refuse_programs(connection: DuckDBPyConnection, path: Path) -> None:
    """Refuse what would be run: a view or a macro can read any file of whoever looks at it."""
    found = connection.execute(_SELECT_PROGRAMS).fetchone()
    if found is not None:
        raise ReadError(
            f"{path}: holds the {found[0]} `{found[1]}`, which would be run and could read other "
            "files. Copy its table `events` into another file, if you trust it",
            str(path),
        )


@contextmanager
def duckdb_log(path: Path) -> Iterator[DuckDBPyConnection]:
    """Open a DuckDB file with Hutch's event log, for reading, and close it.

    Raises
    ------
    ReadError
        Another process has the file open, it has no such log, or it cannot be read.

    Examples
    --------
    >>> with duckdb_log(Path("nowhere.duckdb")) as log:  # doctest: +ELLIPSIS
    ...     log.execute("SELECT count(*) FROM events")
    Traceback (most recent call last):
        ...
    hutch_lineage.errors.ReadError: nowhere.duckdb: cannot be opened: ...
    """
    import duckdb

    connection = _opened(path)
    try:
        _refuse_programs(connection, path)
        yield connection
    except (duckdb.CatalogException, duckdb.BinderException) as error:
        raise ReadError(
            f"{path}: a DuckDB file without Hutch's event log (the table `events`)", str(path)
        ) from error
    except duckdb.Error as error:
        raise ReadError(f"{path}: cannot be read: {_first_line(error)}", str(path)) from error
    finally:
        connection.close()


def logged_events(
    connection: DuckDBPyConnection, run_id: str | None, since_ns: int | None
) -> Iterator[dict[str, Any]]:
    """Yield the events of some runs, as they were stored, over a connection that is open.

    Parameters
    ----------
    connection : DuckDBPyConnection
        To a file with Hutch's event log; a file without yields none.
    run_id : str or None
        A run whose events are wanted.
    since_ns : int or None
        Of a run with an event of this time or later, Unix nanoseconds, all are wanted, too.

    Examples
    --------
    >>> import duckdb
    >>> list(logged_events(duckdb.connect(), "r", None))
    []
    """
    import duckdb

    try:
        rows = connection.execute(_SELECT_RUNS, [run_id, since_ns])
    except duckdb.CatalogException:
        return
    yield from _values(rows)


def _values(rows: DuckDBPyConnection) -> Iterator[dict[str, Any]]:
    while part := rows.fetchmany(_ROWS):
        for *fields, payload in part:
            values = dict(zip(_FIELDS, fields, strict=True))
            yield {**values, "payload": _parsed(payload)}


def _parsed(payload: str | None) -> Any:
    """Return a payload; where it is no JSON, its text, which whoever checks it refuses by name."""
    try:
        return orjson.loads(payload or "null")
    except orjson.JSONDecodeError:
        return payload


def _opened(path: Path) -> DuckDBPyConnection:
    import duckdb

    try:
        return duckdb.connect(str(path), read_only=True)
    except duckdb.ConnectionException:  # this process writes to it: it shares what it has open
        return duckdb.connect(str(path))
    except (duckdb.Error, RuntimeError) as error:
        text = _first_line(error)
        if any(sign in text for sign in ("not set lock", "used by another process")):
            raise _busy(path, text) from error
        raise ReadError(f"{path}: cannot be opened: {text}", str(path)) from error


def _busy(path: Path, text: str) -> ReadError:
    match = _HOLDER.search(text)
    who = f"process {match['pid']} ({Path(match['program']).name})" if match else "another process"
    return ReadError(
        f"{path}: {who} has it open, and DuckDB gives a file to one process at a time: end that "
        "process or call hutch_lineage.reset() in it, or read a copy of the file",
        str(path),
    )


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
