"""One small lineage with everything that a picture tells apart, and a hostile one."""

from __future__ import annotations

import pytest

from hutch_lineage.graph import LineageGraph
from hutch_lineage.model import FitnessRecord, NodeRecord, OperatorRecord, RunRecord, Stamp
from tests.export.lineages import HOSTILE, key


@pytest.fixture
def graph():
    """Two seeds, a crossover, an invalid child, a parent not seen; scores on one metric."""
    made = LineageGraph()
    made.apply(
        RunRecord("r1", Stamp(0, "r"), {"name": "packing", "score_directions": {"sum": "higher"}}),
        NodeRecord(key("s1"), Stamp(1, "a"), (), {"is_seed": True, "generation_index": 0}),
        NodeRecord(key("s2"), Stamp(2, "b"), (), {"is_seed": True, "generation_index": 0}),
        NodeRecord(key("c"), Stamp(3, "c"), (key("s1"), key("s2")), {"generation_index": 1}),
        NodeRecord(key("bad"), Stamp(4, "d"), (key("s1"),), {"generation_index": 1}),
        NodeRecord(key("best"), Stamp(5, "e"), (key("c"), key("lost")), {"generation_index": 2}),
        OperatorRecord(
            "r1",
            "op1",
            Stamp(3, "o1"),
            (key("s1"), key("s2")),
            key("c"),
            {"kind": "crossover", "llm_id": "m", "cost_usd": 0.25, "tokens_in": 10},
        ),
        FitnessRecord(key("s1"), Stamp(6, "f1"), {"sum": 2.0}),
        FitnessRecord(key("s2"), Stamp(7, "f2"), {"sum": 1.0}),
        FitnessRecord(key("c"), Stamp(8, "f3"), {"sum": 2.5}),
        FitnessRecord(key("bad"), Stamp(9, "f4"), {}, {"invalid_reason": "crashed"}),
        FitnessRecord(key("best"), Stamp(10, "f5"), {"sum": 2.75}),
    )
    return made


@pytest.fixture
def hostile():
    """Ids, names and metrics that try to become markup, and characters that XML cannot hold."""
    made = LineageGraph()
    node = key(HOSTILE + "\x00\x0b\ud800", run=HOSTILE)
    made.apply(
        RunRecord(HOSTILE, Stamp(0, "r"), {"name": HOSTILE}),
        NodeRecord(node, Stamp(1, "a"), (), {"genome": HOSTILE, "metadata": {HOSTILE: HOSTILE}}),
        FitnessRecord(node, Stamp(2, "b"), {HOSTILE: 1.0}),
    )
    return made
