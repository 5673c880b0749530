"""A source whose kind is known: its items, its records, and a graph of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Protocol, TypeVar

from hutch_lineage.errors import ReadError
from hutch_lineage.model import Event, Record

from .conversion import Conversion, events_among
from .format import Feed, Followable, Format, Item, NothingFoundError
from .guarded import guarded
from .registry import built_in, format_of, kinds_line
from .report import ReadReport, Report
from .rereading import Rereading
from .source import Source
from .uncollected import uncollected


class GrowingGraph(Protocol):
    """What a reading can be put into: a graph that takes records and has a report."""

    @property
    def report(self) -> Report:
        """Where what was odd is noted."""
        ...

    def apply(self, *items: Any) -> int:
        """Take in records."""
        ...


GraphT = TypeVar("GraphT", bound=GrowingGraph)


class Reading:
    """A source that was opened, and not read yet. Whoever asks for its items reads it, each time.

    Parameters
    ----------
    source : Source
        What to read.
    format : Format
        How.
    found : ReadReport
        What was odd about finding the format.

    Attributes
    ----------
    kind : str
        Its format's, such as ``hutch-jsonl``.
    """

    def __init__(self, source: Source, format: Format, found: ReadReport) -> None:  # noqa: A002
        self.source = source
        self.format = format
        self.kind = format.kind
        self._found = found

    @property
    def name(self) -> str:
        """The path, or the run and the address, for people; the run is known when it was read."""
        return self.source.name

    def items(self, report: Report | None = None) -> Iterator[Item]:
        """Yield what the source says; what is odd about it goes to `report`.

        Raises
        ------
        ReadError
            It cannot be read; with file, line and reason.
        """
        told = ReadReport() if report is None else report
        self._found.tell(told)
        try:
            yield from guarded(self.format, self.source, told)
        except NothingFoundError as error:
            raise ReadError(f"{error}; {kinds_line(told)}", error.source, error.line) from None

    def records(self, report: Report | None = None) -> Iterator[Record]:
        """Yield the lineage records of the source; what is odd about it goes to `report`."""
        told = ReadReport() if report is None else report
        return Conversion(told).all(self.items(told))

    def events(self) -> list[Event | dict[str, Any]]:
        """Return the events of the source, in order; empty where it holds other things."""
        return events_among(self.items())

    def apply_to(self, graph: GraphT, keep: Callable[[Item], object] | None = None) -> GraphT:
        """Put the source into a graph, and what was odd into its report; return the graph.

        Parameters
        ----------
        graph : LineageGraph
            Where to.
        keep : callable, optional
            Called with each item before it is put there.
        """
        report = graph.report
        conversion = Conversion(report)

        def records() -> Iterator[Record]:
            for item in self.items(report):
                if keep is not None:
                    keep(item)
                yield from conversion.records(item)
            yield from conversion.finish()

        with uncollected():
            graph.apply(records())
        return graph

    def follow(self, report: Report) -> Feed:
        """Return a feed of the source: first all that is there, then what is new."""
        self._found.tell(report)
        if isinstance(self.format, Followable):
            return self.format.follow(self.source, report)
        return Rereading(self.format, self.source, report)


def read(
    source: str | Path,
    *,
    kind: str | None = None,
    run: str | None = None,
    api_key: str | None = None,
) -> Reading:
    """Open a file, a folder, or what a backend holds of a run; its kind is found from the content.

    Parameters
    ----------
    source : str or Path
        See :func:`hutch_lineage.load`.
    kind : str, optional
        How to read it, where that is not to be found out.
    run : str, optional
        The run to read from a backend, by name or id; not needed where there is only one.
    api_key : str, optional
        For a backend: sent as a bearer token.

    Returns
    -------
    Reading
        What it says is read when it is asked for.

    Raises
    ------
    ReadError
        There is no such file, no such kind, or no kind that fits; the message lists the kinds. Or
        a run of a file was asked for, which is opened whole.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
    ...     _ = file.write('{"event_kind": "run_end", "run_id": "r", "payload": {}}')
    ...     file.flush()
    ...     read(file.name).kind
    'hutch-jsonl'
    """
    looked = Source(source, run, api_key)
    if run is not None and not looked.address:
        raise ReadError(
            f"{looked.name}: run= chooses among the runs of a backend; a file is opened whole. "
            "Leave it out",
            looked.name,
        )
    found = ReadReport()
    format_ = format_of(looked, kind, found)
    if format_ is None and not looked.is_folder:
        # the events may come later, or it is a pipe: whoever reads it says what is wrong with it
        format_ = built_in("hutch-jsonl")
    if format_ is None:
        raise ReadError(
            f"{looked.name}: nothing that can be read stands in this folder; {kinds_line(found)}. "
            "Name the folder above it or one further in, a file, or the kind with kind=",
            looked.name,
        )
    return Reading(looked, format_, found)
