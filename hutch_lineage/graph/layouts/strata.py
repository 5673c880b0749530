"""Order within layers for few crossings, and slots that keep edges short.

The order starts from a walk through the tree of first parents, where no two tree edges cross, and
is improved by the barycenter rule of Sugiyama, Tagawa and Toda (1981): nodes sorted by the mean
place of their neighbours. Parents and children count alike and all layers are sorted at once, so
the cost depends on nodes and edges alone, not on the number of layers.
"""

from __future__ import annotations

import numpy as np

from .family import Floats, Ints

SWEEPS, FEWER_SWEEPS, MANY = 8, 3, 200_000
PULLS = 5


def strata(lanes: Ints, start: Ints, src: Ints, dst: Ints) -> Floats:
    """Return a slot for each node: at least 1 apart within a lane, around 0.

    Parameters
    ----------
    lanes : array of int
        The lane of each node, numbered from 0.
    start : array of int
        The order to begin with, one number per node.
    src, dst : array of int
        Parent and child of each edge that counts.
    """
    count = len(lanes)
    if not count:
        return np.zeros(0)
    order = np.lexsort((start, lanes))
    sizes = np.bincount(lanes)
    sizes = sizes[sizes > 0]
    first = np.repeat(np.cumsum(sizes) - sizes, sizes)
    centred = np.arange(count) - first - (np.repeat(sizes, sizes) - 1) / 2
    steps = np.repeat(np.arange(len(sizes)), sizes)
    # From here on, a node is known by its place in `order`; only the places within lanes change.
    place = np.empty(count, dtype=np.int64)
    place[order] = np.arange(count)
    src, dst = place[src], place[dst]
    mean = _Mean(count, src, dst)
    slots = centred.copy()
    scale = 1.0 / (4 * sizes.max() + 4)
    for _ in range(SWEEPS if count < MANY else FEWER_SWEEPS):
        wanted = mean(slots) + 1e-6 * slots
        slots[np.argsort(steps + wanted * scale, kind="stable")] = centred
    within = np.argsort(steps + slots * scale, kind="stable")
    pulled = _pulled(slots[within], steps, _Mean(count, *_at(within, src, dst)))
    result = np.empty(count)
    result[order[within]] = pulled
    return result


def _at(order: Ints, src: Ints, dst: Ints) -> tuple[Ints, Ints]:
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    return place[src], place[dst]


class _Mean:
    """The mean of the mean place of the parents and that of the children."""

    def __init__(self, count: int, src: Ints, dst: Ints) -> None:
        self._count, self._src, self._dst = count, src, dst
        parents = np.bincount(dst, minlength=count)
        children = np.bincount(src, minlength=count)
        self._parents, self._children = np.maximum(parents, 1), np.maximum(children, 1)
        sides = (parents > 0).astype(np.int64) + (children > 0)
        self._alone, self._sides = sides == 0, np.maximum(sides, 1)

    def __call__(self, places: Floats) -> Floats:
        src, dst, count = self._src, self._dst, self._count
        above = np.bincount(dst, weights=places[src], minlength=count) / self._parents
        below = np.bincount(src, weights=places[dst], minlength=count) / self._children
        return np.where(self._alone, places, (above + below) / self._sides)


def _pulled(slots: Floats, steps: Ints, mean: _Mean) -> Floats:
    """Pull slots towards those of the neighbours, without a change of order.

    Where the wishes of a lane would put nodes closer than 1, each gets the middle between the
    nearest that those before it leave and the nearest that those after it leave.
    """
    apart = 4.0 * (np.ptp(slots) + 4)
    shift = steps * apart
    ranks = np.arange(len(slots)) - np.searchsorted(steps, steps)
    for _ in range(PULLS):
        wish = mean(slots) - ranks + shift
        upper = np.maximum.accumulate(wish)
        lower = np.minimum.accumulate(wish[::-1])[::-1]
        slots = (upper + lower) / 2 + ranks - shift
    return slots
