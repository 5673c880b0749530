"""The seam between a scene and its layouts."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from .family import Family


@dataclass(slots=True)
class Newcomers:
    """Nodes for the next rows of a layout, column by column.

    Attributes
    ----------
    kind : sequence of int
        0 for an individual, 1 for an agent. Each kind is a drawing with coordinates of its own.
    run, island : sequence of int
        Codes; -1 where unknown.
    generation : sequence of int
        -1 where unknown.
    time : sequence of float
        Unix time in seconds; NaN where unknown.
    parents : sequence of sequence of int
        Rows of the parents, in order; those that are not placed yet are ignored.
    ghost_of : mapping of int to int
        For parents that were never seen: own row -> row of the first child, which is placed
        before.
    """

    kind: Sequence[int]
    run: Sequence[int]
    generation: Sequence[int]
    time: Sequence[float]
    island: Sequence[int]
    parents: Sequence[Sequence[int]]
    ghost_of: Mapping[int, int] = field(default_factory=dict)


class Layout(Protocol):
    """Places nodes row by row, or all of them anew.

    Attributes
    ----------
    x, y : array of float32
        Where each row stands. ``x`` counts layers and ``y`` slots about 1 apart; other layouts than
        the layered ones use the same scale.

    Notes
    -----
    Not thread-safe. Neither method recurses, and neither minds cycles, self loops, parents that
    come later, or times that run backward.
    """

    x: array[float]
    y: array[float]

    def extend(self, new: Newcomers) -> None:
        """Place further nodes; those that are placed stay. A few microseconds a node."""

    def arrange(self, family: Family) -> None:
        """Place all nodes anew, tidily. Up to 3 microseconds a node."""

    def describe(self) -> dict[str, Any]:
        """Return what a front end has to know of the axes; JSON-ready."""
