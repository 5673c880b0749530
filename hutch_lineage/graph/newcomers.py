"""Many operators at once that each make a node nobody has named before, as a log is full of them.

What such an operator says is all that is known of its node, so there is nothing to merge: rows are
appended to the tables, column by column. They look then as the careful way would leave them.
"""

from __future__ import annotations

import sys
from typing import Any, Final, TypeAlias

from hutch_lineage.model import NodeKey, OperatorRecord, Record

from .ledger import pack_stamp, stated
from .tables import UNKNOWN_TIME, Rows, Tables

__all__ = ["admit"]

_new: Final = tuple.__new__
_Made: TypeAlias = tuple[int, NodeKey, Rows, int, tuple[str, str], bytes, dict[str, Any]]
"""The row of a node, its key, parents and birth; its operator's identity, stamp, attributes."""


def admit(tables: Tables, records: list[Record], start: int, version: int) -> int:
    """Take in the operators from `start` on, for as long as each makes a new node of known ones.

    Parameters
    ----------
    tables : Tables
        Where to.
    records : list of Record
        What is said, in order.
    start : int
        The place of the first record to look at.
    version : int
        The version that they are part of.

    Returns
    -------
    int
        The place of the first record that has to be merged with care.

    Examples
    --------
    >>> from hutch_lineage.graph.store import Store
    >>> from hutch_lineage.model import Stamp
    >>> store, child = Store(), NodeKey("individual", "r", "a")
    >>> store.run_row_of("r")
    0
    >>> admit(store, [OperatorRecord("r", "o", Stamp(1, "e"), (), child)] * 2, 0, 1)
    1
    """
    made: list[_Made] = []
    try:
        _look_at(tables, records, start, made)
    finally:  # also where a record is none: what came before it stays
        if made:
            _append(tables, made, version)
    return start + len(made)


def _look_at(tables: Tables, records: list[Record], start: int, made: list[_Made]) -> None:
    """Put into `made` what can be appended, and its keys among the rows."""
    rows, run_rows, run_ids = tables.rows, tables.run_rows, tables.run_ids
    row = len(tables.keys)
    run: str | None = None
    for place in range(start, len(records)):
        record = records[place]
        if type(record) is not OperatorRecord:
            return
        run_id, operator_id, stamp, parents, child, said = record
        if child in rows or child in parents or child[0] != "individual" or "relation" in said:
            return
        if run_id is not run or child[1] is not run:
            if run_id not in run_rows or child[1] != run_id:
                return
            run = run_ids[run_rows[run_id]]
            child = _new(NodeKey, ("individual", run, child[2]))
        try:
            above: Rows = tuple([rows[parent] for parent in parents])
        except KeyError:
            return
        if len(above) > 1 and len(set(above)) < len(above):
            above = tuple(dict.fromkeys(above))
        birth = min(stamp[0], sys.maxsize) if stamp[0] >= 0 else UNKNOWN_TIME
        packed = pack_stamp(stamp)
        made.append((row, child, above, birth, (run, operator_id), packed, stated(said)))
        rows[child] = row
        row += 1


def _append(tables: Tables, made: list[_Made], version: int) -> None:
    count, first = len(made), len(tables.operator_ids)
    numbers, keys, parents, births, identities, stamps, values = zip(*made, strict=True)
    tables.keys.extend(keys)
    for ledger in (tables.attributes, tables.scores, tables.evaluations):
        ledger.add_rows(count)
    tables.known.extend(b"\x01" * count)
    tables.births.extend(births)
    tables.parents.extend(parents)
    tables.children.extend([()] * count)
    tables.declared.extend([None] * count)
    tables.makers.extend([(operator,) for operator in range(first, first + count)])
    tables.node_log.add_rows(count, version)
    tables.edge_log.add_rows(count, version)

    tables.operator_ids.extend(identities)
    tables.operator_child.extend(numbers)
    tables.operator_parents.extend(parents)
    tables.operator_stamps.extend(stamps)
    tables.operator_attributes.extend(stamps, values)
    tables.operator_log.add_rows(count, version)

    add_child = tables.add_child
    for row, above in zip(numbers, parents, strict=True):
        tables.edge_count += len(above)
        for parent in above:
            add_child(parent, row)
