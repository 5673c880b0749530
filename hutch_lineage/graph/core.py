"""The growing graph without its questions: what comes in, what stands there, what changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from threading import RLock
from typing import TYPE_CHECKING, Any, TypeVar, cast, get_args

from hutch_lineage.errors import GraphError
from hutch_lineage.mapping import records_of, statements
from hutch_lineage.model import NodeKey, NodeKind, Record, ScoreDirection, undisturbed

from .canonical import canonical, fingerprint
from .changes import Changes
from .directions import Directions
from .infos import OperatorInfo, OperatorKey, RunInfo
from .mirror import Mirror
from .order import birth_order
from .report import Report, oddities
from .resolver import named, resolve
from .store import Store
from .views import (
    LiveMapping,
    edges_into,
    find_operator,
    node_view,
    operator_info,
    operator_key,
    run_info,
)

if TYPE_CHECKING:
    from .mirror import DiGraph

__all__ = ["GraphCore"]

Result = TypeVar("Result")
_RECORDS: frozenset[type] = frozenset(get_args(Record))
_CHUNK = 512


class GraphCore:
    """Nodes, edges, operators and runs merged from records; base of `LineageGraph`."""

    def __init__(self) -> None:
        self.lock = RLock()
        self._store = Store()
        self._mirror = Mirror()
        self._report = Report()
        self._cache: dict[Any, tuple[int, Any]] = {}
        self._directions = Directions()
        store = self._store
        self.operators: Mapping[OperatorKey, OperatorInfo] = LiveMapping(
            self.lock,
            lambda key: find_operator(store, key),
            lambda row: operator_info(store, row),
            lambda: [operator_key(store, row) for row in range(len(store.operator_ids))],
            lambda: len(store.operator_ids),
        )
        self.runs: Mapping[str, RunInfo] = LiveMapping(
            self.lock,
            lambda run_id: store.run_rows.get(run_id),
            lambda row: run_info(store, row),
            lambda: list(store.run_ids),
            lambda: len(store.run_ids),
        )

    # in

    def apply(self, *items: Any) -> int:
        """Merge what `items` say and return the number of lineage records that they held.

        Order, repetition and batching do not matter: edges unite, and for an attribute the
        statement with the newest (timestamp, event id) wins; None says nothing. Readers are not
        held up: the lock is taken for some five hundred records at a time.

        Parameters
        ----------
        *items : record, event, dict, or iterable of them
            Lineage records, events (this package's or Hutch's), canonical event dicts,
            OpenLineage RunEvent dicts, in any nesting.

        Raises
        ------
        TypeError, InvalidEventError
            An item is none of these, or a dict that is not a valid event. What came before it is
            kept.
        """
        applied = 0
        chunk: list[Record] = []
        try:
            for record in _records(items):
                chunk.append(record)
                if len(chunk) >= _CHUNK:
                    full, chunk = chunk, []
                    self._merge(full)
                    applied += len(full)
        finally:
            if chunk:
                self._merge(chunk)
        return applied + len(chunk)

    def _merge(self, records: list[Record]) -> None:
        with self.lock, undisturbed():
            self._store.apply(records)
            self._tell_directions()

    def _tell_directions(self) -> None:
        if due := self._directions.due(self._store):
            self._store.apply(due)

    def declare(self, directions: Mapping[str, ScoreDirection]) -> None:
        """Say which way metrics are better, over what the runs say; also of runs that come later.

        Parameters
        ----------
        directions : mapping of str to str
            Metric -> ``higher`` or ``lower``.

        Raises
        ------
        ConfigurationError
            A direction is neither of the two; nothing was declared.

        Examples
        --------
        >>> from hutch_lineage.graph import LineageGraph
        >>> graph = LineageGraph()
        >>> graph.declare({"speed": "lower"})
        """
        with self.lock, undisturbed():
            self._directions.say(directions)
            self._tell_directions()

    # out

    @property
    def version(self) -> int:
        """Grows with every batch that changed something; 0 for an empty graph."""
        return self._store.version

    @property
    def nx(self) -> DiGraph:
        """The graph as a networkx DiGraph; its nodes are `NodeKey` (kind, run_id, id).

        It is one and the same object, brought up to date each time this property is read, so it
        does not change under a caller that walks it while a run goes on.

        Node attributes: ``ghost`` (bool: only ever named by others) always; where known ``kind,
        is_seed, island_id, islands`` (tuple), ``population_id, generation_index, genome,
        genome_lang, genome_uri, genome_hash, scores`` (dict), ``composite, invalid_reason,
        operators`` (tuple of `OperatorKey`, oldest first), ``birth_ns, origin_time, metadata,
        migrations`` (tuple of `Migration`), and the facts of the evaluation (``evaluator_id,
        evaluator_kind, cascade_stage, is_pareto_front, fitness_metadata``).

        Edge attributes: ``operators`` (tuple of `OperatorKey`), ``order`` (int, place among the
        child's parents), ``relation`` (str), ``self_loop`` (bool).
        """
        with self.lock:
            return self._mirror.follow(self._store)

    def node(self, node: Any) -> dict[str, Any]:
        """Return the attributes of a node, as in `nx`, without making the DiGraph."""
        with self.lock:
            return node_view(self._store, self._row(node))

    def edge(self, parent: Any, child: Any) -> dict[str, Any]:
        """Return the attributes of an edge, as in `nx`, without making the DiGraph.

        Raises
        ------
        GraphError
            There is no such edge.
        """
        with self.lock:
            above, below = self._row(parent), self._row(child)
            edges = dict(edges_into(self._store, below))
            if above not in edges:
                raise GraphError(
                    f"no edge from {self._store.keys[above].id!r} to"
                    f" {self._store.keys[below].id!r}; parents() lists those that there are"
                )
            return edges[above]

    def nodes(
        self, kind: NodeKind | None = None, run: str | None = None, *, ghosts: bool = True
    ) -> list[NodeKey]:
        """Return the nodes in birth order."""
        with self.lock:
            keys, known = self._store.keys, self._store.known
            return [
                keys[row]
                for row in self._order()
                if kind in (None, keys[row].kind)
                and run in (None, keys[row].run_id)
                and (ghosts or known[row])
            ]

    def changes_since(self, version: int) -> Changes:
        """Return what changed after `version`; the cost depends on the changes alone.

        Examples
        --------
        >>> from hutch_lineage.graph import LineageGraph
        >>> LineageGraph().changes_since(0).nodes
        []
        """
        with self.lock:
            store, keys = self._store, self._store.keys
            return Changes(
                version=store.version,
                nodes=[keys[row] for row in store.node_log.since(version)],
                edges=[
                    (keys[parent], keys[child])
                    for child in store.edge_log.since(version)
                    for parent in store.parents[child]
                ],
                operators=[operator_key(store, row) for row in store.operator_log.since(version)],
                runs=[store.run_ids[row] for row in store.run_log.since(version)],
            )

    def resolve(self, node: Any, run: str | None = None, kind: NodeKind | None = None) -> NodeKey:
        """Return the key of the node that `node` names.

        Parameters
        ----------
        node : str, NodeKey, tuple (kind, run_id, id), or an object with an ``id``
            What to look for. A bare id has to be unique among runs and kinds.
        run, kind : str, optional
            Look only there.

        Raises
        ------
        UnknownNodeError
            There is none; the message and ``close`` name ids that look like it.
        AmbiguousNodeError
            There are several; ``candidates`` lists them.
        """
        with self.lock:
            return self._store.keys[resolve(self._store, node, run, kind)]

    @property
    def report(self) -> Report:
        """What was odd: in the graph itself, and what readers added."""
        with self.lock:
            self._report.replace(self._cached("oddities", lambda: oddities(self._store)))
            return self._report

    def to_canonical(self) -> dict[str, Any]:
        """Return everything in the graph as plain sorted data: equal graphs, equal data."""
        with self.lock:
            return canonical(self._store)

    def to_records(self) -> list[Record]:
        """Return records that build an equal graph: a graph from any source, to be written anew."""
        return list(statements(self.to_canonical()))

    def fingerprint(self) -> str:
        """Return a SHA-256 over everything in the graph; equal graphs, equal fingerprints."""
        return fingerprint(self.to_canonical())

    def equals(self, other: GraphCore) -> bool:
        """Return whether both graphs say the same, whatever the way they were built."""
        return self.to_canonical() == other.to_canonical()

    def __contains__(self, key: object) -> bool:
        with self.lock:
            if isinstance(key, str):
                return bool(named(self._store, key))
            return isinstance(key, tuple) and key in self._store.rows

    @property
    def edge_count(self) -> int:
        """The number of edges."""
        return self._store.edge_count

    def __len__(self) -> int:
        return len(self._store.keys)

    def __bool__(self) -> bool:
        return True

    def __iter__(self) -> Iterator[NodeKey]:
        return iter(self.nodes())

    def __repr__(self) -> str:
        with self.lock:
            agents = sum(key.kind == "agent" for key in self._store.keys)
            counts = (
                (len(self._store.keys) - agents, "individual"),
                (agents, "agent"),
                (self._store.edge_count, "edge"),
                (len(self._store.run_ids), "run"),
            )
        parts = [f"{count} {word}{'' if count == 1 else 's'}" for count, word in counts]
        return f"{type(self).__name__}({', '.join(parts)})"

    # for the questions

    def _row(self, node: Any, run: str | None = None) -> int:
        return resolve(self._store, node, run)

    def _keys(self, rows: Iterable[int]) -> list[NodeKey]:
        keys = self._store.keys
        return [keys[row] for row in rows]

    def _cached(self, name: Any, build: Callable[[], Result]) -> Result:
        """Return what `build` gives, computed once per version."""
        version, value = self._cache.get(name, (-1, None))
        if version == self._store.version:
            return cast("Result", value)
        value = build()
        if len(self._cache) > 64:
            self._cache.clear()
        self._cache[name] = (self._store.version, value)
        return value

    def _order(self) -> list[int]:
        return self._cached("order", lambda: birth_order(self._store))

    def _positions(self) -> list[int]:
        def build() -> list[int]:
            order = self._order()
            positions = [0] * len(order)
            for place, row in enumerate(order):
                positions[row] = place
            return positions

        return self._cached("positions", build)


def _records(items: Iterable[Any]) -> Iterator[Record]:
    """Yield the records of everything in `items`, however nested."""
    stack: list[Iterator[Any]] = [iter(items)]
    while stack:
        for item in stack[-1]:
            if type(item) in _RECORDS:
                yield item
            elif hasattr(item, "event_kind") or isinstance(item, Mapping):
                yield from records_of(item)
            elif isinstance(item, Iterable) and not isinstance(item, str | bytes):
                stack.append(iter(item))
                break
            else:
                hint = "; open a file with hutch_lineage.load" if isinstance(item, str) else ""
                raise TypeError(
                    f"cannot apply {type(item).__name__}: pass events, event dicts, lineage"
                    f" records, or iterables of them{hint}"
                )
        else:
            stack.pop()
