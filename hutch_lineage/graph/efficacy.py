"""Which operators, and which models, make children that are better than their parents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import median

import pandas as pd

from .metrics import valid_score
from .store import Store
from .views import invalid_reason, number, total

__all__ = ["efficacy_frame", "efficacy_table"]

_NAN = float("nan")


@dataclass(slots=True)
class _Tally:
    """What the operators of one group did; gains are signed so that positive is better."""

    tries: int = 0
    compared: int = 0
    improvements: int = 0
    unknown_cost: int = 0
    gains: list[float] = field(default_factory=list)
    paid_gains: list[float] = field(default_factory=list)
    costs: list[float] = field(default_factory=list)
    tokens: list[float] = field(default_factory=list)
    token_gains: list[float] = field(default_factory=list)

    def _per(self, gains: list[float], spent: float) -> float:
        return len(gains) / spent if spent > 0 else _NAN

    def row(self) -> tuple[int | float, ...]:
        cost = total(self.costs) if self.costs else _NAN
        tokens = total(self.tokens) if self.tokens else _NAN
        return (
            self.tries,
            self.compared,
            self.improvements,
            self.improvements / self.compared if self.compared else _NAN,
            median(self.gains) if self.gains else _NAN,
            total(self.gains) / len(self.gains) if self.gains else _NAN,
            max(self.gains, default=_NAN),
            cost,
            total(self.paid_gains) / cost if cost > 0 else _NAN,
            tokens,
            1000 * total(self.token_gains) / tokens if tokens > 0 else _NAN,
            self.unknown_cost,
            self._per(self.paid_gains, cost),
            1000 * self._per(self.token_gains, tokens),
        )


_COLUMNS = {
    "tries": "int64",
    "compared": "int64",
    "improvements": "int64",
    "improvement_rate": "float64",
    "median_gain": "float64",
    "mean_gain": "float64",
    "best_gain": "float64",
    "cost_usd": "float64",
    "gain_per_usd": "float64",
    "tokens": "float64",
    "gain_per_1k_tokens": "float64",
    "unknown_cost": "int64",
    "improvements_per_usd": "float64",
    "improvements_per_1k_tokens": "float64",
}


def _gain(store: Store, row: int, metric: str | None, sign: float) -> float | None:
    """Return how much better the child is than its best parent, or None where that is unknown."""
    if metric is not None:
        child = valid_score(store, store.operator_child[row], metric)
        above = [valid_score(store, parent, metric) for parent in store.operator_parents[row]]
        known = [sign * value for value in above if value is not None]
        if child is not None and known:
            return sign * child - max(known)
    said = store.operator_attributes.values[row] or {}
    before, after = number(said.get("score_before")), number(said.get("score_after"))
    if before is None or after is None or metric not in (None, said.get("benchmark")):
        return None
    return sign * (after - before)


def _count(store: Store, row: int, tally: _Tally, metric: str | None, sign: float) -> None:
    said = store.operator_attributes.values[row] or {}
    tally.tries += 1
    cost = number(said.get("cost_usd"))
    counts = [number(said.get(name)) for name in ("tokens_in", "tokens_out")]
    known = [count for count in counts if count is not None]
    tally.tokens += known
    if cost is None:
        tally.unknown_cost += 1
    else:
        tally.costs.append(cost)
    gain = _gain(store, row, metric, sign)
    if gain is not None:
        tally.compared += 1
        tally.gains.append(gain)
        if gain > 0:
            tally.improvements += 1
            if cost is not None:
                tally.paid_gains.append(gain)
            if known:
                tally.token_gains.append(gain)
    elif invalid_reason(store, store.operator_child[row]) is not None:
        tally.compared += 1


def efficacy_table(
    store: Store, by: str, metric: str | None, higher: bool, run: str | None
) -> pd.DataFrame:
    """Return the table of `LineageGraph.efficacy`."""
    tallies: dict[str, _Tally] = {}
    for row, (run_id, _) in enumerate(store.operator_ids):
        if run in (None, run_id):
            said = store.operator_attributes.values[row] or {}
            tally = tallies.setdefault(str(said.get(by) or "unknown"), _Tally())
            _count(store, row, tally, metric, 1.0 if higher else -1.0)
    names = sorted(tallies)
    return efficacy_frame(by, names, [tallies[name].row() for name in names])


def efficacy_frame(
    by: str, names: Sequence[str], rows: Sequence[Sequence[int | float]]
) -> pd.DataFrame:
    """Return rows, each with the columns of `LineageGraph.efficacy`, as a table.

    Examples
    --------
    >>> len(efficacy_frame("kind", [], []))
    0
    """
    table = pd.DataFrame(
        {
            column: pd.Series([row[place] for row in rows], dtype=dtype)
            for place, (column, dtype) in enumerate(_COLUMNS.items())
        }
    )
    table.index = pd.Index(pd.array(list(names), dtype="string"), name=by)
    return table
