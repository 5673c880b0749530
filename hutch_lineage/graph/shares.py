"""What part of a population descends from which seed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from .order import find_cycles
from .store import Store
from .views import number

__all__ = ["share_table"]

Floats = NDArray[np.float64]
OTHERS, UNKNOWN = "others", "unknown"


@dataclass(slots=True)
class _Descent:
    """Units of descent, an individual or a whole cycle each, parents before children.

    `seed` is the row of a unit that is a seed, else -1; a unit without `parents` that is no seed
    has an unknown origin.
    """

    unit: list[int]
    order: list[int]
    parents: dict[int, list[int]]
    seed: dict[int, int]


def _descent(store: Store) -> _Descent:
    unit = list(range(len(store.keys)))
    cycles = [group for group in find_cycles(store) if len(group) > 1]
    for group in cycles:
        for row in group:
            unit[row] = min(group)
    joined = {min(group) for group in cycles}
    parents: dict[int, list[int]] = {each: [] for each in set(unit)}
    children: dict[int, list[int]] = {each: [] for each in parents}
    for child, above in enumerate(store.parents):
        for parent in above:
            if unit[parent] != unit[child]:
                parents[unit[child]].append(unit[parent])
                children[unit[parent]].append(unit[child])
    waiting = {each: len(above) for each, above in parents.items()}
    order = [each for each, count in waiting.items() if not count]
    seed = {
        each: each if store.known[each] and each not in joined else -1 for each in sorted(order)
    }
    for each in order:  # grows while it is walked
        for child in children[each]:
            waiting[child] -= 1
            if not waiting[child]:
                order.append(child)
    return _Descent(unit, order, parents, seed)


def _totals(descent: _Descent, rows: Sequence[int]) -> dict[int, float]:
    """Return how many individuals, in parts, descend from each unit."""
    total = dict.fromkeys(descent.order, 0.0)
    for row in rows:
        total[descent.unit[row]] += 1.0
    for each in reversed(descent.order):
        above = descent.parents[each]
        for parent in above:
            total[parent] += total[each] / len(above)
    return total


def _carried(descent: _Descent, begins: Callable[[int], float]) -> dict[int, float]:
    """Return what part of each unit comes from the beginnings that count."""
    part: dict[int, float] = {}
    for each in descent.order:
        above = descent.parents[each]
        part[each] = sum(part[p] for p in above) / len(above) if above else begins(each)
    return part


def _groups(store: Store, rows: Sequence[int]) -> tuple[list[int], pd.Index[int]]:
    """Return the group of each row and the generations; without generations, one group."""
    said = [(store.attributes.values[row] or {}).get("generation_index") for row in rows]
    known = [number(value) for value in said]
    generations = [-1 if value is None else max(int(value), -1) for value in known]
    names = sorted(set(generations))
    place = {name: at for at, name in enumerate(names)}
    index = pd.Index(pd.array(names, dtype="Int64"), name="generation_index")
    return [place[each] for each in generations], index


def share_table(
    store: Store, rows: Sequence[int], top: int, born: Callable[[list[int]], list[int]]
) -> pd.DataFrame:
    """Return the table of `LineageGraph.seed_shares`; `born` sorts rows in birth order."""
    descent = _descent(store)
    total = _totals(descent, rows)
    ranked = born([row for row in descent.seed.values() if row >= 0 and total[row] > 0])
    shown = sorted(ranked, key=lambda row: -total[row])[:top]
    groups, index = _groups(store, rows)
    sizes = np.bincount(groups, minlength=len(index)) if rows else np.zeros(0)

    def column(begins: Callable[[int], float]) -> Floats:
        part = _carried(descent, begins)
        held = np.array([part[descent.unit[row]] for row in rows], dtype=np.float64)
        return np.bincount(groups, held, len(index)) / sizes if rows else np.zeros(0)

    columns = [column(lambda each, seed=seed: float(each == seed)) for seed in shown]  # type: ignore[misc]
    unknown = column(lambda each: float(descent.seed[each] < 0))
    others = np.clip(1.0 - unknown - sum(columns, np.zeros(len(index))), 0.0, None)
    names = _names(store, shown)
    table = pd.DataFrame(np.array([*columns, others, unknown]).T, index=index, dtype="float64")
    table.columns = pd.Index([*names, OTHERS, UNKNOWN], dtype="object", name="seed")
    return table


def _names(store: Store, rows: Sequence[int]) -> list[str]:
    """Return an id for each row, with its run where the id alone is not enough."""
    ids = [store.keys[row].id for row in rows]
    taken = {OTHERS, UNKNOWN, *(each for each in ids if ids.count(each) > 1)}
    return [
        f"{store.keys[row].id} ({store.keys[row].run_id})" if each in taken else each
        for row, each in zip(rows, ids, strict=True)
    ]
