"""What was measured, and the table of it."""

from __future__ import annotations

import datetime as dt
import os
import platform
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from math import isinf
from pathlib import Path
from statistics import median

from .limit import LIMIT_S

OURS = "ours"
UNITS = {"ms", "s", "fps", "MB", "KB", "us", "%", "x", "events/s", "of it"}
HIGHER = {"fps", "events/s", "of it"}


@dataclass(frozen=True)
class Figure:
    """A line of the table: what was measured, in which unit, and what it should be.

    `seldom` says that it is what happens now and then, so that the best round tells little.
    """

    title: str
    unit: str
    goal: float | None = None
    seldom: bool = False

    def best(self, values: Iterable[float]) -> float:
        """Return the best of some values."""
        return max(values) if self.unit in HIGHER else min(values)

    def met(self, value: float) -> bool | None:
        """Return whether a value reaches the goal; None where none was set."""
        if self.goal is None:
            return None
        return value >= self.goal if self.unit in HIGHER else value <= self.goal

    def ratio(self, ours: float, theirs: float) -> str:
        """Return how many times better ours is."""
        better, worse = (ours, theirs) if self.unit in HIGHER else (theirs, ours)
        if isinf(better):
            return f"> {LIMIT_S * (1000 if self.unit == 'ms' else 1) / worse:,.1f} x"
        return f"{better / worse:,.1f} x" if worse else "-"

    def text(self, value: float) -> str:
        """Return a value with its unit."""
        if isinf(value):
            return f"> {LIMIT_S:.0f} s"
        if self.unit == "ms" and value >= 1000:
            return f"{value / 1000:,.1f} s"
        digits = 0 if value >= 100 else 1 if value >= 10 else 2
        return f"{value:,.{digits}f} {self.unit.replace('us', 'µs')}"


@dataclass
class Results:
    """Samples by figure and contender, and what could not be measured.

    Of several samples the median counts; with `takes_best` the best one, which what else runs on
    the machine has slowed least.
    """

    samples: dict[Figure, dict[str, list[float]]] = field(
        default_factory=lambda: defaultdict(lambda: defaultdict(list))
    )
    notes: list[str] = field(default_factory=list)
    takes_best: bool = False
    floors: tuple[str, ...] = ()  # contenders that nobody can reach, so they are not compared with
    began: dt.datetime = field(default_factory=lambda: dt.datetime.now(tz=dt.UTC))
    loads: list[float] = field(default_factory=lambda: [os.getloadavg()[0]])

    def add(self, figure: Figure, contender: str, value: float | None) -> None:
        """Note one sample."""
        if value is not None:
            self.samples[figure][contender].append(value)
            self.loads.append(os.getloadavg()[0])

    def note(self, text: str) -> None:
        """Note something to be said under the table, once."""
        if text not in self.notes:
            self.notes.append(text)

    def of(self, figure: Figure) -> dict[str, float]:
        """Return what counts of each contender."""
        chosen = figure.best if self.takes_best and not figure.seldom else median
        return {name: chosen(values) for name, values in self.samples[figure].items()}

    def rows(self) -> list[list[str]]:
        """Return the table: figure, goal, ours, whether it is met, the others, the ratio."""
        rows = []
        for figure in self.samples:
            found = self.of(figure)
            ours = found.pop(OURS, None)
            goal = "" if figure.goal is None else figure.text(figure.goal)
            sign = "" if not goal else (">= " if figure.unit in HIGHER else "<= ")
            others = ", ".join(f"{name} {figure.text(value)}" for name, value in found.items())
            peers = [value for name, value in found.items() if name not in self.floors]
            best = figure.best(peers) if peers else None
            met = {True: "yes", False: "**no**", None: ""}[
                None if ours is None else figure.met(ours)
            ]
            rows.append(
                [
                    figure.title,
                    sign + goal,
                    "-" if ours is None else figure.text(ours),
                    met,
                    others,
                    "" if ours is None or best is None else figure.ratio(ours, best),
                ]
            )
        return rows

    def machine(self) -> str:
        """Return where and when this was measured."""
        loads = sorted(self.loads)
        return (
            f"{self.began:%Y-%m-%d %H:%M} UTC, {_processor()}, {os.cpu_count()} cores, "
            f"{platform.system()} {platform.machine()}, Python {platform.python_version()}; "
            f"load average {loads[0]:.1f} to {loads[-1]:.1f}, median {median(loads):.1f}"
        )


HEAD = ["figure", "goal", "ours", "met", "others", "best of them / ours"]


def markdown(rows: list[list[str]]) -> list[str]:
    """Return rows as a Markdown table, padded so that it reads as text, too."""
    table = [HEAD, *rows]
    widths = [max(len(row[column]) for row in table) for column in range(len(HEAD))]
    lines = [
        "| " + " | ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)) + " |"
        for row in table
    ]
    lines.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
    return lines


def _processor() -> str:
    """Return the processor's name."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.is_file() else []
    named = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(named, platform.processor() or "unknown processor")
