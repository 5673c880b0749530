"""The order of birth of some nodes, where times and edges disagree."""

from __future__ import annotations

import heapq

import numpy as np

from .database import Integers
from .links import Links


def in_birth_order(rows: Integers, up: Links) -> Integers:
    """Return nodes with parents before children, else by their numbers; as the graph orders them.

    Kahn's algorithm over the nodes and all their ancestors, which is where that order is decided.
    Where cycles leave nothing to take, the smallest of what is left is taken.
    """
    closed = up.reach(rows.tolist()).tolist()
    parents = {row: [each for each in up.of(row) if each != row] for row in closed}
    children: dict[int, list[int]] = {}
    for row, above in parents.items():
        for each in above:
            children.setdefault(each, []).append(row)
    waiting = {row: len(above) for row, above in parents.items()}
    heap = [row for row in closed if not waiting[row]]
    placed: set[int] = set()
    order: list[int] = []
    left = iter(closed)
    while len(order) < len(closed):
        row = heapq.heappop(heap) if heap else next(each for each in left if each not in placed)
        placed.add(row)
        order.append(row)
        for child in children.get(row, ()):
            waiting[child] -= 1
            if not waiting[child] and child not in placed:
                heapq.heappush(heap, child)
    wanted = set(rows.tolist())
    return np.array([row for row in order if row in wanted], dtype=np.int64)
