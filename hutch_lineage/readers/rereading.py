"""A source followed without any knowledge of it: read anew when one of its files has changed."""

from __future__ import annotations

from collections.abc import Sequence

from .file_state import file_state
from .folders import files_below
from .format import Format, Item
from .fresh_items import FreshItems
from .guarded import guarded
from .places import is_folder
from .report import ReadReport, Report
from .source import Source


class Rereading:
    """Polls the sizes and dates of a source's files, and reads all of it when they changed.

    The graph takes a statement twice without harm. What was odd is counted once.

    Parameters
    ----------
    format : Format
        How to read.
    source : Source
        What to read.
    report : Report
        What is odd goes there.

    Attributes
    ----------
    name : str
        The path.
    period_s : float
        How long to wait between two polls while something comes.
    ended : bool
        Never: nothing in a file says that it is complete.
    """

    period_s = 2.0
    ended = False

    def __init__(self, format: Format, source: Source, report: Report) -> None:  # noqa: A002
        self._format = format
        self._source = source
        self._report = report
        self._fresh = FreshItems()
        self._seen: object = None
        self.name = source.name

    def poll(self) -> Sequence[Item]:
        """Return what is new in the source if it has changed since the last call.

        Raises
        ------
        ReadError
            It cannot be read, for example since it is only half written; call again later.
        """
        signature = self._signature()
        if signature == self._seen:
            return []
        fresh = Source(self._source.path or self._source.address, self._source.run)
        report = ReadReport()
        items = list(guarded(self._format, fresh, report))
        self._seen = signature
        self._fresh.tell(report, self._report)
        return list(self._fresh.among(items))

    def close(self) -> None:
        """Do nothing: nothing is open between two polls."""

    def _signature(self) -> object:
        path = self._source.here
        files = files_below(path) if is_folder(path) else [path]
        return [(str(file), file_state(file)) for file in files]
