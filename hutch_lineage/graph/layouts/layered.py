"""Layers of descent, ordered for few crossings."""

from __future__ import annotations

from .banded import Banded


class Layered(Banded):
    """The layers of `Generations`, each ordered by where parents and children stand.

    See `strata` for the algorithm. Nodes that come later are appended as in `Generations`.
    """
