"""What one operator event costs the caller while nothing is sent.

Ours and Hutch's emitter each get ready-made events of their own classes; the floor is an append to
a deque, the least that remembering an event can cost. Ours maps an event when somebody reads it, so
it is measured with that, too.
"""

from __future__ import annotations

from collections import deque

from hutch.openlineage import build_openlineage_emitter as build_theirs
from hutch.schema import EVENT_ADAPTER as THEIR_EVENTS

from hutch_lineage.model import EVENT_ADAPTER as OUR_EVENTS
from hutch_lineage.openlineage import build_openlineage_emitter as build_ours

from .timing import Contender, best_times, lines

COUNT = 5_000


def operators(count: int) -> list[dict[str, object]]:
    """Operator events as JSON objects, each with an id of its own."""
    return [
        {
            "event_id": f"00000000-0000-4000-8000-{number:012x}",
            "event_kind": "operator",
            "run_id": "run",
            "timestamp_ns": 1_700_000_000_000_000_000 + number,
            "payload": {
                "id": f"op-{number}",
                "kind": "refine",
                "parent_ids": [f"ind-{number}"],
                "child_id": f"ind-{number + 1}",
                "llm_id": "a-model",
                "cost_usd": 0.012,
                "tokens_in": 120,
                "tokens_out": 45,
            },
        }
        for number in range(count)
    ]


def measure() -> list[str]:
    """Return the result as lines of text."""
    documents = operators(COUNT)
    ours = [OUR_EVENTS.validate_python(each) for each in documents]
    theirs = [THEIR_EVENTS.validate_python(each) for each in documents]

    def our_emitter() -> object:
        emitter = build_ours(endpoint="in-memory")
        return lambda: [emitter.emit(each) for each in ours]

    def our_emitter_read() -> object:
        emitter = build_ours(endpoint="in-memory")
        return lambda: ([emitter.emit(each) for each in ours], emitter.captured_events)

    def their_emitter() -> object:
        emitter = build_theirs(endpoint="in-memory")
        return lambda: [emitter.emit(each) for each in theirs]

    def floor() -> object:
        kept: deque[object] = deque()
        return lambda: [kept.append(each) for each in ours]

    contenders: dict[str, Contender] = {
        "hutch_lineage emitter, in memory": our_emitter,
        "the same, and read afterwards": our_emitter_read,
        "thehutch emitter, in memory": their_emitter,
        "append to a deque": floor,
    }
    return lines(best_times(contenders), COUNT, "events")
