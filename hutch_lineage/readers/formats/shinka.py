"""ShinkaEvolve's database of programs (SQLite), as its runner keeps it in the folder of results."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from hutch_lineage.errors import ReadError
from hutch_lineage.model import Record, RunRecord, Stamp
from hutch_lineage.readers import Feed, Item, Report, Source, file_state, head_of

from .directions import KNOWN
from .shinka_programs import Programs
from .sqlite_file import MAGIC, columns, columns_of, opened

_NEEDED: Final = frozenset({"id", "code", "parent_id", "generation"})
_READ: Final = (
    *("id", "code", "language", "parent_id", "archive_inspiration_ids", "top_k_inspiration_ids"),
    *("generation", "timestamp", "code_diff", "combined_score", "public_metrics"),
    *("private_metrics", "text_feedback", "complexity", "correct", "metadata"),
    *("migration_history", "island_idx", "system_prompt_id"),
)
_NAMES: Final = ("programs.sqlite", "evolution_db.sqlite")
_SUFFIXES: Final = (".sqlite", ".sqlite3", ".db")
_COPIES: Final = """
    SELECT id, code, combined_score, island_idx, metadata FROM programs
    WHERE metadata LIKE '%"_original_program_id"%' OR metadata LIKE '%"_spawned_from_program_id"%'
"""


class Shinka:
    """The database, or the folder of results that it stands in."""

    kind = "shinka"
    title = "ShinkaEvolve's database of programs (SQLite)"

    def detect(self, source: Source) -> bool:
        """Return whether there is a table of programs as ShinkaEvolve has it."""
        if source.is_file and not source.head.startswith(MAGIC):
            return False
        path = database_of(source)
        return path is not None and columns(path, "programs") >= _NEEDED

    def read(self, source: Source, report: Report) -> Iterator[Item]:
        """Yield the programs in the order in which they were stored."""
        return Database(_named(source), source.name, report).rows(fresh_only=False)

    def follow(self, source: Source, report: Report) -> Feed:
        """Return a feed that reads the rows that are new, and those that have moved."""
        return Database(_named(source), source.name, report)


class Database:
    """A database of programs, as far as it has been read.

    Parameters
    ----------
    path : Path
        The file.
    name : str
        What was opened, for people.
    report : Report
        What is odd goes there.
    """

    period_s = 2.0
    ended = False

    def __init__(self, path: Path, name: str, report: Report) -> None:
        self.name = name
        self._path = path
        self._report = report
        run = path.absolute().parent.name if path.name in _NAMES else path.stem
        self._programs = Programs(run, report)
        self._last = -1
        self._moved: dict[str, str] = {}
        self._store: dict[str, Any] = {}
        self._state: object = None

    def poll(self) -> Sequence[Item]:
        """Return what is new.

        Raises
        ------
        ReadError
            The database cannot be read at present.
        """
        state = [file_state(self._path), file_state(self._path.with_name(self._path.name + "-wal"))]
        if state == self._state:
            return []
        items = list(self.rows(fresh_only=True))
        self._state = state
        return items

    def close(self) -> None:
        """Do nothing: nothing is open between two polls."""

    def rows(self, *, fresh_only: bool) -> Iterator[Record]:
        """Yield the records of the rows.

        Raises
        ------
        ReadError
            There is no such table, no row in it, or it cannot be read.
        """
        with opened(self._path) as connection:
            there = columns_of(connection, "programs")
            if not there >= _NEEDED:
                raise ReadError(
                    f"{self._path}: an SQLite file without ShinkaEvolve's table `programs`",
                    str(self._path),
                )
            if self._last < 0:
                for name in sorted(set(_READ) - there):
                    self._report.add("columns that this version does not have", name)
            self._learn_copies(connection)
            yield from self._of_programs(connection, [name for name in _READ if name in there])
            yield from self._of_run(connection)
        if self._last < 0 and not fresh_only:
            raise ReadError(f"{self._path}: no program in it yet", str(self._path))

    def _of_programs(self, connection: sqlite3.Connection, names: list[str]) -> Iterator[Record]:
        said = "migration_history" if "migration_history" in names else "NULL"
        query = (
            f"SELECT rowid AS at, {', '.join(names)} FROM programs WHERE rowid > ? "  # noqa: S608
            f"OR coalesce({said}, '') NOT IN ('', '[]') ORDER BY rowid"
        )
        for row in connection.execute(query, [self._last]):
            values = dict(row)
            node, history = str(values["id"]), str(values.get("migration_history") or "")
            if values["at"] <= self._last and self._moved.get(node, "") == history:
                continue
            if history not in ("", "[]"):
                self._moved[node] = history
            self._last = max(self._last, values["at"])
            yield from self._programs.records(values)

    def _learn_copies(self, connection: sqlite3.Connection) -> None:
        """Note which programs are copies for another island: the same code, the same score."""
        if not columns_of(connection, "programs") >= {"metadata", "island_idx", "combined_score"}:
            return
        for row in connection.execute(_COPIES).fetchall():
            found = connection.execute(
                "SELECT id, code, combined_score, island_idx FROM programs WHERE id = "
                "coalesce(json_extract(?1, '$._original_program_id'),"
                " json_extract(?1, '$._spawned_from_program_id'))",
                [row["metadata"]],
            ).fetchone()
            if found is None or found["id"] == row["id"]:
                continue
            if (found["code"], found["combined_score"]) == (row["code"], row["combined_score"]):
                self._programs.same[row["id"]] = found["id"]
                self._programs.islands[found["id"]] = str(found["island_idx"])
            else:
                self._report.add("island copies that differ from their original", row["id"])

    def _of_run(self, connection: sqlite3.Connection) -> Iterator[Record]:
        run, store = self._programs.run_id, {}
        if columns_of(connection, "metadata_store") >= {"key", "value"}:
            store = dict(connection.execute("SELECT key, value FROM metadata_store").fetchall())
        kept = {key: store[key] for key in ("best_program_id", "last_iteration") if store.get(key)}
        if kept == self._store and self._store:
            return
        self._store = kept
        last = int(kept["last_iteration"]) if str(kept.get("last_iteration")).isdigit() else 0
        attributes = {"name": run, "score_directions": dict(KNOWN["shinka"]), "metadata": kept}
        yield RunRecord(run, Stamp(-1, f"store {last:09}"), attributes)


def database_of(source: Source) -> Path | None:
    """Return the database that a source is, or that stands in it; None where there is none."""
    if source.is_file:
        return source.here
    named = [name for name in _NAMES if name in source.names]
    others = [name for name in source.names if name.endswith(_SUFFIXES) and name not in named]
    for name in [*named, *others]:
        path = source.here / name
        try:
            if head_of(path, len(MAGIC)) == MAGIC and columns(path, "programs") >= _NEEDED:
                return path
        except ReadError:
            continue
    return None


def _named(source: Source) -> Path:
    path = database_of(source)
    if path is None:
        raise ReadError(
            f"{source.name}: no database of ShinkaEvolve in it; it is called {_NAMES[0]}",
            source.name,
        )
    return path
