"""An SQLite file, read without a trace, also while another process writes it."""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from hutch_lineage.errors import ReadError
from hutch_lineage.readers import is_file

MAGIC: Final = b"SQLite format 3\x00"
BUSY_S: Final = 5.0


@contextmanager
def opened(path: Path) -> Iterator[sqlite3.Connection]:
    """Yield a connection that cannot write.

    What a writer has not yet put into the file itself stands beside it, in ``-wal``. With a live
    writer (there is its ``-shm``) both are read where they are. Without one, a connection would
    have to create files: the two are copied first. Where there is no ``-wal``, the file is taken as
    it stands.

    Raises
    ------
    ReadError
        It cannot be opened or read.
    """
    wal, shm = (path.with_name(path.name + end) for end in ("-wal", "-shm"))
    try:
        if not is_file(wal) or wal.stat().st_size == 0:
            with closing(_connected(path, "mode=ro&immutable=1")) as connection:
                yield connection
        elif is_file(shm):
            with closing(_connected(path, "mode=ro")) as connection:
                yield connection
        else:
            with tempfile.TemporaryDirectory(prefix="hutch-lineage-") as folder:
                copy = Path(folder) / path.name
                shutil.copyfile(wal, copy.with_name(wal.name))
                shutil.copyfile(path, copy)
                with closing(_connected(copy, "mode=ro")) as connection:
                    yield connection
    except sqlite3.Error as error:
        raise ReadError(f"{path}: cannot be read as SQLite: {error}", str(path)) from error
    except OSError as error:
        raise ReadError(f"{path}: cannot be read: {error.strerror}", str(path)) from error


def columns(path: Path, table: str) -> set[str]:
    """Return the columns of a table; empty where there is no such table, or no SQLite file."""
    try:
        with opened(path) as connection:
            return columns_of(connection, table)
    except ReadError:
        return set()


def columns_of(connection: sqlite3.Connection, table: str) -> set[str]:
    """Return the columns of a table; empty where there is none."""
    return {row[0] for row in connection.execute("SELECT name FROM pragma_table_info(?)", [table])}


def _connected(path: Path, how: str) -> sqlite3.Connection:
    address = f"{path.absolute().as_uri()}?{how}"
    connection = sqlite3.connect(address, uri=True, timeout=BUSY_S, check_same_thread=False)
    connection.row_factory = sqlite3.Row
    return connection
