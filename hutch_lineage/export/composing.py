"""Where everything of a picture stands: marks, edges or cells, and the labels of the layers."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import numpy as np

from hutch_lineage.graph import Scene

from . import captions
from .choosing import GHOST, INVALID, REJECTED, SEED, Choice, Rows, Wanted
from .picture import NARROW, Cell, Curve, EdgePaths, Mark, Picture
from .wording import number

if TYPE_CHECKING:
    from hutch_lineage.graph import LineageGraph

SIDE = 34.0
MAX_STEP_X, MAX_STEP_Y = 180.0, 30.0
LEAST_HEIGHT, MOST_HEIGHT = 260, 640
MAX_EDGES = 6_000
CELLS = (5, 6, 8, 10, 12, 14, 16, 18, 20, 24, 28, 34, 40, 60, 100)


_STYLES: Final = ((GHOST, "ghost"), (INVALID, "invalid"), (REJECTED, "rejected"), (SEED, "seed"))


def compose(graph: LineageGraph, wanted: Wanted, notes: list[str] | None = None) -> Picture:
    """Work out a picture; `notes` gets what of the view is not in it."""
    with graph.lock:
        scene = Scene(graph) if wanted.scene is None else wanted.scene
        scene.update()
        picture = _Composer(Choice(graph, scene, wanted), wanted).compose()
    if notes is not None:
        notes += picture.notes
    return picture


class _Composer:
    """Holds what the steps of one picture share."""

    def __init__(self, choice: Choice, wanted: Wanted) -> None:
        self.choice, self.wanted = choice, wanted
        self.max_marks = wanted.max_marks
        x, y = choice.scene.columns_of(choice.seen.layout)
        self.x = np.array(choice.scene.nodes.data[x], dtype=np.float64)
        self.y = np.array(choice.scene.nodes.data[y], dtype=np.float64)

    def compose(self) -> Picture:
        """Place everything."""
        choice = self.choice
        width = self.wanted.width
        self._fit(width, self.wanted.height)
        many = len(choice.rows) > self.max_marks
        single = self._path_rows() if many else choice.rows
        if many and choice.seen.hues is not None:
            choice.notes.append("more nodes than marks: cells have no colours by name")
        marks = sorted(
            (self._mark(int(row)) for row in single),
            key=lambda mark: (not mark.faded, mark.on_path, mark.id),
        )
        cells = self._cells() if many else []
        edges, left_out = self._edges(single)
        best = self._mark(choice.scene.row(choice.path[-1])) if choice.path else None
        if best is not None and best.faded:
            best = None
        counts = captions.counts(choice, many, len(single), len(cells), left_out)
        title = captions.title(choice)
        story = captions.story(choice)
        return Picture(
            width=width,
            height=self.height,
            title=title,
            story=story,
            label=". ".join(part for part in (f"Lineage of {title}", story, counts) if part),
            ticks=list(self._ticks()),
            edges=edges,
            marks=marks,
            best=best,
            cells=cells,
            scale=choice.scale,
            key=captions.key(choice, many, edges),
            counts=counts,
            notes=choice.notes,
        )

    def _fit(self, width: int, height: int | None) -> None:
        """Choose the scale of both axes. A narrow picture has more lines above and below."""
        choice = self.choice
        top, bottom = (82.0, 86.0) if width < NARROW else (62.0, 52.0)
        x, y = self.x[choice.rows], self.y[choice.rows]
        span_x = float(np.ptp(x)) if x.size else 0.0
        span_y = float(np.ptp(y)) if y.size else 0.0
        self.step_x = min((width - 2 * SIDE) / max(span_x, 1.0), MAX_STEP_X)
        room = span_y * MAX_STEP_Y + top + bottom
        self.height = height or round(min(max(room, LEAST_HEIGHT), MOST_HEIGHT))
        self.step_y = min((self.height - top - bottom) / max(span_y, 1.0), MAX_STEP_Y)
        if choice.seen.layout == "radial":
            self.step_x = self.step_y = min(self.step_x, self.step_y)
        middle_x = float(x.min() + x.max()) / 2 if x.size else 0.0
        middle_y = float(y.min() + y.max()) / 2 if y.size else 0.0
        self.left = width / 2 - middle_x * self.step_x
        self.up = (top + self.height - bottom) / 2 - middle_y * self.step_y
        self.radius = min(max(0.32 * min(self.step_x, self.step_y), 1.3), 4.6)

    def _at(self, row: int) -> tuple[float, float]:
        return self.left + self.x[row] * self.step_x, self.up + self.y[row] * self.step_y

    def _path_rows(self) -> Rows:
        choice = self.choice
        rows = sorted(choice.on_path.intersection(choice.rows.tolist()))
        return np.array(rows[-self.max_marks :], dtype=np.int64)

    def _mark(self, row: int) -> Mark:
        choice = self.choice
        flags = int(choice.flags[row])
        style = next((style for flag, style in _STYLES if flags & flag), "node")
        x, y = self._at(row)
        value = float(choice.values[row])
        share = choice.scale.share(float(choice.shades[row])) if choice.scale else None
        said = [choice.ids[row]]
        if choice.generation[row] >= 0:
            said.append(f"generation {choice.generation[row]}")
        if not math.isnan(value):
            said.append(f"{choice.metric} {number(value)}")
        if style != "node":
            said.append("not seen" if style == "ghost" else style)
        on_path = row in choice.on_path
        least = min(max(self.step_x / 3, 1.0), 2.2) if on_path else 0.0
        radius = max(self.radius, least) * (1.35 if flags & SEED else 1.0)
        hues = choice.seen.hues
        return Mark(
            choice.ids[row],
            x,
            y,
            radius,
            share,
            style,
            on_path,
            " · ".join(said),
            hue=-1 if hues is None or flags & GHOST else int(hues.of[row]),
            faded=bool(choice.seen.faded[row]),
        )

    def _edges(self, single: Rows) -> tuple[EdgePaths, int]:
        """Return the edges between single marks and how many others there are."""
        choice = self.choice
        data = choice.scene.edges.data
        src, dst = np.array(data["src"]), np.array(data["dst"])
        inside = np.zeros(len(choice.ids), dtype=bool)
        inside[choice.rows] = True
        all_edges = np.nonzero(inside[src] & inside[dst])[0] if src.size else src.astype(np.int64)
        inside[:] = False
        inside[single] = True
        drawn = all_edges[inside[src[all_edges]] & inside[dst[all_edges]]]
        rows = [choice.scene.row(key) for key in choice.path]
        hot = set(pairwise(rows))
        order, flags = np.array(data["order"]), np.array(data["flags"])
        if len(drawn) > MAX_EDGES:  # first parents before further ones
            drawn = drawn[np.argsort(order[drawn], kind="stable")][:MAX_EDGES]
        paths = EdgePaths()
        for edge in np.sort(drawn).tolist():
            a, b = int(src[edge]), int(dst[edge])
            further = order[edge] > 0
            if choice.seen.faded[a] or choice.seen.faded[b]:
                group = paths.faded
            elif (a, b) in hot:
                group = paths.path_dashed if further else paths.path
            elif flags[edge] & 2:
                group = paths.rejected
            else:
                group = paths.dashed if further else paths.plain
            group.append(self._curve(a, b))
        return paths, len(all_edges) - len(drawn)

    def _curve(self, a: int, b: int) -> Curve:
        (x, y), (to_x, to_y) = self._at(a), self._at(b)
        if a == b:
            r = self.radius * 2.4
            return x, y, x - r, y - 2 * r, x + r, y - 2 * r, x, y
        if self.choice.seen.layout == "radial":
            return x, y, *_towards(x, y, to_x, to_y), *_towards(to_x, to_y, x, y), to_x, to_y
        if to_x <= x:  # an edge that closes a cycle, or comes from a parent told late
            bend = min(self.step_x / 2, 40.0)
            return x, y, x + bend, y - bend, to_x - bend, to_y - bend, to_x, to_y
        middle = (x + to_x) / 2
        return x, y, middle, y, middle, to_y, to_x, to_y

    def _cells(self) -> list[Cell]:
        """Return cells as small as the limit lets; they cover what the nodes cover, no more."""
        choice = self.choice
        x, y = self.x[choice.rows], self.y[choice.rows]
        left, up = float(x.min()), float(y.min())
        width = max(float(np.ptp(x)) * self.step_x, 1.0)
        height = max(float(np.ptp(y)) * self.step_y, 1.0)
        limit = max(self.max_marks - len(choice.on_path), 1)
        for size in CELLS:
            across, down = max(round(width / size), 1), max(round(height / size), 1)
            w, h = width / across, height / down
            column = np.minimum((x - left) * self.step_x // w, across - 1)
            line = np.minimum((y - up) * self.step_y // h, down - 1)
            grid = column.astype(np.int64) * down + line.astype(np.int64)
            places, index, counts = np.unique(grid, return_inverse=True, return_counts=True)
            if len(places) <= limit:
                break
        shares = self._best_shares(index, len(places))
        weight = np.log1p(counts) / math.log1p(float(counts.max()))
        x0, y0 = self.left + left * self.step_x, self.up + up * self.step_y
        found = zip(places.tolist(), shares, weight.tolist(), strict=True)
        return [
            Cell(x0 + place // down * w, y0 + place % down * h, w, h, share, 0.35 + 0.65 * dense)
            for place, share, dense in found
        ][: self.max_marks]

    def _best_shares(self, index: Rows, count: int) -> list[float | None]:
        """Return the share of the best node of each of `count` cells; `index` is each node's."""
        choice = self.choice
        scale = choice.scale
        if scale is None:
            return [None] * count
        best = np.full(count, -np.inf)
        values = choice.shades[choice.rows]
        sound = ~np.isnan(values) & ((choice.flags[choice.rows] & INVALID) == 0)
        sign = 1.0 if scale.higher else -1.0
        np.maximum.at(best, index[sound], sign * values[sound])
        return [
            scale.share(value) if math.isfinite(value) else None for value in (sign * best).tolist()
        ]

    def _ticks(self) -> Iterator[tuple[float, str]]:
        """Yield the labels of the layers, at least 60 pixels apart."""
        choice = self.choice
        layout = choice.seen.layout
        if not choice.rows.size or layout in ("radial", "time"):
            return
        x = self.x[choice.rows]
        axis = choice.scene.layouts()[layout]["axis"]
        word = "gen" if axis == "generation" and choice.kind == "individual" else "depth"
        first, last = int(x.min()), int(x.max())
        every = max(1, math.ceil(60 / self.step_x))
        every = next(n for n in _round_numbers() if n >= every)
        for layer in range(first + (-first) % every, last + 1, every):
            yield self.left + layer * self.step_x, f"{word} {layer}"


def _towards(to_x: float, to_y: float, x: float, y: float) -> tuple[float, float]:
    return to_x - (to_x - x) / 3, to_y - (to_y - y) / 3


def _round_numbers() -> Iterator[int]:
    power = 1
    while True:
        yield from (power, 2 * power, 5 * power)
        power *= 10
