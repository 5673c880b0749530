"""Append-only columns that remember which rows changed: the storage of a scene."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate, repeat
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Buffers: TypeAlias = list[bytes]
CODES = {"f4": "f", "f8": "d", "i4": "i", "u4": "I", "u2": "H", "u1": "B"}
NAN = float("nan")
FEW = 1_000


class Table:
    """Typed columns of one length, for rows that are only ever appended or patched.

    Parameters
    ----------
    columns : mapping of str to str
        Name -> type: ``f4 f8 i4 u4 u2 u1``, or ``str`` for text.
    fixed : iterable of str
        Columns that never change once a row exists; patches leave them out.

    Notes
    -----
    `log` lists the rows that changed after they were appended, oldest first; a reader keeps its
    own position in it. A column added later by :meth:`add_column` is NaN in the rows before.
    """

    def __init__(self, columns: Mapping[str, str], fixed: Iterable[str] = ()) -> None:
        self.types = dict(columns)
        self.fixed = set(fixed)
        self.data: dict[str, Any] = {
            name: [] if kind == "str" else array(CODES[kind]) for name, kind in columns.items()
        }
        self.log = array("I")
        self.count = 0
        self._own = dict(self.data)

    def add_column(self, name: str) -> None:
        """Add an ``f8`` column, NaN in the rows so far; one that exists is left alone."""
        if name in self.types:
            return
        self.types[name] = "f8"
        self.data[name] = array("d", repeat(NAN, self.count))
        self._own[name] = self.data[name]

    def lend(self, name: str, column: array[Any]) -> None:
        """Show a column of float32 that somebody else keeps as long as the table, and sends whole.

        Patches leave it out.
        """
        self.types[name] = "f4"
        self.data[name] = column
        self.fixed.add(name)

    def append(self, values: Mapping[str, Any]) -> int:
        """Append a row and return its number; a float column that is not named becomes NaN."""
        for name, column in self._own.items():
            column.append(values.get(name, NAN))
        self.count += 1
        return self.count - 1

    def extend(self, values: Mapping[str, Any], count: int) -> None:
        """Append `count` rows given by column: lists of texts, arrays of numbers.

        A float column that is not named becomes NaN.
        """
        for name, column in self._own.items():
            given = values.get(name)
            if isinstance(column, list):
                column.extend(given or ())
            elif given is None:
                column.extend(repeat(NAN, count))
            else:
                column.frombytes(np.asarray(given, dtype=self.types[name]).tobytes())
        self.count += count

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

    def view(self, name: str) -> npt.NDArray[Any]:
        """Return a number column as an array that shares its memory.

        Let go of it before the table grows: a column cannot grow while it is looked at.
        """
        kind = self.types[name]
        return np.frombuffer(self.data[name], dtype=kind) if self.count else np.zeros(0, kind)

    def appended(self, start: int, stop: int, buffers: Buffers) -> dict[str, Any]:
        """Return the rows `start` to `stop` as one message part; add their bytes to `buffers`."""
        columns = {name: self._part(name, start, stop, buffers) for name in self.data}
        return {"start": start, "count": stop - start, "columns": columns}

    def whole(self, names: Iterable[str], stop: int, buffers: Buffers) -> dict[str, Any]:
        """Return some columns of all rows under `stop` as a patch: its ``rows`` is None."""
        return {"rows": None, "columns": {n: self._part(n, 0, stop, buffers) for n in names}}

    def patches(self, below: int, since: int, buffers: Buffers) -> list[dict[str, Any]]:
        """Return what changed in rows under `below` after position `since` of the log."""
        rows = sorted({row for row in self.log[since:] if row < below})
        if not rows:
            return []
        columns = {
            name: binary(self.types[name], self._at(name, rows), buffers)
            for name in self.data
            if name not in self.fixed
        }
        return [{"rows": binary("u4", array("I", rows).tobytes(), buffers), "columns": columns}]

    def _at(self, name: str, rows: list[int]) -> bytes:
        """Return the values of some rows.

        Numpy lets go of the interpreter and waits for its turn again, each time up to 5 ms beside a
        busy loop: for few rows that is a hundred times what they cost.
        """
        column = self.data[name]
        if len(rows) < FEW:
            return array(column.typecode, [column[row] for row in rows]).tobytes()
        return bytes(self.view(name)[rows].tobytes())

    def _part(self, name: str, start: int, stop: int, buffers: Buffers) -> dict[str, Any]:
        column = self.data[name]
        if self.types[name] == "str":
            return texts(column[start:stop], buffers)
        return binary(self.types[name], memoryview(column)[start:stop].tobytes(), buffers)


def binary(kind: str, data: bytes, buffers: Buffers) -> dict[str, Any]:
    """Add `data` to `buffers` and return the column that points at it."""
    buffers.append(data)
    return {"t": kind, "b": len(buffers) - 1}


def texts(values: Sequence[str], buffers: Buffers) -> dict[str, Any]:
    """Add texts to `buffers` as UTF-8 and as offsets, one more than there are texts."""
    joined = "".join(values)
    data = joined.encode()
    lengths = map(len, values if joined.isascii() else [text.encode() for text in values])
    offsets = array("I", accumulate(lengths, initial=0))
    column = binary("str", data, buffers)
    buffers.append(offsets.tobytes())
    return {**column, "o": len(buffers) - 1}
