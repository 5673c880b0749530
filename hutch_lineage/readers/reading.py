"""What a file or a backend holds: its kind, its events, and what was odd."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol, TypeVar

from hutch_lineage.errors import ReadError
from hutch_lineage.mapping import ODDITIES, Oddity, is_openlineage, read_run_events, records_of
from hutch_lineage.model import Event, Record

from .documents import documents
from .duckdb_log import is_duckdb, logged_values
from .feed import is_backend, open_feed
from .hutch import hutch_event, is_hutch
from .report import ReadReport

Kind = Literal["hutch-jsonl", "hutch-duckdb", "openlineage-ndjson", "openlineage-backend"]
KINDS = "Hutch events (event_kind ...) or OpenLineage events (eventType, run, job ...)"


class _Report(Protocol):
    def add(self, kind: str, example: str = "", count: int = 1) -> None: ...


class GrowingGraph(Protocol):
    """What a reading can be put into: a graph that takes records and has a report."""

    @property
    def report(self) -> _Report:
        """Where what was odd is noted."""
        ...

    def apply(self, *items: Any) -> int:
        """Take in records."""
        ...


GraphT = TypeVar("GraphT", bound=GrowingGraph)


@dataclass
class Reading:
    """A file, or a run of a backend, that was read.

    Attributes
    ----------
    kind : str
        ``hutch-jsonl`` or ``openlineage-ndjson``; of a file that holds both, the kind of the first.
        ``hutch-duckdb`` for Hutch's event log in a DuckDB file, ``openlineage-backend`` for the
        events that a backend gave back.
    source : str
        The path, or the run and the address, for people.
    events : list
        In the order of the file: Hutch events as :class:`~hutch_lineage.model.Event`, OpenLineage
        events as dicts.
    report : ReadReport
        What was skipped or mended, and what was odd, with line numbers.
    """

    kind: Kind
    source: str
    events: list[Event | dict[str, Any]]
    report: ReadReport = field(default_factory=ReadReport)

    def records(self, report: ReadReport | None = None) -> Iterator[Record]:
        """Yield the lineage records of the events; what is odd about them goes to `report`."""
        told = ReadReport() if report is None else report

        def note(oddity: Oddity) -> None:
            told.add(ODDITIES[oddity.kind], oddity.example)

        foreign: list[dict[str, Any]] = []
        for event in self.events:
            if isinstance(event, dict):
                foreign.append(event)
            else:
                yield from records_of(event)
        yield from read_run_events(foreign, note)

    def apply_to(self, graph: GraphT) -> GraphT:
        """Put the events into a graph, and what was odd into its report; return the graph.

        Examples
        --------
        >>> from hutch_lineage.graph import LineageGraph
        >>> Reading("hutch-jsonl", "nothing.jsonl", []).apply_to(LineageGraph())
        LineageGraph(0 individuals, 0 agents, 0 edges, 0 runs)
        """
        told = ReadReport()
        graph.apply(self.records(told))
        for report in (self.report, told):
            for kind, count in report.counts.items():
                examples = report.examples[kind]
                for example in examples:
                    graph.report.add(kind, example)
                if count > len(examples):
                    graph.report.add(kind, count=count - len(examples))
        return graph


def read(source: str | Path, run: str | None = None, api_key: str | None = None) -> Reading:
    """Read a file of events, or what a backend holds of a run.

    The kind is found from the content, not from the name. A line that cannot be read is skipped
    and stands in the report with its number.

    Parameters
    ----------
    source : str or Path
        Hutch canonical events (JSONL), or OpenLineage events (one a line, a JSON array, or
        pretty-printed); plain or gzipped. Or Hutch's event log in a DuckDB file, as ``embedded``
        capture and ``hutch serve`` keep it; it is opened read-only. Or the address of a
        Marquez, ``http://host:port`` or ``marquez://host[:port]``.
    run : str, optional
        The run to read from a backend, by name or id; not needed where there is only one.
    api_key : str, optional
        For a backend: sent as a bearer token.

    Returns
    -------
    Reading
        Kind, events and report.

    Raises
    ------
    ReadError
        There is no such file, it is a folder, empty or no text, or nothing in it is an event;
        ``line`` is the first line at fault. Another process has the DuckDB file open. The backend
        does not answer, or has not that run.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
    ...     _ = file.write('{"event_kind": "run_end", "run_id": "r", "payload": {}}')
    ...     file.flush()
    ...     read(file.name).kind
    'hutch-jsonl'
    """
    if is_backend(source):
        feed = open_feed(str(source), run, api_key)
        try:
            return Reading("openlineage-backend", feed.name, list(feed.poll()))
        finally:
            feed.close()
    if run is not None:
        raise ReadError(f"{source}: run= chooses among the runs of a backend", str(source))
    try:
        path = Path(source).expanduser()
    except RuntimeError as error:
        raise ReadError(f"{source}: {error}", str(source)) from error
    report = ReadReport()
    if is_duckdb(path):
        return _logged(path, report)
    events: list[Event | dict[str, Any]] = []
    kind: Kind | None = None
    fault: tuple[int, str] | None = None
    for document in documents(path):
        where = f"line {document.line}"
        value = document.value
        if document.fault:
            problem = document.fault
            report.add("lines skipped: not JSON", f"{where}: {problem}")
        elif is_hutch(value):
            event = hutch_event(value, where, report)
            if event is not None:
                events.append(event)
                kind = kind or "hutch-jsonl"
                continue
            problem = report.examples["Hutch events skipped"][-1].removeprefix(f"{where}: ")
        elif is_openlineage(value):
            events.append(value)
            kind = kind or "openlineage-ndjson"
            continue
        else:
            problem = f"not an event: {_described(value)}"
            report.add("values skipped: not an event", f"{where}: {_described(value)}")
        fault = fault or (document.line, problem)
    if kind is None:
        line, problem = fault or (1, "nothing in it")
        raise ReadError(
            f"{path}: no event in it; line {line}: {problem}. Readable are {KINDS}",
            str(path),
            line,
        )
    return Reading(kind, str(path), events, report)


def _logged(path: Path, report: ReadReport) -> Reading:
    """Read a log in a DuckDB file."""
    events: list[Event | dict[str, Any]] = []
    for number, value in enumerate(logged_values(path), start=1):
        event = hutch_event(value, f"event {number}", report)
        if event is not None:
            events.append(event)
    if not events:
        odd = "; ".join(report.examples.get("Hutch events skipped", [])[:1])
        raise ReadError(f"{path}: no event in it" + (f": {odd}" if odd else ""), str(path))
    return Reading("hutch-duckdb", str(path), events, report)


def _described(value: Any) -> str:
    if isinstance(value, dict):
        names: Iterable[str] = list(value)[:5]
        return f"an object with {', '.join(map(repr, names))}" if value else "an empty object"
    return f"a {type(value).__name__}"
