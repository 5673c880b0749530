"""What several tests ask a graph."""

from __future__ import annotations

from hutch_lineage.graph import LineageGraph


def roots(graph: LineageGraph) -> list[str]:
    """The ids of the nodes without parents, in birth order."""
    return [key.id for key in graph if not graph.parents(key)]


def shape(graph: LineageGraph) -> tuple[int, int, int]:
    """How many nodes, edges and roots it has."""
    return len(graph), graph.edge_count, len(roots(graph))
