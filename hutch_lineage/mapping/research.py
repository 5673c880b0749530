"""What a span says about an event: the ``research.*`` attributes, as Hutch names them."""

from __future__ import annotations

from typing import Any, Final, TypeAlias

Attribute: TypeAlias = str | bool | int | float | list[str]

_ENVELOPE: Final = (("stream_id", "research.stream.id"), ("worker_id", "research.worker.id"))
# event kind: where its attributes stand, and the fields of the payload that become one
_FIELDS: Final[dict[str, tuple[str, tuple[str, ...]]]] = {
    "run_start": ("run", ("name", "project")),
    "run_end": ("run", ("status",)),
    "individual": (
        "individual",
        ("id", "kind", "is_seed", "parent_ids", "island_id", "generation_index"),
    ),
    "operator": (
        "operator",
        ("id", "kind", "child_id", "parent_ids", "cost_usd", "tokens_in", "tokens_out", "llm_id"),
    ),
    "fitness": ("fitness", ("individual_id", "evaluator_kind", "composite", "invalid_reason")),
    "descriptor": ("descriptor", ("individual_id", "archive_id", "kind", "cell_id")),
    "self_mod": (
        "self_mod",
        ("parent_agent_id", "child_agent_id", "overseer_verdict", "score_before", "score_after"),
    ),
    "claim": ("claim", ("id", "requires_reproduction")),
    "evidence": ("evidence", ("claim_id", "stance", "confidence")),
    "steering_command": ("steering", ("command", "actor", "target_id")),
}


def research_attributes(event: Any) -> dict[str, Attribute]:
    """Return the attributes of the span for an event; kinds without any of their own have few.

    Parameters
    ----------
    event : Event
        A Hutch event, ours or Hutch's.

    Returns
    -------
    dict
        OpenTelemetry attributes: scalars and lists of texts. Every score is one of its own.

    Examples
    --------
    >>> from hutch_lineage.model import parse_event
    >>> event = parse_event({"event_kind": "run_end", "run_id": "r", "payload": {}})
    >>> research_attributes(event)["research.run.status"]
    'finished'
    """
    found: dict[str, Attribute] = {
        "research.event.kind": event.event_kind,
        "research.run.id": event.run_id,
    }
    for field, name in _ENVELOPE:
        _put(found, name, getattr(event, field))
    prefix, fields = _FIELDS.get(event.event_kind, ("", ()))
    for field in fields:
        _put(found, f"research.{prefix}.{field}", getattr(event.payload, field))
    if event.event_kind == "fitness" and event.payload.scores:
        scores = event.payload.scores
        found["research.fitness.scores"] = sorted(scores)
        found |= {f"research.fitness.score.{name}": float(scores[name]) for name in scores}
    return found


def _put(found: dict[str, Attribute], name: str, value: Any) -> None:
    if value is None or value == []:
        return
    found[name] = list(value) if isinstance(value, (list, tuple)) else value
