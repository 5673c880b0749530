"""Which OpenLineage events name which node."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from hutch_lineage.mapping import RunEventReader
from hutch_lineage.model import EdgeRecord, NodeKey, NodeRecord, OperatorRecord, Record

MAX_AS_PARENT = 20


class EventsIndex:
    """Finds the events of a node in a growing list of RunEvents, without scanning it again."""

    def __init__(self) -> None:
        self._seen = 0
        self._reader = RunEventReader()
        self._made: defaultdict[NodeKey, list[int]] = defaultdict(list)
        self._used: defaultdict[NodeKey, list[int]] = defaultdict(list)

    def extend(self, events: Sequence[dict[str, Any]]) -> None:
        """Take in the part of `events` that has not been seen."""
        for position in range(self._seen, len(events)):
            made, used = _named(self._reader.records(events[position]))
            for key in made:
                self._made[key].append(position)
            for key in used:
                if len(self._used[key]) < MAX_AS_PARENT:
                    self._used[key].append(position)
        self._seen = len(events)

    def of(self, key: NodeKey, events: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
        """Return the events that made `key`, then up to 20 in which it is a parent."""
        positions = [*self._made.get(key, ()), *self._used.get(key, ())]
        return [events[position] for position in dict.fromkeys(positions)]


def _named(records: Iterable[Record]) -> tuple[set[NodeKey], set[NodeKey]]:
    made: set[NodeKey] = set()
    used: set[NodeKey] = set()
    for record in records:
        if isinstance(record, OperatorRecord):
            made.add(record.child)
            used.update(record.parents)
        elif isinstance(record, EdgeRecord):
            made.add(record.child)
            used.add(record.parent)
        elif isinstance(record, NodeRecord):
            made.add(record.key)
    return made, used - made
