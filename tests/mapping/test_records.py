"""Hutch events as lineage records."""

from __future__ import annotations

import json

import hutch.schema
import pytest

from hutch_lineage.errors import InvalidEventError
from hutch_lineage.mapping import records_of
from hutch_lineage.model import (
    ALL_KINDS,
    EdgeRecord,
    FitnessRecord,
    MigrationRecord,
    NodeKey,
    NodeRecord,
    OperatorRecord,
    RunRecord,
    Stamp,
    parse_event,
)

EVENT_ID = "00000000-0000-4000-8000-000000000001"
STAMP = Stamp(5_000_000_000, EVENT_ID)


def event(event_kind, **payload):
    """Return the canonical dict of an event of run ``r``."""
    return {
        "event_id": EVENT_ID,
        "event_kind": event_kind,
        "run_id": "r",
        "timestamp_ns": 5_000_000_000,
        "payload": payload,
    }


def individual(node_id):
    """Return the key of an individual of run ``r``."""
    return NodeKey("individual", "r", node_id)


CASES = [
    (
        event("run_start", name="n", project="p", score_directions={"loss": "lower"}),
        RunRecord(
            "r",
            STAMP,
            {
                "name": "n",
                "project": "p",
                "score_directions": {"loss": "lower"},
                "status": "running",
                "started_ns": 5_000_000_000,
            },
        ),
    ),
    (event("run_update", status="failed"), RunRecord("r", STAMP, {"status": "failed"})),
    (
        event("run_end", status="finished", summary="done"),
        RunRecord("r", STAMP, {"status": "finished", "summary": "done", "ended_ns": 5 * 10**9}),
    ),
    (
        event("individual", id="c", kind="program", parent_ids=["a", "b"], island_id="i",
              metadata={"genome": "x = 1"}),
        NodeRecord(
            individual("c"),
            STAMP,
            (individual("a"), individual("b")),
            {"kind": "program", "is_seed": False, "island_id": "i", "genome": "x = 1",
             "metadata": {"genome": "x = 1"}},
        ),
    ),
    (
        event("operator", id="o", kind="crossover", parent_ids=["a", "b"], child_id="c",
              cost_usd=0.5, tokens_in=1, diff="-a\n+b"),
        OperatorRecord(
            "r", "o", STAMP, (individual("a"), individual("b")), individual("c"),
            {"kind": "crossover", "cost_usd": 0.5, "tokens_in": 1, "diff": "-a\n+b"},
        ),
    ),
    (
        event("lineage_edge", parent_id="a", child_id="c", relation="inspired"),
        EdgeRecord(individual("a"), individual("c"), STAMP, "inspired"),
    ),
    (
        event("migration", population_id="p", from_island="x", to_island="y",
              individual_ids=["a", "b"]),
        MigrationRecord(
            (individual("a"), individual("b")), STAMP, "x", "y", {"population_id": "p"}
        ),
    ),
    (
        event("self_mod", parent_agent_id="a", child_agent_id="b", overseer_verdict="accepted"),
        OperatorRecord(
            "r", "self-mod:a->b", STAMP, (NodeKey("agent", "r", "a"),), NodeKey("agent", "r", "b"),
            {"kind": "self_modify", "verdict": "accepted"},
        ),
    ),
    (
        event("self_mod", parent_agent_id="a", child_agent_id="b", benchmark="swe",
              score_before=0.25, score_after=0.5, metadata={"genome": "x = 1"}),
        [
            OperatorRecord(
                "r", "self-mod:a->b", STAMP, (NodeKey("agent", "r", "a"),),
                NodeKey("agent", "r", "b"),
                {"kind": "self_modify", "verdict": "pending", "benchmark": "swe",
                 "score_before": 0.25, "score_after": 0.5, "metadata": {"genome": "x = 1"}},
            ),
            NodeRecord(NodeKey("agent", "r", "b"), STAMP, (), {"genome": "x = 1"}),
            FitnessRecord(NodeKey("agent", "r", "a"), Stamp(-1, EVENT_ID), {"swe": 0.25}),
            FitnessRecord(NodeKey("agent", "r", "b"), STAMP, {"swe": 0.5}),
        ],
    ),
]  # fmt: skip


@pytest.mark.parametrize(("document", "record"), CASES, ids=lambda case: type(case).__name__)
def test_each_kind_says_what_it_knows_and_no_more(document, record):
    """A canonical dict, our event and an event of the Hutch SDK give the same records."""
    theirs = hutch.schema.EVENT_ADAPTER.validate_python(document)
    expected = record if isinstance(record, list) else [record]
    assert [records_of(document), records_of(parse_event(document)), records_of(theirs)] == [
        expected,
        expected,
        expected,
    ]


def test_scores_that_are_no_numbers_are_left_out():
    """Non-finite scores never reach the graph; the composite is an attribute."""
    fitness = event(
        "fitness",
        individual_id="a",
        evaluator_kind="unit_test",
        scores={"good": 1.0, "bad": float("nan"), "worse": float("inf")},
        composite=float("nan"),
    )
    assert records_of(fitness) == [
        FitnessRecord(individual("a"), STAMP, {"good": 1.0}, {"evaluator_kind": "unit_test"})
    ]


def test_the_other_kinds_say_nothing_about_lineage():
    """A descriptor, a claim or a steering command gives no record."""
    claim = event("claim", id="c", text="it works")
    review = event("review", target_id="a", scorer="me")
    assert [records_of(claim), records_of(review), len(ALL_KINDS)] == [[], [], 19]


def test_a_record_comes_back_as_it_is():
    """A caller may mix records with events."""
    assert records_of(CASES[0][1]) == [CASES[0][1]]


@pytest.mark.parametrize("item", [None, 5, "text", [], {}, {"event_kind": "run_end"}])
def test_what_says_nothing_is_refused(item):
    """Anything else is an InvalidEventError of this package."""
    with pytest.raises(InvalidEventError):
        records_of(item)


@pytest.mark.parametrize("folder", ["hutch-openevolve", "hutch-codeevolve"])
def test_published_runs_become_records(data_dir, folder):
    """Every event of two published runs is read, each into at most one record."""
    lines = (data_dir / folder / "events.jsonl").read_text().splitlines()
    assert [len(records_of(json.loads(line))) for line in lines] == [1] * len(lines)
