"""Nodes that were found, by number; each becomes a key when it is looked at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, overload

import numpy as np
import pandas as pd

from hutch_lineage.model import NodeKey

from .database import Database, Integers

if TYPE_CHECKING:
    from typing import Any

_AT_ONCE = 20_000


class NodeList(Sequence[NodeKey]):
    """An answer of :class:`LineageQuery`: a sequence of `NodeKey` that takes eight bytes a node.

    ``len`` costs nothing. What is looked at is read from the query's database, some thousands at a
    time, while the query is open. Equal to any sequence with the same keys.
    """

    def __init__(self, database: Database, numbers: Integers) -> None:
        self._database = database
        self._numbers = numbers

    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, place: int) -> NodeKey: ...
    @overload
    def __getitem__(self, place: slice) -> NodeList: ...
    def __getitem__(self, place: int | slice) -> NodeKey | NodeList:
        if isinstance(place, slice):
            return NodeList(self._database, self._numbers[place])
        return self._keys(np.array([self._numbers[place]]))[0]

    def __iter__(self) -> Iterator[NodeKey]:
        for start in range(0, len(self._numbers), _AT_ONCE):
            yield from self._keys(self._numbers[start : start + _AT_ONCE])

    def _keys(self, numbers: Integers) -> list[NodeKey]:
        return [NodeKey(*row) for row in self._rows("kind, run_id, id", numbers)]

    def _rows(self, columns: str, numbers: Integers) -> list[tuple[Any, ...]]:
        with self._database.picked(numbers):
            rows = self._database.rows(
                f"SELECT n, {columns} FROM nodes WHERE n IN (SELECT n FROM picked)"
            )
        found = {row[0]: row[1:] for row in rows}
        return [found[number] for number in numbers.tolist()]

    def frame(self) -> pd.DataFrame:
        """Return the nodes as a DataFrame: ``run_id, node_kind, id`` (string), ``birth`` (UTC)."""
        rows = self._rows("run_id, kind, id, born", self._numbers)
        columns = list(zip(*rows, strict=True)) or [(), (), (), ()]
        born = pd.array(list(columns[3]), dtype="Int64")
        frame = pd.DataFrame(
            {
                name: pd.array(list(values), dtype="string")
                for name, values in zip(("run_id", "node_kind", "id"), columns, strict=False)
            }
        )
        frame["birth"] = pd.to_datetime(
            pd.Series(born.to_numpy(dtype="int64", na_value=pd.NaT.value)), unit="ns", utc=True
        )
        return frame

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence) or len(other) != len(self):
            return False
        return all(ours == theirs for ours, theirs in zip(self, other, strict=True))

    __hash__ = None  # type: ignore[assignment]  # it is a list

    def __repr__(self) -> str:
        shown = ", ".join(repr(key.id) for key in self[:5])
        return f"<{len(self):,} nodes: {shown}{', ...' if len(self) > 5 else ''}>"
