"""Numbers and shapes at the edge of what a graph can hold."""

from __future__ import annotations

import math
import sys

from hutch_lineage.graph import LineageGraph
from hutch_lineage.model import NodeKey, NodeRecord, OperatorRecord, Stamp


def operator(name: str, cost: object, parents: int = 1) -> OperatorRecord:
    """Return an operator with `parents` parents that makes a child of its own name."""
    keys = tuple(NodeKey("individual", "r", f"p{number}") for number in range(parents))
    child = NodeKey("individual", "r", f"child-{name}")
    return OperatorRecord("r", name, Stamp(1, name), keys, child, {"cost_usd": cost})


def test_costs_beyond_all_floats() -> None:
    """Sums that no float can hold stop at the largest one; a cost beyond floats is unknown."""
    graph = LineageGraph()
    graph.apply(operator("a", sys.float_info.max), operator("b", sys.float_info.max))
    assert graph.cost().cost_usd == sys.float_info.max
    graph.apply(operator("c", 10**400))
    assert graph.cost().unknown_cost == 1


def test_gains_at_both_ends_of_the_floats() -> None:
    """An efficacy table of absurd scores is a table, not an exception."""
    graph = LineageGraph()
    for name, score in (("a", 1e308), ("b", -1e308)):
        graph.apply(
            {
                "event_kind": "operator",
                "run_id": "r",
                "payload": {"id": name, "kind": "refine", "parent_ids": ["p"], "child_id": name},
            }
        )
        graph.apply(
            {
                "event_kind": "fitness",
                "run_id": "r",
                "payload": {
                    "individual_id": name,
                    "evaluator_kind": "benchmark",
                    "scores": {"s": score},
                },
            }
        )
    table = graph.efficacy(by="kind", metric="s")
    assert list(table["tries"]) == [2]
    assert not any(math.isinf(value) for value in table["gain_per_usd"].fillna(0))


def test_a_node_with_thousands_of_parents() -> None:
    """An ensemble of 5,000 parents is drawn and tabled without a quadratic wait."""
    graph = LineageGraph()
    graph.apply(operator("ensemble", 0.1, parents=5_000))
    edges = graph.frames.edges()
    assert len(edges) == 5_000
    assert set(edges["operator_ids"]) == {("ensemble",)}


def test_a_fingerprint_of_what_json_cannot_hold() -> None:
    """Broken Unicode and numbers beyond 64 bits have a fingerprint too, and it tells them apart."""
    prints = set()
    for value in (2**70, 2**71, "\ud800"):
        graph = LineageGraph()
        graph.apply(operator("a", 1.0))
        key = NodeKey("individual", "r", "x")
        graph.apply(NodeRecord(key, Stamp(2, "e"), attributes={"metadata": {"value": value}}))
        prints.add(graph.fingerprint())
    assert len(prints) == 3
