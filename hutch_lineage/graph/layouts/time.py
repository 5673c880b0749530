"""Layers of time."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .banded import Banded
from .family import Family, Floats, Ints
from .layout import Newcomers

MOST_LAYERS = 20_000
MINUTE, HOUR, DAY = 60.0, 3600.0, 86_400.0
UNITS = (1.0, 2.0, 5.0, 10.0, 15.0, 30.0, *(n * MINUTE for n in (1, 2, 5, 10, 15, 30)))
LONG_UNITS = (*(n * HOUR for n in (1, 2, 3, 6, 12)), *(n * DAY for n in (1, 2, 7, 30, 90, 365)))


class Time(Banded):
    """Left to right is time: ``x`` counts units since ``t0``.

    The unit is a round number of seconds, chosen so that the bulk of the nodes (all but half a
    percent at each end, where those are far away) spreads over some hundred to some thousand
    layers; what lies beyond 20,000 layers, or before ``t0``, stands at that limit and is counted as
    ``clipped``. A node without a time stands one layer after its parents, a ghost one before its
    child. Where no node has a time, layers are those of `Generations`. `y` is as there, so children
    whose time runs backward stand left of their parents.
    """

    def __init__(self) -> None:
        super().__init__()
        self._t0 = math.nan
        self._unit_s = 1.0
        self._clipped = 0

    def layers_of(self, new: Newcomers) -> list[int]:
        """Return the units since the beginning."""
        if math.isnan(self._t0):
            times = np.asarray(new.time, dtype=np.float64)
            if len(self.x) and not np.isnan(times).all():
                self._t0 = float(np.nanmin(times))  # the layers so far are those of descent
            else:
                self._choose(times)
        x, first = self.x, len(self.x)
        layers: list[int] = []
        if math.isnan(self._t0):
            return super().layers_of(new)
        for row, (time, parents) in enumerate(zip(new.time, new.parents, strict=True), first):
            if time == time:
                layer = math.floor((time - self._t0) / self._unit_s)
                self._clipped += not 0 <= layer <= MOST_LAYERS
                layers.append(min(max(layer, 0), MOST_LAYERS))
                continue
            nearest = new.ghost_of.get(row)
            near = [p for p in parents if p < row] if nearest is None else [nearest]
            ats = [layers[p - first] if p >= first else int(x[p]) for p in near]
            layers.append(max(0, max(ats, default=-1) + 1 if nearest is None else ats[0] - 1))
        return layers

    def layers_in(self, family: Family) -> Ints:
        """Return the units since the beginning, in a unit that fits these times."""
        self._clipped = 0
        self._choose(family.time)
        if math.isnan(self._t0):
            return family.layers()
        known = ~np.isnan(family.time)
        since = np.zeros(len(family))
        since[known] = np.floor((family.time[known] - self._t0) / self._unit_s)
        self._clipped = int(np.sum((since < 0) | (since > MOST_LAYERS)))
        ghost = family.ghost_of >= 0
        late = np.clip(since, 0, MOST_LAYERS).astype(np.int64).tolist()
        waiting = np.flatnonzero(~known[family.dst] & ~ghost[family.src])
        for parent, child in zip(
            family.src[waiting].tolist(), family.dst[waiting].tolist(), strict=True
        ):
            late[child] = max(late[child], late[parent] + 1)
        layers: Ints = np.array(late, dtype=np.int64)
        margin = np.flatnonzero(ghost & ~known)
        layers[margin] = np.maximum(layers[family.ghost_of[margin]] - 1, 0)
        return layers

    def _choose(self, times: Floats) -> None:
        """Choose the beginning and the unit."""
        known = times[~np.isnan(times)]
        self._t0, self._unit_s = math.nan, 1.0
        if not known.size:
            return
        low, high = float(known.min()), float(known.max())
        begin, end = (float(each) for each in np.quantile(known, (0.005, 0.995)))
        far = 4 * (end - begin) + 60
        low = begin if begin - low > far else low
        high = end if high - end > far else high
        wanted = min(max(4 * math.sqrt(known.size), 40), 4_000)
        self._unit_s = _round_unit(max((high - low) / wanted, (high - low) / MOST_LAYERS))
        self._t0 = math.floor(low / self._unit_s) * self._unit_s

    def describe(self) -> dict[str, Any]:
        """Return ``t0`` and ``unit_s``: layer x begins at ``t0 + x * unit_s``."""
        if math.isnan(self._t0):
            return {"axis": "depth"}
        return {
            "axis": "time",
            "t0": self._t0,
            "unit_s": self._unit_s,
            "clipped": self._clipped,
        }


def _round_unit(seconds: float) -> float:
    """Return the next round number of seconds: 0.2, 5, 15 minutes, a day, 1,000 days."""
    if seconds <= 0:
        return 1.0
    if seconds < 1:
        power = 10.0 ** math.floor(math.log10(seconds))
        return next(n * power for n in (1, 2, 5, 10) if n * power >= seconds)
    for unit in (*UNITS, *LONG_UNITS):
        if unit >= seconds:
            return unit
    power = 10.0 ** math.floor(math.log10(seconds / DAY))
    return DAY * next(n * power for n in (1, 2, 5, 10) if n * power >= seconds / DAY)
