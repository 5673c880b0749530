"""Merging lineage records into the tables.

Every merge is commutative, associative and idempotent, so neither order nor repetition of the
records matters.
"""

from __future__ import annotations

import sys
from bisect import bisect
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

from .ledger import pack_stamp
from .newcomers import admit
from .tables import UNKNOWN_TIME, Rows, Tables

__all__ = ["Store"]

_WIDE = 32


class Store(Tables):
    """Tables that take in records; see `Tables` for what they hold.

    Attributes
    ----------
    version : int
        Grows with every batch that changed something.
    may_have_cycle : bool
        Whether an edge ever led to a node that had children already.
    """

    def __init__(self) -> None:
        super().__init__()
        self.may_have_cycle = False
        self._wide: dict[int, dict[int, int]] = {}
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
            place = 0
            while place < len(records):
                record = records[place]
                if type(record) is OperatorRecord and record.child not in self.rows:
                    place = admit(self, records, place, self._next)
                    if place == len(records):
                        break
                    record = records[place]
                self._handlers[type(record)](record)
                place += 1
        finally:
            logs = (self.node_log, self.edge_log, self.operator_log, self.run_log)
            self.version = max(log.newest() for log in logs)

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
        changed = self._introduce(child, UNKNOWN_TIME)
        changed |= self._link(child, (parent,), record.order)
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

    def _unite_operator_parents(self, row: int, stated: Rows) -> bool:
        held = self.operator_parents[row]
        if not stated or (stated == held and row not in self.operator_orders):
            return False
        if not held:
            child = self.operator_child[row]
            shared = self.parents[child]  # mostly the same: one tuple serves both
            self.operator_parents[row] = shared if shared == stated else stated
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

    def _link(self, child: int, stated: Rows, first: int = 0) -> bool:
        """Add the edges of one statement; return whether an edge or an order is new.

        `first` is the place of the first parent that is stated.
        """
        held = self.parents[child]
        if not stated or (stated == held and child not in self.orders):
            return False
        if not held and not first:
            self.parents[child] = stated
            for parent in stated:
                self._add_edge(parent, child)
            self.edge_log.touch(child, self._next)
            return True
        orders = self._wide.get(child)
        if orders is None:
            orders = dict(zip(held, self.order_of(child), strict=True))
        fresh: list[int] = []
        moved = False
        for order, parent in enumerate(stated, first):
            before = orders.get(parent)
            if before is None:
                self._add_edge(parent, child)
                fresh.append(parent)
            elif order >= before:
                continue
            else:
                moved = True
            orders[parent] = order
        if fresh or moved:
            if len(fresh) == 1 and not moved and child in self._wide:
                self._insert_parent(child, fresh[0], orders)
            else:
                self._set_parents(child, orders)
            self.edge_log.touch(child, self._next)
        return bool(fresh) or moved

    def _set_parents(self, child: int, orders: dict[int, int]) -> None:
        ranked = self._ranked(orders)
        self.parents[child] = ranked
        numbers = tuple([orders[parent] for parent in ranked])
        if numbers == tuple(range(len(numbers))):
            self.orders.pop(child, None)
        else:
            self.orders[child] = numbers
        if len(ranked) > _WIDE:
            self._wide[child] = orders

    def _insert_parent(self, child: int, parent: int, orders: dict[int, int]) -> None:
        """Add one parent to very many without sorting them anew."""
        keys, held, numbers = self.keys, self.parents[child], self.order_of(child)
        place = bisect(
            held,
            (orders[parent], keys[parent]),
            key=lambda other: (orders[other], keys[other]),
        )
        self.parents[child] = (*held[:place], parent, *held[place:])
        self.orders[child] = (*numbers[:place], orders[parent], *numbers[place:])

    def _add_edge(self, parent: int, child: int) -> None:
        self.add_child(parent, child)
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
