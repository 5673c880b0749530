"""Our events are Hutch's events: held against the installed ``thehutch``."""

from __future__ import annotations

import copy
import json
import typing
from typing import Any

import hutch.schema as theirs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, ValidationError

from hutch_lineage import model as ours
from hutch_lineage.errors import InvalidEventError
from tests.model.strategies import events

KINDS = {kind.model_fields["event_kind"].default: kind for kind in ours.EVENT_CLASSES}
VOCABULARIES = [
    name for name in dir(theirs) if typing.get_origin(getattr(theirs, name)) is typing.Literal
]


def _outcome(validate: Any, document: Any) -> Any:
    """Return the event as plain data, or None when it is refused."""
    try:
        event: BaseModel = validate(document)
    except (ValidationError, InvalidEventError):
        return None
    return event.model_dump()


@pytest.mark.parametrize("kind", KINDS)
def test_ours_are_theirs(kind: str) -> None:
    """What we write, Hutch reads as the same event, field by field."""

    @settings(max_examples=40)
    @given(events(KINDS[kind]))
    def check(event: ours.Event) -> None:
        read = theirs.EVENT_ADAPTER.validate_json(event.model_dump_json())
        assert (type(read).__name__, read.model_dump()) == (
            type(event).__name__,
            event.model_dump(),
        )

    check()


@pytest.mark.parametrize("kind", KINDS)
def test_theirs_are_ours(kind: str) -> None:
    """What Hutch writes, we read as the same event and write again as the same JSON."""

    @settings(max_examples=40)
    @given(events(KINDS[kind]))
    def check(event: ours.Event) -> None:
        written = theirs.EVENT_ADAPTER.validate_python(event.model_dump()).model_dump_json()
        read = ours.parse_event(written)
        assert (type(read), json.loads(read.model_dump_json())) == (
            type(event),
            json.loads(written),
        )

    check()


def test_same_kinds() -> None:
    """Both know the same kinds, in the same order, with the same fields and defaults."""
    assert ours.ALL_KINDS == theirs.ALL_KINDS
    for mine, other in zip(ours.EVENT_CLASSES, theirs.EVENT_CLASSES, strict=True):
        pairs = [(mine, other)]
        pairs.append(
            (mine.model_fields["payload"].annotation, other.model_fields["payload"].annotation)
        )
        for left, right in pairs:
            assert left.__name__ == right.__name__
            assert _facts(left) == _facts(right)


def _facts(kind: Any) -> dict[str, tuple[bool, Any]]:
    return {
        name: (
            field.is_required(),
            None
            if name in ("event_id", "timestamp_ns")
            else field.get_default(call_default_factory=True),
        )
        for name, field in kind.model_fields.items()
    }


@pytest.mark.parametrize("name", VOCABULARIES)
def test_same_vocabulary(name: str) -> None:
    """Each closed vocabulary has the same words in the same order."""
    assert typing.get_args(getattr(ours, name)) == typing.get_args(getattr(theirs, name))


HASH = "ab" * 32
GOOD: dict[str, dict[str, Any]] = {
    "run_start": {"score_directions": {"loss": "lower"}, "capabilities": {"audit": True}},
    "run_update": {"status": "running", "source_counts": {"a": 1}},
    "run_end": {"status": "failed", "summary": "x"},
    "individual": {"id": "i", "kind": "program", "parent_ids": ["p"], "genome_hash": HASH,
                   "generation_index": 1},
    "operator": {"id": "o", "kind": "mutate", "child_id": "c", "llm_temperature": 0.5,
                 "cost_usd": 0.1, "tokens_in": 1, "tokens_out": 2},
    "fitness": {"individual_id": "i", "evaluator_kind": "human", "scores": {"a": 1.0},
                "cascade_stage": 0, "is_pareto_front": True},
    "descriptor": {"individual_id": "i", "archive_id": "a", "kind": "grid",
                   "dimensions": ["x"], "coordinates": [0.5], "is_replaced": False},
    "lineage_edge": {"parent_id": "a", "child_id": "b", "relation": "parent"},
    "migration": {"population_id": "p", "from_island": "a", "to_island": "b",
                  "individual_ids": ["i"]},
    "self_mod": {"parent_agent_id": "a", "child_agent_id": "b", "overseer_verdict": "accepted",
                 "score_before": 0.1},
    "artifact": {"id": "a", "kind": "paper", "uri": "u", "hash": HASH},
    "claim": {"id": "c", "text": "t", "requires_reproduction": True},
    "evidence": {"claim_id": "c", "source_uri": "u", "stance": "supports", "confidence": 0.5,
                 "source_quality": 1.0},
    "review": {"target_id": "t", "scorer": "s", "scores": {"a": 1.0}, "concerns": ["c"]},
    "stream_event": {"label": "l", "text": "t"},
    "steering_command": {"command": "pause_run", "actor": "human", "params": {"a": 1}},
    "tree_expansion": {"tree_id": "t", "parent_node": "a", "child_node": "b", "visit_count": 1,
                       "value_estimate": 0.5},
    "archive_snapshot": {"archive_id": "a", "coverage": 0.5, "size": 3, "qd_score": 1.0},
    "pareto_snapshot": {"population_id": "p", "front": ["i"], "objectives": ["o"],
                        "hypervolume": 1.0},
}  # fmt: skip

