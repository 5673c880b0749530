"""Events: frozen, written and read as canonical JSON, refused with reasons."""

from __future__ import annotations

import time
from uuid import UUID

import pytest
from pydantic import ValidationError

from hutch_lineage.errors import InvalidEventError
from hutch_lineage.model import (
    FitnessPayload,
    IndividualPayload,
    OperatorEvent,
    OperatorPayload,
    RunEndEvent,
    parse_event,
)

OPERATOR = OperatorPayload(id="o", kind="mutate", child_id="c")


def test_envelope_is_filled() -> None:
    """An event gets an id of its own and the time, in nanoseconds since 1970."""
    before = time.time_ns()
    one, other = (OperatorEvent(run_id="r", payload=OPERATOR) for _ in range(2))
    assert one.event_id != other.event_id
    assert before <= one.timestamp_ns <= time.time_ns()


def test_frozen() -> None:
    """An event and its payload cannot be changed."""
    event = OperatorEvent(run_id="r", payload=OPERATOR)
    with pytest.raises(ValidationError, match="frozen"):
        event.run_id = "other"
    with pytest.raises(ValidationError, match="frozen"):
        event.payload.kind = "refine"


@pytest.mark.parametrize("form", [str, str.encode])
def test_parse_text(form: type) -> None:
    """Text and bytes are read, and the class follows from the kind."""
    event = parse_event(form('{"event_kind": "run_end", "run_id": "r", "payload": {}}'))
    assert isinstance(event, RunEndEvent)
    assert event.payload.status == "finished"


def test_round_trip() -> None:
    """What is written is read back as an equal event."""
    event = OperatorEvent(run_id="r", event_id=UUID(int=7), timestamp_ns=5, payload=OPERATOR)
    assert parse_event(event.model_dump_json()) == event


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{", "Invalid JSON"),
        ("[]", "should be an object"),
        ('{"run_id": "r"}', "discriminator"),
        ('{"event_kind": "party", "run_id": "r"}', "does not match any of the expected tags"),
        ('{"event_kind": "run_end", "payload": {}}', "run_id: Field required"),
        (
            '{"event_kind": "run_end", "run_id": "r", "payload": {"status": "lost"}}',
            "payload.status: Input should be 'running'",
        ),
    ],
)
def test_refusal_says_where(text: str, problem: str) -> None:
    """A document that is no event is refused; each problem names the field."""
    with pytest.raises(InvalidEventError) as caught:
        parse_event(text)
    assert problem in "; ".join(caught.value.problems)
    assert problem in str(caught.value)


def test_refusal_is_a_value_error() -> None:
    """Code that catches ValueError catches a refused event."""
    with pytest.raises(ValueError, match="not a Hutch event"):
        parse_event({})


def test_every_problem_is_listed() -> None:
    """All broken rules of an event are told at once."""
    payload = {"id": "o", "kind": "guess", "child_id": "c", "cost_usd": -1, "tokens_in": -1}
    with pytest.raises(InvalidEventError) as caught:
        parse_event({"event_kind": "operator", "run_id": "r", "payload": payload})
    fields = [problem.split(":")[0] for problem in caught.value.problems]
    assert fields == ["payload.kind", "payload.cost_usd", "payload.tokens_in"]


def test_rules_between_fields_are_told_in_words() -> None:
    """Messages of rules between fields say what to do."""
    with pytest.raises(ValidationError, match="is a seed: set is_seed=True"):
        IndividualPayload(id="i", kind="program")
    with pytest.raises(ValidationError, match="at least one score, or invalid_reason"):
        FitnessPayload(individual_id="i", evaluator_kind="human")
