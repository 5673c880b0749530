"""OpenLineage events of any producer in a file."""

from __future__ import annotations

from collections.abc import Iterator

from hutch_lineage.readers import Feed, Item, Report, Source

from .event_lines import events_of
from .hutch_jsonl import first_is
from .tailing import EventFeed


class OpenLineage:
    """OpenLineage events: one JSON a line, an array, or pretty-printed; plain or gzipped."""

    kind = "openlineage-ndjson"
    title = "OpenLineage events, one JSON a line or an array"

    def detect(self, source: Source) -> bool:
        """Return whether the first event in it is one of OpenLineage."""
        return first_is(source, hutch=False)

    def read(self, source: Source, report: Report) -> Iterator[Item]:
        """Yield the events; Hutch's among them, too."""
        return events_of(source.here, report)

    def follow(self, source: Source, report: Report) -> Feed:
        """Return a feed that reads what is added to the file."""
        return EventFeed(source.here, lambda: iter([source.here]), report)
