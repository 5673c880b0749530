"""Whether a record that was read from a file has the types that the graph counts on."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any, Final

from hutch_lineage.model import EdgeRecord, MigrationRecord, NodeKey, Record

_TEXTS: Final = frozenset(
    {
        *("kind", "island_id", "population_id", "genome_lang", "genome_uri", "genome_hash"),
        *("evaluator_id", "evaluator_kind", "cascade_stage", "invalid_reason"),
        *("llm_id", "diff", "verdict", "target_path", "benchmark", "overseer_id", "relation"),
        *("name", "project", "status", "started_by", "git_commit", "summary"),
    }
)
_OBJECTS: Final = frozenset({"metadata", "score_directions", "config", "watcher", "params"})
_TIMES: Final = frozenset({"started_ns", "ended_ns"})


def fault_of(record: Record) -> str:
    """Return what is wrong with a record, in words; empty where nothing is.

    Examples
    --------
    >>> from hutch_lineage.model import RunRecord, Stamp
    >>> fault_of(RunRecord("r", Stamp(-1, ""), {"name": "x"}))
    ''
    >>> fault_of(RunRecord("r", Stamp(-1, ""), {"config": 7}))
    'config is no object'
    """
    return next(_faults(record), "")


def _faults(record: Record) -> Iterator[str]:
    fields = record._asdict()
    stamp = fields["stamp"]
    if type(stamp[0]) is not int or not isinstance(stamp[1], str) or abs(stamp[0]) >= 2**63:
        yield "a stamp is no time and event"
    keys = (*fields.get("parents", ()), *fields.get("keys", ()))
    keys += tuple(fields[name] for name in ("key", "parent", "child") if name in fields)
    if not all(map(_is_key, keys)):
        yield "a node is not named by its kind, run and id"
    texts = [fields[name] for name in ("run_id", "id", "relation") if name in fields]
    if isinstance(record, MigrationRecord):
        texts += [record.from_island, record.to_island]
    if not all(isinstance(text, str) for text in texts):
        yield "an id, a relation or an island is no text"
    if isinstance(record, EdgeRecord) and type(record.order) is not int:
        yield "the order of a parent is no whole number"
    yield from _of_attributes(fields.get("attributes", {}))
    scores = fields.get("scores", {})
    if not isinstance(scores, Mapping) or not all(map(_is_number, scores.values())):
        yield "scores are no object with finite numbers"


def _of_attributes(said: Any) -> Iterator[str]:
    if not isinstance(said, Mapping):
        yield "attributes are no object"
        return
    for name, value in said.items():
        if value is None:
            continue
        if name in _TEXTS and not isinstance(value, str):
            yield f"{name} is no text"
        elif name in _OBJECTS and not isinstance(value, Mapping):
            yield f"{name} is no object"
        elif name in _TIMES and type(value) is not int:
            yield f"{name} is no whole number"


def _is_key(key: object) -> bool:
    return (
        isinstance(key, NodeKey)
        and key.kind in ("individual", "agent")
        and isinstance(key.run_id, str)
        and isinstance(key.id, str)
    )


def _is_number(value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:  # a whole number beyond all floats
        return False
