"""Layers of descent, each island in a lane."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

from .banded import Banded, Group
from .family import Family, Ints
from .layout import Newcomers

WIDE = 1 << 20  # more islands than any run has


class Islands(Banded):
    """A band for each island of each run; nodes without an island have one too.

    Layers are those of `Generations`. A node stays in the band of the island that it was on when it
    was placed; migrations show as edges that cross.
    """

    reserve = 12.0

    def groups_of(self, new: Newcomers) -> Sequence[Group]:
        """Return kind, run and island."""
        return [
            (kind, (run, island))
            for kind, run, island in zip(new.kind, new.run, new.island, strict=True)
        ]

    def groups_in(self, family: Family) -> Ints:
        """Return run and island in one number, the unknown island first."""
        return family.run * WIDE + family.island + 1

    def group_named(self, number: int) -> Hashable:
        """Return run and island."""
        return number // WIDE, number % WIDE - 1

    def reserve_of(self, height: float) -> float:
        """Return room for half as many again: lanes lie close where their sizes are known."""
        return min(self.reserve, max(2.0, 0.75 * height))

    def describe(self) -> dict[str, Any]:
        """Return the lanes: kind, run and island as codes, and where each lane begins and ends."""
        lanes = []
        for (kind, group), band in self._bands.items():
            run, island = group if isinstance(group, tuple) else (-1, -1)
            low = band.low if band.low > -1e300 else band.top - 1
            high = band.high if band.high < 1e300 else band.edge + 1
            lanes.append({"kind": kind, "run": run, "island": island, "y0": low, "y1": high})
        return {"axis": "depth", "lanes": lanes}
