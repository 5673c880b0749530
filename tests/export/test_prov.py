"""PROV-JSON, read by the reference library."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from prov.model import (
    ProvActivity,
    ProvAssociation,
    ProvDerivation,
    ProvDocument,
    ProvEntity,
    ProvGeneration,
    ProvUsage,
)

from hutch_lineage.export import to_prov
from hutch_lineage.session import load
from tests.graph.lineages import any_records, graph_of


def read(text):
    """Read PROV-JSON as a user of the library would; its own JSON says the same."""
    document = ProvDocument.deserialize(content=text, format="json")
    again = ProvDocument.deserialize(content=document.serialize(format="json"), format="json")
    assert again == document
    return document


def label(record):
    """Return the id of a node's record."""
    [(_, found)] = [pair for pair in record.attributes if str(pair[0]) == "prov:label"]
    return found


def test_nodes_operators_and_edges(graph):
    """Entities, activities and what joins them."""
    document = read(to_prov(graph))
    entities = {record.identifier: label(record) for record in document.get_records(ProvEntity)}
    assert sorted(entities.values()) == ["bad", "best", "c", "lost", "s1", "s2"]
    derived = {
        (entities[r.args[1]], entities[r.args[0]]) for r in document.get_records(ProvDerivation)
    }
    assert derived == {(a.id, b.id) for a, b in graph.nx.edges}
    [made] = document.get_records(ProvGeneration)
    assert entities[made.args[0]] == "c"
    assert [entities[r.args[1]] for r in document.get_records(ProvUsage)] == ["s1", "s2"]
    assert len(list(document.get_records(ProvAssociation))) == 1  # the model
    assert len(list(document.get_records(ProvActivity))) == 2  # the run, and the crossover


def test_scores_and_costs_are_attributes(graph):
    """By the names that GraphML has, too."""
    document = json.loads(to_prov(graph))
    assert document["entity"]["individual:r1/best"]["hl:score.sum"] == 2.75
    [operator] = [
        said for name, said in document["activity"].items() if name.startswith("operator:")
    ]
    assert (operator["hl:cost_usd"], operator["hl:kind"]) == (0.25, "crossover")


def test_hostile_ids(hostile):
    """What stands in names is escaped, so that they are names."""
    document = read(to_prov(hostile))
    assert len(list(document.get_records(ProvEntity))) == 1


@settings(max_examples=20)
@given(any_records)
def test_any_graph_is_valid(records):
    """Contradictions, loops and times that nobody knows: the library reads all of it."""
    graph = graph_of(records)
    document = read(to_prov(graph))
    assert len(list(document.get_records(ProvEntity))) == len(graph)
    assert len(list(document.get_records(ProvDerivation))) == graph.edge_count


@pytest.mark.parametrize("folder", ["hutch-openevolve"])
def test_a_real_run(data_dir, folder):
    """Every edge of a published run is a derivation."""
    graph = load(data_dir / folder / "events.jsonl")
    document = read(to_prov(graph))
    assert len(list(document.get_records(ProvDerivation))) == graph.edge_count
    assert len(list(document.get_records(ProvEntity))) == len(graph)
