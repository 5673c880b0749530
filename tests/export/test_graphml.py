"""GraphML that other tools read back."""

from __future__ import annotations

import io
import json

import networkx as nx

from hutch_lineage.export import to_graphml
from hutch_lineage.export.flat import name_of
from hutch_lineage.graph import LineageGraph
from hutch_lineage.model import NodeRecord, Stamp
from hutch_lineage.session import load
from tests.export.lineages import key


def back(text):
    """Read GraphML as a user of networkx would."""
    return nx.read_graphml(io.BytesIO(text.encode()))


def test_nodes_and_edges_come_back(graph):
    """The same nodes, the same edges in the same direction, ids and scores as they were."""
    found = back(to_graphml(graph))
    assert set(found) == {name_of(node) for node in graph.nx}
    assert set(found.edges) == {(name_of(a), name_of(b)) for a, b in graph.nx.edges}
    best = found.nodes["individual/r1/best"]
    assert (best["node_id"], best["run_id"], best["score.sum"]) == ("best", "r1", 2.75)
    assert found.nodes["individual/r1/lost"]["ghost"] is True


def test_edges_carry_their_operators(graph):
    """Kind, model, cost and tokens of an edge's operators, lists as JSON."""
    edge = back(to_graphml(graph)).edges["individual/r1/s2", "individual/r1/c"]
    assert (edge["cost_usd"], edge["tokens_in"], edge["order"]) == (0.25, 10, 1)
    assert json.loads(edge["operators"]) == ["op1"]
    assert json.loads(edge["operator_kinds"]) == ["crossover"]


def test_hostile_text_comes_back_as_text(hostile):
    """Markup in ids is escaped, characters that XML cannot hold are replaced."""
    found = back(to_graphml(hostile))
    [node] = found.nodes.values()
    assert node["node_id"].startswith("<img src=x")
    assert node["node_id"].endswith("\ufffd\ufffd\ufffd")


def test_awkward_values():
    """Nested metadata, huge integers, mixed numbers and None do not stop the export."""
    made = LineageGraph()
    values = [{"generation_index": 2**80}, {"origin_time": 1}, {"origin_time": 0.5}, {}]
    for number, said in enumerate(values):
        said = {**said, "metadata": {"a": [1, {"b": None}]}}
        made.apply(NodeRecord(key(f"n{number}"), Stamp(number, f"e{number}"), (), said))
    found = back(to_graphml(made))
    assert len(found) == 4
    assert json.loads(found.nodes["individual/r1/n0"]["metadata"]) == {"a": [1, {"b": None}]}
    assert found.nodes["individual/r1/n1"]["origin_time"] == 1


def test_an_empty_graph():
    """No nodes is a graph too."""
    assert len(back(to_graphml(LineageGraph()))) == 0


def test_real_run(data_dir):
    """The published run with islands and conflicting parents comes back whole."""
    graph = load(data_dir / "hutch-codeevolve" / "events.jsonl")
    found = back(to_graphml(graph))
    assert (len(found), found.number_of_edges()) == (469, 439)


def test_no_two_nodes_share_a_name():
    """Slashes, percent signs and characters that XML cannot hold keep nodes apart."""
    graph = LineageGraph()
    keys = [key("b/c", run="a"), key("c", run="a/b"), key("c", run="a%2Fb")]
    keys += [key(name) for name in ("x\x00", "x\x01", "x%00", "x\ufffd")]
    graph.apply([NodeRecord(each, Stamp(1, "e")) for each in keys])
    found = back(to_graphml(graph))
    assert len(found) == len(keys)
    assert found.nodes["individual/a/b/c"]["node_id"] == "b/c"


def test_metadata_beyond_64_bits():
    """A whole number that GraphML's tools cannot hold is written as text."""
    graph = LineageGraph()
    graph.apply(NodeRecord(key("a"), Stamp(1, "e"), attributes={"metadata": {"n": 2**70}}))
    found = back(to_graphml(graph)).nodes["individual/r1/a"]
    assert json.loads(found["metadata"]) == {"n": str(2**70)}


def test_a_genome_stands_once():
    """It is an attribute of the node, and not again within the metadata."""
    graph = LineageGraph()
    said = {"genome": "x + 1", "metadata": {"genome": "x + 1", "prompt": "p"}}
    graph.apply(NodeRecord(key("a"), Stamp(1, "e"), attributes=said))
    found = back(to_graphml(graph)).nodes["individual/r1/a"]
    assert (found["genome"], json.loads(found["metadata"])) == ("x + 1", {"prompt": "p"})
