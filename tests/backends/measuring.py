"""Bring runs to a Marquez under a mapping, and measure what it shows of them."""

from __future__ import annotations

import itertools
import json
import urllib.request
from collections.abc import Sequence
from typing import Protocol

from hutch_lineage.delivery import DeliveryOptions, HttpOptions
from hutch_lineage.mapping import named_node, node_key
from hutch_lineage.model import Event, NodeKey
from hutch_lineage.openlineage import OpenLineageEmitter
from tests.backends.cases import Case, truth_of
from tests.support.shown import Named, Score, Shown, marquez_shows, score

MAPPINGS = ("generic", "marquez")
HEAD = (
    "backend",
    "mapping",
    "what",
    "edges",
    "shown",
    "precision",
    "recall",
    "requests",
    "seconds",
)
FLUSH_S = 240.0
_numbers = itertools.count()


class Backend(Protocol):
    """A Marquez that can be stopped and started again, and keeps what it has."""

    url: str

    def start(self) -> None:
        """Start it."""

    def stop(self) -> None:
        """Stop it."""


def measured(backend: Backend, case: Case, mapping: str) -> tuple[Score, Shown]:
    """Bring a case to a backend under a mapping; return what it shows, and how true that is."""
    events = list(case.events())[: case.end]
    namespace = f"case-{next(_numbers)}"
    bring(backend, events, mapping, namespace, case.hardship)
    truth = truth_of(events)
    shown = marquez_shows(backend.url, namespace, names_of(mapping, events))
    return score(shown, truth), shown


def bring(
    backend: Backend, events: Sequence[Event], mapping: str, namespace: str, hardship: str = ""
) -> None:
    """Have an emitter deliver events, whatever happens on the way."""
    # one connection: what the default mapping shows depends on the order of the events
    options = DeliveryOptions(http=HttpOptions(connections=1))
    emitter = OpenLineageEmitter(
        endpoint=backend.url, namespace=namespace, backend=mapping, options=options
    )
    half = len(events) // 2
    for event in events[:half]:
        emitter.emit(event)
    if hardship == "restart":
        assert emitter.flush(FLUSH_S), emitter.stats()
        backend.stop()
    for event in events[half:]:
        emitter.emit(event)
    if hardship == "restart":
        assert not emitter.flush(1.0)
        backend.start()
    assert emitter.flush(FLUSH_S), emitter.stats()
    assert emitter.stats()["rejected"] == 0, emitter.stats()
    if hardship == "twice":
        for event in emitter.captured_events:
            post(backend.url, event)
    assert emitter.close(FLUSH_S)


def post(url: str, event: object) -> None:
    """Post one event as it is."""
    request = urllib.request.Request(
        f"{url}/api/v1/lineage",
        data=json.dumps(event).encode(),
        headers={"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=60) as answer:
        assert answer.status == 201


def names_of(mapping: str, events: Sequence[Event]) -> Named:
    """Return what a dataset name stands for: under the default mapping, a node of any run."""
    runs = sorted({event.run_id for event in events})

    def named(name: str) -> list[NodeKey]:
        if mapping == "generic":
            return [key for run in runs if (key := node_key(name, run))]
        key = named_node(name)
        return [key] if key else []

    return named


def row(backend: str, mapping: str, case: Case, found: Score, shown: Shown) -> list[str]:
    """Return a row of the table in docs/backends.md."""
    return [
        backend,
        f"`{mapping}`",
        case.name,
        f"{found.true:,}",
        f"{found.shown:,}",
        percent(found.precision) if found.shown else "-",
        percent(found.recall),
        f"{shown.requests:,}",
        f"{shown.seconds:.1f}",
    ]


def percent(share: float) -> str:
    """Return a share in per cent; 100 only where it is whole."""
    return "100 %" if share == 1 else f"{min(share * 100, 99.9):.1f} %"
