"""OpenLineage under every preset, of graphs from any source."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings

from hutch_lineage.errors import ConfigurationError
from hutch_lineage.export import write
from hutch_lineage.graph import LineageGraph
from hutch_lineage.mapping import PRESETS, read_run_events
from hutch_lineage.model import EdgeRecord, NodeKey, NodeRecord, OperatorRecord
from hutch_lineage.readers import read
from hutch_lineage.session import OpenedSource, load, write_source
from tests.graph.lineages import any_records, at, born, graph_of, made, scored

BY_OPERATORS = [name for name, preset in PRESETS.items() if preset.granularity == "operator"]
FACTS = ("kind", "llm_id", "cost_usd", "tokens_in", "tokens_out", "verdict")


def back(path):
    """Read a file of events back."""
    graph = LineageGraph()
    graph.apply(read_run_events(map(json.loads, path.read_text().splitlines())))
    return graph


def carried(graph):
    """Return what a mapping by operators carries: nodes, edges, and the facts of operators."""
    operators = {
        (info.parents, info.child): {name: getattr(info, name) for name in FACTS}
        for info in graph.operators.values()
        if info.kind not in ("seed", "unknown")
    }
    return set(graph.nodes("individual")), set(graph.nx.edges), operators


@pytest.mark.parametrize("preset", BY_OPERATORS)
@pytest.mark.parametrize("folder", ["hutch-codeevolve", "hutch-openevolve"])
def test_real_runs_come_back_under_each_preset(data_dir, tmp_path, preset, folder):
    """Every node, every edge and every operator with its facts, from the graph alone."""
    graph = load(data_dir / folder / "events.jsonl")
    written = write(graph, tmp_path / "run.ndjson", preset=preset)
    assert carried(back(written.path)) == carried(graph)
    assert written.notes[0].startswith("scores of nodes, left out")


@pytest.mark.parametrize("folder", ["hutch-codeevolve", "hutch-openevolve"])
def test_the_default_mapping_has_what_operators_made(data_dir, tmp_path, folder):
    """The other edges are counted in a note."""
    graph = load(data_dir / folder / "events.jsonl")
    written = write(graph, tmp_path / "run.ndjson")
    found = back(written.path)
    made_by = {key for key in graph.nx.edges if graph.nx.edges[key]["operators"]}
    assert set(found.nx.edges) == made_by
    lost = [note for note in written.notes if note.startswith("edges that no operator made")]
    assert bool(lost) == (graph.edge_count > len(made_by))


@settings(max_examples=25)
@given(any_records)
def test_no_graph_is_refused(records):
    """Agents, loops, other runs' parents: what is lost is lost with a note."""
    from hutch_lineage.export.job import Job

    graph = graph_of(records)
    for preset in PRESETS:
        job = Job(graph, preset=preset)
        for line in job.run_events().splitlines():
            json.loads(line)
    other = any(
        parent[:2] != info.child[:2] for info in graph.operators.values() for parent in info.parents
    )
    assert other <= any("another run" in note for note in job.notes)


@pytest.mark.parametrize(
    ("place", "preset"),
    [("asi-arch-tree", "marquez"), *(("dgm-initial", preset) for preset in BY_OPERATORS)],
)
def test_what_no_operator_made_comes_back_under_each_preset(data_dir, tmp_path, preset, place):
    """Agents of their own, and edges that nobody explains; by way of Hutch events, too."""
    graph = load(data_dir / place)
    hutch = write(graph, tmp_path / "run.jsonl").path
    for source in (OpenedSource(graph, "a graph"), OpenedSource.open(hutch)):
        written = write_source(source, tmp_path / "run.ndjson", preset=preset)
        found = back(written.path)
        assert set(found.nodes()) == set(graph.nodes())
        assert set(found.nx.edges) == set(graph.nx.edges)
        assert not any("operator" in note for note in written.notes)


def agent(name):
    """Name an agent of the run ``r``."""
    return NodeKey("agent", "r", name)


LINE = [
    NodeRecord(agent("a"), at(1)),
    NodeRecord(agent("b"), at(2), (agent("a"),), {"island_id": "x"}),
    OperatorRecord(
        "r", "o", at(3), (agent("b"),), agent("c"), {"kind": "self_modify", "verdict": "rejected"}
    ),
    NodeRecord(agent("c"), at(3), (agent("b"), agent("a"))),
    EdgeRecord(agent("d"), agent("c"), at(4), "inspiration"),
]


@pytest.mark.parametrize("preset", BY_OPERATORS)
def test_agents_with_and_without_self_modifications(tmp_path, preset):
    """A seed, an agent that nobody explains, and one with more parents than were modified."""
    graph = graph_of(*LINE)
    found = back(write(graph, tmp_path / "run.ndjson", preset=preset).path)
    assert set(found.nodes()) == set(graph.nodes())
    assert set(found.nx.edges) == set(graph.nx.edges)
    assert carried(found)[2] == carried(graph)[2]


def test_what_the_default_mapping_leaves_out_is_counted(data_dir, tmp_path):
    """Nodes and edges, of a graph as of a log that is written as it was captured."""
    graph = load(data_dir / "asi-arch-tree")
    lost = [
        "nodes without an operator, left out: 1,772 (a backend's preset has them)",
        "edges that no operator made, left out: 1,771 (a backend's preset has them)",
    ]
    assert list(write(graph, tmp_path / "run.ndjson").notes)[-2:] == lost
    opened = OpenedSource.open(write(graph, tmp_path / "run.jsonl").path)
    assert list(write_source(opened, tmp_path / "run.ndjson").notes)[-2:] == lost
    agents = write(load(data_dir / "dgm-initial"), tmp_path / "run.ndjson")
    assert "nodes without an operator, left out: 2 (a backend's preset has them)" in agents.notes


@pytest.mark.parametrize("preset", BY_OPERATORS)
def test_other_producers_are_mapped_anew(data_dir, tmp_path, preset):
    """Datasets and jobs of another tool, in the shape that a backend shows."""
    source = OpenedSource.open(data_dir / "openlineage-dbt" / "events.ndjson")
    written = write_source(source, tmp_path / "run.ndjson", preset=preset)
    found = back(written.path)
    edges = {(parent.id, child.id) for parent, child in source.graph.nx.edges}
    assert {(parent.id, child.id) for parent, child in found.nx.edges} == edges
    assert any(note.startswith("mapped anew") for note in written.notes)


def test_other_producers_stay_as_they_are_without_a_preset(data_dir, tmp_path):
    """Nothing is mapped that was not asked for."""
    path = data_dir / "openlineage-dbt" / "events.ndjson"
    source = OpenedSource.open(path)
    written = write_source(source, tmp_path / "run.ndjson")
    assert [json.loads(line) for line in written.path.read_text().splitlines()] == read(
        path
    ).events()
    assert written.notes == ()


def test_a_word_of_its_own_is_mapped_as_it_is(tmp_path):
    """A kind of operator that Hutch has no word for stands in the event."""
    graph = graph_of(born("a", 1), made("b", 2, "a", kind="draft"), scored("b", 3, x=1.0))
    found = back(write(graph, tmp_path / "run.ndjson", preset="marquez").path)
    [info] = [info for info in found.operators.values() if info.kind != "seed"]
    assert (info.kind, info.child) == ("draft", NodeKey("individual", "r", "b"))


def test_an_unknown_preset_lists_those_that_there_are(tmp_path):
    """And no file is made."""
    with pytest.raises(ConfigurationError, match="there is generic, marquez"):
        write(LineageGraph(), tmp_path / "run.ndjson", preset="nothing")
    assert list(tmp_path.iterdir()) == []
