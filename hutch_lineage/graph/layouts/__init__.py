"""Where nodes are drawn: one file per layout, one seam for all of them.

================  =========================================================================
``generations``   layers of descent; nodes are only ever appended (the default, live)
``layered``       the same layers, ordered anew for few crossings
``time``          layers of time
``tree``          the tree of first parents, tidy
``radial``        the same tree on rings
``islands``       layers of descent, each island in a lane of its own
================  =========================================================================
"""

from __future__ import annotations

from .family import Family
from .generations import Generations
from .islands import Islands
from .layered import Layered
from .layout import Layout, Newcomers
from .radial import Radial
from .time import Time
from .tree import Tree

__all__ = ["LAYOUTS", "Family", "Layout", "Newcomers"]

LAYOUTS: dict[str, type[Layout]] = {
    "generations": Generations,
    "layered": Layered,
    "time": Time,
    "tree": Tree,
    "radial": Radial,
    "islands": Islands,
}
"""Layout by name; see :class:`Layout` for what each can do."""
