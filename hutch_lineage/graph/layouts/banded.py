"""What layouts of layers share: bands, lanes, and nodes that are appended for good."""

from __future__ import annotations

from array import array
from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from .family import Family, Flags, Floats, Ints, preorder
from .lane import Lane
from .layout import Newcomers
from .strata import strata

GAP = 3.0
GOLDEN = 0.6180339887498949
PULL = 0.87
Group = tuple[int, Hashable]


class Band:
    """The room of one group of nodes: its middle, its limits, and what it holds so far."""

    __slots__ = ("bottom", "edge", "group", "high", "lanes", "low", "middle", "top")

    def __init__(self, group: Group, middle: float, low: float) -> None:
        self.group = group
        self.middle = middle
        self.low = low
        self.high = float("inf")
        self.bottom = self.edge = self.top = middle
        self.lanes: dict[int, Lane] = {}


class Banded:
    """Layers from left to right; every group of nodes in a band of its own.

    Appending follows these rules, in this order:

    - **layer**: what :meth:`layers_of` says.
    - **slot**: the free slot of the layer nearest to the mean of the parents' `y`, drawn slightly
      towards the middle of the band; nodes without parents gather around that middle. Ghosts go
      below the band's lowest node.
    - **bands**: the first of a sheet (a node kind) lies around 0. One that comes later begins below
      everything placed so far, with some room on each side of its middle, and from then on bounds
      the band above it. A band that meets its bound packs its slots closer (halves, quarters, ...)
      instead of crossing it. So no band moves or overlaps another, whichever grows.

    Appended positions depend on the order of the nodes alone, not on how they are batched. Parts of
    a layout override the methods that tell layers and groups.
    """

    reserve = 6.0
    stagger = 0.7
    pull = PULL

    def __init__(self) -> None:
        self.x: array[float] = array("f")
        self.y: array[float] = array("f")
        self._ghost = bytearray()
        self._bands: dict[Group, Band] = {}
        self._last: dict[int, Band] = {}
        self._stale = False

    # --- what a layout says -----------------------------------------------------------------

    def layers_of(self, new: Newcomers) -> list[int]:
        """Return the layers of new nodes: of descent here."""
        x, first = self.x, len(self.x)
        layers: list[int] = []
        for row, (generation, parents) in enumerate(
            zip(new.generation, new.parents, strict=True), first
        ):
            if row in new.ghost_of:
                child = new.ghost_of[row]
                at = layers[child - first] if child >= first else int(x[child])
                layers.append(max(0, at - 1))
                continue
            layer = max(generation, 0)
            for parent in parents:
                if parent < row:
                    beyond = 1 + (layers[parent - first] if parent >= first else int(x[parent]))
                    layer = max(layer, beyond)
            layers.append(layer)
        return layers

    def groups_of(self, new: Newcomers) -> Sequence[Group]:
        """Return the sheet and the group of new nodes: the run here."""
        return list(zip(new.kind, new.run, strict=True))

    def layers_in(self, family: Family) -> Ints:
        """Return the layers of all nodes of a family in order."""
        return family.layers()

    def groups_in(self, family: Family) -> Ints:
        """Return the group of all nodes as numbers in the order in which bands are stacked."""
        return family.run

    def group_named(self, number: int) -> Hashable:
        """Return what :meth:`groups_of` calls a group that :meth:`groups_in` numbers."""
        return number

    def margin_of(self, family: Family) -> Flags:
        """Return which nodes stand below the others: parents that were never seen."""
        return family.ghost_of >= 0

    def reserve_of(self, height: float) -> float:
        """Return the room on each side of the middle of a band that is arranged anew."""
        del height
        return self.reserve

    # --- one after another ------------------------------------------------------------------

    def extend(self, new: Newcomers) -> None:
        """Place further nodes; those that are placed stay."""
        if self._stale:
            self._take_stock()
        layers, groups = self.layers_of(new), self.groups_of(new)
        y, ghosts, ghost_of = self.y, self._ghost, new.ghost_of
        pull, stagger = self.pull, self.stagger
        held: Group | None = None
        band = Band((0, None), 0.0, 0.0)
        for row, (layer, group, parents) in enumerate(
            zip(layers, groups, new.parents, strict=True), len(y)
        ):
            if group != held:
                band, held = self._band(group), group
            ghost = row in ghost_of
            if ghost:
                target = band.bottom + 2.0
            else:
                above, seen = 0.0, 0
                for parent in parents:
                    # A mean over ghosts would drag the child to the bottom margin.
                    if parent < row and not ghosts[parent]:
                        above += y[parent]
                        seen += 1
                target = band.middle
                if seen:
                    target += pull * (above / seen - target)
            lane = band.lanes.get(layer)
            if lane is None:
                lane = band.lanes[layer] = Lane()
            # Layers are shifted against each other, so that an edge over several layers does not
            # run through the nodes between.
            shift = stagger * ((layer * GOLDEN + 0.5) % 1.0 - 0.5)
            slot = lane.take(target - shift, band.low, band.high, downward=ghost)
            y.append(slot + shift)
            ghosts.append(ghost)
            if slot > band.edge:
                band.edge = slot
            elif slot < band.top:
                band.top = slot
            if slot > band.bottom and not ghost:
                band.bottom = slot
        self.x.extend(layers)

    def _band(self, group: Group) -> Band:
        band = self._bands.get(group)
        if band is None:
            above = self._last.get(group[0])
            if above is None:
                band = Band(group, 0.0, -float("inf"))
            else:
                above.high = float(int(max(above.edge, above.middle + self.reserve)))
                low = above.high + GAP
                band = Band(group, low + self.reserve, low)
            self._bands[group] = self._last[group[0]] = band
        return band

    # --- all anew ---------------------------------------------------------------------------

    def arrange(self, family: Family) -> None:
        """Place all nodes anew, in layers with few crossings."""
        family, rows = family.in_order()
        layers = self.layers_in(family)
        bands, groups = self._groups(family)
        slots = self.slots_in(family, layers, bands)
        shift = self.stagger * ((layers * GOLDEN + 0.5) % 1.0 - 0.5)
        margin = self.margin_of(family)
        self._stack(groups, bands, margin, layers, slots)
        x, y = np.empty(len(rows), np.float32), np.empty(len(rows), np.float32)
        x[rows], y[rows] = layers, slots + shift
        self.x[:], self.y[:] = array("f", x.tobytes()), array("f", y.tobytes())
        ghost = np.zeros(len(rows), dtype=np.uint8)
        ghost[rows] = margin
        self._ghost = bytearray(ghost.tobytes())
        numbers = np.empty(len(rows), dtype=np.int64)
        numbers[rows] = bands
        self._numbers, self._order, self._stale = numbers, groups, True

    def slots_in(self, family: Family, layers: Ints, bands: Ints) -> Floats:
        """Return the slots of all nodes, each band around 0."""
        lanes = bands * (layers.max(initial=0) + 1) + layers
        _, lanes = np.unique(lanes, return_inverse=True)
        start, _ = preorder(family.first_parents().tolist())
        inside = bands[family.src] == bands[family.dst]
        seen = family.ghost_of[family.src] < 0
        src, dst = family.src[inside & seen], family.dst[inside & seen]
        return strata(lanes.ravel(), start, src, dst)

    def _groups(self, family: Family) -> tuple[Ints, list[Group]]:
        """Return the band of each node, and the group of each band."""
        numbers = self.groups_in(family)
        wide = int(numbers.max(initial=0)) + 2
        both = family.kind * wide + numbers + 1
        found, bands = np.unique(both, return_inverse=True)
        groups: list[Group] = [
            (int(each) // wide, self.group_named(int(each) % wide - 1)) for each in found
        ]
        return bands.ravel(), groups

    def _stack(
        self, groups: list[Group], bands: Ints, ghost: Flags, layers: Ints, slots: Floats
    ) -> None:
        """Put the bands below each other, the ghosts of each below its nodes; alters `slots`."""
        self._bands, self._last = {}, {}
        by_band = np.argsort(bands, kind="stable")
        ends = np.searchsorted(bands[by_band], np.arange(len(groups) + 1))
        for group, begin, end in zip(groups, ends[:-1], ends[1:], strict=True):
            inside = by_band[begin:end]
            own, margin = inside[~ghost[inside]], inside[ghost[inside]]
            top, bottom = slots[own].min(initial=0.0), slots[own].max(initial=0.0)
            if margin.size:
                slots[margin] = bottom + 2.0 + _places(layers[margin])
            edge = slots[margin].max(initial=bottom)
            above = self._last.get(group[0])
            if above is None:
                band = Band(group, 0.0, -float("inf"))
            else:
                reserve = self.reserve_of(above.bottom - above.top)
                above.high = float(np.ceil(max(above.edge, above.middle + reserve) + 1))
                low = above.high + GAP
                room = max(self.reserve_of(float(bottom - top)), 1 - top)
                band = Band(group, float(np.ceil(low + room)), low)
            slots[inside] += band.middle
            band.top, band.bottom, band.edge = (
                float(band.middle + each) for each in (top, bottom, edge)
            )
            self._bands[group] = self._last[group[0]] = band

    def _take_stock(self) -> None:
        """Find which slots are taken, after all was placed anew."""
        self._stale = False
        if not self.x:
            return
        layers = np.array(self.x, dtype=np.int64)
        shift = self.stagger * ((layers * GOLDEN + 0.5) % 1.0 - 0.5)
        slots = np.floor(np.array(self.y) - shift + 0.5).astype(np.int64)
        order = np.lexsort((slots, layers, self._numbers))
        bands, layers, slots = self._numbers[order], layers[order], slots[order]
        lane = (np.diff(bands, prepend=-1) != 0) | (np.diff(layers, prepend=-1) != 0)
        begins = np.flatnonzero(lane | (np.diff(slots, prepend=0) > 1))
        starts = slots[begins].tolist()
        stops = (slots[np.append(begins[1:], len(slots)) - 1] + 1).tolist()
        first = np.flatnonzero(lane[begins]).tolist()
        at = begins[first]
        for a, b, number, layer in zip(
            first,
            [*first[1:], len(starts)],
            bands[at].tolist(),
            layers[at].tolist(),
            strict=True,
        ):
            self._bands[self._order[number]].lanes[layer] = Lane.of(starts[a:b], stops[a:b])

    def describe(self) -> dict[str, Any]:
        """Return what the axis is."""
        return {"axis": "depth"}


def _places(layers: Ints) -> Floats:
    """Return 0, 1, 2, ... for the nodes of each layer."""
    order = np.argsort(layers, kind="stable")
    held = layers[order]
    places = np.empty(len(layers))
    places[order] = np.arange(len(layers)) - np.searchsorted(held, held)
    return places
