"""Which nodes lie on a cycle, found as edges arrive."""

from __future__ import annotations

from collections.abc import Iterable

from .order import components
from .store import Store


class Loops:
    """Follows the edges of a graph, which only grows, and knows its cycles.

    The order in which nodes were met makes this cheap: a cycle needs an edge to a node that was met
    before its parent, so as long as there is none nothing is searched. After that, new edges are
    searched from their heads on: all nodes of a new cycle descend from them.

    Attributes
    ----------
    possible : bool
        Whether there ever was such an edge.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._loop_of: dict[int, int] = {}
        self._count = 0
        self.possible = False

    def __contains__(self, row: int) -> bool:
        return row in self._loop_of

    def __len__(self) -> int:
        return len(self._loop_of)

    def same(self, a: int, b: int) -> bool:
        """Whether two rows reach each other, or are one row with a self loop."""
        return a in self._loop_of and self._loop_of[a] == self._loop_of.get(b)

    def add(self, heads: Iterable[int], *, backward: bool) -> list[int]:
        """Take in new edges.

        Parameters
        ----------
        heads : iterable of int
            The children of edges that the graph already holds.
        backward : bool
            Whether one of the edges leads to a node that was met before its parent.

        Returns
        -------
        list of int
            The rows of every cycle that is new or larger than before.
        """
        self.possible = self.possible or backward
        if not self.possible:
            return []
        children = self._store.children
        below: set[int] = set()
        stack = list(heads)
        while stack:
            row = stack.pop()
            if row not in below:
                below.add(row)
                stack.extend(children[row])
        groups = components(self._store, below)
        inside = {row for group in groups for row in group}
        groups += [[row] for row in self._store.self_loops & below - inside]
        changed: list[int] = []
        for group in groups:
            if len({self._loop_of.get(row, -1 - row) for row in group}) > 1 or (
                group[0] not in self._loop_of
            ):
                self._count += 1
                self._loop_of.update(dict.fromkeys(group, self._count))
                changed.extend(group)
        return changed
