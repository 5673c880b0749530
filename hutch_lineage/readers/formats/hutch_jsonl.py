"""Hutch's canonical events in a file."""

from __future__ import annotations

from collections.abc import Iterator

from hutch_lineage.readers import Feed, Item, Report, Source, is_hutch

from .event_lines import events_of, is_event_json
from .tailing import EventFeed


class HutchJsonl:
    """Hutch's canonical events: one JSON a line, an array, or pretty-printed; plain or gzipped."""

    kind = "hutch-jsonl"
    title = "Hutch events, one JSON a line"

    def detect(self, source: Source) -> bool:
        """Return whether the first event in it is Hutch's."""
        return first_is(source, hutch=True)

    def read(self, source: Source, report: Report) -> Iterator[Item]:
        """Yield the events; OpenLineage's among them, too."""
        return events_of(source.here, report)

    def follow(self, source: Source, report: Report) -> Feed:
        """Return a feed that reads what is added to the file."""
        return EventFeed(source.here, lambda: iter([source.here]), report)


def first_is(source: Source, *, hutch: bool) -> bool:
    """Return whether the first event in the head of a file is of Hutch, or of OpenLineage."""
    values = source.opening
    if len(values) == 1 and isinstance(source.first.get("events"), list):
        values = source.first["events"]
    first = next((value for value in values if is_event_json(value)), None)
    return first is not None and is_hutch(first) is hutch
