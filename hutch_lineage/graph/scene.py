"""What is drawn of a graph: columns that grow, and the messages that carry them to a front end.

::

    LineageGraph --changes_since--> Scene (one, shared) --pull--> SceneCursor (one per front end)

A scene numbers nodes, edges and operators in the order in which it met them. Numbers never change,
nor do positions unless somebody asks for new ones, so a front end that holds the rows so far needs
only the new rows and the patches.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import repeat
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary, ref

import numpy as np
import numpy.typing as npt

from hutch_lineage.errors import GraphError
from hutch_lineage.model import NodeKey, clean_text, undisturbed

from .arrangements import Arrangements, columns_of
from .batches import BATCH, Made, Texts, clean_texts, metric_columns, node_columns
from .cursor import Message, SceneCursor
from .detail import detail_of
from .edge_rows import EdgeRows
from .layouts import LAYOUTS, Newcomers
from .legend import Legend
from .loops import Loops
from .migration_rows import MigrationRows
from .operator_rows import OperatorRows
from .placing import is_margin, many_in_order, placing_order
from .rows import GHOST, node_values
from .scene_columns import (
    EDGE_COLUMNS,
    MAKER_COLUMNS,
    MIGRATION_COLUMNS,
    NODE_COLUMNS,
    OPERATOR_COLUMNS,
)
from .table import Table

if TYPE_CHECKING:
    from .lineage import LineageGraph

ARRANGED_FROM = 5_000


class Scene:
    """A columnar, append-only mirror of a graph.

    Parameters
    ----------
    graph : LineageGraph
        The graph to follow. The scene reads it only when it is asked for something.

    Attributes
    ----------
    nodes, edges, operators, migrations, makers : Table
        The columns, as sent; see `NODE_COLUMNS`, `EDGE_COLUMNS`, `OPERATOR_COLUMNS`,
        `MIGRATION_COLUMNS` and `MAKER_COLUMNS`. Nodes also have ``x, y`` and, per further layout
        in use, ``x:<layout>, y:<layout>``; one ``m:<metric>`` column per metric met so far; and
        ``origin``, the source's own time, once a node has that and no birth. NaN means no value.
    legend : Legend
        The texts behind the numbers.

    Notes
    -----
    All public methods take the graph's lock, so they may be called on any thread. What a call costs
    depends on what changed since the last one, not on the size of the graph: about 5 microseconds
    a node where much is new, 30 where little is. A graph of 5,000 nodes and more that is met whole
    is laid out with few crossings (see :meth:`relayout`); what comes later is appended.

    Examples
    --------
    >>> from hutch_lineage.graph import LineageGraph, Scene
    >>> content, buffers = Scene(LineageGraph()).snapshot()
    >>> content["op"], content["reset"], content["tables"]["nodes"]["count"]
    ('graph', True, 0)
    """

    def __init__(self, graph: LineageGraph) -> None:
        self.graph = graph
        self.nodes = Table(NODE_COLUMNS, fixed=("id", "kind", "run"))
        self.edges = Table(EDGE_COLUMNS, fixed=("src", "dst"))
        self.operators = Table(OPERATOR_COLUMNS, fixed=("id", "child"))
        self.migrations = Table(MIGRATION_COLUMNS, fixed=MIGRATION_COLUMNS)
        self.makers = Table(MAKER_COLUMNS, fixed=MAKER_COLUMNS)
        self.legend = Legend(graph)
        self.changes = 0
        self._counts = Counter[tuple[bool, bool]]()
        self._arrangements = Arrangements(self.nodes, self.edges, self.legend)
        self._store = graph._store
        self._loops = Loops(self._store)
        self._version = -1
        self._row_of = array("q")
        self._met = array("q")
        self._edge_rows = EdgeRows(
            self.edges, self.operators, self._store, self._loops, self._row_of
        )
        self._operator_rows = OperatorRows(
            self.operators, self.makers, self._store, self.legend, self._row_of
        )
        self._migration_rows = MigrationRows(
            self.migrations, self._store, self.legend, self._row_of
        )
        self._own = SceneCursor(self)

    @classmethod
    def of(cls, graph: LineageGraph) -> Scene:
        """Return the scene that all front ends of a graph share; it lives as long as one uses it.

        Examples
        --------
        >>> from hutch_lineage.graph import LineageGraph
        >>> graph = LineageGraph()
        >>> scene = Scene.of(graph)
        >>> Scene.of(graph) is scene
        True
        """
        with graph.lock:
            held = _scenes.get(graph)
            scene = None if held is None else held()
            if scene is None:
                scene = cls(graph)
                _scenes[graph] = ref(scene)
            return scene

    def __len__(self) -> int:
        return self.nodes.count

    def row(self, key: NodeKey) -> int:
        """Return the row of a node; -1 if the scene has not met it yet."""
        with self.graph.lock:
            self.update()
            row = self._store.rows.get(key)
            return -1 if row is None else self._row_of[row]

    def key(self, row: int) -> NodeKey:
        """Return the node of a row.

        Raises
        ------
        IndexError
            There is no such row.
        """
        if row < 0:
            raise IndexError(row)
        return self._store.keys[self._met[row]]

    def cursor(self) -> SceneCursor:
        """Return a new reader of this scene; its first pull is a whole snapshot."""
        return SceneCursor(self)

    def snapshot(self) -> Message:
        """Return everything as one ``reset`` message; :meth:`delta` goes on from there."""
        self._own = SceneCursor(self)
        return self._own.first()

    def delta(self) -> Message | None:
        """Return what changed since the last :meth:`snapshot` or `delta`; None if nothing did."""
        return self._own.pull()

    def detail(self, row: int, events: Sequence[Mapping[str, Any]] = ()) -> dict[str, Any]:
        """Return what the panels show of one node and the columns do not hold.

        Parameters
        ----------
        row : int
            Which node.
        events : sequence of dict
            The OpenLineage events that name it.

        Returns
        -------
        dict
            ``genome, genome_lang, genome_uri, diff, invalid_reason, metadata, islands,
            migrations, operators, events`` (the first 20), ``events_total`` and, for an agent or
            its work, ``agents``. JSON-ready where the events are; texts are as logged, so a front
            end must not read them as HTML.
        """
        with self.graph.lock:
            self.key(row)
            return detail_of(self._store, self._met[row], events)

    def update(self) -> bool:
        """Take over what changed in the graph; return whether anything did."""
        with self.graph.lock:
            store = self._store
            if self._version == store.version:
                return False
            with undisturbed():
                self._take_over()
            return True

    def _take_over(self) -> None:
        """Take over what changed. Not to be left halfway: the tables would no longer agree."""
        store = self._store
        since, self._version = self._version, store.version
        for row in store.run_log.since(since):
            self.legend.code("run", store.run_ids[row])
        start = len(self._row_of)
        fresh = len(store.keys) - start
        self._row_of.extend(repeat(-1, fresh))
        self._edge_rows.add_nodes(fresh)
        whole = fresh if start == 0 and fresh >= ARRANGED_FROM else 0
        operators = store.operator_log.since(since)
        made = Made(store, self.operators.count) if max(fresh, len(operators)) >= BATCH else None
        if made is not None and fresh >= BATCH:
            self._place_many(many_in_order(store, start), made, in_layouts=not whole)
        else:
            for row in placing_order(store, start):
                self._place(row)
        self._operator_rows.put(operators, made)
        noted = store.node_log.since(since)
        self._migration_rows.put(noted)
        touched = {row for row in noted if row < start}
        children = {store.operator_child[row] for row in operators}
        self._operator_rows.put_makers(sorted(children))
        linked = children.union(store.edge_log.since(since))
        looped = self._edge_rows.close_loops(sorted(linked), start)
        for row in sorted(touched.union(row for row in children if row < start).union(looped)):
            self._patch(row)
        self._edge_rows.put(sorted(linked.union(looped)))
        if whole:
            self._arrangements.arrange_all()
        self.legend.note(len(touched) + fresh)
        self._arrangements.note()
        self.changes += 1

    @property
    def is_settled(self) -> bool:
        """Whether notes and axes say everything: beside a growing graph they may be late."""
        return self.legend.is_settled and self._arrangements.is_settled

    def settle(self) -> None:
        """Make notes and axes anew where they are late, as for a graph that has come to rest."""
        with self.graph.lock:
            if not self.is_settled:
                if not self.legend.is_settled:
                    self.legend.settle()
                self._arrangements.settle()
                self.changes += 1

    def _place_many(self, rows: Sequence[int], made: Made, *, in_layouts: bool) -> None:
        """Give new nodes their rows and, if not all are to be arranged, their positions."""
        store, row_of, first = self._store, self._row_of, self.nodes.count
        keys = [store.keys[row] for row in rows]
        columns = node_columns(store, self.legend, self._loops, rows, made)
        metrics = metric_columns(store, self.legend, rows)
        for name in (columns.keys() | metrics.keys()) - self.nodes.types.keys():
            self.nodes.add_column(name)
        columns["id"] = clean_texts([node_id for _, _, node_id in keys])
        columns["kind"] = np.array([kind == "agent" for kind, _, _ in keys], dtype=np.uint8)
        columns["run"] = Texts([run_id for _, run_id, _ in keys]).codes(self.legend, "run")
        self._met.extend(rows)
        places = np.arange(first, first + len(keys))
        np.frombuffer(row_of, dtype=np.int64)[np.array(rows, dtype=np.int64)] = places
        self.nodes.extend({**columns, **metrics}, len(keys))
        self._count(columns["kind"] > 0, columns["flags"] & GHOST > 0)
        if in_layouts:
            parents = [tuple([row_of[parent] for parent in store.parents[row]]) for row in rows]
            ghosts = (
                {}
                if isinstance(rows, range)  # there are none
                else {row_of[r]: child for r in rows if (child := self._ghost_of(r)) >= 0}
            )
            new = Newcomers(
                columns["kind"].tolist(),
                columns["run"].tolist(),
                columns["generation"].tolist(),
                columns["time"].tolist(),
                columns["island"].tolist(),
                parents,
                ghosts,
            )
            self._arrangements.extend(new)

    def _place(self, row: int) -> None:
        """Give a new node its row and its positions."""
        store, row_of = self._store, self._row_of
        key = store.keys[row]
        ghost_of = self._ghost_of(row)
        values = self._node_values(row)
        values["id"] = clean_text(key.id)
        values["kind"] = int(key.kind == "agent")
        values["run"] = self.legend.code("run", key.run_id)
        place = row_of[row] = self.nodes.append(values)
        self._counts[key.kind == "agent", bool(values["flags"] & GHOST)] += 1
        self._met.append(row)
        parents = [row_of[parent] for parent in store.parents[row]]
        new = Newcomers(
            (values["kind"],),
            (values["run"],),
            (values["generation"],),
            (values["time"],),
            (values["island"],),
            ([parent for parent in parents if parent >= 0],),
            {place: ghost_of} if ghost_of >= 0 else {},
        )
        self._arrangements.extend(new)

    def _ghost_of(self, row: int) -> int:
        """Return the first child, by scene row, of a parent that was never seen; else -1."""
        if not is_margin(self._store, row):
            return -1
        children = (self._row_of[child] for child in self._store.children[row])
        return min((child for child in children if child >= 0), default=-1)

    def _node_values(self, row: int) -> dict[str, Any]:
        values = node_values(self._store, self.legend, self._loops, row)
        for name in values.keys() - self.nodes.types.keys():
            self.nodes.add_column(name)
        return values

    def _patch(self, row: int) -> None:
        at, values = self._row_of[row], self._node_values(row)
        kind, ghost = bool(self.nodes.data["kind"][at]), bool(self.nodes.data["flags"][at] & GHOST)
        self._counts[kind, ghost] -= 1
        self._counts[kind, bool(values["flags"] & GHOST)] += 1
        self.nodes.patch(at, values)

    def _count(self, agents: npt.NDArray[np.bool_], ghosts: npt.NDArray[np.bool_]) -> None:
        for agent in (False, True):
            for ghost in (False, True):
                self._counts[agent, ghost] += int(np.sum((agents == agent) & (ghosts == ghost)))

    # --- layouts ------------------------------------------------------------------------------

    def arrange(self, layout: str) -> None:
        """Compute a layout when it is first asked for; from then on it grows with the graph.

        Parameters
        ----------
        layout : str
            ``generations`` (always there), ``layered``, ``time``, ``tree``, ``radial`` or
            ``islands``; see :mod:`hutch_lineage.graph.layouts`.

        Raises
        ------
        GraphError
            There is no such layout.
        """
        with self.graph.lock:
            if layout not in LAYOUTS:
                raise GraphError(f"no layout {layout!r}: one of {', '.join(LAYOUTS)}")
            if layout not in self._arrangements:
                self.update()
                with undisturbed():
                    self._arrangements.use(layout)
                    self.relayout(layout)

    def relayout(self, layout: str) -> None:
        """Compute all positions of a layout anew, tidily; every front end gets them.

        Takes up to 3 microseconds a node, some 0.3 s for 100,000. ``generations`` gets the order of
        ``layered``.
        """
        with self.graph.lock:
            self.arrange(layout)
            self.update()
            with undisturbed():
                self._arrangements.arrange(layout)
                self.changes += 1

    def arrangements(self) -> dict[str, int]:
        """Return for each layout how often all its positions were made anew."""
        return self._arrangements.counts

    def columns_of(self, layout: str) -> tuple[str, str]:
        """Return the node columns that hold the positions of a layout."""
        return columns_of(layout)

    def layouts(self) -> dict[str, dict[str, Any]]:
        """Return what a front end has to know of the axes of the layouts in use.

        Returns
        -------
        dict
            By name: ``axis`` (``generation``, ``depth``, ``time`` or ``none``); for ``time`` also
            ``t0`` and ``unit_s`` (layer x begins at ``t0 + x * unit_s`` in Unix seconds) and
            ``clipped`` (nodes far outside, drawn at the limit); for ``islands`` ``lanes`` (``name,
            kind, run, island, y0, y1``); for ``radial`` ``rings`` and ``ring`` (the distance of two
            rings).
        """
        return self._arrangements.describe()

    def table(self, name: str) -> Table:
        """Return ``nodes``, ``edges``, ``operators``, ``migrations`` or ``makers``."""
        table: Table = getattr(self, name)
        return table

    def context(self) -> dict[str, Any]:
        """Return what a message says beside the rows.

        Returns
        -------
        dict
            ``categories, metrics, runs, summary, layouts``.
        """
        counts = self._counts
        told = self.legend.describe(
            individuals=counts[False, False],
            agents=counts[True, False],
            edges=self.edges.count,
            ghosts=counts[False, True] + counts[True, True],
        )
        return {**told, "layouts": self.layouts()}


_scenes: WeakKeyDictionary[LineageGraph, ref[Scene]] = WeakKeyDictionary()
