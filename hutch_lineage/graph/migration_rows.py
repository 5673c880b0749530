"""The rows of the migrations: appended as moves become known, never changed."""

from __future__ import annotations

from array import array
from typing import Any

from .ledger import unpack_stamp
from .legend import Legend
from .rows import seconds
from .store import Store
from .table import Table


class MigrationRows:
    """Knows which moves of each node have a row.

    Parameters
    ----------
    table : Table
        The migrations, which it fills.
    store : Store
        The graph's own tables.
    legend : Legend
        Numbers the islands.
    row_of : array of int64
        The scene's row of each node of the store.
    """

    def __init__(self, table: Table, store: Store, legend: Legend, row_of: array[int]) -> None:
        self._table, self._store, self._legend, self._row_of = table, store, legend, row_of
        self._met: dict[int, set[Any]] = {}

    def put(self, rows: list[int]) -> None:
        """Append what moves of these nodes were not known yet."""
        code = self._legend.code
        for row in sorted(rows) if self._store.migrations else ():
            moves = self._store.migrations.get(row)
            met = self._met.setdefault(row, set()) if moves else set()
            for move in sorted((moves or met) - met):
                stamp, source, target = move
                values = {
                    "node": self._row_of[row],
                    "from": code("island", source),
                    "to": code("island", target),
                    "time": seconds(unpack_stamp(stamp).timestamp_ns),
                }
                self._table.append(values)
                met.add(move)
