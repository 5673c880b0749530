"""What a lineage or a run cost, each operator counted once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from .store import Store
from .views import number, total

__all__ = ["CostSummary", "summarise"]


@dataclass(frozen=True, slots=True)
class CostSummary:
    """Cost, tokens and time of a set of operators.

    Unknown is not zero: a sum is None where no operator says it, also where there is no operator
    at all, and `unknown_cost` and `unknown_tokens` count the operators that a sum leaves out.

    Attributes
    ----------
    cost_usd : float or None
        US dollars.
    tokens_in, tokens_out : int or None
        Tokens read and written by models.
    operators : int
        How many operators there are, each counted once.
    seconds : float or None
        Time from the first to the last moment on record.
    unknown_cost, unknown_tokens : int
        Operators that do not say their cost, or neither of their token counts.
    """

    cost_usd: float | None
    tokens_in: int | None
    tokens_out: int | None
    operators: int
    seconds: float | None
    unknown_cost: int
    unknown_tokens: int


def summarise(store: Store, operators: Iterable[int], times_ns: Iterable[int]) -> CostSummary:
    """Sum up `operators` (rows); `times_ns` are the moments that the time spans, -1 unknown.

    One event that names several children is one operator, though each child keeps its own row.
    """
    costs: list[float] = []
    read: list[float] = []
    written: list[float] = []
    unknown_cost = unknown_tokens = 0
    seen = set()
    for row in operators:
        event = (store.operator_ids[row], store.operator_stamps[row])
        if event in seen:
            continue
        seen.add(event)
        said = store.operator_attributes.values[row] or {}
        cost = number(said.get("cost_usd"))
        counts = number(said.get("tokens_in")), number(said.get("tokens_out"))
        if cost is None:
            unknown_cost += 1
        else:
            costs.append(cost)
        unknown_tokens += counts == (None, None)
        for sink, count in zip((read, written), counts, strict=True):
            if count is not None:
                sink.append(count)
    times = [time for time in times_ns if time >= 0]
    return CostSummary(
        cost_usd=total(costs) if costs else None,
        tokens_in=int(total(read)) if read else None,
        tokens_out=int(total(written)) if written else None,
        operators=len(seen),
        seconds=(max(times) - min(times)) / 1e9 if times else None,
        unknown_cost=unknown_cost,
        unknown_tokens=unknown_tokens,
    )
