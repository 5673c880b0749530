"""The database of one query: in a folder that goes with it, with bounded memory."""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import numpy.typing as npt
import pandas as pd

from hutch_lineage.errors import ConfigurationError, ReadError

Integers = npt.NDArray[np.int64]


class Database:
    """A DuckDB of one's own in a temporary folder. Thread-safe: one question at a time.

    Parameters
    ----------
    source : str
        What is read, for messages.
    memory : str
        How much DuckDB may keep in memory, such as ``1GB``; the rest waits in the folder.
    folder : Path, optional
        Where the temporary folder is made.

    Raises
    ------
    ConfigurationError
        `memory` is no amount, or the folder cannot be written.
    """

    def __init__(self, source: str, memory: str, folder: Path | None = None) -> None:
        self.source = source
        self.memory = memory
        self.lock = threading.RLock()
        try:
            self._temporary = tempfile.TemporaryDirectory(prefix="hutch-lineage-", dir=folder)
        except OSError as error:
            raise ConfigurationError(
                f"no temporary folder for the query can be made ({error}): name one with folder=",
                "folder",
            ) from error
        self.folder = Path(self._temporary.name)
        self._connection = duckdb.connect()  # what does not fit into memory goes to the folder
        try:
            self._connection.execute("SET memory_limit = " + quoted(memory))
        except (duckdb.Error, AttributeError) as error:  # AttributeError: it is no text
            self.close()
            raise ConfigurationError(
                f"memory={memory!r} is no amount of memory: say '1GB' or '512MB'", "memory"
            ) from error
        self.run("SET temp_directory = " + quoted(str(self.folder / "spill")))
        self.run("SET preserve_insertion_order = false")

    def run(self, sql: str, values: Sequence[Any] = ()) -> None:
        """Run a statement."""
        with self._cursor(sql, values):
            pass

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Return the rows of a statement."""
        with self._cursor(sql, values) as cursor:
            return list(cursor.fetchall())

    def columns(self, sql: str, values: Sequence[Any] = ()) -> list[Integers]:
        """Return the columns of a statement that yields whole numbers."""
        with self._cursor(sql, values) as cursor:
            found = cursor.fetchnumpy()
            return [np.asarray(column, dtype=np.int64) for column in found.values()]

    def frame(self, sql: str, values: Sequence[Any] = ()) -> pd.DataFrame:
        """Return what a statement yields as a DataFrame."""
        with self._cursor(sql, values) as cursor:
            return cursor.fetch_df()

    @contextmanager
    def picked(self, numbers: Integers) -> Iterator[None]:
        """Have a table ``picked`` with a column ``n`` for a while."""
        with self.lock:
            try:
                self._connection.register("picked", pd.DataFrame({"n": numbers}))
            except duckdb.ConnectionException as error:
                raise self._closed() from error
            try:
                yield
            finally:
                self._connection.unregister("picked")

    @contextmanager
    def _cursor(self, sql: str, values: Sequence[Any]) -> Iterator[duckdb.DuckDBPyConnection]:
        with self.lock:
            try:
                yield self._connection.execute(sql, list(values))
            except duckdb.ConnectionException as error:
                raise self._closed() from error
            except duckdb.OutOfMemoryException as error:
                raise ReadError(
                    f"{self.source}: DuckDB needs more than memory={self.memory!r}: allow more",
                    self.source,
                ) from error
            except duckdb.Error as error:
                told = (str(error).strip().splitlines() or [type(error).__name__])[0]
                raise ReadError(f"{self.source}: {told}", self.source) from error

    def _closed(self) -> ReadError:
        return ReadError(
            f"the query of {self.source} was closed: ask hutch_lineage.query(...) anew", self.source
        )

    def close(self) -> None:
        """Close it and remove its folder; closing twice is no error."""
        with self.lock:
            self._connection.close()
            self._temporary.cleanup()


def quoted(text: str) -> str:
    """Return a text as SQL has it.

    Examples
    --------
    >>> quoted("it's")
    "'it''s'"
    """
    return "'" + text.replace("'", "''") + "'"
