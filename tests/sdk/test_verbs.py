"""Each verb logs the event of its kind and returns the payload."""

from __future__ import annotations

import hashlib
import json
import logging
import math
from pathlib import Path
from typing import Any
from uuid import UUID

import hutch.schema
import numpy as np
import pytest

import hutch_lineage as hl
from hutch_lineage.errors import CaptureError, InvalidEventError
from hutch_lineage.sdk import SDKConfig, runtime

CALLS: dict[str, tuple[str, dict[str, Any]]] = {
    "log_run_update": ("run_update", {"config": {"rate": 0.1}, "source_counts": {"a": 1}}),
    "log_individual": ("individual", {"kind": "program", "parent_ids": ["a"], "island_id": "i"}),
    "log_operator": ("operator", {"kind": "refine", "child_id": "b", "parent_ids": ["a"]}),
    "log_fitness": ("fitness", {"individual": "a", "scores": {"loss": 0.5}}),
    "log_descriptor": (
        "descriptor",
        {"individual": "a", "archive_id": "x", "coordinates": [0.5], "dimensions": ["d"]},
    ),
    "log_archive_snapshot": ("archive_snapshot", {"archive_id": "x", "coverage": 0.5, "size": 3}),
    "log_island_migration": (
        "migration",
        {"population_id": "p", "from_island": "1", "to_island": "2", "individual_ids": ["a"]},
    ),
    "log_self_modification": ("self_mod", {"parent_agent_id": "a", "child_agent_id": "b"}),
    "log_artifact": ("artifact", {"kind": "paper", "uri": "file:///p", "hash": "a" * 64}),
    "log_pareto_front": (
        "pareto_snapshot",
        {"population": "p", "front": ["a"], "objectives": ["loss"]},
    ),
    "log_tree_expansion": (
        "tree_expansion",
        {"tree_id": "t", "parent_node": "a", "child_node": "b"},
    ),
    "log_stream_event": ("stream_event", {"label": "beat"}),
    "log_claim": ("claim", {"text": "it works", "supported_by": ["a"]}),
    "log_evidence": ("evidence", {"claim_id": "c", "source_uri": "u", "stance": "supports"}),
    "log_review": ("review", {"target_id": "a", "scorer": "s", "scores": {"style": 0.5}}),
}


@pytest.mark.parametrize("target", ["module", "run"])
@pytest.mark.parametrize("verb", CALLS)
def test_event_of_each_verb(verb: str, target: str) -> None:
    """Every verb, as function and as method, logs one event that Hutch reads as the same."""
    kind, arguments = CALLS[verb]
    event_id = UUID(int=5)
    with hl.run("r") as run:
        log = getattr(hl if target == "module" else run, verb)
        payload = log(**arguments, metadata={"k": [1]}, event_id=event_id)
    _, event, _ = runtime().events
    assert (event.event_kind, event.run_id, event.event_id) == (kind, run.id, event_id)
    assert event.payload == payload
    assert payload.metadata == {"k": [1]}
    read = hutch.schema.EVENT_ADAPTER.validate_json(event.model_dump_json())
    assert read.model_dump() == event.model_dump()


def test_chaining() -> None:
    """What one verb returns serves the next, objects as well as ids."""
    with hl.run("r"):
        seed = hl.log_individual(kind="program")
        child = hl.log_individual(kind="program", parent_ids=[seed.id])
        fitness = hl.log_fitness(individual=child, scores={"loss": 1})
        place = hl.log_descriptor(individual=child, archive_id="x")
        population = hl.start_population(name="main", kind="island")
        front = hl.log_pareto_front(population=population, front=[child.id], objectives=["loss"])
    assert (seed.is_seed, child.is_seed) == (True, False)
    assert fitness.individual_id == place.individual_id == child.id
    assert front.population_id == population.id


