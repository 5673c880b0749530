"""The real Hutch SDK, with nothing in it from another test, and what it has logged."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import hutch
from hutch.sdk import _state, transport
from hutch.store import open_db

import hutch_lineage as hl

Edges = set[tuple[str, str, str, str]]


@contextmanager
def fresh_hutch() -> Iterator[Any]:
    """Hutch as it is after its import; in the end it has to be that again, whatever was done."""
    hutch.reset()
    yield hutch
    hutch.reset()
    assert _state.build_transport is transport.build_transport


def embedded(db: Path | None) -> hutch.SDKConfig:
    """Settings that keep events in a DuckDB file."""
    return hutch.SDKConfig(mode="embedded", db_path=db)  # type: ignore[arg-type]


def edges_logged(db: Path) -> Edges:
    """Every edge that the events of a log state: (kind, run, parent, child), read by plain SQL."""
    connection = open_db(db)
    edges: Edges = set()
    for kind, child, parents in (
        ("individual", "payload->>'id'", "payload->'parent_ids'"),
        ("operator", "payload->>'child_id'", "payload->'parent_ids'"),
    ):
        connection.execute(
            f"SELECT run_id, unnest(({parents})::VARCHAR[]), {child} FROM events "
            f"WHERE event_kind = '{kind}'"
        )
        edges |= {("individual", *row) for row in connection.fetchall()}
    for kind, node, parent, child in (
        ("lineage_edge", "individual", "parent_id", "child_id"),
        ("self_mod", "agent", "parent_agent_id", "child_agent_id"),
    ):
        connection.execute(
            f"SELECT run_id, payload->>'{parent}', payload->>'{child}' FROM events "
            f"WHERE event_kind = '{kind}'"
        )
        edges |= {(node, *row) for row in connection.fetchall()}
    connection.close()
    return edges


def edges_of(graph: Any) -> Edges:
    """Every edge of a lineage graph, in the same form."""
    frame = graph.frames.edges()
    columns = ("node_kind", "run_id", "parent_id", "child_id")
    return set(zip(*(frame[name] for name in columns), strict=True))


def ids() -> list[str]:
    """The individuals that the session knows."""
    return sorted(key.id for key in hl.lineage())


def pair(hutch: Any, parent: str, child: str) -> None:
    """Log a seed and its child to a run of their own, which stays open."""
    hutch.start_run(name=parent)
    hutch.log_individual(kind="program", individual_id=parent)
    hutch.log_individual(kind="program", individual_id=child, parent_ids=[parent])
    hutch.log_operator(kind="mutate", parent_ids=[parent], child_id=child, cost_usd=0.5)
