"""The layouts that a scene has in use; their positions are columns of its nodes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from .layouts import LAYOUTS, Family, Layout, Newcomers
from .legend import SMALL, Legend
from .rows import GHOST
from .table import Table

FIRST = "generations"
INDIVIDUAL = 0
ODD = 0.01
"""Layers are called generations as long as no more of those that know theirs stand elsewhere."""


def columns_of(layout: str) -> tuple[str, str]:
    """Return the node columns that hold the positions of a layout.

    Examples
    --------
    >>> columns_of("tree")
    ('x:tree', 'y:tree')
    """
    return ("x", "y") if layout == FIRST else (f"x:{layout}", f"y:{layout}")


class Arrangements:
    """Layouts that grow with the tables they are about. The first is there from the start.

    Parameters
    ----------
    nodes, edges : Table
        The tables of a scene. The positions are lent to `nodes` as columns.
    legend : Legend
        The names of runs and islands.

    Attributes
    ----------
    counts : dict of str to int
        By layout, how often all its positions were made anew.
    """

    def __init__(self, nodes: Table, edges: Table, legend: Legend) -> None:
        self._nodes, self._edges, self._legend = nodes, edges, legend
        self._layouts: dict[str, Layout] = {}
        self.counts: dict[str, int] = {}
        self._depth_axis = "depth"
        self._judged, self._late = 0, False
        self.use(FIRST)

    def __contains__(self, layout: str) -> bool:
        return layout in self._layouts

    def use(self, layout: str) -> None:
        """Take another layout into use, without positions for the nodes so far."""
        made = self._layouts[layout] = LAYOUTS[layout]()
        x, y = columns_of(layout)
        self._nodes.lend(x, made.x)
        self._nodes.lend(y, made.y)
        self.counts[layout] = 0

    def extend(self, new: Newcomers) -> None:
        """Give new nodes their positions; the others stay where they are."""
        for layout in self._layouts.values():
            layout.extend(new)

    def arrange(self, layout: str) -> None:
        """Make all positions of a layout anew."""
        self._layouts[layout].arrange(self._family())
        self.counts[layout] += 1
        self.settle()

    def arrange_all(self) -> None:
        """Make the first positions of a graph that is met whole: none was told before."""
        family = self._family()
        for layout in self._layouts.values():
            layout.arrange(family)

    def _family(self) -> Family:
        """Return all nodes and edges as arrays."""
        nodes, edges = self._nodes, self._edges
        src, dst = (edges.view(name).astype(np.int64) for name in ("src", "dst"))
        if np.any(dst[1:] < dst[:-1]):
            order = np.lexsort((edges.view("order"), dst))
            src, dst = src[order], dst[order]
        margin = nodes.view("flags") & GHOST > 0
        margin[dst] = False
        ghost_of = np.full(nodes.count, nodes.count, dtype=np.int64)
        np.minimum.at(ghost_of, src, dst)
        ghost_of = np.where(margin & (ghost_of < nodes.count), ghost_of, -1)
        kind, run, generation, island = (
            nodes.view(name).astype(np.int64) for name in ("kind", "run", "generation", "island")
        )
        time = nodes.view("time").copy()
        return Family(kind, run, generation, time, island, ghost_of, src, dst)

    def describe(self) -> dict[str, dict[str, Any]]:
        """Return what a front end has to know of the axes; see :meth:`Scene.layouts`."""
        told = {}
        for name, layout in self._layouts.items():
            about = layout.describe()
            if about["axis"] == "depth" and name not in ("tree", "time"):
                about["axis"] = self._axis()
            for lane in about.get("lanes", ()):
                lane["name"] = self._lane_name(lane)
            told[name] = about
        return told

    def note(self) -> None:
        """Hear that the nodes changed, so that the axis may be another."""
        self._late = True

    @property
    def is_settled(self) -> bool:
        """Whether the axis was judged since the last change."""
        return not self._late

    def settle(self) -> None:
        """Judge the axis anew when it is next told, as for a graph that has come to rest."""
        self._judged, self._late = 0, False

    def _axis(self) -> str:
        """Return what a layer is: a generation where nearly all individuals agree, else a depth.

        That is a pass over all nodes: not for each change of a graph that grows.
        """
        count = self._nodes.count
        if count < SMALL or count * 8 >= self._judged * 9:
            self._late = False
            generation = self._nodes.view("generation")
            known = (generation >= 0) & (self._nodes.view("kind") == INDIVIDUAL)
            odd = np.sum(known & (generation != self._nodes.view("x")))
            says = odd <= ODD * np.sum(known) > 0
            self._depth_axis, self._judged = "generation" if says else "depth", count
        return self._depth_axis

    def _lane_name(self, lane: Mapping[str, Any]) -> str:
        runs, islands = (self._legend.categories[name] for name in ("run", "island"))
        island = islands[lane["island"]] if lane["island"] >= 0 else "no island"
        return f"{runs[lane['run']]}: {island}" if len(runs) > 1 else island
