"""What a form is made from: a graph, the events behind it, and what was asked for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from hutch_lineage.mapping import Preset, preset_of
from hutch_lineage.model import Event, NodeKey

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
        if not self.events or not (kept or all(isinstance(each, Event) for each in self.events)):
            events, notes = events_of_graph(self.graph, schema=False)
            self.notes += notes
            if self.events:
                self.notes.append(f"mapped anew from the graph for {preset.name}")
        text = to_ndjson(events, preset=preset, **self.options)
        self._note_mapping(preset, mapped=any(isinstance(event, Event) for event in events))
        return text

    def _note_mapping(self, preset: Preset, *, mapped: bool) -> None:
        """Say what the mapping has no place for."""
        with self.graph.lock:
            self.notes += losses(self.graph, "scores", "genomes")
            whole = not mapped or preset.granularity == "operator"
            lost = 0 if whole else _without_operator(self.graph)
        if lost:
            self.notes.append(
                f"edges that no operator made, left out: {lost:,} (a backend's preset has them)"
            )

    def checked(self, known: Iterable[str], form: str) -> dict[str, Any]:
        """Return the options.

        Raises
        ------
        ExportError
            The form has no such option, or not with such a value.
        """
        check_options(self.graph, self.options, known, form)
        return self.options


def _without_operator(graph: LineageGraph) -> int:
    named: set[tuple[NodeKey, NodeKey]] = {
        (parent, operator.child)
        for operator in graph.operators.values()
        for parent in operator.parents
    }
    edges = ((parent, key) for key in graph.nodes() for parent in graph.parents(key))
    return sum(edge not in named for edge in edges)
