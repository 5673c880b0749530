"""Real files of other projects: the right counts, and what is odd about them is said."""

from __future__ import annotations

import ast
import csv
import json
import random

import pytest

from hutch_lineage.graph import LineageGraph
from hutch_lineage.model import NodeKey, NodeRecord, Stamp
from tests.graph.lineages import graph_of, ids


def events_of(folder):
    """Read the events of a run."""
    lines = (folder / "events.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


@pytest.fixture(scope="module")
def openevolve(data_dir):
    """A run with one seed and 120 refinements."""
    return events_of(data_dir / "hutch-openevolve")


@pytest.fixture(scope="module")
def codeevolve(data_dir):
    """A run on five islands with migrations and contradictory individuals."""
    return events_of(data_dir / "hutch-codeevolve")


@pytest.fixture(scope="module")
def avida(data_dir):
    """A phylogeny in the ALife standard, its rows in any order, times in updates."""
    path = data_dir / "alife-avida" / "asexual_phylogeny_test.csv"
    with path.open(encoding="utf-8", newline="") as stream:
        return [
            NodeRecord(
                NodeKey("individual", "avida", row["id"]),
                Stamp(-1, row["id"]),
                tuple(NodeKey("individual", "avida", parent) for parent in parents_of(row)),
                {"origin_time": float(row["origin_time"])},
            )
            for row in csv.DictReader(stream)
        ]


def parents_of(row):
    """Return the ids in ``ancestor_list``; ``['none']`` marks the root."""
    return [each for each in ast.literal_eval(row["ancestor_list"]) if each != "none"]


def test_openevolve(openevolve):
    """All individuals and edges, no ghosts, nothing odd, costs unknown and not zero."""
    graph = graph_of(openevolve)
    assert repr(graph) == "LineageGraph(121 individuals, 0 agents, 120 edges, 1 run)"
    assert (graph.report.lines(), len(graph.seeds())) == ([], 1)
    cost = graph.cost()
    assert (cost.operators, cost.cost_usd, cost.unknown_cost) == (120, None, 120)


def test_openevolve_is_judged_by_the_metric_that_differs(openevolve):
    """Its composite is 1.0 throughout; the best by combined score has the highest."""
    graph = graph_of(openevolve)
    frame = graph.frames.individuals().set_index("id")
    best = graph.best()
    assert graph.default_metric() == "combined_score"
    assert frame.loc[best.id, "combined_score"] == frame["combined_score"].max()
    assert graph.path_to_best()[0] in graph.seeds()


def test_codeevolve(codeevolve):
    """Edges of contradictory statements unite; the 20 individuals in question are reported."""
    graph = graph_of(codeevolve)
    assert repr(graph) == "LineageGraph(469 individuals, 0 agents, 439 edges, 1 run)"
    counts = {"stated with different parents": 20, "on several islands": 20}
    assert graph.report.counts == counts
    assert (len(graph.seeds()), len(graph.operators)) == (30, 439)
    assert sum("migrations" in graph.node(key) for key in graph) == 20
    cost = graph.cost()
    assert (cost.tokens_in, cost.tokens_out, cost.unknown_tokens) == (5_243_699, 3_817_446, 0)


def test_codeevolve_backwards(codeevolve):
    """The events shuffled, twice over, give the same graph."""
    mixed = codeevolve * 2
    random.Random(7).shuffle(mixed)
    assert graph_of(mixed).fingerprint() == graph_of(codeevolve).fingerprint()


def test_codeevolve_by_model(codeevolve):
    """Both models with their tries; invalid children count against them."""
    table = graph_of(codeevolve).efficacy("llm_id")
    assert table["tries"].to_dict() == {"GOOGLE_GEMINI-2.5-FLASH": 345, "GOOGLE_GEMINI-2.5-PRO": 94}
    assert table["improvements"].sum() == 48


def test_avida(avida):
    """A deep phylogeny whose rows stand before their parents: one root and no ghosts."""
    graph = graph_of(avida)
    assert repr(graph) == "LineageGraph(12059 individuals, 0 agents, 12058 edges, 1 run)"
    assert (graph.report.lines(), ids(graph.seeds())) == ([], ["1"])
    depth: dict[NodeKey, int] = {}
    for node in graph.nodes():
        depth[node] = max((depth[parent] + 1 for parent in graph.parents(node)), default=0)
    deepest = max(depth, key=depth.__getitem__)
    assert depth[deepest] == len(graph.ancestors(deepest)) == 4_877
    assert len(graph.path_to_seed(deepest)) == 4_878


def test_avida_piece_by_piece(avida):
    """Applied in small batches, following the changes, nothing is missed."""
    graph, seen, version = LineageGraph(), set(), 0
    for start in range(0, len(avida), 500):
        graph.apply(avida[start : start + 500])
        changes = graph.changes_since(version)
        seen.update(changes.nodes)
        version = changes.version
    assert seen == set(graph.nodes())
    assert graph.fingerprint() == graph_of(avida).fingerprint()
