"""The columns of the frames, and how a column is made of whatever was said."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pandas as pd

from .views import number

__all__ = ["FRAME_COLUMNS", "column"]

_TIME = "datetime64[ns, UTC]"

FRAME_COLUMNS: dict[str, dict[str, str]] = {
    "nodes": {
        "run_id": "string",
        "id": "string",
        "kind": "string",
        "ghost": "bool",
        "is_seed": "boolean",
        "generation_index": "Int64",
        "island_id": "string",
        "islands": "object",
        "population_id": "string",
        "parent_ids": "object",
        "n_parents": "int64",
        "n_children": "int64",
        "operator_ids": "object",
        "cost_usd": "float64",
        "tokens_in": "Int64",
        "tokens_out": "Int64",
        "birth": _TIME,
        "origin_time": "float64",
        "genome_lang": "string",
        "genome_uri": "string",
        "genome_hash": "string",
        "invalid_reason": "string",
        "composite": "float64",
    },
    "edges": {
        "run_id": "string",
        "node_kind": "string",
        "parent_id": "string",
        "child_id": "string",
        "order": "int64",
        "relation": "string",
        "operator_ids": "object",
        "self_loop": "bool",
        "parent_run_id": "string",
    },
    "operators": {
        "run_id": "string",
        "id": "string",
        "kind": "string",
        "node_kind": "string",
        "child_id": "string",
        "parent_ids": "object",
        "n_parents": "int64",
        "llm_id": "string",
        "llm_temperature": "float64",
        "cost_usd": "float64",
        "tokens_in": "Int64",
        "tokens_out": "Int64",
        "time": _TIME,
        "verdict": "string",
        "score_before": "float64",
        "score_after": "float64",
        "benchmark": "string",
        "target_path": "string",
        "overseer_id": "string",
    },
    "runs": {
        "run_id": "string",
        "name": "string",
        "project": "string",
        "status": "string",
        "started": _TIME,
        "ended": _TIME,
        "seconds": "float64",
        "individuals": "int64",
        "agents": "int64",
        "ghosts": "int64",
        "edges": "int64",
        "operators": "int64",
        "cost_usd": "float64",
        "tokens_in": "Int64",
        "tokens_out": "Int64",
        "unknown_cost": "int64",
        "started_by": "string",
        "git_commit": "string",
        "summary": "string",
    },
    "path": {
        "step": "int64",
        "run_id": "string",
        "id": "string",
        "operator_ids": "object",
        "operator_kind": "string",
        "llm_id": "string",
        "diff": "string",
        "score": "float64",
        "gain": "float64",
        "cost_usd": "float64",
        "tokens_in": "Int64",
        "tokens_out": "Int64",
        "total_cost_usd": "float64",
        "total_tokens_in": "Int64",
        "total_tokens_out": "Int64",
    },
    "phylogeny": {
        "run_id": "string",
        "extant": "int64",
        "nodes": "int64",
        "roots": "int64",
        "mrca": "string",
        "mrca_depth": "Int64",
        "mrca_age": "float64",
        "phylogenetic_diversity": "int64",
        "branch_length": "float64",
        "mean_distinctiveness": "float64",
        "colless_like": "float64",
    },
    "progress": {
        "run_id": "string",
        "evaluation": "int64",
        "seconds": "float64",
        "cost_usd": "float64",
        "score": "float64",
        "best": "float64",
    },
    "distinctiveness": {
        "run_id": "string",
        "id": "string",
        "evolutionary_distinctiveness": "float64",
    },
}
"""Column -> dtype of each frame; `individuals` and `agents` share ``nodes``."""

_INT64 = 2**63


def _text(value: Any) -> str | None:
    return None if value is None else str(value)


def _whole(value: Any) -> int | None:
    found = number(value)
    return None if found is None or abs(found) >= _INT64 else int(found)


def _flag(value: Any) -> bool | None:
    return value if isinstance(value, bool) else None


def _time(value: Any) -> int | None:
    return value if isinstance(value, int) and 0 <= value < _INT64 else None


_CLEAN: dict[str, Callable[[Any], Any]] = {
    "string": _text,
    "Int64": _whole,
    "float64": number,
    "boolean": _flag,
    _TIME: _time,
}


def column(values: list[Any], dtype: str) -> pd.Series[Any]:
    """Return a column of that dtype; what does not fit it is missing."""
    clean = _CLEAN.get(dtype)
    kept = values if clean is None else [clean(value) for value in values]
    if dtype == _TIME:
        filled = pd.array(kept, dtype="Int64").to_numpy(dtype="int64", na_value=pd.NaT.value)
        return pd.Series(filled.view("datetime64[ns]")).dt.tz_localize("UTC")
    return pd.Series(kept, dtype=dtype)
