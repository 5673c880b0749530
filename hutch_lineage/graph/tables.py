"""The tables behind the graph: nodes, operators and runs by row number.

Everything is kept in flat lists: a million individuals fit in memory, walks need no hashing, and
the networkx view is made from it on demand. No lock is taken here.
"""

from __future__ import annotations

import sys
from array import array

from hutch_lineage.model import NodeKey

from .changes import ChangeLog
from .ledger import Ledger

__all__ = ["UNKNOWN_TIME", "Rows", "Tables"]

Rows = tuple[int, ...]

UNKNOWN_TIME = -1
_FEW = 4
_new = tuple.__new__  # half of what the class itself takes
_RUN_MAPS = ("score_directions", "config")


class Tables:
    """Nodes, edges, operators and runs by row number.

    Attributes
    ----------
    keys, rows : list of NodeKey, dict of NodeKey to int
        Row -> key and back.
    attributes, scores, evaluations : Ledger
        What nodes are, their scores by metric, and the other facts of their evaluations.
    known : bytearray
        1 for a node that was introduced, 0 for a ghost: one only ever named by others.
    births : array of int64
        Earliest time in ns at which the node was introduced; -1 where unknown.
    parents, children : list of rows
        Parents in order (least index of all statements, then key); children in order of arrival.
    orders : dict
        Child -> order of each parent, only where it is not 0, 1, 2 ...
    makers : list of rows
        Per node the operators that made it, in order of arrival.
    """

    def __init__(self) -> None:
        self.keys: list[NodeKey] = []
        self.rows: dict[NodeKey, int] = {}
        self.attributes = Ledger()
        self.scores = Ledger()
        self.evaluations = Ledger()
        self.known = bytearray()
        self.births = array("q")
        self.parents: list[Rows] = []
        self.orders: dict[int, Rows] = {}
        self.children: list[list[int] | Rows] = []
        self.declared: list[Rows | None] = []
        self.disagreeing: set[int] = set()
        self.called_seeds: set[int] = set()
        self.islands: dict[int, set[str]] = {}
        self.migrations: dict[int, set[tuple[bytes, str, str]]] = {}
        self.relations: dict[tuple[int, int], tuple[bytes, str]] = {}
        self.self_loops: set[int] = set()
        self.edge_count = 0
        self.makers: list[Rows] = []
        self.operator_ids: list[tuple[str, str]] = []
        self.operator_child = array("q")
        self.operator_parents: list[Rows] = []
        self.operator_orders: dict[int, dict[int, int]] = {}
        self.operator_stamps: list[bytes] = []
        self.operator_attributes = Ledger()
        self._operators_of: dict[int, dict[tuple[str, str], int]] = {}
        self.run_ids: list[str] = []
        self.run_rows: dict[str, int] = {}
        self.run_attributes = Ledger()
        self.run_maps = {name: Ledger() for name in _RUN_MAPS}
        self.node_log = ChangeLog()
        self.edge_log = ChangeLog()
        self.operator_log = ChangeLog()
        self.run_log = ChangeLog()
        self.version = 0
        self._next = 1

    def row_of(self, key: NodeKey) -> int:
        """Return the row of `key`; a new one is a ghost until it is introduced."""
        row = self.rows.get(key)
        return self._add_node(key) if row is None else row

    def _add_node(self, key: NodeKey) -> int:
        run_id = self.run_ids[self.run_row_of(key[1])]
        kind = "agent" if key[0] == "agent" else "individual"
        key = _new(NodeKey, (kind, run_id, key[2]))
        row = len(self.keys)
        self.rows[key] = row
        self.keys.append(key)
        for ledger in (self.attributes, self.scores, self.evaluations):
            ledger.add_row()
        self.known.append(0)
        self.births.append(UNKNOWN_TIME)
        self.parents.append(())
        self.children.append(())
        self.declared.append(None)
        self.makers.append(())
        self.node_log.add_row(self._next)
        self.edge_log.add_row()
        return row

    def add_child(self, parent: int, child: int) -> None:
        """Append to the children of `parent`; few of them take half the memory as a tuple."""
        siblings = self.children[parent]
        if type(siblings) is list:
            siblings.append(child)
        elif len(siblings) < _FEW:
            self.children[parent] = (*siblings, child)
        else:
            self.children[parent] = [*siblings, child]

    def run_row_of(self, run_id: str) -> int:
        """Return the row of a run, adding it when it is new."""
        row = self.run_rows.get(run_id)
        if row is None:
            if type(run_id) is str:
                run_id = sys.intern(run_id)  # mostly the one that readers use
            row = self.run_rows[run_id] = len(self.run_ids)
            self.run_ids.append(run_id)
            self.run_attributes.add_row()
            for ledger in self.run_maps.values():
                ledger.add_row()
            self.run_log.add_row(self._next)
        return row

    def operator_row(self, run_id: str, operator_id: str, child: int) -> int | None:
        """Return the row of the operator of that id that made `child`, or None."""
        index = self._operators_of.get(child)
        if index is not None:
            return index.get((run_id, operator_id))
        ids = self.operator_ids
        for row in self.makers[child]:
            if ids[row][1] == operator_id and ids[row][0] == run_id:
                return row
        return None

    def _add_operator(self, run_id: str, operator_id: str, child: int, stamp: bytes) -> int:
        row = len(self.operator_ids)
        identity = (self.run_ids[self.run_row_of(run_id)], operator_id)
        self.operator_ids.append(identity)
        self.operator_child.append(child)
        self.operator_parents.append(())
        self.operator_stamps.append(stamp)
        self.operator_attributes.add_row()
        self.operator_log.add_row(self._next)
        self.makers[child] += (row,)
        index = self._operators_of.get(child)
        if index is not None:
            index[identity] = row
        elif len(self.makers[child]) > 16:
            made = self.makers[child]
            self._operators_of[child] = {self.operator_ids[maker]: maker for maker in made}
        return row

    def invalid_reason(self, row: int) -> str | None:
        """Return why a node is invalid; None when it is not, or was scored since without fault."""
        facts = self.evaluations.values[row]
        if not facts or "invalid_reason" not in facts:
            return None
        stamp = self.evaluations.stamp_of(row, "invalid_reason") or b""
        return str(facts["invalid_reason"]) if stamp >= self.scores.newest(row) else None

    def is_seed(self, row: int) -> bool | None:
        """Return whether a node is a seed, None if nobody said; one with parents is none."""
        values = self.attributes.values[row]
        said = values.get("is_seed") if values else None
        if not isinstance(said, bool):
            return None
        return said and self.parents[row] in ((), (row,))

    def islands_of(self, row: int) -> tuple[str, ...]:
        """Return every island that a node was said to be on, sorted."""
        values = self.attributes.values[row]
        island = values.get("island_id") if values else None
        islands = self.islands.get(row)
        if islands is None:
            return () if island is None else (island,)
        return tuple(sorted(islands if island is None else islands | {island}))

    def order_of(self, child: int) -> Rows | range:
        """Return the order of each of the parents of `child`, aligned with ``parents[child]``."""
        return self.orders.get(child) or range(len(self.parents[child]))
