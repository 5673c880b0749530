"""Newick: trees as phylogenetics writes them, and a clear word where there is none."""

from __future__ import annotations

import re

import pytest

from hutch_lineage.errors import ExportError
from hutch_lineage.export import to_newick
from hutch_lineage.graph import LineageGraph
from hutch_lineage.session import load
from tests.graph.lineages import born, graph_of, key

TOKEN = re.compile(r"'(?:[^']|'')*'|[(),;]|[^(),;']+")


def edges_of(text):
    """Read Newick back, as far as it is needed here: (parent, child) labels and the roots."""
    edges, roots, stack, below = set(), [], [], []
    label = None

    def close():
        nonlocal below
        name = label.partition(":")[0] if not label.startswith("'") else label[1:-1]
        edges.update((name, child) for child in below)
        below = []
        return name

    for token in TOKEN.findall(text.replace("\n", "")):
        if token == "(":
            stack.append([])
        elif token in ",)":
            stack[-1].append(close())
            if token == ")":
                below = stack.pop()
        elif token == ";":
            roots.append(close())
        elif token.startswith(":"):
            continue
        else:
            label = token
    return edges, roots


def test_a_tree_comes_back():
    """Every edge, inner labels included; a root of its own line for each tree."""
    graph = graph_of(
        born("a", 1), born("b", 2, "a"), born("c", 3, "a"), born("d", 4, "b"), born("x", 5)
    )
    text = to_newick(graph, lengths="none")
    assert text == "((d)b,c)a;\nx;\n"
    assert edges_of(text) == ({("a", "b"), ("a", "c"), ("b", "d")}, ["a", "x"])


def test_lengths_are_times_between_parent_and_child():
    """In seconds of birth, or in the source's own unit where every node has that."""
    graph = graph_of(born("a", 10**9), born("b", 25 * 10**8, "a"))
    assert to_newick(graph) == "(b:1.5)a;\n"
    graph = graph_of(born("a", 1, origin_time=0), born("b", 2, "a", origin_time=700))
    assert to_newick(graph) == "(b:700)a;\n"
    with pytest.raises(ExportError, match="no origin_time is known of b"):
        to_newick(graph_of(born("a", 1, origin_time=0), born("b", 2, "a")), lengths="origin_time")


def test_two_parents_are_refused_by_name_or_the_first_is_kept():
    """The first such node in birth order is named, and the way out."""
    graph = graph_of(
        born("a", 1),
        born("b", 2),
        born("c", 3, "b", "a"),
        born("d", 4, "a", "b"),
        born("e", 5, "c"),
    )
    with pytest.raises(ExportError, match=r"c has 2 parents \(b, a\): first_parent=True"):
        to_newick(graph)
    notes = []
    text = to_newick(graph, first_parent=True, lengths="none", notes=notes)
    assert edges_of(text)[0] == {("b", "c"), ("a", "d"), ("c", "e")}
    assert notes == ["further parents left out: 2"]


@pytest.mark.parametrize("loop", [("a",), ("b",)])
def test_a_cycle_is_refused(loop):
    """Also a node that is its own parent: nothing hangs."""
    graph = graph_of(born("a", 1, *loop), born("b", 2, "a"))
    with pytest.raises(ExportError, match="descends from itself"):
        to_newick(graph)


def test_labels_that_need_quotes():
    """Blanks, brackets, quotes and line ends do not end a label; equal ids of two runs differ."""
    graph = graph_of(born("it's (1)", 1), born("a\nb", 2, "it's (1)"))
    assert to_newick(graph, lengths="none") == "('a b')'it''s (1)';\n"
    graph = graph_of(born("a", 1), born("a", 1, run="s"))
    assert to_newick(graph, lengths="none") == "'r/a';\n's/a';\n"
    assert to_newick(graph, run="s", lengths="none") == "a;\n"


def test_a_line_of_ten_thousand():
    """Depth costs no recursion."""
    graph = graph_of([born(f"n{n}", n, *([f"n{n - 1}"] if n else [])) for n in range(10_000)])
    assert to_newick(graph, lengths="none").count("(") == 9_999
    assert graph.parents(key("n5"))[0].id == "n4"


def test_nothing():
    """No nodes, no trees."""
    assert to_newick(LineageGraph()) == ""


def test_a_real_run(data_dir):
    """A published run whose individuals have one parent each, or the first of several."""
    graph = load(data_dir / "hutch-openevolve" / "events.jsonl")
    edges, roots = edges_of(to_newick(graph, first_parent=True))
    first = {(graph.parents(node)[0].id, node.id) for node in graph if graph.parents(node)}
    assert edges == first
    assert len(edges) + len(roots) == len(graph)
