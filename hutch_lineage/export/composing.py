"""From a scene to a picture: what is shown, and where."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from hutch_lineage.errors import ExportError, GraphError
from hutch_lineage.graph import Scene
from hutch_lineage.model import clean_text

from .picture import NARROW, Cell, Curve, EdgePaths, Mark, Picture, Scale
from .viewing import Hues, seen
from .wording import counted, dollars, number

if TYPE_CHECKING:
    from hutch_lineage.graph import LineageGraph
    from hutch_lineage.model import NodeKey, NodeKind

SEED, GHOST, INVALID, CYCLE, REJECTED = 1, 2, 4, 8, 16
SIDE = 34.0
MAX_STEP_X, MAX_STEP_Y = 180.0, 30.0
LEAST_HEIGHT, MOST_HEIGHT = 260, 640
MAX_EDGES = 6_000
MOST_NAMES = 10
PLAIN = ("cost", "age", "generation")
CELLS = (5, 6, 8, 10, 12, 14, 16, 18, 20, 24, 28, 34, 40, 60, 100)

Rows = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What a picture is to show, and how large it is to be; see :func:`to_svg` for each."""

    metric: str | None = None
    run: str | None = None
    kind: NodeKind | None = None
    width: int = 1000
    height: int | None = None
    max_marks: int = 2000
    scene: Scene | None = None
    view: Mapping[str, Any] | None = None

    def __post_init__(self) -> None:
        if self.width < 200 or (self.height is not None and self.height < 150):
            raise ExportError("a picture is at least 200 pixels wide and 150 high")
        if self.max_marks < 1:
            raise ExportError("max_marks is at least 1")


def compose(graph: LineageGraph, wanted: Wanted) -> Picture:
    """Work out a picture."""
    with graph.lock:
        scene = Scene(graph) if wanted.scene is None else wanted.scene
        scene.update()
        return _Composer(graph, scene, wanted).compose()


