"""From what a format gives to lineage records."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, TypeGuard, cast, get_args

from hutch_lineage.mapping import ODDITIES, Oddity, RunEventReader, records_of
from hutch_lineage.model import Event, Record

from .format import Item
from .report import Report

_RECORDS: Final[tuple[type, ...]] = get_args(Record)


class Conversion:
    """Turns items into records, one after another; it remembers the runs of OpenLineage events.

    Parameters
    ----------
    report : Report
        What is odd about OpenLineage events goes there.
    """

    def __init__(self, report: Report) -> None:
        self._report = report
        self._reader = RunEventReader(self._note)

    def records(self, item: Item) -> Sequence[Record]:
        """Return what one item says."""
        if isinstance(item, dict):
            return self._reader.records(item)
        if isinstance(item, _RECORDS):
            return (cast("Record", item),)
        return records_of(item)

    def finish(self) -> Sequence[Record]:
        """Return what follows from there being no further item."""
        return self._reader.finish()

    def all(self, items: Iterable[Item]) -> Iterator[Record]:
        """Yield the records of all items."""
        for item in items:
            yield from self.records(item)
        yield from self.finish()

    def _note(self, oddity: Oddity) -> None:
        self._report.add(ODDITIES[oddity.kind], oddity.example)


def is_event(item: Item) -> TypeGuard[Event | dict[str, Any]]:
    """Return whether an item is an event, and no lineage record.

    Examples
    --------
    >>> is_event({"run": {"runId": "r"}})
    True
    """
    return not isinstance(item, _RECORDS)


def events_among(items: Iterable[Item]) -> list[Event | dict[str, Any]]:
    """Return those that are events.

    Examples
    --------
    >>> events_among([{"run": {"runId": "r"}}])
    [{'run': {'runId': 'r'}}]
    """
    return [item for item in items if is_event(item)]
