"""What the state of an explorer's view means for a static picture, and what it cannot show."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from hutch_lineage.errors import GraphError
from hutch_lineage.graph import LAYOUTS, Scene

if TYPE_CHECKING:
    from hutch_lineage.graph import LineageGraph
    from hutch_lineage.model import NodeKey

Mask = npt.NDArray[np.bool_]
Numbers = npt.NDArray[np.float64]

GHOST, INVALID = 2, 4
METRIC: Final = "metric:"
COLUMNS: Final = {
    "operator": "op",
    "model": "model",
    "island": "island",
    "agent": "agent",
    "run": "run",
}
"""What is coloured and hidden by name -> the column of the nodes."""

_NOT_DRAWN: Final = {
    "query": "what was searched is not marked",
    "size": "all marks have one size",
    "edges": "edges have one colour",
    "collapsed": "what is folded is drawn",
    "chains": "chains are drawn in full",
    "dead_ends": "dead ends are drawn",
    "compare": "the second of a comparison is not marked",
}


@dataclass(slots=True)
class Hues:
    """Colours by name: the category, its names, and the number of each row's name (-1 for none)."""

    category: str
    names: list[str]
    of: npt.NDArray[np.int64]


@dataclass(slots=True)
class Seen:
    """What a view shows.

    Attributes
    ----------
    layout : str
        Where the marks stand.
    shown, faded : array of bool
        By row: whether it is drawn at all, and whether a focus leaves it pale.
    metric : str or None
        Which says who is the best; None is for the picture to choose.
    numbers : (str, array of float) or None
        What colours, where that is no metric: what it is called, and each row's value.
    hues : Hues or None
        What colours, where those are names.
    scale : str
        ``linear``, ``log`` or ``rank``.
    notes : list of str
        What of the view is not in the picture.
    """

    layout: str
    shown: Mask
    faded: Mask
    metric: str | None = None
    numbers: tuple[str, Numbers] | None = None
    hues: Hues | None = None
    scale: str = "linear"
    notes: list[str] = field(default_factory=list)


def seen(graph: LineageGraph, scene: Scene, view: Mapping[str, Any]) -> Seen:
    """Return what a view shows; `view` is that of an explorer's ``state``, with rows for nodes."""
    layout = view.get("layout") or "generations"
    if layout not in LAYOUTS:
        layout = "generations"
    scene.arrange(layout)
    count = len(scene)
    made = Seen(layout, np.ones(count, dtype=bool), np.zeros(count, dtype=bool))
    made.scale = view.get("scale") or "linear"
    made.notes += [_AXES[layout]] if layout in _AXES else []
    made.notes += [said for name, said in _NOT_DRAWN.items() if view.get(name) not in (None, *_OFF)]
    _colours(made, scene, view)
    _filters(made, scene, view)
    focus = view.get("focus")
    if isinstance(focus, Mapping):
        _focus(made, graph, scene, focus)
    return made


_AXES: Final = {
    "islands": "lanes have no names",
    "time": "there is no axis of time",
}
_OFF: Final[tuple[Any, ...]] = ("", [], False, -1)


def _colours(made: Seen, scene: Scene, view: Mapping[str, Any]) -> None:
    colour = str(view.get("colour") or "")
    best = str(view.get("best") or "")
    if colour in COLUMNS:
        codes = np.array(scene.nodes.data[COLUMNS[colour]], dtype=np.int64)
        made.hues = Hues(colour, list(scene.legend.categories[colour]), codes)
    elif colour in ("cost", "age", "generation"):
        made.numbers = colour, _numbers(scene, colour)
    elif colour and best and colour != best:
        made.numbers = colour.removeprefix(METRIC), _numbers(scene, colour)
    wanted = best or (colour if colour not in COLUMNS and made.numbers is None else "")
    made.metric = wanted.removeprefix(METRIC) or None


def _filters(made: Seen, scene: Scene, view: Mapping[str, Any]) -> None:
    for category, names in (view.get("hidden") or {}).items():
        if category in COLUMNS:
            known = scene.legend.categories[category]
            codes = [place for place, name in enumerate(known) if name in set(names)]
            made.shown &= ~np.isin(np.array(scene.nodes.data[COLUMNS[category]]), codes)
    for name, given in (view.get("ranges") or {}).items():
        values = _numbers(scene, name)
        low, high = given.get("low"), given.get("high")
        with np.errstate(invalid="ignore"):
            inside = (values >= (-np.inf if low is None else low)) & (
                values <= (np.inf if high is None else high)
            )
        made.shown &= inside | (np.isnan(values) & bool(given.get("missing")))


def _numbers(scene: Scene, name: str) -> Numbers:
    """Return the numbers of all rows, NaN where one has none."""
    data = scene.nodes.data
    flags = np.array(data["flags"], dtype=np.uint16)
    never = (flags & (GHOST | (INVALID if name.startswith(METRIC) else 0))) > 0
    if name == "age":
        times = np.array(data["time"], dtype=np.float64)
        known = times > 0
        first = times[known].min() if known.any() else 0.0
        values = np.where(known, times - first, np.nan)
        if not known.any():
            values = np.arange(len(times), dtype=np.float64)
    else:
        column = name if name in ("cost", "generation") else f"m:{name.removeprefix(METRIC)}"
        given = data[column] if column in data else np.full(len(flags), np.nan)
        values = np.array(given, dtype=np.float64)
        if name == "generation":
            values = np.where(values < 0, np.nan, values)
    return np.where(never, np.nan, values)


def _focus(made: Seen, graph: LineageGraph, scene: Scene, focus: Mapping[str, Any]) -> None:
    mode, row, other = focus.get("mode"), focus.get("row", -1), focus.get("other", -1)
    if mode == "improvements":
        made.notes.append("steps that are no improvements are drawn")
        return
    if not 0 <= row < len(scene):
        return
    key = scene.key(row)
    keys = _focused(graph, key, str(mode), focus.get("steps", 1), metric=made.metric)
    if mode == "between" and 0 <= other < len(scene):
        keys = _between(graph, key, scene.key(other))
    if keys is None:
        return
    made.faded[:] = True
    made.faded[[scene.row(each) for each in keys]] = False


def _focused(
    graph: LineageGraph, key: NodeKey, mode: str, steps: int, metric: str | None
) -> set[NodeKey] | None:
    keys = {key}
    if mode in ("ancestors", "both"):
        keys.update(graph.ancestors(key))
    if mode in ("descendants", "both"):
        keys.update(graph.descendants(key))
    if mode == "path":
        try:
            keys.update(graph.path_to_seed(key, metric))
        except GraphError:
            keys.update(graph.path_to_seed(key))
    if mode == "steps":
        ring = {key}
        for _ in range(steps):
            ring = {
                near for at in ring for near in (*graph.parents(at), *graph.children(at))
            } - keys
            if not ring:
                break
            keys |= ring
    return keys if mode in ("ancestors", "descendants", "both", "path", "steps") else None


def _between(graph: LineageGraph, a: NodeKey, b: NodeKey) -> set[NodeKey]:
    """Return all on the ways between two, or from their most recent common ancestors to both."""
    up = [{key, *graph.ancestors(key)} for key in (a, b)]
    keys = {a, b}
    if b in up[0] or a in up[1]:
        for top, above in ((a, up[1]), (b, up[0])):
            if top in above:
                keys |= {top, *graph.descendants(top)} & above
        return keys
    common = up[0] & up[1]
    recent = [
        key for key in common if not any(c != key and c in common for c in graph.children(key))
    ]
    for top in recent or common:
        keys |= {top, *graph.descendants(top)} & (up[0] | up[1])
    return keys
