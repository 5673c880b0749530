"""Append-only columns that remember which rows changed: the storage of a scene."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping
from itertools import repeat
from typing import Any, TypeAlias

import numpy as np

Buffers: TypeAlias = list[bytes]
CODES = {"f4": "f", "f8": "d", "i4": "i", "u4": "I", "u2": "H", "u1": "B"}
NAN = float("nan")


class Table:
    """Typed columns of one length, for rows that are only ever appended or patched.

    Parameters
    ----------
    columns : mapping of str to str
        Name -> type: ``f4 f8 i4 u4 u2 u1``, or ``json`` for text.
    fixed : iterable of str
        Columns that never change once a row exists; patches leave them out.

    Notes
    -----
    `log` lists the rows that changed after they were appended, oldest first; a reader keeps its
    own position in it. A column added later by :meth:`add_column` is NaN in the rows before.
    """

    def __init__(self, columns: Mapping[str, str], fixed: Iterable[str] = ()) -> None:
        self.types = dict(columns)
        self.fixed = frozenset(fixed)
        self.data: dict[str, Any] = {
            name: [] if kind == "json" else array(CODES[kind]) for name, kind in columns.items()
        }
        self.log = array("I")
        self.count = 0

    def add_column(self, name: str) -> None:
        """Add an ``f8`` column, NaN in the rows so far; one that exists is left alone."""
        if name in self.types:
            return
        self.types[name] = "f8"
        self.data[name] = array("d", repeat(NAN, self.count))

    def append(self, values: Mapping[str, Any]) -> int:
        """Append a row and return its number; an ``f8`` column that is not named becomes NaN."""
        for name, column in self.data.items():
            column.append(values.get(name, NAN))
        self.count += 1
        return self.count - 1

    def patch(self, row: int, values: Mapping[str, Any]) -> bool:
        """Overwrite some columns of a row; return whether anything is different now."""
        changed = False
        for name, value in values.items():
            column = self.data[name]
            old = column[row]
            if old != value and not (old != old and value != value):  # NaN equals NaN here
                column[row] = value
                changed = True
        if changed:
            self.log.append(row)
        return changed

    def appended(self, start: int, buffers: Buffers) -> dict[str, Any]:
        """Return the rows from `start` on as one message part; add their bytes to `buffers`."""
        columns = {}
        for name, column in self.data.items():
            part = column[start:]
            columns[name] = (
                {"t": "json", "v": part}
                if self.types[name] == "json"
                else binary(self.types[name], part.tobytes(), buffers)
            )
        return {"start": start, "count": self.count - start, "columns": columns}

    def patches(self, below: int, since: int, buffers: Buffers) -> list[dict[str, Any]]:
        """Return what changed in rows under `below` after position `since` of the log."""
        rows = np.unique(np.array(self.log[since:], dtype=np.uint32))
        rows = rows[rows < below]
        if not rows.size:
            return []
        columns = {
            name: binary(self.types[name], np.asarray(column)[rows].tobytes(), buffers)
            for name, column in self.data.items()
            if name not in self.fixed
        }
        return [{"rows": binary("u4", rows.tobytes(), buffers), "columns": columns}]


def binary(kind: str, data: bytes, buffers: Buffers) -> dict[str, Any]:
    """Add `data` to `buffers` and return the column that points at it."""
    buffers.append(data)
    return {"t": kind, "b": len(buffers) - 1}
