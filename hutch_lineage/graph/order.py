"""Birth order and cycles, without recursion and whatever the data looks like."""

from __future__ import annotations

import heapq
import math
from array import array

from .store import Store
from .views import number

__all__ = ["birth_order", "birth_time", "find_cycles"]


def birth_time(store: Store, row: int) -> float:
    """Return when a node was born: Unix ns, or the source's own `origin_time`; -inf if unknown.

    A node with neither, such as a ghost, comes before everything that has a time.
    """
    born = store.births[row]
    if born >= 0:
        return born
    values = store.attributes.values[row]
    origin = number(values.get("origin_time")) if values else None
    return -math.inf if origin is None else origin


def birth_order(store: Store) -> list[int]:
    """Return all rows, parents before children and otherwise by (birth time, id).

    Kahn's algorithm with a heap. Where cycles leave nothing to pop, the smallest of what is left
    is taken. Where times agree with the edges, as they mostly do, a sort gives the same order.
    """
    keys = store.keys
    ranked = sorted(
        range(len(keys)), key=lambda row: (birth_time(store, row), keys[row][2], keys[row])
    )
    rank = array("q", bytes(8 * len(ranked)))
    for place, row in enumerate(ranked):
        rank[row] = place
    for child, parents in enumerate(store.parents):
        for parent in parents:
            if rank[parent] > rank[child]:
                return _kahn(store, ranked, rank)
    return ranked


def _kahn(store: Store, ranked: list[int], rank: array[int]) -> list[int]:
    waiting = [len(parents) for parents in store.parents]
    for row in store.self_loops:
        waiting[row] -= 1
    heap = [rank[row] for row, count in enumerate(waiting) if not count]
    heapq.heapify(heap)
    placed = bytearray(len(ranked))
    order: list[int] = []
    smallest = 0
    while len(order) < len(ranked):
        if heap:
            row = ranked[heapq.heappop(heap)]
        else:
            while placed[ranked[smallest]]:
                smallest += 1
            row = ranked[smallest]
        placed[row] = 1
        order.append(row)
        for child in store.children[row]:
            waiting[child] -= 1
            if not waiting[child] and not placed[child]:
                heapq.heappush(heap, rank[child])
    return order


def find_cycles(store: Store) -> list[list[int]]:
    """Return the strongly connected groups of more than one row, and each self loop as one row."""
    rest = _unpeeled(store) if store.may_have_cycle else set()
    groups = components(store, rest) if rest else []
    inside = {row for group in groups for row in group}
    groups += [[row] for row in store.self_loops if row not in inside]
    return groups


def _unpeeled(store: Store) -> set[int]:
    """Return the rows that no topological sort reaches: cycles and what hangs below them."""
    waiting = [len(parents) for parents in store.parents]
    for row in store.self_loops:
        waiting[row] -= 1
    free = [row for row, count in enumerate(waiting) if not count]
    for row in free:  # grows while it is walked
        for child in store.children[row]:
            if child != row:
                waiting[child] -= 1
                if not waiting[child]:
                    free.append(child)
    return (
        {row for row, count in enumerate(waiting) if count} if len(free) < len(waiting) else set()
    )


def components(store: Store, rest: set[int]) -> list[list[int]]:
    """Tarjan's algorithm with an explicit stack, over `rest` alone."""
    index: dict[int, int] = {}
    low: dict[int, int] = {}
    open_rows: list[int] = []
    is_open: set[int] = set()
    groups: list[list[int]] = []
    for root in rest:
        if root in index:
            continue
        work = [(root, iter(store.children[root]))]
        index[root] = low[root] = len(index)
        open_rows.append(root)
        is_open.add(root)
        while work:
            row, children = work[-1]
            for child in children:
                if child not in rest:
                    continue
                if child not in index:
                    index[child] = low[child] = len(index)
                    open_rows.append(child)
                    is_open.add(child)
                    work.append((child, iter(store.children[child])))
                    break
                if child in is_open:
                    low[row] = min(low[row], index[child])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[row])
                if low[row] == index[row]:
                    group = _cut(open_rows, row)
                    is_open.difference_update(group)
                    if len(group) > 1:
                        groups.append(group)
    return groups


def _cut(stack: list[int], row: int) -> list[int]:
    """Take everything from `row` upwards off `stack`."""
    group = [stack.pop()]
    while group[-1] != row:
        group.append(stack.pop())
    return group
