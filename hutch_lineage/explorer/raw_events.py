"""The events behind the picture, searched a part at a time."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

import orjson

from hutch_lineage.model import clean_json

MOST = 200
MAX_BYTES = 2_000_000
BUDGET_S = 0.3


def find_events(
    events: Sequence[Mapping[str, Any]],
    *,
    query: str = "",
    offset: int = 0,
    limit: int = 50,
    budget_s: float = BUDGET_S,
) -> dict[str, Any]:
    """Return the events from `offset` on whose JSON holds every word of `query`.

    Stops after `limit` events (at most 200), 2 MB, or `budget_s` seconds of searching, whichever
    comes first, so that a search through many events never keeps the kernel long.

    Returns
    -------
    dict
        ``events``: a list of ``{"position": int, "event": dict}``; ``next``: where to go on, None
        at the end; ``total``: how many events there are.

    Examples
    --------
    >>> events = [{"eventType": "START"}, {"eventType": "COMPLETE"}]
    >>> find_events(events, query="complete")["events"]
    [{'position': 1, 'event': {'eventType': 'COMPLETE'}}]
    """
    words = [word.casefold() for word in query.split()]
    most = min(max(limit, 1), MOST)
    found: list[dict[str, Any]] = []
    end_s = time.monotonic() + budget_s
    size = 0
    position = max(offset, 0)
    while position < len(events) and len(found) < most and size < MAX_BYTES:
        if time.monotonic() > end_s:
            break
        event, text = _plain(events[position])
        if all(word in text.casefold() for word in words):
            found.append({"position": position, "event": event})
            size += len(text)
        position += 1
    return {
        "events": found,
        "next": position if position < len(events) else None,
        "total": len(events),
    }


def answer_events(events: Sequence[Mapping[str, Any]], asked: Mapping[str, Any]) -> dict[str, Any]:
    """Return :func:`find_events` for a view's question, whatever stands in it."""
    offset, limit = asked.get("offset"), asked.get("limit")
    return find_events(
        events,
        query=str(asked.get("query") or "")[:400],
        offset=offset if isinstance(offset, int) else 0,
        limit=limit if isinstance(limit, int) else 50,
    )


def _plain(event: Mapping[str, Any]) -> tuple[Mapping[str, Any], str]:
    try:
        return event, orjson.dumps(event).decode()
    except TypeError:  # an event of another producer holds what JSON cannot
        plain: dict[str, Any] = clean_json(dict(event))[0]
        return plain, orjson.dumps(plain).decode()
