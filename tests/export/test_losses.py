"""What a form leaves out is said, and nothing is said where nothing is lost."""

from __future__ import annotations

import pytest

from hutch_lineage.export import write
from hutch_lineage.model import MigrationRecord, NodeKey, NodeRecord, OperatorRecord, Stamp
from tests.graph.lineages import graph_of

LOST = {
    "run.graphml": ["diffs of operators, left out: 1", "operators without parents, left out: 1"],
    "run.gexf": ["diffs of operators, left out: 1", "operators without parents, left out: 1"],
    "run.frames": [
        "genomes, left out: 1",
        "metadata of nodes, left out: 1",
        "migrations, left out: 1",
        "diffs of operators, left out: 1",
    ],
    "run.parquet": [
        "genomes, left out: 1",
        "metadata of nodes, left out: 1",
        "migrations, left out: 1",
        "diffs of operators, left out: 1",
    ],
    "run.ndjson": ["genomes, left out: 1"],
    "run.provjson": [],
    "run.json": [],
    "run.crate": ["no licence was stated: license= names one"],
}


def key(name):
    """Return an individual of the run ``r``."""
    return NodeKey("individual", "r", name)


@pytest.mark.parametrize("name", LOST)
def test_what_is_lost_is_said(tmp_path, name):
    """A line for each kind of thing, with how many; the forms that hold everything say nothing."""
    said = {"genome": "x = 1", "metadata": {"note": "n"}}
    graph = graph_of(
        NodeRecord(key("a"), Stamp(1, "a"), (), said),
        NodeRecord(key("b"), Stamp(2, "b"), (key("a"),)),
        OperatorRecord("r", "seeding", Stamp(1, "o"), (), key("a"), {"kind": "propose"}),
        OperatorRecord("r", "o1", Stamp(2, "p"), (key("a"),), key("b"), {"diff": "-x\n+y"}),
        MigrationRecord((key("a"),), Stamp(3, "m"), "0", "1"),
    )
    assert list(write(graph, tmp_path / name).notes) == LOST[name]
    assert write(graph_of(), tmp_path / f"nothing-{name}").notes == tuple(
        note for note in LOST[name] if "licence" in note
    )
