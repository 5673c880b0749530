"""Birth order and cycles on any graph."""

from __future__ import annotations

import networkx as nx
from hypothesis import given

from hutch_lineage.graph import LineageGraph
from tests.graph.lineages import any_records, born, graph_of, ids


def test_birth_order_is_by_time_then_id():
    """Among nodes that do not descend from each other the time counts, then the id."""
    assert ids(graph_of(born("c", 1), born("b", 2), born("a", 2))) == ["c", "a", "b"]


def test_a_parent_comes_first_even_when_its_clock_says_otherwise():
    """The order is topological where times contradict the edges."""
    graph = graph_of(born("p", 9), born("x", 1, "p"), born("y", 5))
    assert ids(graph) == ["y", "p", "x"]
    assert graph.report.counts == {"born before its parent": 1}


def test_a_time_in_the_source_s_own_unit_serves():
    """Where no event has a time, `origin_time` orders; without either a node comes first."""
    graph = graph_of(
        born("b", -1, origin_time=7.0),
        born("a", -1, origin_time=20),
        born("x", -1, origin_time=float("inf")),
    )
    assert ids(graph) == ["x", "b", "a"]


@given(any_records)
def test_every_node_has_its_place(records):
    """All nodes, each once; without cycles, parents before children."""
    graph = graph_of(records)
    order = graph.nodes()
    assert sorted(order) == sorted(graph.nx.nodes)
    if nx.is_directed_acyclic_graph(graph.nx):
        assert all(order.index(parent) < order.index(child) for parent, child in graph.nx.edges)


@given(any_records)
def test_cycles_are_what_networkx_finds(records):
    """Strongly connected groups of several nodes, and self loops."""
    graph = graph_of(records)
    groups = [group for group in nx.strongly_connected_components(graph.nx) if len(group) > 1]
    inside = set().union(*groups) if groups else set()
    groups += [{node} for node in nx.nodes_with_selfloops(graph.nx) if node not in inside]
    assert sorted(graph.cycles()) == sorted(sorted(group) for group in groups)


def test_cycles_and_self_loops_are_kept_marked_and_reported():
    """The edges stay, a self loop is marked as such, and both are in the report."""
    graph = graph_of(born("a", 1, "b"), born("b", 2, "a"), born("c", 3, "c"))
    assert [ids(group) for group in graph.cycles()] == [["a", "b"], ["c"]]
    assert len(graph.nx.edges) == 3
    assert graph.edge("c", "c")["self_loop"]
    assert graph.report.counts["its own parent"] == graph.report.counts["cycle"] == 1


def test_a_cycle_has_an_order_too():
    """Where nothing is left to pop, the first born goes first."""
    graph = graph_of(born("a", 1, "c"), born("b", 2, "a"), born("c", 3, "b"), born("d", 4, "c"))
    assert ids(graph) == ["a", "b", "c", "d"]
    assert ids(graph.ancestors("a")) == ["b", "c"]


def test_a_ring_of_a_hundred_thousand():
    """Nothing recurses, not even the search for cycles."""
    size = 100_000
    graph = LineageGraph()
    graph.apply(born(str(n), n, str((n - 1) % size)) for n in range(size))
    assert [len(group) for group in graph.cycles()] == [size]
    assert len(graph.nodes()) == size
    assert len(graph.path_to_seed("7")) == size
