"""Tidy trees: children side by side in order, parents over the middle, no two branches crossing.

The algorithm is Wetherell and Shannon's ("Tidy drawings of trees", 1979), which needs one number
per depth instead of the contours of Reingold and Tilford (1981) and Buchheim and others (2002): a
tree of n nodes takes two passes without recursion, and is nearly as narrow.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from .family import Family, Floats, Ints, preorder


def depths(parents: Ints) -> Ints:
    """Return how far below its root each node stands; parents come before children."""
    depth = [0] * len(parents)
    for row, parent in enumerate(parents.tolist()):
        if parent >= 0:
            depth[row] = depth[parent] + 1
    return np.array(depth, dtype=np.int64)


def tidy(parents: Ints, depth: Ints, group: Ints) -> Floats:
    """Return the slot of each node of a forest.

    Parameters
    ----------
    parents : array of int
        The row of the parent, -1 for a root; parents come before children.
    depth : array of int
        The layer of each node: that of its parent and one more.
    group : array of int
        The group of each tree. Trees of one group are drawn side by side; groups are drawn apart,
        each around 0.
    """
    count = len(parents)
    place, _ = preorder(parents.tolist())
    roots = parents < 0
    if np.any(np.diff(group[roots]) < 0):  # a whole tree is of one group
        order = np.lexsort((place, group))
        place[order] = np.arange(count)
    walk = np.empty(count, dtype=np.int64)
    walk[place] = np.arange(count)
    above = np.where(roots, -1, place[parents])[walk].tolist()  # from here on in the walk's order
    level, groups = depth[walk].tolist(), group[walk].tolist()
    slots, moved = [0.0] * count, [0.0] * count
    first, last = [0.0] * count, [0.0] * count
    childless = bytearray(b"\x01") * count
    deep = int(depth.max(initial=0)) + 1
    free, shift = [0.0] * deep, [0.0] * deep
    held = None
    # From the end of the walk to its beginning: children before parents, and of those the last one
    # first; so slots are given out downwards.
    for at in range(count - 1, -1, -1):
        if groups[at] != held:
            held = groups[at]
            free, shift = [0.0] * deep, [0.0] * deep
        here = level[at]
        slot = free[here] if childless[at] else (first[at] + last[at]) / 2
        room = free[here] - slot
        if room < shift[here]:
            shift[here] = room
        moved[at] = move = shift[here]
        if not childless[at]:
            slot += move
        slots[at] = slot
        free[here] = slot - 1.0
        parent = above[at]
        if parent >= 0:
            first[parent] = slot
            if childless[parent]:
                childless[parent] = 0
                last[parent] = slot
    carried = [0.0] * count
    for at, parent in enumerate(above):
        if parent >= 0:
            slots[at] += carried[parent]
            carried[at] = carried[parent] + moved[at]
        else:
            carried[at] = moved[at]
    return _centred(np.array(slots)[place], group)


def own_parents(family: Family) -> Ints:
    """Return the first parent of each node that is of its kind and run, -1 without one."""
    src, dst = family.src, family.dst
    same = (family.kind[src] == family.kind[dst]) & (family.run[src] == family.run[dst])
    return replace(family, src=src[same], dst=dst[same]).first_parents()


def _centred(slots: Floats, group: Ints) -> Floats:
    """Return the slots with the middle of each group at 0."""
    count = int(group.max(initial=-1)) + 1
    low, high = np.full(count, np.inf), np.full(count, -np.inf)
    np.minimum.at(low, group, slots)
    np.maximum.at(high, group, slots)
    middle: Floats = (low + high) / 2
    return slots - np.take(middle, group)
