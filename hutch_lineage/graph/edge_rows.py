"""The rows of the edges: appended or patched as nodes get parents."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import repeat

import numpy as np

from .batches import BATCH, edge_operators, flat
from .loops import Loops
from .rows import VERDICTS
from .store import Store
from .table import Table
from .views import makers_from

EDGE_CYCLE, EDGE_REJECTED = 1, 2


class EdgeRows:
    """Knows which rows of a table hold the edges into each node.

    Parameters
    ----------
    table, operators : Table
        The edges, which it fills, and the operators, which say whether one was rejected.
    store : Store
        The graph's own tables.
    loops : Loops
        Learns of the edges that may close a cycle.
    row_of : array of int64
        The scene's row of each node of the store.
    """

    def __init__(
        self, table: Table, operators: Table, store: Store, loops: Loops, row_of: array[int]
    ) -> None:
        self._table, self._operators = table, operators
        self._store, self._loops, self._row_of = store, loops, row_of
        self._first = array("q")
        self._count = array("I")
        self._later: dict[int, dict[int, int]] = {}

    def add_nodes(self, count: int) -> None:
        """Make room for further nodes, without edges yet."""
        self._first.extend(repeat(-1, count))
        self._count.extend(repeat(0, count))

    def put(self, children: list[int]) -> None:
        """Append or patch edges into nodes: first of those that had none, then of the others."""
        new = [child for child in children if self._first[child] < 0]
        if len(new) >= BATCH:
            self._put_many(new)
        else:
            for child in new:
                self._put_one(child)
        if len(new) < len(children):
            met = set(new)
            for child in children:
                if child not in met:
                    self._put_one(child)

    def _put_many(self, children: list[int]) -> None:
        """Append the edges into nodes that had none."""
        store, at = self._store, self._table.count
        row_of = np.frombuffer(self._row_of, dtype=np.int64)
        above = [store.parents[child] for child in children]
        counts, parents = np.fromiter(map(len, above), np.int64, len(above)), flat(above)
        rows = np.array(children, dtype=np.int64)
        heads = np.repeat(rows, counts)
        newest, orders = edge_operators(store, children, counts)
        verdicts = np.append(self._operators.view("flags"), 0)  # -1, no operator, finds the 0
        flags = np.where(verdicts[newest] == VERDICTS["rejected"], EDGE_REJECTED, 0)
        if len(self._loops):
            pairs = zip(parents.tolist(), heads.tolist(), strict=True)
            flags |= np.array([EDGE_CYCLE * self._loops.same(a, b) for a, b in pairs], dtype=int)
        columns = {
            "src": row_of[parents],
            "dst": row_of[heads],
            "order": np.minimum(orders, 255),
            "op": newest,
            "flags": flags,
        }
        self._table.extend(columns, len(parents))
        some = counts > 0
        starts = at + np.cumsum(counts) - counts
        np.frombuffer(self._first, dtype=np.int64)[rows[some]] = starts[some]
        np.frombuffer(self._count, dtype=np.uint32)[rows[some]] = counts[some]

    def _put_one(self, child: int) -> None:
        """Append or patch the edges into a node."""
        store, row_of = self._store, self._row_of
        makers = makers_from(store, child)
        held = self._held(child)
        for parent, order in zip(store.parents[child], store.order_of(child), strict=True):
            newest = makers.get(parent, [-1])[-1]
            said = (store.operator_attributes.values[newest] if newest >= 0 else None) or {}
            loop = self._loops.same(parent, child)
            values = {
                "order": min(order, 255),
                "op": newest,
                "flags": EDGE_CYCLE * loop | EDGE_REJECTED * (said.get("verdict") == "rejected"),
            }
            row = held.get(row_of[parent])
            if row is not None:
                self._table.patch(row, values)
                continue
            row = self._table.append({**values, "src": row_of[parent], "dst": row_of[child]})
            first, count = self._first[child], self._count[child]
            if first < 0:
                self._first[child], self._count[child] = row, 1
            elif first + count == row:
                self._count[child] += 1
            else:
                self._later.setdefault(child, {})[row_of[parent]] = row

    def _held(self, child: int) -> dict[int, int]:
        """Return the edges into a node that have a row: the parent's row -> the edge's."""
        first, count = self._first[child], self._count[child]
        if first < 0:
            return {}
        rows = range(first, first + count)
        held = dict(zip(self._table.data["src"][first : first + count], rows, strict=True))
        return {**held, **self._later.get(child, {})}

    def close_loops(self, children: Sequence[int], start: int) -> list[int]:
        """Find the nodes that new edges into `children` put on a cycle.

        A parent without parents of its own, such as a ghost, lies on none; until it gets some,
        when it was placed (below `start`) behind its children.
        """
        row_of, above, below = self._row_of, self._store.parents, self._store.children
        heads: list[int] = []
        backward = any(
            row_of[kid] <= row_of[child]
            for child in children
            if child < start and self._first[child] < 0 and above[child]
            for kid in below[child]
        )
        possible = backward or self._loops.possible
        if len(children) >= BATCH and not (possible or self._leads_back(children)):
            return []
        for child in children:
            parents = above[child]
            if self._first[child] >= 0:
                held = self._held(child)
                parents = tuple([parent for parent in parents if row_of[parent] not in held])
            if parents:
                heads.append(child)
                here = row_of[child]
                for parent in parents:
                    if row_of[parent] >= here and above[parent]:
                        backward = True
        return self._loops.add(heads, backward=backward)

    def _leads_back(self, children: Sequence[int]) -> bool:
        """Return whether an edge into these nodes may close a cycle, at once for many."""
        parents = [self._store.parents[child] for child in children]
        row_of, heads = np.frombuffer(self._row_of, dtype=np.int64), flat(parents)
        tails = np.repeat(np.array(children, dtype=np.int64), [len(each) for each in parents])
        back = heads[row_of[heads] >= row_of[tails]].tolist()
        return any(self._store.parents[parent] for parent in back)
