"""Node-link JSON: networkx reads it, and an equal graph comes back."""

from __future__ import annotations

import json
import math

import networkx as nx
import pytest
from hypothesis import given, settings

from hutch_lineage.export import to_node_link
from hutch_lineage.export.flat import name_of
from hutch_lineage.mapping import is_node_link, records_of_node_link
from hutch_lineage.model import NodeRecord, Stamp
from hutch_lineage.session import load
from tests.export.lineages import key
from tests.graph.lineages import any_records, graph_of


def back(text):
    """Read node-link JSON back."""
    document = json.loads(text)
    assert is_node_link(document)
    return graph_of(records_of_node_link(document))


@settings(max_examples=60)
@given(any_records)
def test_any_graph_comes_back_equal(records):
    """Runs, operators, ghosts, loops, islands and every attribute."""
    graph = graph_of(records)
    assert back(to_node_link(graph)).to_canonical() == graph.to_canonical()


def test_networkx_reads_it(graph):
    """The same nodes and edges, with scores and operators' ids."""
    found = nx.node_link_graph(json.loads(to_node_link(graph)), edges="edges")
    assert set(found.edges) == {(name_of(a), name_of(b)) for a, b in graph.nx.edges}
    assert found.nodes["individual/r1/best"]["scores"] == {"sum": 2.75}
    assert found.edges["individual/r1/s1", "individual/r1/c"]["operators"] == ["op1"]


def test_what_json_cannot_hold_is_mended_and_said():
    """An infinite number in the metadata becomes a text; a note says that there was one."""
    graph = graph_of(NodeRecord(key("a"), Stamp(1, "e"), (), {"metadata": {"n": math.inf}}))
    notes = []
    assert json.loads(to_node_link(graph, notes))["nodes"][0]["metadata"] == {"n": "inf"}
    assert notes == ["values that JSON cannot hold, mended: 1"]


def test_hostile_texts(hostile):
    """Broken Unicode does not stop it."""
    assert "hutch-lineage node-link" in to_node_link(hostile)


@pytest.mark.parametrize("folder", ["hutch-codeevolve", "hutch-openevolve"])
def test_real_runs(data_dir, folder):
    """Published runs come back equal."""
    graph = load(data_dir / folder / "events.jsonl")
    assert back(to_node_link(graph)).equals(graph)
