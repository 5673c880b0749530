"""Which OpenLineage events name which node."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

from hutch_lineage.model import NodeKey

from .reader import named_nodes

MAX_AS_PARENT = 20
EventT = TypeVar("EventT", bound=Mapping[str, Any])


class EventsIndex:
    """Finds the events of a node in a growing list of RunEvents, without scanning it again.

    Examples
    --------
    >>> event = {"run": {"runId": "r"}, "inputs": [{"name": "individual:a"}],
    ...          "outputs": [{"name": "individual:b"}]}
    >>> index = EventsIndex()
    >>> index.extend([event])
    >>> [index.of(NodeKey("individual", "r", name), [event]) == [event] for name in "abc"]
    [True, True, False]
    """

    def __init__(self) -> None:
        self._seen = 0
        self._made: defaultdict[NodeKey, list[int]] = defaultdict(list)
        self._used: defaultdict[NodeKey, list[int]] = defaultdict(list)

    def extend(self, events: Sequence[Mapping[str, Any]]) -> None:
        """Take in the part of `events` that has not been seen."""
        for position in range(self._seen, len(events)):
            made, used = named_nodes(events[position])
            _note(self._made, made, position, None)
            _note(self._used, used, position, MAX_AS_PARENT)
        self._seen = len(events)

    def of(self, key: NodeKey, events: Sequence[EventT]) -> list[EventT]:
        """Return the events that made `key`, then up to 20 in which it is a parent."""
        positions = [*self._made.get(key, ()), *self._used.get(key, ())]
        return [events[position] for position in dict.fromkeys(positions)]


def _note(
    index: defaultdict[NodeKey, list[int]],
    keys: Iterable[NodeKey],
    position: int,
    most: int | None,
) -> None:
    for key in dict.fromkeys(keys):
        if most is None or len(index[key]) < most:
            index[key].append(position)
