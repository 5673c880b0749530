"""Hutch events as a file: one canonical JSON object a line, with nothing left out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from hutch_lineage.errors import ExportError
from hutch_lineage.model import Event


def to_jsonl(events: Iterable[Event | Mapping[str, Any]]) -> str:
    r"""Return Hutch events as JSONL: all kinds, scores and seeds included.

    :func:`hutch_lineage.load` and Hutch itself read it back.

    Parameters
    ----------
    events : iterable of Event
        Hutch events.

    Returns
    -------
    str
        One event a line, each with a line end; empty without events.

    Raises
    ------
    ExportError
        An event is not a Hutch event.

    Examples
    --------
    >>> from hutch_lineage.model import parse_event
    >>> event = parse_event({"event_kind": "run_end", "run_id": "r", "payload": {}})
    >>> to_jsonl([event]).count("\n")
    1
    """
    lines = []
    for number, event in enumerate(events, start=1):
        if not isinstance(event, Event):
            raise ExportError(
                f"event {number} is no Hutch event: .jsonl holds those; OpenLineage events are "
                "written as .ndjson"
            )
        lines.append(event.model_dump_json() + "\n")
    return "".join(lines)
