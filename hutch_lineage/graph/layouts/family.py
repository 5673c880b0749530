"""All nodes and edges of a scene as arrays: what a layout is computed from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Family:
    """Nodes and edges by row.

    Attributes
    ----------
    kind, run, generation, island : array of int, one per node
        See `Newcomers`.
    time : array of float
        Unix time in seconds; NaN where unknown.
    ghost_of : array of int
        For a parent that was never seen, one of its children; -1 for all other nodes.
    src, dst : array of int, one per edge
        Parent and child, the parents of one child in order.
    """

    kind: Ints
    run: Ints
    generation: Ints
    time: Floats
    island: Ints
    ghost_of: Ints
    src: Ints
    dst: Ints

    def __len__(self) -> int:
        return len(self.kind)

    def in_order(self) -> tuple[Family, Ints]:
        """Return the family with parents before children, and the old row of each new one.

        Ghosts come first. Edges are sorted by child; self loops and, in each cycle, the edges back
        to the row that came first are left out.
        """
        count = len(self)
        margin = self.ghost_of >= 0
        order = np.concatenate([np.flatnonzero(margin), np.flatnonzero(~margin)])
        src, dst = _renumbered(order, self.src, self.dst)
        if np.any(src > dst):
            again = _topological(count, src, dst)
            src, dst = _renumbered(again, src, dst)
            order = order[again]
        forward = src < dst
        src, dst = src[forward], dst[forward]
        if np.any(dst[1:] < dst[:-1]):
            by_child = np.argsort(dst, kind="stable")
            src, dst = src[by_child], dst[by_child]
        rank = np.empty(count, dtype=np.int64)
        rank[order] = np.arange(count)
        ghost_of = self.ghost_of[order]
        family = Family(
            self.kind[order],
            self.run[order],
            self.generation[order],
            self.time[order],
            self.island[order],
            np.where(ghost_of >= 0, rank[ghost_of], -1),
            src,
            dst,
        )
        return family, order

    def first_parents(self) -> Ints:
        """Return the first parent of each node, -1 without one; of a family that is in order.

        A parent that was never seen counts only where there is no other.
        """
        first = np.full(len(self), -1, dtype=np.int64)
        for among in (self.ghost_of[self.src] >= 0, self.ghost_of[self.src] < 0):
            src, dst = self.src[among], self.dst[among]
            heads = np.flatnonzero(np.diff(dst, prepend=-1))
            first[dst[heads]] = src[heads]
        return first

    def layers(self) -> Ints:
        """Return the layer of descent of each node; of a family that is in order.

        It is ``max(generation, 1 + largest layer of the parents)``, 0 without either. A parent that
        was never seen stands one layer before its children, never left of 0.
        """
        ghost = self.ghost_of >= 0
        seen = ~ghost[self.src]
        least = np.maximum(self.generation, 0).tolist()
        layers = np.array(longest(least, self.src[seen], self.dst[seen]), dtype=np.int64)
        before = np.full(len(self), np.iinfo(np.int64).max)
        np.minimum.at(before, self.src[~seen], layers[self.dst[~seen]])
        before = np.where(before > len(self) + layers.max(initial=0), 1, before)
        return np.where(ghost, np.maximum(before - 1, 0), layers)


def longest(least: list[int], src: Ints, dst: Ints) -> list[int]:
    """Return for each node the larger of `least` and one more than any parent has.

    Edges are sorted by child, and lead from lower to higher rows.
    """
    layer = least
    for parent, child in zip(src.tolist(), dst.tolist(), strict=True):
        beyond = layer[parent] + 1
        if beyond > layer[child]:
            layer[child] = beyond
    return layer


def preorder(parents: Sequence[int]) -> tuple[Ints, Ints]:
    """Return each node's place in a walk through the forest, and how many nodes its branch has.

    The walk goes to a node, then to all below it.

    Parents stand before their children; -1 is none. Children are walked in the order of their rows.
    """
    count = len(parents)
    size = [1] * count
    for row in range(count - 1, -1, -1):
        parent = parents[row]
        if parent >= 0:
            size[parent] += size[row]
    place, following, root = [0] * count, [0] * count, 0
    for row, parent in enumerate(parents):
        if parent < 0:
            at = root
            root += size[row]
        else:
            at = following[parent]
            following[parent] = at + size[row]
        place[row] = at
        following[row] = at + 1
    return np.array(place, dtype=np.int64), np.array(size, dtype=np.int64)


def _renumbered(order: Ints, src: Ints, dst: Ints) -> tuple[Ints, Ints]:
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    return rank[src], rank[dst]


def _topological(count: int, src: Ints, dst: Ints) -> Ints:
    """Return rows with parents before children (Kahn); cycles are entered at their lowest row."""
    src, dst = src[src != dst], dst[src != dst]
    by_parent = np.argsort(src, kind="stable")
    heads = dst[by_parent].tolist()
    starts = np.searchsorted(src[by_parent], np.arange(count + 1)).tolist()
    waiting = np.bincount(dst, minlength=count).tolist()
    ready = [row for row, parents in enumerate(waiting) if not parents]
    placed = bytearray(count)
    order: list[int] = []
    following = lowest = 0
    while len(order) < count:
        if following < len(ready):
            row = ready[following]
            following += 1
        else:
            while placed[lowest]:
                lowest += 1
            row = lowest
        if placed[row]:
            continue
        placed[row] = 1
        order.append(row)
        for child in heads[starts[row] : starts[row + 1]]:
            waiting[child] -= 1
            if not waiting[child] and not placed[child]:
                ready.append(child)
    return np.array(order, dtype=np.int64)
