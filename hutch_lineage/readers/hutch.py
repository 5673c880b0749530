"""Hutch's canonical events, as its JSONL files hold them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from hutch_lineage.errors import InvalidEventError
from hutch_lineage.model import AnyEvent, Repair, clean, parse_event

from .report import Report


def is_hutch(value: Any) -> bool:
    """Return whether a JSON value looks like a canonical event.

    Examples
    --------
    >>> is_hutch({"event_kind": "run_end"})
    True
    """
    return isinstance(value, dict) and isinstance(value.get("event_kind"), str)


def hutch_event(value: Mapping[str, Any], where: str, report: Report) -> AnyEvent | None:
    """Return a canonical event, mended where that is safe; None, with a line in the report, if not.

    What the SDK mends when it captures is mended here too: numbers that are not finite, broken
    Unicode. Hutch writes such a score as null and then cannot read it, so null counts as one.

    Examples
    --------
    >>> from hutch_lineage.readers import ReadReport
    >>> hutch_event({"event_kind": "run_end"}, "line 1", ReadReport()) is None
    True
    """
    return checked_event(value, where, report)[0]


def checked_event(
    value: Mapping[str, Any], where: str, report: Report
) -> tuple[AnyEvent | None, str]:
    """Return what :func:`hutch_event` does, and what is wrong with the event where there is none.

    Examples
    --------
    >>> from hutch_lineage.readers import ReadReport
    >>> checked_event({"event_kind": "run_end", "payload": {}}, "line 1", ReadReport())[1]
    'run_id: Field required'
    """
    said = value.get("payload")
    payload, repairs = _mended(value.get("event_kind"), said)
    for repair in repairs:
        report.add(f"mended ({repair.kind})", f"{where}: {repair.where} was {repair.what}")
    try:
        if type(value) is not dict or payload is not said or said is None:
            value = {**value, "payload": payload}
        return parse_event(value), ""
    except InvalidEventError as error:
        problem = "; ".join(error.problems[:3])
        report.add("Hutch events skipped", f"{where}: {problem}")
        return None, problem


def _mended(kind: Any, payload: Any) -> tuple[Any, list[Repair]]:
    if not isinstance(payload, dict):
        return payload, []
    scores = payload.get("scores")
    if isinstance(scores, dict) and not all(map(_is_finite, scores.values())):
        numbers = {name: math.nan if score is None else score for name, score in scores.items()}
        # where no score is left, a fitness says why
        reason = {"invalid_reason": None} if kind == "fitness" else {}
        payload = {**reason, **payload, "scores": numbers}
    return clean(payload)


def _is_finite(score: Any) -> bool:
    return type(score) is int or (type(score) is float and math.isfinite(score))
