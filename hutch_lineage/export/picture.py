"""What a static picture holds, in pixels: the step between a scene and SVG."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from .wording import number

NARROW = 640


@dataclass(frozen=True, slots=True)
class Mark:
    """One node: centre and radius in pixels; `share` of the best score (0 to 1), None unknown.

    `style` is ``node``, ``seed``, ``ghost``, ``invalid`` or ``rejected``.
    """

    id: str
    x: float
    y: float
    r: float
    share: float | None
    style: str
    on_path: bool
    title: str


@dataclass(slots=True)
class EdgePaths:
    """Edges as SVG path data, by how they are drawn."""

    plain: list[str] = field(default_factory=list)
    dashed: list[str] = field(default_factory=list)
    rejected: list[str] = field(default_factory=list)
    path: list[str] = field(default_factory=list)
    path_dashed: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Scale:
    """From a metric's values to shares of the best: `low` is the worst end of the ramp.

    Values beyond `low` are drawn like it; `clipped` says that there are some.
    """

    name: str
    low: float
    high: float
    higher: bool
    clipped: bool

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
        """The metric and which way is better."""
        return f"{self.name} {'↑' if self.higher else '↓'}"

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
    cells: list[tuple[float, float, float | None, float]]
    cell_size: float
    scale: Scale | None
    key: list[tuple[str, str]]
    counts: str
