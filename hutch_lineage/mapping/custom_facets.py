"""The custom facets and their JSON Schemas: four of the specification, one of the presets.

Each facet has a schema file in ``facets`` (JSON Schema 2020-12). Additive only: a new field
may come, none is renamed or removed.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib.resources import files
from typing import Any, Final, Literal

from .documents import OPENLINEAGE_PRODUCER
from .names import ORIGIN_ID, ORIGIN_RUN
from .naming import escaped_whole

FACET_NAMES: Final = (
    "hutchRun",
    "hutchRunOutcome",
    "hutchOperator",
    "hutchSelfMod",
    "hutchLineage",
)
SCHEMA_URLS: Final = {name: f"{OPENLINEAGE_PRODUCER}#/$defs/{name}" for name in FACET_NAMES}


def facet_schema(name: str) -> dict[str, Any]:
    """Return the JSON Schema of one facet.

    Parameters
    ----------
    name : str
        One of ``FACET_NAMES``.

    Raises
    ------
    KeyError
        There is no facet of that name.

    Examples
    --------
    >>> sorted(facet_schema("hutchRun")["$defs"]["hutchRun"]["properties"])
    ['_producer', '_schemaURL', 'project', 'started_by']
    """
    if name not in FACET_NAMES:
        raise KeyError(f"no facet {name!r}: there are {', '.join(FACET_NAMES)}")
    text = files(__package__).joinpath("facets", f"{name}.json").read_text(encoding="utf-8")
    schema: dict[str, Any] = json.loads(text)
    return schema


def run_facet(payload: Any) -> dict[str, Any]:
    """Return ``hutchRun`` for a ``run_start`` payload."""
    return {
        "_producer": OPENLINEAGE_PRODUCER,
        "_schemaURL": SCHEMA_URLS["hutchRun"],
        "project": payload.project,
        "started_by": payload.started_by,
    }


def outcome_facet(payload: Any) -> dict[str, Any]:
    """Return ``hutchRunOutcome`` for a ``run_end`` payload."""
    return {
        "_producer": OPENLINEAGE_PRODUCER,
        "_schemaURL": SCHEMA_URLS["hutchRunOutcome"],
        "status": payload.status,
        "summary": payload.summary,
    }


def operator_facet(payload: Any) -> dict[str, Any]:
    """Return ``hutchOperator`` for an ``operator`` payload."""
    return {
        "_producer": OPENLINEAGE_PRODUCER,
        "_schemaURL": SCHEMA_URLS["hutchOperator"],
        "operator_id": payload.id,
        "operator_kind": payload.kind,
        "cost_usd": payload.cost_usd,
        "tokens_in": payload.tokens_in,
        "tokens_out": payload.tokens_out,
        "llm_id": payload.llm_id,
    }


def self_mod_facet(payload: Any) -> dict[str, Any]:
    """Return ``hutchSelfMod`` for a ``self_mod`` payload."""
    return {
        "_producer": OPENLINEAGE_PRODUCER,
        "_schemaURL": SCHEMA_URLS["hutchSelfMod"],
        "overseer_verdict": payload.overseer_verdict,
        "score_before": payload.score_before,
        "score_after": payload.score_after,
        "target_path": payload.target_path,
    }


What = Literal["run", "operator", "self_mod", "seed", "unknown"]


def lineage_facet_of(
    what: What,
    *,
    run_id: str,
    run_name: str | None,
    event_id: str | None,
    logged_at: str | None,
    node_kind: str | None = None,
    parents: Sequence[str] = (),
    child: str | None = None,
    relation: str | None = None,
    origin: tuple[str, str] | None = None,
) -> dict[str, Any]:
    """Return ``hutchLineage``: what the names of a preset stand for.

    PostgreSQL keeps no NUL in JSON. Where an id has one, all are written as parts of names are,
    uncut, and ``escaped`` says so.
    """
    texts = (run_id, run_name, child, relation, *parents, *(origin or ()))
    is_escaped = any("\0" in text for text in texts if text)

    def stored(text: str | None) -> str | None:
        return escaped_whole(text) if is_escaped and text is not None else text

    facet = {
        "_producer": OPENLINEAGE_PRODUCER,
        "_schemaURL": SCHEMA_URLS["hutchLineage"],
        "what": what,
        "run_id": stored(run_id),
        "run_name": stored(run_name),
        "event_id": event_id,
        "logged_at": logged_at,
        "node_kind": node_kind,
        "parents": [stored(parent) for parent in parents],
        "child": stored(child),
        "relation": stored(relation),
        ORIGIN_RUN: stored(origin[0]) if origin else None,
        ORIGIN_ID: stored(origin[1]) if origin else None,
    }
    return {**facet, "escaped": True} if is_escaped else facet
