"""A source as the commands look at it: its graph, and the run that is meant."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from hutch_lineage.graph import LineageGraph


class OpenedGraph(NamedTuple):
    """What was opened.

    Attributes
    ----------
    graph : LineageGraph
        All of it.
    kind : str
        How it was read.
    events : int
        How many events stood in it; 0 where it holds other things.
    run : str or None
        The id of the run that was asked for, of a source with several.
    """

    graph: LineageGraph
    kind: str
    events: int
    run: str | None


def open_graph(
    source: str, kind: str | None, run: str | None, directions: Mapping[str, Any]
) -> OpenedGraph:
    """Open a source; `run` chooses among the runs of a backend, and among those of a file.

    Raises
    ------
    ReadError
        It cannot be read.
    GraphError
        There is no such run; the message lists those that there are.
    """
    from hutch_lineage.graph import LineageGraph
    from hutch_lineage.readers import Item, is_backend, is_event, read
    from hutch_lineage.session import reading_key

    asked = run if is_backend(source) else None
    reading = read(source, kind=kind, run=asked, api_key=reading_key(source))
    graph, events = LineageGraph(), 0

    def count(item: Item) -> None:
        nonlocal events
        events += is_event(item)

    graph.declare(directions)
    reading.apply_to(graph, count)
    chosen = None if run is None or asked else _run_named(graph, run)
    return OpenedGraph(graph, reading.kind, events, chosen)


def _run_named(graph: LineageGraph, run: str) -> str:
    from hutch_lineage.errors import GraphError

    if run in graph.runs:
        return run
    named = [run_id for run_id, info in graph.runs.items() if info.name == run]
    if len(named) == 1:
        return named[0]
    known = ", ".join(list(graph.runs)[:5]) or "none"
    problem = "several runs have that name" if named else f"no run {run!r}"
    raise GraphError(f"{problem}; run ids are: {known}")
