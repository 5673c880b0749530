"""What a form is made from: a graph, the events behind it, and what was asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from hutch_lineage.mapping import CARRIED, Preset, is_of_default, preset_of
from hutch_lineage.model import Event

from .events import events_of_graph
from .jsonl import to_jsonl
from .losses import losses
from .ndjson import to_ndjson
from .options import check_options

if TYPE_CHECKING:
    from hutch_lineage.graph import LineageGraph

    from .page import Shown


@dataclass(slots=True)
class Job:
    """One export.

    Attributes
    ----------
    graph : LineageGraph
        What to write.
    events : list of Event or dict
        The Hutch or OpenLineage events behind it; empty where they are not known.
    preset : str, Preset or None
        How OpenLineage is to be written; None is as it came, or the default mapping.
    shown : callable, optional
        What a view is to show at first.
    options : dict
        What else was asked for, by the names that the form knows.
    notes : list of str
        What the form cannot carry, a line each.
    """

    graph: LineageGraph
    events: list[Event | Mapping[str, Any]] = field(default_factory=list)
    preset: str | Preset | None = None
    shown: Shown | None = None
    options: dict[str, Any] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def hutch_events(self) -> str:
        """Return JSONL: the Hutch events as they were logged, else made from the graph."""
        if self.events and all(isinstance(event, Event) for event in self.events):
            return to_jsonl(self.events)
        events, notes = events_of_graph(self.graph)
        if self.events:
            notes.append("not all of it was logged as Hutch events: made from the graph")
        self.notes += notes
        return to_jsonl(events)

    def run_events(self) -> str:
        """Return NDJSON under the preset."""
        preset = preset_of(self.preset or "generic")
        events: Iterable[Event | Mapping[str, Any]] = self.events
        kept = self.preset is None or preset.is_default
        if not self.events or not (kept or all(map(_says_all, self.events))):
            events, notes = events_of_graph(self.graph, schema=False)
            self.notes += notes
            if self.events:
                self.notes.append(f"mapped anew from the graph for {preset.name}")
        text = to_ndjson(events, preset=preset, **self.options)
        with self.graph.lock:
            self.notes += losses(self.graph, "scores", "genomes")
            if any(_is_of_operators_alone(event, preset) for event in events):
                self.notes += _without_operator(self.graph)
        return text

    def checked(self, known: Iterable[str], form: str) -> dict[str, Any]:
        """Return the options.

        Raises
        ------
        ExportError
            The form has no such option, or not with such a value.
        """
        check_options(self.graph, self.options, known, form)
        return self.options


def _says_all(event: Event | Mapping[str, Any]) -> bool:
    """Whether a Hutch event says in its own words what the graph has of it."""
    return isinstance(event, Event) and CARRIED not in event.payload.metadata  # type: ignore[attr-defined]


def _is_of_operators_alone(event: Event | Mapping[str, Any], preset: Preset) -> bool:
    if isinstance(event, Mapping):
        return is_of_default(event)
    return preset.granularity != "operator"


def _without_operator(graph: LineageGraph) -> Iterator[str]:
    """Yield a line on the nodes and one on the edges that the default mapping has no place for."""
    edges = {(parent, each.child) for each in graph.operators.values() for parent in each.parents}
    nodes = {key for edge in edges for key in edge}
    nodes |= {operator.child for operator in graph.operators.values()}
    lost = {
        "nodes without an operator": sum(key not in nodes for key in graph.nodes()),
        "edges that no operator made": sum(edge not in edges for edge in graph.nx.edges),
    }
    for what, count in lost.items():
        if count:
            yield f"{what}, left out: {count:,} (a backend's preset has them)"