class _Composer:
    """Holds what the steps of one picture share."""

    def __init__(self, graph: LineageGraph, scene: Scene, wanted: Wanted) -> None:
        self.graph, self.scene, self.wanted = graph, scene, wanted
        self.max_marks = wanted.max_marks
        data = scene.nodes.data
        self.ids: list[str] = data["id"]
        self.kinds = np.array(data["kind"], dtype=np.uint8)
        self.flags = np.array(data["flags"], dtype=np.uint16)
        self.generation = np.array(data["generation"], dtype=np.int32)
        view = wanted.view or {}
        self.seen = seen(graph, scene, view)
        self.notes = self.seen.notes
        x, y = scene.columns_of(self.seen.layout)
        self.x = np.array(data[x], dtype=np.float64)
        self.y = np.array(data[y], dtype=np.float64)
        self.kind: NodeKind = wanted.kind or self._kind(view.get("kind"))
        self.run = wanted.run or view.get("run")
        self.rows = self._rows()
        self.metric = wanted.metric or self.seen.metric or self._first_metric()
        self.values = self._values()
        self.path = self._path()
        self.on_path = {scene.row(key) for key in self.path}
        self.scale = self._scale()

    def _kind(self, asked: NodeKind | None) -> NodeKind:
        if self.kinds.size and self.kinds.all() != self.kinds.any():  # both occur
            return asked or "individual"
        return "agent" if self.kinds.size and self.kinds.all() else "individual"

    def _rows(self) -> Rows:
        shown = (self.kinds == (self.kind == "agent")) & self.seen.shown
        if self.run is not None:
            runs = np.array(self.scene.nodes.data["run"], dtype=np.int32)
            names = self.scene.legend.categories["run"]
            shown &= runs == (names.index(self.run) if self.run in names else -2)
        return np.nonzero(shown)[0].astype(np.int64)

    def _first_metric(self) -> str | None:
        """Return the metric that the explorer would begin with; None where no node has a score."""
        data = self.scene.nodes.data
        return next(
            (
                name
                for name in self.scene.legend.first_metrics(self.run)
                if not np.isnan(np.array(data[_column(name)])[self.rows]).all()
            ),
            None,
        )

    def _values(self) -> npt.NDArray[np.float64]:
        column = self.scene.nodes.data.get(_column(self.metric or ""))
        if column is None:
            return np.full(len(self.ids), np.nan)
        return np.array(column, dtype=np.float64)

    def _direction(self, metric: str) -> tuple[bool, bool]:
        """Return whether higher is better, and whether that was declared."""
        try:
            info = self.graph.metric_info(metric, self.run)
        except GraphError:  # runs disagree
            return True, False
        return info.direction == "higher", info.declared

    def _path(self) -> list[NodeKey]:
        if self.metric is None:
            return []
        try:
            path = self.graph.path_to_best(self.metric, self.run, self.kind)
            if path and not self.seen.shown[self.scene.row(path[-1])]:
                return self._path_to_best_shown()
        except GraphError:
            return []
        return path

    def _path_to_best_shown(self) -> list[NodeKey]:
        """Return the path to the best of those that are not left out."""
        never = GHOST | INVALID | REJECTED
        rows = self.rows[(self.flags[self.rows] & never) == 0]
        rows = rows[~np.isnan(self.values[rows])]
        if not rows.size or self.metric is None:
            return []
        higher, _ = self._direction(self.metric)
        values = self.values[rows]
        best = rows[int(np.argmax(values) if higher else np.argmin(values))]
        return self.graph.path_to_seed(self.scene.key(int(best)), self.metric)

    def _scale(self) -> Scale | None:
        """Return the scale of the colours: of the metric, or of what the view colours by."""
        name, self.shades = self.metric, self.values
        if self.seen.hues is not None:
            return None
        if self.seen.numbers is not None:
            name, self.shades = self.seen.numbers
        if name is None:
            return None
        sound = self.rows[(self.flags[self.rows] & INVALID) == 0]
        values = self.shades[sound]
        values = values[~np.isnan(values)]
        if not values.size:
            return None
        if name in PLAIN:
            return Scale(
                name, float(values.min()), float(values.max()), True, True, False, plain=True
            )
        higher, declared = self._direction(name)
        worst, best = (values.min(), values.max()) if higher else (values.max(), values.min())
        # A few very bad values would leave one colour for all the others: the ramp begins no
        # further out than the whisker of a box plot.
        with np.errstate(over="ignore", invalid="ignore"):  # scores at both ends of the floats
            lower, upper = np.quantile(values, (0.25, 0.75))
            fence = lower - 1.5 * (upper - lower) if higher else upper + 1.5 * (upper - lower)
        clipped = bool(upper > lower and (worst < fence if higher else worst > fence))
        low = fence if clipped else worst
        if self.seen.scale != "linear":
            self.notes.append(f"colours are linear, not by {self.seen.scale}")
        return Scale(name, float(low), float(best), higher, declared, clipped)

    def compose(self) -> Picture:
        """Place everything."""
        width = self.wanted.width
        self._fit(width, self.wanted.height)
        many = len(self.rows) > self.max_marks
        single = self._path_rows() if many else self.rows
        if many and self.seen.hues is not None:
            self.notes.append("more nodes than marks: cells have no colours by name")
        marks = sorted(
            (self._mark(int(row)) for row in single),
            key=lambda mark: (not mark.faded, mark.on_path, mark.id),
        )
        cells = self._cells() if many else []
        edges, left_out = self._edges(single)
        best = self._mark(self.scene.row(self.path[-1])) if self.path else None
        if best is not None and best.faded:
            best = None
        counts = self._counts(many, len(single), len(cells), left_out)
        title = self._title()
        story = self._story()
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
            scale=self.scale,
            key=self._key(many, edges),
            counts=counts,
            notes=self.notes,
        )

    def _fit(self, width: int, height: int | None) -> None:
        """Choose the scale of both axes. A narrow picture has more lines above and below."""
        top, bottom = (82.0, 86.0) if width < NARROW else (62.0, 52.0)
        x, y = self.x[self.rows], self.y[self.rows]
        span_x = float(np.ptp(x)) if x.size else 0.0
        span_y = float(np.ptp(y)) if y.size else 0.0
        self.step_x = min((width - 2 * SIDE) / max(span_x, 1.0), MAX_STEP_X)
        room = span_y * MAX_STEP_Y + top + bottom
        self.height = height or round(min(max(room, LEAST_HEIGHT), MOST_HEIGHT))
        self.step_y = min((self.height - top - bottom) / max(span_y, 1.0), MAX_STEP_Y)
        if self.seen.layout == "radial":
            self.step_x = self.step_y = min(self.step_x, self.step_y)
        middle_x = float(x.min() + x.max()) / 2 if x.size else 0.0
        middle_y = float(y.min() + y.max()) / 2 if y.size else 0.0
        self.left = width / 2 - middle_x * self.step_x
        self.up = (top + self.height - bottom) / 2 - middle_y * self.step_y
        self.radius = min(max(0.32 * min(self.step_x, self.step_y), 1.3), 4.6)

    def _at(self, row: int) -> tuple[float, float]:
        return self.left + self.x[row] * self.step_x, self.up + self.y[row] * self.step_y

    def _path_rows(self) -> Rows:
        rows = sorted(self.on_path.intersection(self.rows.tolist()))
        return np.array(rows[-self.max_marks :], dtype=np.int64)

    def _mark(self, row: int) -> Mark:
        flags = int(self.flags[row])
        style = (
            "ghost"
            if flags & GHOST
            else "invalid"
            if flags & INVALID
            else "rejected"
            if flags & REJECTED
            else "seed"
            if flags & SEED
            else "node"
        )
        x, y = self._at(row)
        value = float(self.values[row])
        share = self.scale.share(float(self.shades[row])) if self.scale else None
        said = [self.ids[row]]
        if self.generation[row] >= 0:
            said.append(f"generation {self.generation[row]}")
        if not math.isnan(value):
            said.append(f"{self.metric} {number(value)}")
        if style in ("ghost", "invalid", "rejected", "seed"):
            said.append("not seen" if style == "ghost" else style)
        on_path = row in self.on_path
        least = min(max(self.step_x / 3, 1.0), 2.2) if on_path else 0.0
        radius = max(self.radius, least) * (1.35 if flags & SEED else 1.0)
        hues = self.seen.hues
        return Mark(
            self.ids[row],
            x,
            y,
            radius,
            share,
            style,
            on_path,
            " · ".join(said),
            hue=-1 if hues is None or flags & GHOST else int(hues.of[row]),
            faded=bool(self.seen.faded[row]),
        )

    def _edges(self, single: Rows) -> tuple[EdgePaths, int]:
        """Return the edges between single marks and how many others there are."""
        data = self.scene.edges.data
        src, dst = np.array(data["src"]), np.array(data["dst"])
        inside = np.zeros(len(self.ids), dtype=bool)
        inside[self.rows] = True
        all_edges = np.nonzero(inside[src] & inside[dst])[0] if src.size else src.astype(np.int64)
        inside[:] = False
        inside[single] = True
        drawn = all_edges[inside[src[all_edges]] & inside[dst[all_edges]]]
        rows = [self.scene.row(key) for key in self.path]
        hot = set(pairwise(rows))
        order, flags = np.array(data["order"]), np.array(data["flags"])
        if len(drawn) > MAX_EDGES:  # first parents before further ones
            drawn = drawn[np.argsort(order[drawn], kind="stable")][:MAX_EDGES]
        paths = EdgePaths()
        for edge in np.sort(drawn).tolist():
            a, b = int(src[edge]), int(dst[edge])
            further = order[edge] > 0
            if self.seen.faded[a] or self.seen.faded[b]:
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
        if self.seen.layout == "radial":
            return x, y, *_towards(x, y, to_x, to_y), *_towards(to_x, to_y, x, y), to_x, to_y
        if to_x <= x:  # an edge that closes a cycle, or comes from a parent told late
            bend = min(self.step_x / 2, 40.0)
            return x, y, x + bend, y - bend, to_x - bend, to_y - bend, to_x, to_y
        middle = (x + to_x) / 2
        return x, y, middle, y, middle, to_y, to_x, to_y

    def _cells(self) -> list[Cell]:
        """Return cells as small as the limit lets; they cover what the nodes cover, no more."""
        x, y = self.x[self.rows], self.y[self.rows]
        left, up = float(x.min()), float(y.min())
        width = max(float(np.ptp(x)) * self.step_x, 1.0)
        height = max(float(np.ptp(y)) * self.step_y, 1.0)
        limit = max(self.max_marks - len(self.on_path), 1)
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
        scale = self.scale
        if scale is None:
            return [None] * count
        best = np.full(count, -np.inf)
        values = self.shades[self.rows]
        sound = ~np.isnan(values) & ((self.flags[self.rows] & INVALID) == 0)
        sign = 1.0 if scale.higher else -1.0
        np.maximum.at(best, index[sound], sign * values[sound])
        return [
            scale.share(value) if math.isfinite(value) else None for value in (sign * best).tolist()
        ]

    def _ticks(self) -> Iterator[tuple[float, str]]:
        """Yield the labels of the layers, at least 60 pixels apart."""
        layout = self.seen.layout
        if not self.rows.size or layout in ("radial", "time"):
            return
        x = self.x[self.rows]
        axis = self.scene.layouts()[layout]["axis"]
        word = "gen" if axis == "generation" and self.kind == "individual" else "depth"
        first, last = int(x.min()), int(x.max())
        every = max(1, math.ceil(60 / self.step_x))
        every = next(n for n in _round_numbers() if n >= every)
        for layer in range(first + (-first) % every, last + 1, every):
            yield self.left + layer * self.step_x, f"{word} {layer}"

    def _title(self) -> str:
        runs = self.graph.runs
        shown = (
            [self.run] if self.run else sorted({self.scene.key(int(r)).run_id for r in self.rows})
        )
        names = [(runs[run].name or run) if run in runs else run for run in shown]
        if len(names) > 2:
            return f"{len(names):,} runs"
        return " and ".join(_cut(name, 48) for name in names) or "an empty graph"

    def _story(self) -> str:
        if not self.path or self.metric is None:
            return ""
        best = self.path[-1]
        value = float(self.values[self.scene.row(best)])
        parts = [f"best {_cut(best.id, 40)}", f"{self.metric} {number(value)}"]
        steps = len(self.path) - 1
        if steps:
            parts.append(counted(steps, "step"))
        cost = self.graph.cost(best).cost_usd
        if cost:
            parts.append(f"{dollars(cost)} of lineage")
        return " · ".join(parts)

    def _counts(self, many: bool, single: int, cells: int, edges_left_out: int) -> str:
        total = len(self.rows)
        ghosts = int(np.sum((self.flags[self.rows] & GHOST) > 0))
        inside = np.zeros(len(self.ids), dtype=bool)
        inside[self.rows] = True
        src, dst = (np.array(self.scene.edges.data[name]) for name in ("src", "dst"))
        edges = int(np.sum(inside[src] & inside[dst])) if src.size else 0
        parts = [counted(total - ghosts, self.kind), counted(edges, "edge")]
        if ghosts:
            parts.append(f"{ghosts:,} not seen")
        if many:
            colour = ", each in the colour of its best" if self.scale else ""
            parts.append(f"drawn as {cells:,} cells{colour}")
            parts += [f"single marks: {single:,}, the path to the best"] if single else []
        if edges_left_out:
            parts.append(f"{edges_left_out:,} edges not drawn")
        elif total and not many:
            parts.append("all drawn")
        return " · ".join(parts)

    def _key(self, many: bool, edges: EdgePaths) -> list[tuple[str, str, int]]:
        """Return the marks that need a word, only those that occur."""
        if many:
            return []
        flags = int(np.bitwise_or.reduce(self.flags[self.rows])) if self.rows.size else 0
        words = ["seed"] if flags & SEED else []
        words += ["ghost"] if flags & GHOST else []
        words += ["invalid"] if flags & INVALID else []
        words += ["rejected"] if flags & REJECTED else []
        further = edges.dashed or edges.path_dashed
        words += ["second parent"] if further else []
        marks = [(word, "parent not seen" if word == "ghost" else word, -1) for word in words]
        return [*self._named(), *marks]

    def _named(self) -> list[tuple[str, str, int]]:
        """Return the names that marks are coloured by, those beyond the palette as one."""
        hues = self.seen.hues
        if hues is None:
            return []
        present = np.unique(hues.of[self.rows]).tolist()
        names = [
            ("node", _cut(self._run_name(hues, code), 28), code)
            for code in present
            if 0 <= code < MOST_NAMES
        ]
        more = sum(code >= MOST_NAMES for code in present)
        return names + ([("node", f"{more:,} more", MOST_NAMES)] if more else [])

    def _run_name(self, hues: Hues, code: int) -> str:
        name = hues.names[code]
        run = self.graph.runs.get(name) if hues.category == "run" else None
        return run.name or name if run else name


def _towards(to_x: float, to_y: float, x: float, y: float) -> tuple[float, float]:
    return to_x - (to_x - x) / 3, to_y - (to_y - y) / 3


def _column(metric: str) -> str:
    return f"m:{clean_text(metric)}"


def _round_numbers() -> Iterator[int]:
    power = 1
    while True:
        yield from (power, 2 * power, 5 * power)
        power *= 10


def _cut(text: str, length: int) -> str:
    return text if len(text) <= length else f"{text[: length - 1]}…"
