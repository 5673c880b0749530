"""What changed since a version, at a cost that depends on the changes alone."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from dataclasses import dataclass

from hutch_lineage.model import NodeKey

from .infos import OperatorKey

__all__ = ["ChangeLog", "Changes"]


@dataclass(frozen=True, slots=True)
class Changes:
    """What was added or altered after a version; every key stands once.

    Attributes
    ----------
    version : int
        The version that these changes lead to: pass it to the next ``changes_since``.
    nodes : list of NodeKey
        New nodes, and nodes with an altered attribute, in the order in which they were altered.
    edges : list of (NodeKey, NodeKey)
        ``(parent, child)``: all edges into each child that got a new edge or operator.
    operators : list of OperatorKey
        New or altered operators.
    runs : list of str
        Ids of new or altered runs.
    """

    version: int
    nodes: list[NodeKey]
    edges: list[tuple[NodeKey, NodeKey]]
    operators: list[OperatorKey]
    runs: list[str]

    def __bool__(self) -> bool:
        return bool(self.nodes or self.edges or self.operators or self.runs)


class ChangeLog:
    """The version at which each row was last touched, readable from any version on.

    Only the last touch of a row counts, so the log is compacted to one entry per row whenever it
    has grown to three times the number of rows.
    """

    __slots__ = ("_last", "_rows", "_versions")

    def __init__(self) -> None:
        self._last = array("q")
        self._rows = array("q")
        self._versions = array("q")

    def add_row(self, version: int = 0) -> None:
        """Append a row, touched at `version`, or never yet."""
        if version:
            self._rows.append(len(self._last))
            self._versions.append(version)
        self._last.append(version)

    def add_rows(self, count: int, version: int) -> None:
        """Append rows, touched at `version`."""
        first = len(self._last)
        versions = array("q", [version]) * count
        self._last.extend(versions)
        self._rows.extend(range(first, first + count))
        self._versions.extend(versions)

    def touch(self, row: int, version: int) -> None:
        """Note that `row` changed at `version`, which is not older than any noted before."""
        if self._last[row] != version:
            self._last[row] = version
            self._rows.append(row)
            self._versions.append(version)
            if len(self._rows) > 3 * len(self._last) + 1024:
                self._compact()

    def since(self, version: int) -> list[int]:
        """Return the rows touched after `version`, each once, by their last touch."""
        last = self._last
        start = bisect_right(self._versions, version)
        pairs = zip(self._rows[start:], self._versions[start:], strict=True)
        return [row for row, touched in pairs if last[row] == touched]

    def newest(self) -> int:
        """Return the version of the last touch; 0 if there was none."""
        return self._versions[-1] if self._versions else 0

    def _compact(self) -> None:
        rows = self.since(-1)
        self._rows = array("q", rows)
        self._versions = array("q", [self._last[row] for row in rows])