@pytest.mark.parametrize(
    ("verb", "arguments", "prefix"),
    [
        ("log_individual", {"kind": "program"}, "ind-"),
        ("log_operator", {"kind": "mutate", "child_id": "c"}, "op-"),
        ("log_artifact", {"kind": "paper", "uri": "u"}, "art-"),
        ("log_claim", {"text": "t"}, "claim-"),
        ("start_population", {"name": "n", "kind": "tree"}, "pop-"),
    ],
)
def test_ids_are_made(verb: str, arguments: dict[str, Any], prefix: str) -> None:
    """Where no id is given, one is made: the prefix of the kind and 12 hex digits, never twice."""
    with hl.run("r"):
        ids = {getattr(hl, verb)(**arguments).id for _ in range(50)}
    assert len(ids) == 50
    assert all(id_.startswith(prefix) and int(id_.removeprefix(prefix), 16) >= 0 for id_ in ids)
    assert {len(id_) for id_ in ids} == {len(prefix) + 12}


def test_lanes() -> None:
    """stream_id and worker_id go to the envelope."""
    with hl.run("r"):
        hl.log_operator(kind="mutate", child_id="c", stream_id="lane", worker_id="w1")
    event = runtime().events[1]
    assert (event.stream_id, event.worker_id) == ("lane", "w1")


def test_genome() -> None:
    """A genome is kept as text in the metadata, with its SHA-256."""
    with hl.run("r"):
        given = hl.log_individual(kind="program", genome="é", metadata={"k": 1})
        named = hl.log_individual(kind="program", genome="é", genome_hash="a" * 64)
    assert given.metadata == {"k": 1, "genome": "é"}
    assert given.genome_hash == hashlib.sha256("é".encode()).hexdigest()
    assert named.genome_hash == "a" * 64


@pytest.mark.parametrize(
    ("verb", "arguments", "problem"),
    [
        ("log_individual", {"kind": "progam"}, "kind: Input should be 'program'"),
        ("log_individual", {"kind": "program", "parent_ids": "ind-1"}, "parent_ids: .*valid list"),
        ("log_operator", {"kind": "tweak", "child_id": "c"}, "'mutate'.*own goes into metadata"),
        ("log_individual", {"kind": "program", "genome_hash": "abc"}, "genome_hash: "),
        ("log_operator", {"kind": "mutate", "child_id": None}, "child_id: .*valid string"),
        ("log_operator", {"kind": "mutate", "child_id": "c", "cost_usd": -1}, "cost_usd: "),
        ("log_operator", {"kind": "mutate", "child_id": "c", "event_id": "7"}, "event_id: "),
        ("log_operator", {"kind": "mutate", "child_id": "c", "metadata": [1]}, "metadata: "),
        ("log_fitness", {"individual": "a"}, "at least one score, or invalid_reason"),
        ("log_archive_snapshot", {"archive_id": "a", "coverage": 1.5, "size": 1}, "coverage: "),
        ("log_archive_snapshot", {"archive_id": "a", "coverage": math.inf, "size": 1}, "coverage"),
        ("log_descriptor", {"individual": "a", "archive_id": "x", "coordinates": 5}, "coordinates"),
        ("end_run", {"status": "done"}, "status: Input should be 'running'"),
    ],
)
def test_wrong_arguments(verb: str, arguments: dict[str, Any], problem: str) -> None:
    """Arguments that break the schema raise a ValueError that names verb and field; no event."""
    hl.start_run()
    with pytest.raises(InvalidEventError, match=problem) as caught:
        getattr(hl, verb)(**arguments)
    assert isinstance(caught.value, ValueError)
    assert str(caught.value).startswith(f"{verb}: ")
    assert "payload" not in str(caught.value)
    assert len(runtime().events) == 1


def test_wrong_start() -> None:
    """A start with wrong arguments starts nothing."""
    with pytest.raises(InvalidEventError, match=r"score_directions\.loss"):
        hl.start_run(score_directions={"loss": "down"})
    assert (runtime().events, runtime().open_runs()) == ([], [])


