"""From what a caller writes to one node."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from hutch_lineage.errors import AmbiguousNodeError, UnknownNodeError
from hutch_lineage.graph import LineageGraph
from hutch_lineage.model import NodeRecord
from tests.graph.lineages import at, born, graph_of, key


@pytest.fixture
def graph():
    """Two runs that share an id, and an agent."""
    return graph_of(
        born("program-1", 1, run="r1"),
        born("program-2", 2, run="r1"),
        born("program-2", 3, run="r2"),
        NodeRecord(key("program-1", "r3", "agent"), at(4)),
    )


def test_every_way_to_name_a_node(graph):
    """A key, a tuple, a bare id that is unique where one looks, an object with an id."""
    wanted = key("program-2", "r2")
    assert graph.resolve(wanted) == wanted
    assert graph.resolve(("individual", "r2", "program-2")) == wanted
    assert graph.resolve("program-2", run="r2") == wanted
    assert graph.resolve(SimpleNamespace(id="program-2", run_id="r2")) == wanted
    assert graph.resolve("program-1", kind="agent") == key("program-1", "r3", "agent")


def test_a_graph_tells_whether_it_holds_a_node(graph):
    """By key or by bare id; anything else is not in it."""
    assert key("program-2", "r2") in graph
    assert "program-2" in graph
    assert [node in graph for node in ("other", key("program-2"), 7, ("a",))] == [False] * 4


def test_an_ambiguous_id_lists_its_candidates(graph):
    """Runs and kinds are told apart in the error."""
    with pytest.raises(AmbiguousNodeError, match="names 2 nodes; pass run= or kind=") as error:
        graph.ancestors("program-2")
    assert error.value.candidates == (key("program-2", "r1"), key("program-2", "r2"))


def test_an_unknown_id_suggests_close_ones(graph):
    """A typo is answered with what looks like it, a piece of an id with what holds it."""
    with pytest.raises(UnknownNodeError, match="no node 'progam-2' among 4; did you mean") as error:
        graph.parents("progam-2")
    assert error.value.close[0] == "program-2"
    with pytest.raises(UnknownNodeError) as error:
        graph.parents("RAM-1")
    assert error.value.close == ("program-1",)


def test_an_id_of_another_run_is_found_there(graph):
    """Looking in the wrong run says where the id is."""
    with pytest.raises(UnknownNodeError, match=r"run 'r9'; there is one as individual in"):
        graph.resolve("program-2", run="r9")


def test_an_empty_graph_says_so():
    """There is nothing to suggest."""
    with pytest.raises(UnknownNodeError, match="no node 'a': the graph is empty"):
        LineageGraph().resolve("a")


@pytest.mark.parametrize("node", [7, None, ("individual", "a"), (), ("individual", "r", ["a"])])
def test_what_names_no_node_is_an_unknown_node(graph, node):
    """Any other value is answered by the same error, not by a crash."""
    with pytest.raises(UnknownNodeError):
        graph.resolve(node)


def test_a_big_graph_answers_a_typo_with_bounded_work():
    """Fuzzy search looks at a few thousand ids at most."""
    graph = graph_of(born(f"n{n:06d}", n) for n in range(30_000))
    with pytest.raises(UnknownNodeError) as error:
        graph.resolve("n0012x4")
    assert error.value.node_id == "n0012x4"
