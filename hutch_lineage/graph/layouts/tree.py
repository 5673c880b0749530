"""The tree of first parents."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from .banded import Banded
from .family import Family, Flags, Floats, Ints
from .layout import Newcomers
from .tidy import depths, own_parents, tidy


class Tree(Banded):
    """Each node under its first parent, one layer further right; every run has a band.

    Arranged, it is tidy: children stand side by side in the order of their birth, a parent over the
    middle of its children, and no two branches cross; see `tidy`. A node that comes later takes the
    free slot nearest to its parent. Parents of another run or kind do not count, a parent that was
    never seen only where there is no other.
    """

    stagger = 0.0
    pull = 1.0

    def __init__(self) -> None:
        super().__init__()
        self._home = array("q")
        self._parents: Ints = np.zeros(0, dtype=np.int64)

    def extend(self, new: Newcomers) -> None:
        """Place further nodes; those that are placed stay."""
        super().extend(self._first_parents(new))

    def _first_parents(self, new: Newcomers) -> Newcomers:
        """Return the nodes with the one parent that counts."""
        home = self._home
        first = len(home)
        home.extend(_homes(new.kind, new.run))
        nothing: tuple[int, ...] = ()
        parents = [
            next(((p,) for p in above if p < row and home[p] == home[row]), nothing)
            for row, above in enumerate(new.parents, first)
        ]
        return replace(new, parents=parents, generation=[-1] * len(parents))

    def arrange(self, family: Family) -> None:
        """Place all nodes anew, tidily."""
        self._home = array("q", _homes(family.kind.tolist(), family.run.tolist()))
        super().arrange(family)

    def layers_in(self, family: Family) -> Ints:
        """Return how far below its root each node stands."""
        self._parents = own_parents(family)
        return depths(self._parents)

    def slots_in(self, family: Family, layers: Ints, bands: Ints) -> Floats:
        """Return the tidy slots, each band around 0."""
        del family
        return tidy(self._parents, layers, bands)

    def margin_of(self, family: Family) -> Flags:
        """Return no node: a parent that was never seen is a root."""
        return np.zeros(len(family), dtype=np.bool_)


def _homes(kinds: Sequence[int], runs: Sequence[int]) -> list[int]:
    """Return kind and run in one number."""
    return [2 * run + kind for kind, run in zip(kinds, runs, strict=True)]
