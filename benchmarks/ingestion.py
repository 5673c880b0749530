"""How fast events become a graph, against filling a networkx graph by hand."""

from __future__ import annotations

import random

import networkx as nx

from hutch_lineage.graph import LineageGraph
from hutch_lineage.mapping import records_of
from hutch_lineage.model import EVENT_ADAPTER

from .timing import Contender, best_times, lines

INDIVIDUALS = 5_000


def search(individuals: int) -> list[object]:
    """Return the events of a search: an individual, its operator, its fitness, and again."""
    chance = random.Random(1)
    number = 0

    def event(kind: str, payload: dict[str, object]) -> object:
        nonlocal number
        number += 1
        return EVENT_ADAPTER.validate_python(
            {
                "event_id": f"00000000-0000-4000-8000-{number:012x}",
                "event_kind": kind,
                "run_id": "run",
                "timestamp_ns": 1_700_000_000_000_000_000 + number,
                "payload": payload,
            }
        )

    events = [event("run_start", {"name": "search"})]
    for row in range(individuals):
        parents = [f"ind-{chance.randrange(max(0, row - 200), row)}" for _ in range(min(row, 2))]
        parents = list(dict.fromkeys(parents))
        child = {
            "id": f"ind-{row}",
            "kind": "program",
            "parent_ids": parents,
            "is_seed": not parents,
        }
        operator = {
            "id": f"op-{row}",
            "kind": "mutate",
            "parent_ids": parents,
            "child_id": f"ind-{row}",
        }
        fitness = {"individual_id": f"ind-{row}", "evaluator_kind": "benchmark"}
        events += [
            event("individual", child),
            event("operator", {**operator, "cost_usd": 0.01}),
            event("fitness", {**fitness, "scores": {"score": chance.random()}}),
        ]
    return events


def by_hand(events: list[object]) -> nx.DiGraph:
    """Return the same nodes, edges and scores, without the rules that a graph of events needs."""
    graph = nx.DiGraph()
    for each in events:
        payload = each.payload  # type: ignore[attr-defined]
        if each.event_kind == "individual":  # type: ignore[attr-defined]
            graph.add_node(payload.id, kind=payload.kind, is_seed=payload.is_seed)
        elif each.event_kind == "operator":  # type: ignore[attr-defined]
            for parent in payload.parent_ids:
                graph.add_edge(parent, payload.child_id, operator=payload.id, cost=payload.cost_usd)
        elif each.event_kind == "fitness":  # type: ignore[attr-defined]
            graph.add_node(payload.individual_id, scores=payload.scores)
    return graph


def measure() -> list[str]:
    """Return the result as lines of text."""
    events = search(INDIVIDUALS)
    records = [record for each in events for record in records_of(each)]
    contenders: dict[str, Contender] = {
        "LineageGraph, events in one batch": lambda: lambda: LineageGraph().apply(events),
        "LineageGraph, one event at a time": lambda: lambda: one_by_one(events),
        "LineageGraph, ready-made records": lambda: lambda: LineageGraph().apply(records),
        "networkx by hand": lambda: lambda: by_hand(events),
    }
    return lines(best_times(contenders, rounds=5), len(events), "events")


def one_by_one(events: list[object]) -> LineageGraph:
    """Apply each event alone, as a running search does."""
    graph = LineageGraph()
    for each in events:
        graph.apply(each)
    return graph
