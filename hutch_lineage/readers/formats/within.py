"""A report that says which of several files something is in."""

from __future__ import annotations

from hutch_lineage.readers import Report


class Within:
    """Passes on what is noted, with a file before each example.

    Examples
    --------
    >>> from hutch_lineage.readers import ReadReport
    >>> report = ReadReport()
    >>> Within(report, "a.csv").add("rows with too few cells", "line 3")
    >>> report.lines()
    ['rows with too few cells: 1 (a.csv: line 3)']
    """

    def __init__(self, report: Report, file: str) -> None:
        self._report = report
        self._file = file

    def add(self, kind: str, example: str = "", count: int = 1) -> None:
        """Note an oddity of a kind."""
        self._report.add(kind, f"{self._file}: {example}" if example else self._file, count)