@pytest.mark.parametrize("ids", [("a", "b"), np.array(["a", "b"]), {"a": 1, "b": 2}.keys()])
def test_ids_in_any_collection(ids: Any) -> None:
    """Ids may come in a tuple, an array or any iterable."""
    with hl.run("r"):
        assert hl.log_operator(kind="crossover", child_id="c", parent_ids=ids).parent_ids == [
            "a",
            "b",
        ]


def test_what_a_verb_returned_stands_for_its_id() -> None:
    """Wherever a verb takes the id of an individual, alone or among others."""
    with hl.run("demo") as run:
        a, b = (run.log_individual(kind="program") for _ in range(2))
        child = run.log_individual(kind="program", parent_ids=(a, b.id))
        step = run.log_operator(kind="crossover", parent_ids=[a, b], child_id=child)
        moved = run.log_island_migration(
            population_id="p", from_island="0", to_island="1", individual_ids=[child]
        )
        front = run.log_pareto_front(population="p", front=[child, a], objectives=["loss"])
    assert child.parent_ids == step.parent_ids == [a.id, b.id]
    assert step.child_id == child.id
    assert moved.individual_ids == [child.id]
    assert front.front == [child.id, a.id]


def test_array_values() -> None:
    """numpy numbers are Python numbers in the payload, without a word."""
    with hl.run("r"):
        step = hl.log_operator(
            kind="mutate", child_id="c", cost_usd=np.float32(0.5), tokens_in=np.int64(3)
        )
    assert (step.cost_usd, type(step.tokens_in)) == (0.5, int)


def test_non_finite_is_said_once(caplog: pytest.LogCaptureFixture) -> None:
    """Numbers that are not finite are put aside: one WARNING for all of them, no exception."""
    with hl.run("r"):
        fitness = [hl.log_fitness(individual="a", scores={"loss": math.nan}) for _ in range(3)]
        step = hl.log_operator(kind="mutate", child_id="c", cost_usd=math.inf)
    assert fitness[0].scores == {}
    assert fitness[0].metadata == {"non_finite_scores": {"loss": "nan"}}
    assert fitness[0].invalid_reason == "no finite score: loss=nan"
    assert step.cost_usd is None
    [record] = caplog.records
    assert record.levelno == logging.WARNING
    assert "log_fitness: scores.loss (nan)" in record.message


def test_one_warning_per_kind(caplog: pytest.LogCaptureFixture) -> None:
    """Each kind of repair is said once; every event is valid JSON all the same."""
    with hl.run("r"):
        for _ in range(2):
            hl.log_stream_event(label="a\ud800", metadata={"p": Path("x"), "o": object()})
    assert len(caplog.records) == 3
    for event in runtime().events:
        json.loads(event.model_dump_json())


def test_surrogate_in_envelope() -> None:
    """Ids and lanes are cleaned like payloads."""
    with hl.run("r\ud800", run_id="id\ud800"):
        hl.log_stream_event(label="l", stream_id="s\ud800")
    start, event, _ = runtime().events
    assert (start.payload.name, event.stream_id) == ("r\ufffd", "s\ufffd")
    assert {event.run_id for event in runtime().events} == {"id\ufffd"}


@pytest.mark.parametrize("arguments", [{"cost_usd": math.nan}, {"llm_id": "\ud800"}])
def test_strict_loss(arguments: dict[str, Any]) -> None:
    """In strict mode a value that would be lost raises, and nothing is captured."""
    hl.configure(SDKConfig(strict=True))
    hl.start_run()
    with pytest.raises(CaptureError, match=r"log_operator: .* cannot be captured as it is"):
        hl.log_operator(kind="mutate", child_id="c", **arguments)
    assert len(runtime().events) == 1


def test_strict_conversion() -> None:
    """In strict mode a value that only changes its form, such as a path, does not raise."""
    hl.configure(SDKConfig(strict=True))
    with hl.run("r", config={"out": Path("x")}):
        pass
    assert runtime().events[0].payload.config == {"out": "x"}
