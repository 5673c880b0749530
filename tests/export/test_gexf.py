"""GEXF that Gephi and networkx read."""

from __future__ import annotations

import io
import json

import networkx as nx

from hutch_lineage.export import to_gexf
from hutch_lineage.export.flat import name_of
from hutch_lineage.session import load


def back(text):
    """Read GEXF as a user of networkx would."""
    return nx.read_gexf(io.BytesIO(text.encode()))


def test_nodes_and_edges_come_back(graph):
    """With scores as numbers, ids as labels, and the cost of operators on their edges."""
    found = back(to_gexf(graph))
    assert set(found.edges) == {(name_of(a), name_of(b)) for a, b in graph.nx.edges}
    best = found.nodes["individual/r1/best"]
    assert (best["label"], best["score.sum"]) == ("best", 2.75)
    edge = found.edges["individual/r1/s2", "individual/r1/c"]
    assert (edge["cost_usd"], json.loads(edge["operators"])) == (0.25, ["op1"])


def test_hostile_text_comes_back_as_text(hostile):
    """Markup in ids is escaped."""
    [node] = back(to_gexf(hostile)).nodes.values()
    assert node["label"].startswith("<img src=x")


def test_no_date_stands_in_it(graph):
    """So that the same graph gives the same text on another day."""
    assert "lastmodifieddate" not in to_gexf(graph)


def test_real_run(data_dir):
    """The published run with islands and conflicting parents comes back whole."""
    graph = load(data_dir / "hutch-codeevolve" / "events.jsonl")
    found = back(to_gexf(graph))
    assert (len(found), found.number_of_edges()) == (469, 439)
