"""Searching the raw events."""

from __future__ import annotations

from typing import Any

from hutch_lineage.explorer.raw_events import answer_events, find_events

EVENTS: list[dict[str, Any]] = [
    {"eventType": "RUNNING", "run": {"runId": f"r{number}"}, "note": "Größe" if number % 2 else ""}
    for number in range(500)
]


def positions(answer: dict[str, Any]) -> list[int]:
    return [each["position"] for each in answer["events"]]


def test_every_word_must_be_there_without_regard_to_case():
    """In keys and in values."""
    assert positions(find_events(EVENTS, query="R499 running GRÖSSE")) == [499]
    assert positions(find_events(EVENTS, query="nowhere")) == []


def test_a_long_answer_comes_in_parts():
    """Each says where to go on; together they are everything once."""
    seen: list[int] = []
    offset: int | None = 0
    while offset is not None:
        answer = find_events(EVENTS, offset=offset, limit=120)
        seen += positions(answer)
        offset = answer["next"]
    assert seen == list(range(500))


def test_a_search_that_takes_too_long_stops_and_can_go_on():
    """The kernel is never kept; nothing is found yet, and the place to go on is told."""
    answer = find_events(EVENTS, query="r499", budget_s=-1)
    assert (answer["events"], answer["next"], answer["total"]) == ([], 0, 500)


def test_any_question_has_an_answer():
    """Types are not trusted: the question comes from a browser."""
    assert positions(answer_events(EVENTS, {"query": 7, "offset": "x", "limit": None}))[:2] == [
        7,
        17,
    ]
    assert answer_events([], {})["total"] == 0


def test_what_json_cannot_hold_is_made_plain():
    """An event of another producer is shown all the same."""
    (found,) = find_events([{"when": {1, 2}}])["events"]
    assert list(found["event"]) == ["when"]
