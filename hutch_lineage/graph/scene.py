"""What is drawn of a graph: columns that grow, and the messages that carry them to a front end.

::

    LineageGraph --changes_since--> Scene (one, shared) --pull--> SceneCursor (one per front end)

A scene numbers nodes, edges and operators in the order in which it met them. Numbers and positions
never change, so a front end that holds the rows so far needs only the new rows and the patches.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import repeat
from typing import TYPE_CHECKING, Any

import numpy as np

from hutch_lineage.model import NodeKey, clean_text

from .cursor import Message, SceneCursor
from .detail import detail_of
from .layout import AppendLayout, Placement
from .ledger import unpack_stamp
from .legend import Legend
from .loops import Loops
from .table import NAN, Table
from .views import (
    invalid_reason,
    made_by,
    made_by_agent,
    makers_from,
    number,
    operating_agent,
    total,
)

if TYPE_CHECKING:
    from .lineage import LineageGraph

SEED, GHOST, INVALID, CYCLE, REJECTED = 1, 2, 4, 8, 16
EDGE_CYCLE, EDGE_REJECTED = 1, 2
VERDICTS: dict[Any, int] = {"accepted": 1, "rejected": 2, "pending": 4}
LARGEST = 2**31 - 1

NODE_COLUMNS = {
    "id": "str",
    "kind": "u1",
    "run": "i4",
    "x": "f4",
    "y": "f4",
    "generation": "i4",
    "flags": "u2",
    "island": "i4",
    "op": "i4",
    "model": "i4",
    "itype": "i4",
    "agent": "i4",
    "cost": "f8",
    "tokens": "f8",
    "time": "f8",
}
EDGE_COLUMNS = {"src": "u4", "dst": "u4", "order": "u1", "op": "i4", "flags": "u1"}
OPERATOR_COLUMNS = {
    "id": "str",
    "kind": "i4",
    "model": "i4",
    "cost": "f8",
    "tokens_in": "f8",
    "tokens_out": "f8",
    "child": "u4",
    "time": "f8",
    "flags": "u1",
    "agent": "i4",
    "score_before": "f8",
    "score_after": "f8",
    "benchmark": "i4",
    "target": "i4",
}
MAKER_COLUMNS = {"op": "u4", "src": "u4"}
MIGRATION_COLUMNS = {"node": "u4", "from": "i4", "to": "i4", "time": "f8"}


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
        `MIGRATION_COLUMNS` and `MAKER_COLUMNS`. Nodes have one more ``m:<metric>`` column per
        metric met so far; NaN means no value.
    legend : Legend
        The texts behind the numbers.

    Notes
    -----
    All public methods take the graph's lock, so they may be called on any thread. What a call costs
    depends on what changed since the last one, not on the size of the graph.

    Examples
    --------
    >>> from hutch_lineage.graph import LineageGraph, Scene
    >>> content, buffers = Scene(LineageGraph()).snapshot()
    >>> content["op"], content["reset"], content["tables"]["nodes"]["count"]
    ('graph', True, 0)
    """

    def __init__(self, graph: LineageGraph) -> None:
        self.graph = graph
        self.nodes = Table(NODE_COLUMNS, fixed=("id", "kind", "run", "x", "y"))
        self.edges = Table(EDGE_COLUMNS, fixed=("src", "dst"))
        self.operators = Table(OPERATOR_COLUMNS, fixed=("id", "child"))
        self.migrations = Table(MIGRATION_COLUMNS, fixed=MIGRATION_COLUMNS)
        self.makers = Table(MAKER_COLUMNS, fixed=MAKER_COLUMNS)
        self.legend = Legend(graph)
        self.changes = 0
        self._layout = AppendLayout()
        self._store = graph._store
        self._loops = Loops(self._store)
        self._version = -1
        self._row_of = array("q")
        self._met = array("q")
        self._edge_rows: dict[tuple[int, int], int] = {}
        self._moved: dict[int, set[Any]] = {}
        self._made: set[tuple[int, int]] = set()
        self._own = SceneCursor(self)

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
            since, self._version = self._version, store.version
            if since == store.version:
                return False
            for row in store.run_log.since(since):
                self.legend.code("run", store.run_ids[row])
            start = len(self._row_of)
            self._row_of.extend(repeat(-1, len(store.keys) - start))
            for row in self._placing_order(start):
                self._place(row)
            operators = store.operator_log.since(since)
            self._put_operators(operators)
            noted = store.node_log.since(since)
            self._put_migrations(noted)
            touched = {row for row in noted if row < start}
            made = {store.operator_child[row] for row in operators}
            self._put_makers(made)
            linked = made.union(store.edge_log.since(since))
            looped = self._close_loops(linked)
            for row in sorted(touched.union(row for row in made if row < start).union(looped)):
                self.nodes.patch(self._row_of[row], self._node_values(row))
            for child in sorted(linked.union(looped)):
                self._put_edges(child)
            self.legend.note(len(touched) + len(self._row_of) - start)
            self.changes += 1
            return True

    def _placing_order(self, start: int) -> Iterator[int]:
        """Yield new nodes: parents before children, each ghost right after its first child."""
        parents = self._store.parents
        margin = self._is_margin
        opened: set[int] = set()
        done: set[int] = set()
        for root in range(start, len(parents)):
            stack = [] if margin(root) else [root]
            while stack:
                row = stack[-1]
                if row not in opened:
                    opened.add(row)
                    ahead = [p for p in parents[row] if p >= start and p not in opened]
                    stack.extend(p for p in reversed(ahead) if not margin(p))
                    continue
                stack.pop()
                for each in (row, *(p for p in parents[row] if p >= start and margin(p))):
                    if each not in done:
                        done.add(each)
                        yield each
        yield from (row for row in range(start, len(parents)) if row not in done)

    def _is_margin(self, row: int) -> bool:
        """Whether a node is a parent that was never seen: it is drawn below the others."""
        store = self._store
        return not store.known[row] and not store.parents[row]

    def _place(self, row: int) -> None:
        """Give a new node its row and its position, for good."""
        store, row_of = self._store, self._row_of
        key = store.keys[row]
        ghost_of = -1
        if self._is_margin(row):
            children = (row_of[child] for child in store.children[row])
            ghost_of = min((child for child in children if child >= 0), default=-1)
        values = self._node_values(row)
        parents = [row_of[parent] for parent in store.parents[row] if row_of[parent] >= 0]
        placed = self._layout.put(
            Placement(key.kind, key.run_id, values["generation"], parents, ghost_of)
        )
        values["id"] = clean_text(key.id)
        values["kind"] = int(key.kind == "agent")
        values["run"] = self.legend.code("run", key.run_id)
        values["x"], values["y"] = self._layout.position(placed)
        row_of[row] = self.nodes.append(values)
        self._met.append(row)

    def _node_values(self, row: int) -> dict[str, Any]:
        """Return the columns of a node that may change."""
        store = self._store
        said = store.attributes.values[row] or {}
        operators = [store.operator_attributes.values[maker] or {} for maker in made_by(store, row)]
        newest = operators[-1] if operators else {}
        generation = number(said.get("generation_index"))
        values: dict[str, Any] = {
            "generation": -1 if generation is None else min(max(int(generation), -1), LARGEST),
            "flags": self._node_flags(row, newest),
            "island": self.legend.code("island", said.get("island_id")),
            "op": self.legend.code("operator", newest.get("kind")),
            "model": self.legend.code("model", newest.get("llm_id")),
            "itype": self.legend.code("kind", said.get("kind")),
            "agent": self.legend.code("agent", made_by_agent(store, row)),
            "cost": _total(number(operator.get("cost_usd")) for operator in operators),
            "tokens": _total(
                number(operator.get(name))
                for operator in operators
                for name in ("tokens_in", "tokens_out")
            ),
            "time": _seconds(store.births[row]),
        }
        scores = store.scores.values[row] or {}
        facts = store.evaluations.values[row] or {}
        if "composite" in facts:
            scores = {"composite": facts["composite"], **scores}
        key = store.keys[row]
        for metric, value in scores.items():
            column = self.legend.metric(key.run_id, key.kind, metric)
            if column not in self.nodes.types:
                self.nodes.add_column(column)
            values[column] = _float(value)
        return values

    def _node_flags(self, row: int, newest: Mapping[str, Any]) -> int:
        store = self._store
        return (
            SEED * bool(store.is_seed(row))
            | GHOST * (not store.known[row])
            | INVALID * (invalid_reason(store, row) is not None)
            | CYCLE * (row in self._loops)
            | REJECTED * (newest.get("verdict") == "rejected")
        )

    def _put_operators(self, rows: list[int]) -> None:
        """Append new operators, so that their rows are the graph's, and patch the others."""
        store = self._store
        start = self.operators.count
        for row in (*range(start, len(store.operator_ids)), *(row for row in rows if row < start)):
            said = store.operator_attributes.values[row] or {}
            values: dict[str, Any] = {
                "kind": self.legend.code("operator", said.get("kind")),
                "model": self.legend.code("model", said.get("llm_id")),
                "cost": _float(said.get("cost_usd")),
                "tokens_in": _float(said.get("tokens_in")),
                "tokens_out": _float(said.get("tokens_out")),
                "time": _seconds(unpack_stamp(store.operator_stamps[row]).timestamp_ns),
                "flags": VERDICTS.get(said.get("verdict"), 0),
                "agent": self.legend.code("agent", operating_agent(store, row)),
                "score_before": _float(said.get("score_before")),
                "score_after": _float(said.get("score_after")),
                "benchmark": self.legend.code("benchmark", said.get("benchmark")),
                "target": self.legend.code("target", said.get("target_path")),
            }
            if row < start:
                self.operators.patch(row, values)
            else:
                values["id"] = clean_text(store.operator_ids[row][1])
                values["child"] = self._row_of[store.operator_child[row]]
                self.operators.append(values)

    def _put_makers(self, children: Iterable[int]) -> None:
        """Append the parents of each operator where several made one child.

        An edge names only its newest operator, which is enough where there is but one.
        """
        store = self._store
        for child in children:
            makers = store.makers[child]
            for maker in makers if len(makers) > 1 else ():
                for parent in store.operator_parents[maker]:
                    if (maker, parent) not in self._made:
                        self._made.add((maker, parent))
                        self.makers.append({"op": maker, "src": self._row_of[parent]})

    def _put_migrations(self, rows: list[int]) -> None:
        """Append what moves of these nodes were not known yet."""
        code = self.legend.code
        for row in sorted(rows) if self._store.migrations else ():
            moves = self._store.migrations.get(row)
            met = self._moved.setdefault(row, set()) if moves else set()
            for move in sorted((moves or met) - met):
                stamp, source, target = move
                values = {
                    "node": self._row_of[row],
                    "from": code("island", source),
                    "to": code("island", target),
                    "time": _seconds(unpack_stamp(stamp).timestamp_ns),
                }
                self.migrations.append(values)
                met.add(move)

    def _put_edges(self, child: int) -> None:
        """Append or patch the edges into a node."""
        store = self._store
        makers = makers_from(store, child)
        for parent, order in zip(store.parents[child], store.order_of(child), strict=True):
            newest = makers.get(parent, [-1])[-1]
            said = (store.operator_attributes.values[newest] if newest >= 0 else None) or {}
            loop = self._loops.same(parent, child)
            values = {
                "order": min(order, 255),
                "op": newest,
                "flags": EDGE_CYCLE * loop | EDGE_REJECTED * (said.get("verdict") == "rejected"),
            }
            row = self._edge_rows.get((parent, child))
            if row is None:
                values |= {"src": self._row_of[parent], "dst": self._row_of[child]}
                self._edge_rows[parent, child] = self.edges.append(values)
            else:
                self.edges.patch(row, values)

    def _close_loops(self, children: Iterable[int]) -> list[int]:
        """Find the nodes that new edges into `children` put on a cycle."""
        layer, row_of = self._layout.layer, self._row_of
        heads, backward = [], False
        for child in children:
            new = [
                parent
                for parent in self._store.parents[child]
                if (parent, child) not in self._edge_rows
            ]
            if new:
                heads.append(child)
                here = layer(row_of[child])
                backward = backward or any(layer(row_of[parent]) >= here for parent in new)
        return self._loops.add(heads, backward=backward)

    def table(self, name: str) -> Table:
        """Return ``nodes``, ``edges``, ``operators``, ``migrations`` or ``makers``."""
        table: Table = getattr(self, name)
        return table

    def arrangements(self) -> dict[str, int]:
        """Return for each layout how often all its positions were made anew."""
        return {}

    def columns_of(self, layout: str) -> tuple[str, str]:
        """Return the node columns that hold the positions of a layout."""
        return ("x", "y") if layout == "generations" else (f"x:{layout}", f"y:{layout}")

    def context(self) -> dict[str, Any]:
        """Return what a message says beside the rows.

        Returns
        -------
        dict
            ``categories, metrics, runs, summary, layouts``.
        """
        kinds, ghosts = self.nodes.view("kind"), self.nodes.view("flags") & GHOST > 0
        told = self.legend.describe(
            individuals=int(np.sum((kinds == 0) & ~ghosts)),
            agents=int(np.sum((kinds == 1) & ~ghosts)),
            edges=self.edges.count,
            ghosts=int(np.sum(ghosts)),
        )
        return {**told, "layouts": {"generations": {"axis": self._axis()}}}

    def _axis(self) -> str:
        """Return what a layer is: a generation where the generations say so, else a depth."""
        known = self.nodes.view("generation") >= 0
        same = self.nodes.view("generation") == self.nodes.view("x")
        return "generation" if 2 * np.sum(same & known) >= np.sum(known) > 0 else "depth"


def _float(value: Any) -> float:
    known = number(value)
    return NAN if known is None else float(known)


def _total(values: Iterable[float | None]) -> float:
    known = [value for value in values if value is not None]
    return total(known) if known else NAN


def _seconds(time_ns: int) -> float:
    return NAN if time_ns < 0 else time_ns / 1e9
