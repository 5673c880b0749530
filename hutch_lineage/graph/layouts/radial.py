"""The tree of first parents on rings."""

from __future__ import annotations

import math
from array import array
from typing import Any

import numpy as np

from .family import Family, Floats, Ints, preorder
from .lane import Lane
from .layout import Newcomers
from .tidy import depths, own_parents

LEAST_RING = 3.0
TURN = 2 * math.pi


class Radial:
    """Each node on the ring around its first parent, runs side by side.

    ``x`` and ``y`` are Cartesian, around 0, in the scale of slots: neighbours on a ring stand about
    1 apart. Seeds stand on ring 1. Arranged, each branch has a sector as wide as the number of its
    leaves, a node stands as near to the middle of its sector as its ring has room, and no two
    branches cross. A node that comes later takes the free place on its ring nearest to the
    direction of its parent.
    """

    def __init__(self) -> None:
        self.x: array[float] = array("f")
        self.y: array[float] = array("f")
        self._ring = array("I")
        self._angle = array("d")
        self._sheet = bytearray()
        self._run = array("q")
        self._radius = LEAST_RING
        self._lanes: dict[tuple[int, int], Lane] = {}
        self._stale = False

    def extend(self, new: Newcomers) -> None:
        """Place further nodes; those that are placed stay."""
        if self._stale:
            self._take_stock()
        rings, angles, radius = self._ring, self._angle, self._radius
        sheets, runs = self._sheet, self._run
        for row, (kind, run, parents) in enumerate(
            zip(new.kind, new.run, new.parents, strict=True), len(rings)
        ):
            ring, angle = 1, 0.0
            for parent in parents:
                if parent < row and sheets[parent] == kind and runs[parent] == run:
                    ring, angle = rings[parent] + 1, angles[parent]
                    break
            lane = self._lanes.get((kind, ring))
            if lane is None:
                lane = self._lanes[kind, ring] = Lane()
            places = int(TURN * radius * ring)
            angle = lane.take(angle / TURN * places, 0, places - 1) / places * TURN
            rings.append(ring)
            angles.append(angle)
            sheets.append(kind)
            runs.append(run)
            self.x.append(ring * radius * math.cos(angle))
            self.y.append(ring * radius * math.sin(angle))

    def arrange(self, family: Family) -> None:
        """Place all nodes anew, tidily."""
        self._sheet = bytearray(family.kind.astype(np.uint8).tobytes())
        self._run = array("q", family.run.astype(np.int64).tobytes())
        family, rows = family.in_order()
        parents = own_parents(family)
        rings = depths(parents) + 1
        wishes = np.zeros(len(rows))
        for kind in (0, 1):
            inside = np.flatnonzero(family.kind == kind)
            if inside.size:
                wishes[inside] = _sectors(parents, inside, family.run)
        sheets = family.kind * (int(rings.max(initial=0)) + 1) + rings
        crowd = np.bincount(sheets, minlength=1)[sheets]
        self._radius = max(LEAST_RING, float((crowd / rings).max(initial=0.0)) * 1.01 / TURN)
        angles = _apart(wishes, sheets, crowd, _places(rings, self._radius)) * TURN
        ring, angle = np.empty(len(rows), np.uint32), np.empty(len(rows))
        ring[rows], angle[rows] = rings, angles
        self._ring, self._angle = array("I", ring.tobytes()), array("d", angle.tobytes())
        x = (ring * self._radius * np.cos(angle)).astype(np.float32)
        y = (ring * self._radius * np.sin(angle)).astype(np.float32)
        self.x[:], self.y[:] = array("f", x.tobytes()), array("f", y.tobytes())
        self._stale = True

    def _take_stock(self) -> None:
        """Find which places are taken, after all was placed anew."""
        self._stale, self._lanes = False, {}
        rings = np.array(self._ring, dtype=np.int64)
        sheets = np.frombuffer(bytes(self._sheet), dtype=np.uint8)
        around = np.floor(TURN * rings * self._radius)
        places = np.rint(np.array(self._angle) / TURN * around).astype(np.int64)
        order = np.lexsort((places, rings, sheets))
        for sheet, ring, place in zip(
            sheets[order].tolist(), rings[order].tolist(), places[order].tolist(), strict=True
        ):
            lane = self._lanes.setdefault((sheet, ring), Lane())
            lane.fill(place)

    def describe(self) -> dict[str, Any]:
        """Return the number of rings and the distance between two of them."""
        rings = max(self._ring, default=0)
        return {"axis": "none", "rings": rings, "ring": self._radius}


def _places(rings: Any, radius: float) -> Any:
    """Return how many nodes stand on a ring, about 1 apart."""
    return np.floor(TURN * radius * rings).astype(np.int64)


def _sectors(parents: Ints, inside: Ints, run: Ints) -> Floats:
    """Return the direction of each node of a sheet, as a part of a turn.

    A branch gets a sector as wide as the number of its leaves, and a node the middle of its sector.
    """
    place = np.full(len(parents) + 1, -1, dtype=np.int64)
    order = inside[np.argsort(run[inside], kind="stable")]
    place[order] = np.arange(len(order))
    walk, size = preorder(place[parents[order]].tolist())
    leaves = np.zeros(len(order) + 1, dtype=np.int64)
    leaves[walk + 1] = size == 1
    before = np.cumsum(leaves)
    middle: Floats = (before[walk] + before[walk + size]) / (2 * max(int(before[-1]), 1))
    return np.take(middle, place[inside])


def _apart(wishes: Floats, rings: Ints, crowd: Ints, places: Ints) -> Floats:
    """Return parts of a turn, near the wishes and in their order, each on a place of its own."""
    order = np.lexsort((wishes, rings))
    ring, room = rings[order], places[order].astype(np.float64)
    ranks = np.arange(len(order)) - np.searchsorted(ring, ring)
    wish = np.clip(wishes[order] * room - ranks, 0, np.maximum(room - crowd[order], 0))
    _, step = np.unique(ring, return_inverse=True)
    shift = step.ravel() * (2.0 * room.max(initial=0) + 2)
    upper = np.maximum.accumulate(wish + shift)
    lower = np.minimum.accumulate((wish + shift)[::-1])[::-1]
    parts = np.empty(len(order))
    # Whole places, as those that are handed out later.
    parts[order] = (np.floor((upper + lower) / 2 + 0.5) - shift + ranks) / np.maximum(room, 1)
    return parts
