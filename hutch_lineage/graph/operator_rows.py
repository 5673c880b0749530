"""The rows of the operators, and of the parents that each used where several made one child."""

from __future__ import annotations

from array import array
from collections.abc import Iterable

from hutch_lineage.model import clean_text

from .batches import Made, clean_texts, operator_columns
from .legend import Legend
from .rows import operator_values
from .store import Store
from .table import Table


class OperatorRows:
    """Appends and patches operators, whose rows are the graph's own.

    Parameters
    ----------
    table, makers : Table
        The operators, and which parents they used; both are filled here.
    store : Store
        The graph's own tables.
    legend : Legend
        Numbers the texts.
    row_of : array of int64
        The scene's row of each node of the store.
    """

    def __init__(
        self, table: Table, makers: Table, store: Store, legend: Legend, row_of: array[int]
    ) -> None:
        self._table, self._makers = table, makers
        self._store, self._legend, self._row_of = store, legend, row_of
        self._used: set[tuple[int, int]] = set()

    def put(self, rows: list[int], made: Made | None) -> None:
        """Append the operators that are new, at once where `made` holds them; patch the others."""
        store, row_of = self._store, self._row_of
        start = self._table.count
        new = range(start, len(store.operator_ids))
        if made is not None:
            columns = operator_columns(store, self._legend, made)
            columns["id"] = clean_texts([name for _, name in store.operator_ids[start:]])
            columns["child"] = [row_of[child] for child in store.operator_child[start:]]
            self._table.extend(columns, len(new))
            new = range(0)
        for row in new:
            values = operator_values(store, self._legend, row)
            values["id"] = clean_text(store.operator_ids[row][1])
            values["child"] = row_of[store.operator_child[row]]
            self._table.append(values)
        for row in rows:
            if row < start:
                self._table.patch(row, operator_values(store, self._legend, row))

    def put_makers(self, children: Iterable[int]) -> None:
        """Append the parents of each operator where several made one child.

        An edge names only its newest operator, which is enough where there is but one.
        """
        store = self._store
        for child in children:
            makers = store.makers[child]
            for maker in makers if len(makers) > 1 else ():
                for parent in store.operator_parents[maker]:
                    if (maker, parent) not in self._used:
                        self._used.add((maker, parent))
                        self._makers.append({"op": maker, "src": self._row_of[parent]})
