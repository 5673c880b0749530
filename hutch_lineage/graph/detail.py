"""What panels show of one node beside its columns: texts, parents' operators, migrations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hutch_lineage.model import clean_json

from .infos import OperatorInfo
from .legend import as_text
from .store import Store
from .views import made_by, node_view, operator_info

LONG = 200_000
MAX_EVENTS = 20


def detail_of(store: Store, row: int, events: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the detail of a row; see :meth:`Scene.detail`."""
    node = node_view(store, row)
    genome = node.get("genome")
    operators = [operator_info(store, maker) for maker in made_by(store, row)]
    diffs = [operator.diff for operator in operators if operator.diff]
    detail = {
        "genome": _short(genome),
        "genome_lang": node.get("genome_lang"),
        "genome_uri": node.get("genome_uri"),
        "diff": _short(diffs[-1]) if diffs else None,
        "invalid_reason": node.get("invalid_reason"),
        "metadata": {
            name: value
            for name, value in (node.get("metadata") or {}).items()
            if name != "genome" or value != genome  # it is told already
        },
        "islands": list(node.get("islands") or ()),
        "migrations": [
            {"from": move.from_island, "to": move.to_island, "time": _seconds(move.timestamp_ns)}
            for move in node.get("migrations") or ()
        ],
        "operators": [_operator(operator) for operator in operators],
    }
    overseers = [o.attributes.get("overseer_id") for o in operators]
    agents = list(dict.fromkeys(agent for agent in overseers if agent))
    plain: dict[str, Any] = clean_json(detail)[0]
    told = {"events": list(events[:MAX_EVENTS]), "events_total": len(events)}
    return {**plain, **told, **({"agents": agents} if agents else {})}


def _operator(operator: OperatorInfo) -> dict[str, Any]:
    said: Mapping[str, Any] = operator.attributes
    return {
        "id": operator.key.id,
        "kind": operator.kind,
        "llm_id": operator.llm_id,
        "cost_usd": operator.cost_usd,
        "tokens_in": operator.tokens_in,
        "tokens_out": operator.tokens_out,
        "prompt": _short(said.get("prompt_template")),
        "verdict": operator.verdict,
        "score_before": operator.score_before,
        "score_after": operator.score_after,
        "target_path": operator.target_path,
        "proposal": _short(said.get("proposal")),
    }


def _short(text: Any) -> str | None:
    """Return a text as a panel can show it: what is longer than 200,000 characters is cut."""
    if text is None:
        return None
    text = as_text(text)
    left_out = len(text) - LONG
    return text if left_out <= 0 else f"{text[:LONG]}\n... {left_out:,} more characters"


def _seconds(time_ns: int) -> float | None:
    return None if time_ns < 0 else time_ns / 1e9