# What a caller may get wrong. nan and inf are not here: Hutch takes them in some fields although
# its own JSON of them cannot be read back; ours are cleaned before (test_clean.py).
WRONG: list[Any] = [
    None, True, False, 0, 1, -1, 3.5, -0.5, 1.5, 2.5, 2**70, 10**400, "", "3", "3.5", "x", "true",
    HASH, HASH + "0", "finished", "gradient_descent", [], ["a"], [1], [None], ["a", "b"], {},
    {"a": 1}, {"a": "1.5"}, {"a": None}, {"a": "higher"}, {"a": "up"}, {1: 2}, b"x", ("a",),
    {"a"},
]  # fmt: skip


def _mutants(kind: str) -> list[dict[str, Any]]:
    """Return one-step spoilings of a good event: a field taken away, added, or replaced."""
    good = {"event_kind": kind, "run_id": "r", "timestamp_ns": 1, "payload": GOOD[kind]}
    found = []
    for where in ("event", "payload"):
        target = good if where == "event" else good["payload"]
        annotated = KINDS[kind] if where == "event" else _payload_class(kind)
        for name in annotated.model_fields:
            changes = [{}, *({name: value} for value in WRONG)]
            for change in changes:
                spoilt = {key: value for key, value in target.items() if key != name} | change
                found.append(spoilt if where == "event" else {**good, "payload": spoilt})
        found.append(copy.deepcopy(good))
        (found[-1] if where == "event" else found[-1]["payload"])["colour"] = "red"
    return found


def _payload_class(kind: str) -> Any:
    return KINDS[kind].model_fields["payload"].annotation


@pytest.mark.parametrize("kind", KINDS)
def test_same_refusals(kind: str) -> None:
    """A spoilt event is refused by both, or read by both as the same."""
    for document in _mutants(kind):
        document = {"event_id": "0" * 32, "timestamp_ns": 1, **document}
        mine = _outcome(ours.parse_event, document)
        other = _outcome(theirs.EVENT_ADAPTER.validate_python, document)
        assert mine == other, document


@pytest.mark.parametrize("kind", KINDS)
def test_good_ones_are_good(kind: str) -> None:
    """The events that the spoilt ones are made from are valid."""
    document = {"event_kind": kind, "run_id": "r", "payload": GOOD[kind]}
    assert ours.parse_event(document).event_kind == kind


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        ("individual", {"is_seed": True}),
        ("individual", {"parent_ids": []}),
        ("fitness", {"scores": {}}),
        ("descriptor", {"coordinates": [0.5, 0.5]}),
        ("pareto_snapshot", {"front": []}),
        ("archive_snapshot", {"coverage": 1.5}),
        ("operator", {"cost_usd": -0.01}),
        ("operator", {"kind": "guess"}),
        ("individual", {"genome_hash": "abc"}),
        ("individual", {"generation_index": -1}),
        ("evidence", {"confidence": 1.01}),
        ("run_start", {"score_directions": {"loss": "down"}}),
        ("run_start", {"colour": "red"}),
    ],
)
def test_both_refuse(kind: str, change: dict[str, Any]) -> None:
    """Rules between fields, ranges, vocabularies and unknown fields are rules for both."""
    document = {"event_kind": kind, "run_id": "r", "payload": GOOD[kind] | change}
    assert _outcome(ours.parse_event, document) is None
    assert _outcome(theirs.EVENT_ADAPTER.validate_python, document) is None


@settings(max_examples=60)
@given(events(), st.data())
def test_random_spoiling(event: ours.Event, data: st.DataObject) -> None:
    """Whatever one value is replaced by, both judge the event alike."""
    document = json.loads(event.model_dump_json())
    name = data.draw(st.sampled_from(sorted(document["payload"])))
    document["payload"][name] = data.draw(st.sampled_from(WRONG))
    mine = _outcome(ours.parse_event, document)
    assert mine == _outcome(theirs.EVENT_ADAPTER.validate_python, document)


def test_real_runs(data_dir: Any) -> None:
    """The event files of real Hutch runs are read and come out as the same JSON."""
    files = sorted(data_dir.glob("hutch-*/events.jsonl"))
    assert files
    for path in files:
        for line in path.read_text(encoding="utf-8").splitlines():
            expected = theirs.EVENT_ADAPTER.validate_json(line).model_dump_json()
            assert ours.parse_event(line).model_dump_json() == expected
