"""The rows behind the graph: nodes, edges, operators and runs, merged from lineage records.

Everything is kept by row number in flat lists: a million individuals fit in memory, walks need no
hashing, and the networkx view is made from it on demand. Every merge is commutative, associative
and idempotent, so neither order nor repetition of the records matters. No lock is taken here.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Callable, Mapping
from typing import Any

from hutch_lineage.model import (
    EdgeRecord,
    FitnessRecord,
    MigrationRecord,
    NodeKey,
    NodeRecord,
    OperatorRecord,
    Record,
    RunRecord,
)

from .changes import ChangeLog
from .ledger import Ledger, pack_stamp

__all__ = ["Store"]

Rows = tuple[int, ...]
_UNKNOWN_TIME = -1
_RUN_MAPS = ("score_directions", "config")


class Store:
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
        self.children: list[list[int] | tuple[()]] = []
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
        self.may_have_cycle = False
        self.version = 0
        self._next = 1
        self._handlers: dict[type, Callable[[Any], None]] = {
            RunRecord: self._apply_run,
            NodeRecord: self._apply_node,
            OperatorRecord: self._apply_operator,
            FitnessRecord: self._apply_fitness,
            EdgeRecord: self._apply_edge,
            MigrationRecord: self._apply_migration,
        }

    def apply(self, records: list[Record]) -> None:
        """Merge `records` as one version; a version without change is not counted."""
        self._next = self.version + 1
        try:
            for record in records:
                self._handlers[type(record)](record)
        finally:
            logs = (self.node_log, self.edge_log, self.operator_log, self.run_log)
            self.version = max(log.newest() for log in logs)

    # rows

    def row_of(self, key: NodeKey) -> int:
        """Return the row of `key`; a new one is a ghost until it is introduced."""
        row = self.rows.get(key)
        return self._add_node(key) if row is None else row

    def _add_node(self, key: NodeKey) -> int:
        run_row = self.run_row_of(key[1])
        key = NodeKey("agent" if key[0] == "agent" else "individual", self.run_ids[run_row], key[2])
        row = len(self.keys)
        self.rows[key] = row
        self.keys.append(key)
        for ledger in (self.attributes, self.scores, self.evaluations):
            ledger.add_row()
        self.known.append(0)
        self.births.append(_UNKNOWN_TIME)
        self.parents.append(())
        self.children.append(())
        self.declared.append(None)
        self.makers.append(())
        self.node_log.add_row(self._next)
        self.edge_log.add_row()
        return row

    def run_row_of(self, run_id: str) -> int:
        """Return the row of a run, adding it when it is new."""
        row = self.run_rows.get(run_id)
        if row is None:
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

    # records

    def _apply_run(self, record: RunRecord) -> None:
        row = self.run_row_of(record.run_id)
        stamp = pack_stamp(record.stamp)
        said = dict(record.attributes)
        changed = False
        for name, ledger in self.run_maps.items():
            part = said.pop(name, None)
            if isinstance(part, Mapping):
                changed |= ledger.state(row, stamp, part)
        if self.run_attributes.state(row, stamp, said) or changed:
            self.run_log.touch(row, self._next)

    def _apply_node(self, record: NodeRecord) -> None:
        row = self.row_of(record.key)
        stamp = pack_stamp(record.stamp)
        changed = self._introduce(row, record.stamp[0])
        said = record.attributes
        if said:
            changed |= self._note_island(row, said.get("island_id"))
            if said.get("is_seed") is True:
                self.called_seeds.add(row)
            changed |= self.attributes.state(row, stamp, said)
        if record.parents:
            stated = self._rows_of(record.parents)
            declared = self.declared[row]
            if declared is None:
                self.declared[row] = stated
            elif declared != stated:
                self.disagreeing.add(row)
            changed |= self._link(row, stated)
        if changed:
            self.node_log.touch(row, self._next)

    def _apply_operator(self, record: OperatorRecord) -> None:
        child = self.row_of(record.child)
        stamp = pack_stamp(record.stamp)
        changed = self._introduce(child, record.stamp[0])
        row = self.operator_row(record.run_id, record.id, child)
        fresh = row is None
        if row is None:
            row = self._add_operator(record.run_id, record.id, child, stamp)
        said = record.attributes
        altered = self.operator_attributes.state(row, stamp, said)
        if stamp > self.operator_stamps[row]:
            self.operator_stamps[row] = stamp
            altered = True
        stated = self._rows_of(record.parents)
        altered |= self._unite_operator_parents(row, stated)
        linked = self._link(child, stated)
        if record.child[0] == "agent":
            self._meet_agents(stated)
        relation = said.get("relation")
        if relation:
            for parent in stated:
                linked |= self._relate(parent, child, stamp, relation)
        if altered or fresh:
            self.operator_log.touch(row, self._next)
            self.edge_log.touch(child, self._next)
        if altered or fresh or linked or changed:
            self.node_log.touch(child, self._next)

    def _apply_fitness(self, record: FitnessRecord) -> None:
        row = self.row_of(record.key)
        stamp = pack_stamp(record.stamp)
        reason = self.invalid_reason(row)
        changed = not self.known[row]
        self.known[row] = 1
        if record.scores:
            changed |= self.scores.state(row, stamp, record.scores)
        said = record.attributes
        if said:
            changed |= self.evaluations.state(row, stamp, said)
        if changed or self.invalid_reason(row) != reason:
            self.node_log.touch(row, self._next)

    def _apply_edge(self, record: EdgeRecord) -> None:
        child = self.row_of(record.child)
        parent = self.row_of(record.parent)
        changed = self._introduce(child, _UNKNOWN_TIME)
        changed |= self._link(child, (parent,))
        changed |= self._relate(parent, child, pack_stamp(record.stamp), record.relation)
        if changed:
            self.node_log.touch(child, self._next)

    def _apply_migration(self, record: MigrationRecord) -> None:
        stamp = pack_stamp(record.stamp)
        entry = (stamp, record.from_island, record.to_island)
        for key in record.keys:
            row = self.row_of(key)
            moves = self.migrations.setdefault(row, set())
            if entry not in moves:
                moves.add(entry)
                self.islands.setdefault(row, set()).update(entry[1:])
                self.node_log.touch(row, self._next)

    # merges

    def _introduce(self, row: int, time_ns: int) -> bool:
        changed = not self.known[row]
        self.known[row] = 1
        if time_ns >= 0 and not 0 <= self.births[row] <= time_ns:
            self.births[row] = min(time_ns, sys.maxsize)
            changed = True
        return changed

    def _meet_agents(self, rows: Rows) -> None:
        """Introduce the agents that changed themselves: no other event introduces an agent."""
        for row in rows:
            if not self.known[row] and self.keys[row].kind == "agent":
                self.known[row] = 1
                self.node_log.touch(row, self._next)

    def _note_island(self, row: int, island: str | None) -> bool:
        values = self.attributes.values[row]
        held = values.get("island_id") if values else None
        if island is None or held is None or held == island:
            return False
        islands = self.islands.setdefault(row, set())
        before = len(islands)
        islands.update((held, island))
        return len(islands) != before

    def _rows_of(self, keys: tuple[NodeKey, ...]) -> Rows:
        if len(keys) == 1:
            return (self.row_of(keys[0]),)
        return tuple(dict.fromkeys([self.row_of(key) for key in keys]))

    def order_of(self, child: int) -> Rows | range:
        """Return the order of each of the parents of `child`, aligned with ``parents[child]``."""
        return self.orders.get(child) or range(len(self.parents[child]))

    def _unite_operator_parents(self, row: int, stated: Rows) -> bool:
        held = self.operator_parents[row]
        if not stated or (stated == held and row not in self.operator_orders):
            return False
        if not held:
            self.operator_parents[row] = stated
            return True
        orders = self.operator_orders.get(row) or {
            parent: order for order, parent in enumerate(held)
        }
        for order, parent in enumerate(stated):
            orders[parent] = min(order, orders.get(parent, order))
        self.operator_orders[row] = orders
        self.operator_parents[row] = self._ranked(orders)
        return self.operator_parents[row] != held

    def _ranked(self, orders: dict[int, int]) -> Rows:
        """Sort parents by their least index in any statement, then by key."""
        keys = self.keys
        return tuple(sorted(orders, key=lambda parent: (orders[parent], keys[parent])))

    def _link(self, child: int, stated: Rows) -> bool:
        """Add the edges of one statement; return whether an edge or an order is new."""
        held = self.parents[child]
        if not stated or (stated == held and child not in self.orders):
            return False
        if not held:
            self.parents[child] = stated
            for parent in stated:
                self._add_edge(parent, child)
            self.edge_log.touch(child, self._next)
            return True
        orders = dict(zip(held, self.order_of(child), strict=True))
        changed = False
        for order, parent in enumerate(stated):
            before = orders.get(parent)
            if before is None:
                self._add_edge(parent, child)
            if before is None or order < before:
                orders[parent] = order
                changed = True
        if changed:
            self._set_parents(child, orders)
            self.edge_log.touch(child, self._next)
        return changed

    def _set_parents(self, child: int, orders: dict[int, int]) -> None:
        ranked = self._ranked(orders)
        self.parents[child] = ranked
        numbers = tuple([orders[parent] for parent in ranked])
        if numbers == tuple(range(len(numbers))):
            self.orders.pop(child, None)
        else:
            self.orders[child] = numbers

    def _add_edge(self, parent: int, child: int) -> None:
        siblings = self.children[parent]
        if siblings:
            siblings.append(child)
        else:
            self.children[parent] = [child]
        self.edge_count += 1
        if parent == child:
            self.self_loops.add(child)
            self.node_log.touch(child, self._next)
        elif self.children[child]:
            self.may_have_cycle = True

    def _relate(self, parent: int, child: int, stamp: bytes, relation: str) -> bool:
        """Name the relation of an edge; ``parent`` is what holds where nothing else was said."""
        if relation == "parent":
            return False
        held = self.relations.get((parent, child))
        if held is not None and held >= (stamp, relation):
            return False
        self.relations[(parent, child)] = (stamp, sys.intern(relation))
        self.edge_log.touch(child, self._next)
        return held is None or held[1] != relation
