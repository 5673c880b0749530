"""What of a graph a picture shows: which nodes, by which metric, which path, in which colours."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from hutch_lineage.errors import ExportError, GraphError
from hutch_lineage.graph import Scene
from hutch_lineage.model import clean_text

from .picture import Scale
from .viewing import seen

if TYPE_CHECKING:
    from hutch_lineage.graph import LineageGraph
    from hutch_lineage.model import NodeKey, NodeKind

SEED, GHOST, INVALID, CYCLE, REJECTED = 1, 2, 4, 8, 16
PLAIN = ("cost", "age", "generation")

Rows = npt.NDArray[np.int64]
Numbers = npt.NDArray[np.float64]


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


class Choice:
    """What is shown, by rows of the scene; the graph's lock is held while it is made.

    Attributes
    ----------
    rows : array of int64
        The nodes of the picture.
    kinds, flags, generation, values, shades : arrays
        By row, also of nodes that are not shown: 1 for agents, the flags, the generation (-1 for
        none), the score on `metric`, and the number that colours (NaN for none).
    path : list of NodeKey
        From a seed to the best; empty where it is open which that is.
    scale : Scale or None
        From numbers to colours; None where names colour, or nothing does.
    notes : list of str
        What of the view is not in the picture; whoever draws adds to it.
    """

    def __init__(self, graph: LineageGraph, scene: Scene, wanted: Wanted) -> None:
        self.graph, self.scene = graph, scene
        data = scene.nodes.data
        self.ids: list[str] = data["id"]
        self.kinds = np.array(data["kind"], dtype=np.uint8)
        self.flags = np.array(data["flags"], dtype=np.uint16)
        self.generation = np.array(data["generation"], dtype=np.int32)
        view = wanted.view or {}
        self.seen = seen(graph, scene, view)
        self.notes = self.seen.notes
        self.kind: NodeKind = wanted.kind or self._kind(view.get("kind"))
        self.run: str | None = wanted.run or view.get("run")
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

    def _values(self) -> Numbers:
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


def _column(metric: str) -> str:
    return f"m:{clean_text(metric)}"
