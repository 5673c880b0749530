"""Hutch's event log in a DuckDB file, as ``embedded`` capture and ``hutch serve`` keep it."""

from __future__ import annotations

from collections.abc import Iterator

from hutch_lineage.errors import ReadError
from hutch_lineage.readers import Item, Report, Source, checked_event, logged_values


class HutchDuckDB:
    """Hutch's event log; the file is opened read-only."""

    kind = "hutch-duckdb"
    title = "Hutch's event log in a DuckDB file"

    def detect(self, source: Source) -> bool:
        """Return whether it is a DuckDB file."""
        return source.head[8:12] == b"DUCK"

    def read(self, source: Source, report: Report) -> Iterator[Item]:
        """Yield the events in the order of their time."""
        found, first = False, ""
        for number, value in enumerate(logged_values(source.here), start=1):
            event, problem = checked_event(value, f"event {number}", report)
            first = first or problem
            if event is not None:
                found = True
                yield event
        if not found:
            raise ReadError(
                f"{source.name}: no event in it" + (f": {first}" if first else ""), source.name
            )
