"""Layers of descent, appended live."""

from __future__ import annotations

from .banded import Banded


class Generations(Banded):
    """Left to right is descent; a node, once placed, never moves.

    The layer is ``max(generation, 1 + largest layer of the placed parents)``, 0 without either; a
    ghost stands one layer before its child, never left of 0. Every run has a band. About 3
    microseconds a node; :meth:`arrange` gives the `Layered` order.

    Examples
    --------
    >>> from hutch_lineage.graph.layouts import Newcomers
    >>> layout, nothing = Generations(), [float("nan")] * 2
    >>> layout.extend(Newcomers([0, 0], [0, 0], [-1, -1], nothing, [-1, -1], [(), (0,)]))
    >>> layout.x.tolist()
    [0.0, 1.0]
    """
