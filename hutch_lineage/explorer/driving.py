"""How a notebook drives a view: arrange, colour, focus, filter, fold, compare.

Each explorer is driven on its own: several of one session share its graph, and each shows it in its
own way.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from hutch_lineage.errors import ConfigurationError
from hutch_lineage.model import NodeKey

from .view_state import (
    EDGES,
    FOCUS_MODES,
    HIDEABLE,
    LAYOUTS,
    MAX_STEPS,
    NUMBERS,
    SCALES,
    SIZES,
    FocusMode,
    Layout,
    Scale,
    colour_key,
    first_view,
)

if TYPE_CHECKING:
    from hutch_lineage.graph import LineageGraph, Scene

Node = NodeKey | str
KEPT: Any = object()


class Driving:
    """The methods of an explorer that change what its view shows. Each acts at once.

    What they are given is checked: a word that is no choice, a run that is not there or an end that
    is missing raises :class:`ConfigurationError` and changes nothing; a node that is not in the
    graph, or whose id several nodes share, raises :class:`UnknownNodeError` or
    :class:`AmbiguousNodeError`.
    """

    if TYPE_CHECKING:
        view: Any
        selected: Any
        group: Any
        _scene: Scene

        @property
        def graph(self) -> LineageGraph:
            """The graph that is shown."""

        def _row_of(self, node: Node) -> int: ...
        def _rows_of(self, nodes: Iterable[Node]) -> list[int]: ...
        def _on_message(self, widget: Any, content: Any, buffers: Any) -> None: ...

    # --- how the picture is drawn ----------------------------------------------------------

    def arrange(self, layout: Layout, *, tidy: bool = False) -> None:
        """Lay the individuals out.

        Parameters
        ----------
        layout : {"generations", "layered", "time", "tree", "radial", "islands"}
            ``generations`` is there at once and never moves what it has placed; the others come
            when the kernel has made them.
        tidy : bool
            Lay out anew from all that has come; old places change.

        Raises
        ------
        ConfigurationError
            There is no such layout.

        Examples
        --------
        >>> import hutch_lineage as hl
        >>> explorer = hl.explore()
        >>> explorer.arrange("tree")
        >>> explorer.state["view"]["layout"]
        'tree'
        """
        self._set_view(layout=_one_of("layout", layout, LAYOUTS))
        if tidy:
            self._on_message(None, {"op": "relayout", "layout": layout}, [])

    def colour_by(self, by: str, *, scale: Scale | None = None) -> None:
        """Colour by a metric, a name or a number.

        Parameters
        ----------
        by : str
            A metric's name, or one of ``operator, model, island, agent, run, cost, age,
            generation``.
        scale : {"linear", "log", "rank"}, optional
            How numbers become colours; None leaves it as it is.

        Raises
        ------
        ConfigurationError
            There is no such metric, name, number or scale; the message lists those that there are.

        Examples
        --------
        >>> import hutch_lineage as hl
        >>> hl.explore().colour_by("cost", scale="log")
        """
        change: dict[str, Any] = {"colour": colour_key(by, self.graph.metrics())}
        if scale is not None:
            change["scale"] = _one_of("scale", scale, SCALES)
        self._set_view(**change)

    def rank_by(self, metric: str | None) -> None:
        """Choose the metric that says who is the best, whatever the colours show.

        The path to the best, its strip, and all gains and charts follow it.

        Parameters
        ----------
        metric : str or None
            A metric's name; None follows the metric of the colours, else that of the run.

        Raises
        ------
        ConfigurationError
            There is no such metric; the message lists those that there are.

        Examples
        --------
        >>> import hutch_lineage as hl
        >>> with hl.run("ranked") as run:
        ...     a = run.log_individual(kind="program", individual_id="a")
        ...     fitness = run.log_fitness(individual=a, scores={"score": 1.0, "seconds": 2.0})
        >>> explorer = hl.explore()
        >>> explorer.rank_by("score")
        >>> explorer.colour_by("seconds")
        >>> explorer.state["view"]["best"]
        'score'
        """
        metrics = self.graph.metrics()
        if metric is not None and metric not in metrics:
            known = ", ".join(metrics) or "none yet"
            raise ConfigurationError(f"cannot rank by {metric!r}: metrics are {known}", "best")
        self._set_view(best=metric or "")

    def size_by(self, by: str | None) -> None:
        """Size individuals by ``"cost"``, ``"tokens"`` or ``"descendants"``; None: all the same.

        Areas are in proportion to the values, within bounds that the foot of the view says.
        """
        self._set_view(size=_one_of("size", by or "", SIZES))

    def edges_by(self, by: str | None) -> None:
        """Style edges by ``"operator"``; None: by the number of the parent alone."""
        self._set_view(edges=_one_of("edges", by or "", EDGES))

    def show(self, *, run: str | None = KEPT, kind: str = KEPT) -> None:
        """Show one run or all (None), and ``"individual"`` or ``"agent"`` nodes."""
        change: dict[str, Any] = {}
        if run is not KEPT:
            if run is not None and run not in self.graph.runs:
                known = ", ".join(self.graph.runs) or "none yet"
                raise ConfigurationError(f"no run {run!r}: {known}", "run")
            change["run"] = run
        if kind is not KEPT:
            change["kind"] = _one_of("kind", kind, ("individual", "agent"))
        self._set_view(**change)

    def search(self, text: str) -> None:
        """Mark the nodes whose id, operator, model or island holds `text`."""
        self._set_view(query=text)

    # --- what is narrowed ------------------------------------------------------------------

    def focus(
        self,
        node: Node | None = None,
        mode: FocusMode = "ancestors",
        *,
        other: Node | None = None,
        steps: int = 1,
    ) -> None:
        """Fade all but the relatives of `node`; without a node the focus ends.

        Parameters
        ----------
        node : NodeKey, str or None
            Whose relatives stay.
        mode : str
            ``ancestors``, ``descendants``, ``both``; ``path``: the one line from a seed to the
            node; ``steps``: at most `steps` edges away; ``between``: all that lies between the node
            and `other`, over their most recent common ancestors where neither descends from the
            other; ``improvements``, without a node: only individuals better than all their parents
            and those that were the best when they came.
        other : NodeKey or str, optional
            The other end of ``between``.
        steps : int
            How far ``steps`` reaches, 1 to 1,000 edges.

        Raises
        ------
        ConfigurationError
            There is no such mode, `steps` is out of range, or ``between`` has no `other`.
        UnknownNodeError, AmbiguousNodeError
            The id names no node, or several.

        Examples
        --------
        >>> import hutch_lineage as hl
        >>> explorer = hl.explore()
        >>> explorer.focus(mode="improvements")
        >>> explorer.state["focus"]["mode"]
        'improvements'
        """
        _one_of("focus", mode, FOCUS_MODES)
        focus: dict[str, Any] | None = None
        if mode == "improvements":
            focus = {"mode": mode, "row": -1 if node is None else self._row_of(node)}
        elif node is not None:
            focus = {"mode": mode, "row": self._row_of(node)}
            if mode == "steps":
                if not 1 <= steps <= MAX_STEPS:
                    raise ConfigurationError(f"steps is {steps}: 1 to {MAX_STEPS}", "steps")
                focus["steps"] = int(steps)  # numpy's numbers are none to a browser
            if mode == "between":
                if other is None:
                    raise ConfigurationError("between needs other=, the other end", "other")
                focus["other"] = self._row_of(other)
        self._set_view(focus=focus)

    def hide(self, **names: str | Iterable[str]) -> None:
        """Leave out individuals by name, ``hide(operator=["mutate"], island="2")``.

        The categories are ``operator, model, island, agent, run``. What is hidden already stays so;
        the foot of the view counts it. :meth:`unhide` brings it back.

        Raises
        ------
        ConfigurationError
            There is no such category. A name that nothing has yet is no mistake.

        Examples
        --------
        >>> import hutch_lineage as hl
        >>> explorer = hl.explore()
        >>> explorer.hide(operator=["mutate"], island="2")
        >>> explorer.state["view"]["hidden"]
        {'operator': ['mutate'], 'island': ['2']}
        """
        hidden = dict(self.view["hidden"])
        for category, given in _categories(names).items():
            hidden[category] = sorted({*hidden.get(category, ()), *given})
        self._set_view(hidden=hidden)

    def show_only(self, **names: str | Iterable[str]) -> None:
        """Leave out every name of a category but these: ``show_only(operator="crossover")``."""
        hidden = dict(self.view["hidden"])
        self._scene.update()
        for category, given in _categories(names).items():
            known = self._scene.legend.categories.get(category, [])
            hidden[category] = sorted(set(known) - given)
        self._set_view(hidden=hidden)

    def show_range(
        self,
        by: str,
        *,
        low: float | None = None,
        high: float | None = None,
        missing: bool = False,
    ) -> None:
        """Leave out individuals whose metric, cost, age or generation is below or above a bound.

        Ranges of several numbers hold together; one without bounds ends.

        Parameters
        ----------
        by : str
            A metric's name, or ``cost, age, generation``: US dollars; seconds since the first, or
            where no times are known the order of arrival; a count.
        low, high : float, optional
            The bounds, which are shown themselves; None is no bound.
        missing : bool
            Whether individuals without the number stay, too. As in the colours, invalid ones have
            no value of a metric.

        Raises
        ------
        ConfigurationError
            There is no such metric or number, or the bounds leave nothing between them.

        Examples
        --------
        >>> import hutch_lineage as hl
        >>> explorer = hl.explore()
        >>> explorer.show_range("cost", high=0.1)
        >>> explorer.state["view"]["ranges"]
        {'cost': {'low': None, 'high': 0.1, 'missing': False}}
        >>> explorer.show_range("cost")
        >>> explorer.state["view"]["ranges"]
        {}
        """
        name = colour_key(by, self.graph.metrics())
        if not name.startswith("metric:") and name not in NUMBERS:
            raise ConfigurationError(f"{by} has names, not numbers: hide() leaves them out", "by")
        low, high = _bound(low, "low"), _bound(high, "high")
        if low is not None and high is not None and low > high:
            raise ConfigurationError(f"nothing lies between {low} and {high}", "low")
        ranges = {each: held for each, held in self.view["ranges"].items() if each != name}
        if low is not None or high is not None:
            ranges[name] = {"low": low, "high": high, "missing": bool(missing)}
        self._set_view(ranges=ranges)

    def unhide(self, *categories: str) -> None:
        """Bring back the hidden names of these categories, or all names and all ranges.

        Raises
        ------
        ConfigurationError
            There is no such category. A range of one number ends with :meth:`show_range`.
        """
        gone = {_one_of("category", category, HIDEABLE) for category in categories or HIDEABLE}
        left = {name: hidden for name, hidden in self.view["hidden"].items() if name not in gone}
        self._set_view(hidden=left, ranges=self.view["ranges"] if categories else {})

    def collapse(self, *nodes: Node) -> None:
        """Fold the subtree of each node into it.

        An individual is folded when every way to it leads through a collapsed one; a child that
        also has a parent elsewhere stays.

        Raises
        ------
        UnknownNodeError, AmbiguousNodeError
            The id names no node, or several.
        """
        rows = {*self.view["collapsed"], *self._rows_of(nodes)}
        self._set_view(collapsed=sorted(rows))

    def expand(self, *nodes: Node) -> None:
        """Unfold these nodes, or all."""
        gone = set(self._rows_of(nodes)) if nodes else set(self.view["collapsed"])
        self._set_view(collapsed=[row for row in self.view["collapsed"] if row not in gone])

    def fold_chains(self, on: bool = True) -> None:
        """Fold individuals in a row that have one parent and one child each into one line."""
        self._set_view(chains=bool(on))

    def hide_dead_ends(self, on: bool = True) -> None:
        """Leave out individuals that lead nowhere.

        Those stay that have, or are, an individual on the way to the best, of the last generation,
        or not evaluated yet.
        """
        self._set_view(dead_ends=bool(on))

    def compare(self, a: Node | None, b: Node | None = None) -> None:
        """Open the comparison of two nodes: `a` is selected, `b` the other; None ends it.

        Raises
        ------
        UnknownNodeError, AmbiguousNodeError
            The id names no node, or several.
        """
        if a is None:
            self._set_view(compare=-1)
            return
        other = -1 if b is None else self._row_of(b)
        self.selected = a
        self._set_view(compare=other, tab="compare")

    def reset_view(self) -> None:
        """Show everything as at first; the open panel, the run and the kind of nodes stay."""
        kept = {name: self.view[name] for name in ("run", "kind", "tab")}
        self.group = []
        self._set_view(**{**first_view(), **kept})

    def _set_view(self, **change: Any) -> None:
        self.view = {**self.view, **change}


def _one_of(what: str, value: str, choices: tuple[str, ...]) -> str:
    if value not in choices:
        names = ", ".join(choice or "None" for choice in choices)
        raise ConfigurationError(f"no {what} {value!r}: one of {names}", what)
    return value


def _bound(value: Any, name: str) -> float | None:
    """Return a bound as a float, whatever kind of number it is; numpy's are none to a browser."""
    try:
        if value is None or math.isfinite(value):
            return None if value is None else float(value)
    except (TypeError, OverflowError):
        pass
    raise ConfigurationError(f"{name} is {value!r:.60}: a finite number, or None", name)


def _categories(names: Mapping[str, str | Iterable[str]]) -> dict[str, set[str]]:
    for category in names:
        _one_of("category", category, HIDEABLE)
    return {
        category: {given} if isinstance(given, str) else set(map(str, given))
        for category, given in names.items()
    }
