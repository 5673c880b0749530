"""Walks over the rows: ancestors, descendants, common ancestors, paths. Nothing recurses."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .store import Store

__all__ = ["ancestors", "climb", "descendants", "mrca", "seeds", "steps_up"]


def _reach(neighbours: Sequence[Sequence[int]], start: int) -> list[int]:
    """Return what can be reached from `start`, itself first, each row once."""
    seen = bytearray(len(neighbours))
    seen[start] = 1
    found = [start]
    for row in found:  # grows while it is walked
        for other in neighbours[row]:
            if not seen[other]:
                seen[other] = 1
                found.append(other)
    return found


def ancestors(store: Store, row: int) -> list[int]:
    """Return `row` and every row above it."""
    return _reach(store.parents, row)


def descendants(store: Store, row: int) -> list[int]:
    """Return `row` and every row below it."""
    return _reach(store.children, row)


def mrca(store: Store, position: Sequence[int], a: int, b: int) -> int | None:
    """Return the common ancestor that is latest in birth order; a row is its own ancestor."""
    common = set(ancestors(store, a)).intersection(ancestors(store, b))
    return max(common, key=position.__getitem__, default=None)


def steps_up(store: Store, row: int, above: int) -> int | None:
    """Return the least number of edges from `row` up to `above`; None if it is not above."""
    distance = {row: 0}
    queue = [row]
    for current in queue:  # grows while it is walked
        if current == above:
            return distance[current]
        for parent in store.parents[current]:
            if parent not in distance:
                distance[parent] = distance[current] + 1
                queue.append(parent)
    return None


def seeds(store: Store) -> list[int]:
    """Return the rows where lineages begin: known nodes without parents."""
    known = store.known
    return [
        row for row, parents in enumerate(store.parents) if known[row] and parents in ((), (row,))
    ]


def climb(store: Store, row: int, merit: Callable[[int], float | None]) -> list[int]:
    """Return the path from where it begins down to `row`, by the best parent at each step.

    `merit` is larger for better and None where unknown. Among equals and unknowns the first
    parent counts. A cycle ends the path.
    """
    path = [row]
    seen = {row}
    while True:
        best: int | None = None
        best_merit: float | None = None
        for parent in store.parents[path[-1]]:
            if parent in seen:
                continue
            value = merit(parent)
            better = value is not None and (best_merit is None or value > best_merit)
            if best is None or better:
                best, best_merit = parent, value
        if best is None:
            return path[::-1]
        path.append(best)
        seen.add(best)
