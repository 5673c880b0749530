"""The fewest records that build a graph anew: the way back from its canonical data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from hutch_lineage.model import (
    EdgeRecord,
    FitnessRecord,
    MigrationRecord,
    NodeKey,
    NodeRecord,
    OperatorRecord,
    Record,
    RunRecord,
    Stamp,
)

__all__ = ["grouped_statements", "statements"]

_EARLIER = Stamp(-1, "")
_OWN = "own"  # the id of what a node says of itself: it wins over what was said earlier
_EVALUATION = frozenset(
    {
        "composite",
        "invalid_reason",
        "evaluator_id",
        "evaluator_kind",
        "cascade_stage",
        "is_pareto_front",
        "fitness_metadata",
    }
)
_DERIVED = frozenset({"ghost", "scores", "islands", "operators", "birth_ns", "migrations"})
_OF_RUN = ("name", "project", "status", "started_by", "git_commit", "summary")
_TIMES_OF_RUN = ("started_ns", "ended_ns")
_MAPS_OF_RUN = ("score_directions", "config")

Parents = list[tuple[NodeKey, Mapping[str, Any]]]


def statements(data: Mapping[str, Any]) -> Iterator[Record]:
    """Yield records that build a graph with the canonical data `data`.

    What a graph forgets is not in them: which of several statements lost, and by which events they
    were made; a node's own
    statement has the time of its birth.

    Parameters
    ----------
    data : dict
        As ``LineageGraph.to_canonical`` returns it.

    Examples
    --------
    >>> key = NodeKey("individual", "r", "a")
    >>> data = {"runs": [], "edges": [], "operators": [], "nodes": [(key, {"ghost": False})]}
    >>> [type(record).__name__ for record in statements(data)]
    ['NodeRecord']
    """
    for group in grouped_statements(data):
        yield from group


def grouped_statements(data: Mapping[str, Any]) -> Iterator[list[Record]]:
    """Yield the records of :func:`statements`, those of one run, node or operator together.

    The first record of a group says what it is of; runs come first, operators last.

    Examples
    --------
    >>> list(grouped_statements({"runs": [], "nodes": [], "edges": [], "operators": []}))
    []
    """
    for run in data["runs"]:
        yield [_run(run)]
    edges: dict[NodeKey, Parents] = {}
    for parent, child, said in data["edges"]:
        edges.setdefault(child, []).append((parent, said))
    for key, said in data["nodes"]:
        if not said["ghost"]:
            yield list(_introduced(key, said, edges.get(key, [])))
            yield from ([record] for record in _evaluation(key, said))
        yield from ([record] for record in _migrations(key, said))
    for operator in data["operators"]:
        yield list(_operator(operator))


def _run(run: Mapping[str, Any]) -> RunRecord:
    said = {name: run[name] for name in (*_OF_RUN, *_TIMES_OF_RUN) if run[name] is not None}
    said |= {name: run[name] for name in _MAPS_OF_RUN if run[name]}
    return RunRecord(run["run_id"], _EARLIER, {**run["attributes"], **said})


def _introduced(key: NodeKey, said: Mapping[str, Any], parents: Parents) -> Iterator[Record]:
    stamp = Stamp(said.get("birth_ns", -1), _OWN)
    own = {name: said[name] for name in said if name not in _DERIVED and name not in _EVALUATION}
    parents.sort(key=lambda entry: (entry[1]["order"], entry[0]))
    in_order = all(edge["order"] == place for place, (_, edge) in enumerate(parents))
    yield NodeRecord(key, stamp, tuple(parent for parent, _ in parents) if in_order else (), own)
    for parent, edge in parents:
        if not in_order or edge["relation"] != "parent":
            yield EdgeRecord(parent, key, stamp, edge["relation"], edge["order"])
    yield from _islands(key, said)


def _islands(key: NodeKey, said: Mapping[str, Any]) -> Iterator[Record]:
    """Yield what names the islands that neither `island_id` nor a migration does."""
    reached = {said.get("island_id")}
    for move in said.get("migrations", ()):
        reached |= {move[0], move[1]}
    for island in said.get("islands", ()):
        if island not in reached:
            yield NodeRecord(key, _EARLIER, (), {"island_id": island})


def _migrations(key: NodeKey, said: Mapping[str, Any]) -> Iterator[Record]:
    for place, move in enumerate(said.get("migrations", ())):
        from_island, to_island, timestamp_ns = move
        stamp = Stamp(timestamp_ns, f"{place:09}")  # two at one time stay two
        yield MigrationRecord((key,), stamp, from_island, to_island)


def _evaluation(key: NodeKey, said: Mapping[str, Any]) -> Iterator[Record]:
    facts = {name: said[name] for name in said if name in _EVALUATION}
    if "fitness_metadata" in facts:
        facts["metadata"] = facts.pop("fitness_metadata")
    scores = said.get("scores", {})
    if facts or scores:
        yield FitnessRecord(key, Stamp(said.get("birth_ns", -1), _OWN), scores, facts)


def _operator(operator: Mapping[str, Any]) -> Iterator[Record]:
    key, stamp, attributes = operator["key"], operator["stamp"], operator["attributes"]
    made = OperatorRecord(key[0], key[1], stamp, operator["parents"], operator["child"], attributes)
    if "relation" not in attributes:
        yield made
    else:  # stated beside the parents it would name the relation of every edge
        yield made._replace(attributes={})
        yield made._replace(parents=())
