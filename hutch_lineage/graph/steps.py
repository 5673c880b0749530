"""A path, step by step: what changed, what it cost, what it gained."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .metrics import valid_score
from .store import Store
from .views import made_by, number, total

__all__ = ["step_rows"]

_MONEY = ("cost_usd", "tokens_in", "tokens_out")


def step_rows(
    store: Store, path: Sequence[int], metric: str | None, sign: float
) -> dict[str, list[Any]]:
    """Return the columns of `Frames.path`."""
    data: dict[str, list[Any]] = {}
    above = _Ancestry(store)
    best: float | None = None
    for place, row in enumerate(path):
        makers = made_by(store, row)
        said = [store.operator_attributes.values[maker] or {} for maker in makers]
        newest = said[-1] if said else {}
        score = None if metric is None else valid_score(store, row, metric)
        merit = None if score is None else sign * score
        spent = {name: _sum(said, name) for name in _MONEY}
        above.add(row)
        values = {
            "step": place,
            "run_id": store.keys[row].run_id,
            "id": store.keys[row].id,
            "operator_ids": tuple(store.operator_ids[maker][1] for maker in makers),
            "operator_kind": newest.get("kind"),
            "llm_id": newest.get("llm_id"),
            "diff": newest.get("diff"),
            "score": score,
            "gain": None if merit is None or best is None else merit - best,
            **spent,
            **{f"total_{name}": above.totals.get(name) for name in _MONEY},
        }
        best = merit if merit is not None else best
        for name, value in values.items():
            data.setdefault(name, []).append(value)
    return data


class _Ancestry:
    """The operators of a growing ancestry, each event once."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._seen: set[int] = set()
        self._events: set[Any] = set()
        self.totals: dict[str, float] = {}

    def add(self, row: int) -> None:
        store, queue = self._store, [row]
        for each in queue:  # grows while it is walked
            if each in self._seen:
                continue
            self._seen.add(each)
            queue += store.parents[each]
            for maker in store.makers[each]:
                event = store.operator_ids[maker], store.operator_stamps[maker]
                if event not in self._events:
                    self._events.add(event)
                    said = store.operator_attributes.values[maker] or {}
                    for name in _MONEY:
                        if (value := number(said.get(name))) is not None:
                            self.totals[name] = self.totals.get(name, 0) + value


def _sum(said: Sequence[dict[str, Any]], name: str) -> float | None:
    known = [value for each in said if (value := number(each.get(name))) is not None]
    return total(known) if known else None
