"""What a static picture holds, in pixels: the step between a scene and SVG or PNG."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TypeAlias

from .wording import number

NARROW = 640

Curve: TypeAlias = tuple[float, float, float, float, float, float, float, float]
"""A cubic Bézier curve: the x and y of its start, of both handles and of its end, in pixels."""


@dataclass(frozen=True, slots=True)
class Mark:
    """One node: centre and radius in pixels; `share` of the best score (0 to 1), None unknown.

    `style` is ``node``, ``seed``, ``ghost``, ``invalid`` or ``rejected``. A mark without an `id`
    is no node: a sample in the key, the ring around the best. `hue` is the number of a name that
    colours it, -1 for none; a `faded` mark is outside the focus.
    """

    id: str
    x: float
    y: float
    r: float
    share: float | None
    style: str
    on_path: bool
    title: str
    hue: int = -1
    faded: bool = False


@dataclass(frozen=True, slots=True)
class Cell:
    """Many nodes as one rectangle: its left top corner and size in pixels.

    `share` is that of its best node, None unknown; the more nodes, the greater the `opacity`.
    """

    x: float
    y: float
    width: float
    height: float
    share: float | None
    opacity: float


@dataclass(slots=True)
class EdgePaths:
    """Edges by how they are drawn."""

    faded: list[Curve] = field(default_factory=list)
    plain: list[Curve] = field(default_factory=list)
    dashed: list[Curve] = field(default_factory=list)
    rejected: list[Curve] = field(default_factory=list)
    path: list[Curve] = field(default_factory=list)
    path_dashed: list[Curve] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Scale:
    """From a metric's values to shares of the best: `low` is the worst end of the ramp.

    Values beyond `low` are drawn like it; `clipped` says that there are some. With `plain` neither
    end is better.
    """

    name: str
    low: float
    high: float
    higher: bool
    declared: bool
    clipped: bool
    plain: bool = False

    def share(self, value: float) -> float | None:
        """Return 0 for the worst to 1 for the best; None for no value."""
        if math.isnan(value):
            return None
        if self.low == self.high:
            return 0.5
        part, whole = value - self.low, self.high - self.low
        if math.isinf(whole):  # further apart than a float can say
            part, whole = value / 2 - self.low / 2, self.high / 2 - self.low / 2
        return min(max(part / whole, 0.0), 1.0)

    @property
    def title(self) -> str:
        """The metric and which way is better, and whether anybody said so."""
        if self.plain:
            return self.name
        return f"{self.name} {'↑' if self.higher else '↓'}{'' if self.declared else ' assumed'}"

    @property
    def range(self) -> str:
        """The values at both ends of the ramp."""
        sign = "" if not self.clipped else "≤ " if self.higher else "≥ "
        if self.low == self.high:
            return f"all {number(self.low)}"
        return f"{sign}{number(self.low)} to {number(self.high)}"


@dataclass(slots=True)
class Picture:
    """Everything that is drawn, in drawing order."""

    width: int
    height: int
    title: str
    story: str
    label: str
    ticks: list[tuple[float, str]]
    edges: EdgePaths
    marks: list[Mark]
    best: Mark | None
    cells: list[Cell]
    scale: Scale | None
    key: list[tuple[str, str, int]]
    counts: str
    notes: list[str] = field(default_factory=list)
