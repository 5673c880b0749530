"""A folder of event files: of Hutch, of OpenLineage, of many workers, or this package's journal."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Final

from hutch_lineage.errors import ReadError
from hutch_lineage.readers import (
    Feed,
    Item,
    NothingFoundError,
    Report,
    Source,
    files_below,
    is_file,
)

from .event_lines import events_of, holds_events
from .tailing import EventFeed

MOST_LOOKED_AT: Final = 64
OTHERS: Final = frozenset(
    {".txt", ".md", ".rst", ".html", ".csv", ".py", ".yaml", ".toml", ".png", ".pdf", ".log"}
)
"""Endings of what lies beside events as a matter of course: not told of where it holds none."""


class EventFolder:
    """All event files below a folder make one graph, such as one file for each worker."""

    kind = "event-folder"
    title = "a folder of files with Hutch or OpenLineage events"

    def detect(self, source: Source) -> bool:
        """Return whether one of the first files in it begins with an event."""
        if not source.is_folder or JournalFolder().detect(source):
            return False
        return any(map(holds_events, islice(self.files(source.here), MOST_LOOKED_AT)))

    def files(self, folder: Path, report: Report | None = None) -> Iterator[Path]:
        """Yield the files that may hold events."""
        for path in files_below(folder, report):
            if path.suffix.lower() not in OTHERS or holds_events(path):
                yield path

    def read(self, source: Source, report: Report) -> Iterator[Item]:
        """Yield the events, file by file; a file without events is in the report."""
        found = False
        for path in self.files(source.here, report):
            if not holds_events(path):
                report.add("files without events", str(path.relative_to(source.here)))
                continue
            try:
                for item in events_of(path, report, f"{path.relative_to(source.here)} "):
                    found = True
                    yield item
            except NothingFoundError:
                report.add("files without events", str(path.relative_to(source.here)))
            except ReadError as error:
                report.add("files skipped: cannot be read", str(error))
        if not found:
            raise ReadError(f"{source.name}: no event in any file below it", source.name)

    def follow(self, source: Source, report: Report) -> Feed:
        """Return a feed that reads what is new in each file, and files that are new."""
        return EventFeed(source.here, lambda: self.files(source.here), report)


class JournalFolder(EventFolder):
    """The journal of an endpoint, or the folder with all journals."""

    kind = "journal"
    title = "this package's journal of what was emitted"

    def detect(self, source: Source) -> bool:
        """Return whether there are the files of a journal in it."""
        return source.is_folder and any(self.files(source.here))

    def files(self, folder: Path, report: Report | None = None) -> Iterator[Path]:
        """Yield the files of events; their folder names its owner."""
        for path in files_below(folder, report, deepest=3):
            if path.match("events-*.ndjson") and is_file(path.with_name("owner.json")):
                yield path
