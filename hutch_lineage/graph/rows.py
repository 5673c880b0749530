"""What the columns of a scene say of one node or operator: the way for small changes.

`batches` says the same of many at once; a test compares both.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from .ledger import unpack_stamp
from .legend import Legend
from .loops import Loops
from .store import Store
from .table import NAN
from .views import invalid_reason, made_by, number, operating_agent, total

SEED, GHOST, INVALID, CYCLE, REJECTED = 1, 2, 4, 8, 16
VERDICTS = {"accepted": 1, "rejected": 2, "pending": 4}
TOKENS = ("tokens_in", "tokens_out")
LARGEST = 2**31 - 1


def node_values(store: Store, legend: Legend, loops: Loops, row: int) -> dict[str, Any]:
    """Return the columns of a node that may change, the metrics that it has included."""
    said = store.attributes.values[row] or {}
    makers = made_by(store, row)
    operators = [store.operator_attributes.values[maker] or {} for maker in makers]
    newest = operators[-1] if operators else {}
    code = legend.code
    values: dict[str, Any] = {
        "generation": generation(said.get("generation_index")),
        "flags": _flags(store, loops, row, newest),
        "island": code("island", said.get("island_id")),
        "op": code("operator", newest.get("kind")),
        "model": code("model", newest.get("llm_id")),
        "itype": code("kind", said.get("kind")),
        "agent": code("agent", operating_agent(store, makers[-1])) if makers else -1,
        "cost": sum_of(number(operator.get("cost_usd")) for operator in operators),
        "tokens": sum_of(tokens_of(operators)),
        "time": seconds(store.births[row]),
    }
    if (origin := origin_of(store, row)) is not None:
        values["origin"] = origin
    key = store.keys[row]
    for metric, value in measured(store, row).items():
        values[legend.metric(key.run_id, key.kind, metric)] = plain(value)
    return values


def operator_values(store: Store, legend: Legend, row: int) -> dict[str, Any]:
    """Return the columns of an operator that may change."""
    said = store.operator_attributes.values[row] or {}
    return {
        "kind": legend.code("operator", said.get("kind")),
        "model": legend.code("model", said.get("llm_id")),
        "cost": plain(said.get("cost_usd")),
        "tokens_in": plain(said.get("tokens_in")),
        "tokens_out": plain(said.get("tokens_out")),
        "time": seconds(unpack_stamp(store.operator_stamps[row]).timestamp_ns),
        "flags": verdict(said.get("verdict")),
        "agent": legend.code("agent", operating_agent(store, row)),
        "score_before": plain(said.get("score_before")),
        "score_after": plain(said.get("score_after")),
        "benchmark": legend.code("benchmark", said.get("benchmark")),
        "target": legend.code("target", said.get("target_path")),
    }


def _flags(store: Store, loops: Loops, row: int, newest: Mapping[str, Any]) -> int:
    return (
        SEED * bool(store.is_seed(row))
        | GHOST * (not store.known[row])
        | INVALID * (invalid_reason(store, row) is not None)
        | CYCLE * (row in loops)
        | REJECTED * (newest.get("verdict") == "rejected")
    )


def origin_of(store: Store, row: int) -> float | None:
    """Return the source's own time of a node of which no birth is known; None for none.

    The front end needs it for the birth order, see `order.birth_time`.
    """
    said = store.attributes.values[row]
    if store.births[row] >= 0 or not said:
        return None
    known = number(said.get("origin_time"))
    return None if known is None else float(known)


def measured(store: Store, row: int) -> Mapping[str, Any]:
    """Return the values of a node by metric, a composite of the evaluation among them."""
    scores = store.scores.values[row] or {}
    facts = store.evaluations.values[row]
    if facts and "composite" in facts:
        return {"composite": facts["composite"], **scores}
    return scores


def tokens_of(operators: Iterable[Mapping[str, Any]]) -> Iterable[float | None]:
    """Return what operators read and wrote."""
    for operator in operators:
        for name in TOKENS:
            yield number(operator.get(name))


def generation(value: Any) -> int:
    """Return a generation that fits its column; -1 where it is not known."""
    known = number(value)
    return -1 if known is None else min(max(int(known), -1), LARGEST)


def plain(value: Any) -> float:
    """Return a finite number, or NaN."""
    known = number(value)
    return NAN if known is None else float(known)


def sum_of(values: Iterable[float | None]) -> float:
    """Return the sum of what is known; NaN where nothing is."""
    known = [value for value in values if value is not None]
    return total(known) if known else NAN


def seconds(time_ns: int) -> float:
    """Return Unix time in seconds; NaN where it is not known."""
    return NAN if time_ns < 0 else time_ns / 1e9


def verdict(value: Any) -> int:
    """Return the number of a verdict; 0 for none."""
    return VERDICTS.get(value, 0) if isinstance(value, str) else 0
