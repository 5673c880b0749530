"""Hutch's canonical events, as its JSONL files hold them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hutch_lineage.errors import InvalidEventError
from hutch_lineage.model import AnyEvent, parse_event

from .report import ReadReport


def is_hutch(value: Any) -> bool:
    """Return whether a JSON value looks like a canonical event."""
    return isinstance(value, Mapping) and isinstance(value.get("event_kind"), str)


def hutch_event(value: Mapping[str, Any], where: str, report: ReadReport) -> AnyEvent | None:
    """Return a canonical event, mended where that is safe; None, with a line in the report, if not.

    Hutch writes a score that is not a finite number as null and then cannot read it; here the
    score is left out, and the fitness is invalid if no other is left.
    """
    fixed = _without_null_scores(value)
    if fixed is not value:
        report.add("scores without a number left out", where)
    try:
        return parse_event(dict(fixed))
    except InvalidEventError as error:
        report.add("Hutch events skipped", f"{where}: {'; '.join(error.problems[:3])}")
        return None


def _without_null_scores(value: Mapping[str, Any]) -> Mapping[str, Any]:
    payload = value.get("payload")
    if not isinstance(payload, dict):
        return value
    scores = payload.get("scores")
    if not isinstance(scores, dict) or None not in scores.values():
        return value
    kept = {metric: score for metric, score in scores.items() if score is not None}
    fixed = {**payload, "scores": kept}
    if not kept and not fixed.get("invalid_reason"):
        fixed["invalid_reason"] = "no finite score"
    return {**value, "payload": fixed}
