"""The lineage of a search, built from records and open to questions."""

from __future__ import annotations

from typing import Any, Literal

import pandas as pd

from hutch_lineage.errors import ConfigurationError, GraphError
from hutch_lineage.model import NodeKey, NodeKind

from . import metrics as m
from . import walks
from .comparison import Comparison, score_table
from .core import GraphCore
from .costs import CostSummary, summarise
from .efficacy import efficacy_table
from .frames import Frames
from .order import find_cycles
from .run_comparison import RunComparison, compare
from .shares import share_table
from .views import is_rejected

__all__ = ["LineageGraph"]


class LineageGraph(GraphCore):
    """A lineage graph that grows by `apply` and answers questions about descent.

    A node is an individual or an agent, keyed by :class:`NodeKey` ``(kind, run_id, id)``; an edge
    leads from parent to child and holds the operators that made the child from that parent. A
    parent that was never introduced is a ghost. Cycles and self loops are kept and reported.

    Where a method takes a node, it takes a bare id that is unique, a key, or an object with an
    ``id``; see :meth:`resolve` for the errors. Birth order is a topological order by (birth
    time, id): `birth_ns`, else `origin_time`, else first of all. All methods are thread-safe
    (one reentrant lock, ``lock``), none recurses, and answers that cost a pass over the graph are
    kept until it changes.

    Attributes
    ----------
    operators : mapping of OperatorKey to OperatorInfo
        Every operator once, always up to date.
    runs : mapping of str to RunInfo
        Every run that a record or a node names, always up to date.
    lock : RLock
        Held by every method; hold it to ask several questions of one state.

    Examples
    --------
    >>> from hutch_lineage.model import NodeKey, NodeRecord, Stamp
    >>> graph = LineageGraph()
    >>> a, b = NodeKey("individual", "r", "a"), NodeKey("individual", "r", "b")
    >>> graph.apply(NodeRecord(b, Stamp(2, "e2"), parents=(a,)), NodeRecord(a, Stamp(1, "e1")))
    2
    >>> graph
    LineageGraph(2 individuals, 0 agents, 1 edge, 1 run)
    >>> [key.id for key in graph.ancestors("b")]
    ['a']
    """

    # descent

    def ancestors(self, node: Any) -> list[NodeKey]:
        """Return all ancestors in birth order, without the node itself."""
        with self.lock:
            row = self._row(node)
            return self._in_birth_order(walks.ancestors(self._store, row)[1:])

    def descendants(self, node: Any) -> list[NodeKey]:
        """Return all descendants in birth order, without the node itself."""
        with self.lock:
            row = self._row(node)
            return self._in_birth_order(walks.descendants(self._store, row)[1:])

    def parents(self, node: Any) -> list[NodeKey]:
        """Return the parents in the order in which they were named."""
        with self.lock:
            return self._keys(self._store.parents[self._row(node)])

    def children(self, node: Any) -> list[NodeKey]:
        """Return the children in birth order."""
        with self.lock:
            return self._in_birth_order(self._store.children[self._row(node)])

    def seeds(self, run: str | None = None, kind: NodeKind | None = None) -> list[NodeKey]:
        """Return the nodes where lineages begin, in birth order: all without parents but ghosts.

        What was called a seed and given parents all the same is not among them.
        """
        with self.lock:
            rows = [row for row in walks.seeds(self._store) if self._is_in(row, run, kind)]
            return self._in_birth_order(rows)

    def mrca(self, a: Any, b: Any) -> NodeKey | None:
        """Return the most recent common ancestor: the latest in birth order; None without one.

        A node counts as its own ancestor, so the MRCA of a node and its parent is the parent.
        """
        with self.lock:
            row = walks.mrca(self._store, self._positions(), self._row(a), self._row(b))
            return None if row is None else self._store.keys[row]

    def cycles(self) -> list[list[NodeKey]]:
        """Return the groups of nodes that descend from themselves; a self loop is a group of one.

        Groups, and the nodes in them, are sorted by key.
        """
        with self.lock:
            return [list(group) for group in self._cached("cycles", self._find_cycles)]

    def _find_cycles(self) -> list[list[NodeKey]]:
        if not self._store.self_loops and not self._store.may_have_cycle:
            return []
        return sorted(sorted(self._keys(group)) for group in find_cycles(self._store))

    # metrics and paths

    def metrics(self, run: str | None = None) -> list[str]:
        """Return the names of all metrics with a value, sorted; ``composite`` among them."""
        with self.lock:
            return list(self._cached(("metrics", run), lambda: m.metric_names(self._store, run)))

    def metric_info(self, metric: str, run: str | None = None) -> m.MetricInfo:
        """Return which way is better and how that is known; see :meth:`direction`."""
        with self.lock:
            return m.metric_info(self._store, metric, run)

    def direction(self, metric: str, run: str | None = None) -> m.Direction:
        """Return ``higher`` or ``lower``.

        :meth:`declare` says it, or the run's ``score_directions``; else the words in the metric's
        name by a stated table (``hutch_lineage.graph.LOWER_WORDS``: loss, error, time, cost ...);
        else ``higher`` is assumed. :meth:`metric_info` says which of them it was.

        Raises
        ------
        MetricChoiceError
            Runs declare opposite directions and `run` is not given.
        """
        return self.metric_info(metric, run).direction

    def default_metric(self, run: str | None = None, kind: NodeKind | None = None) -> str | None:
        """Return the metric that is meant when none is named, or None where that is open.

        Of the metrics of `kind`; without it of those that individuals have, or else agents.

        The only metric with a declared direction; else ``composite``; else the only metric; else
        the first of ``combined_score, fitness, overall_score, score, objective``. A composite that
        is the same for ten nodes and all others tells nothing and is passed over.
        """
        with self.lock:
            store = self._store
            names = m.metric_names(store, run, kind or "individual")
            return m.default_metric(store, names or m.metric_names(store, run, kind), run)

    def score(self, node: Any, metric: str) -> float | None:
        """Return the score of a node on a metric, that of an invalid one too; None without one."""
        with self.lock:
            return m.score_of(self._store, self._row(node), metric)

    def best(
        self, metric: str | None = None, run: str | None = None, kind: NodeKind | None = None
    ) -> NodeKey | None:
        """Return the node with the best score, the first born among equals.

        Without `kind` it is an individual, or an agent where there are no individuals. Invalid
        nodes and rejected self-modifications do not count. Returns None where no node of that kind
        has a score.

        Raises
        ------
        MetricChoiceError
            The metric is unknown, or none is named and :meth:`default_metric` is None; the
            message lists the metrics.
        """
        with self.lock:
            wanted = kind or self._first_kind(run)
            key = ("best", metric, run, wanted)
            row = self._cached(key, lambda: self._best_row(metric, run, wanted))
            return None if row is None else self._store.keys[row]

    def _first_kind(self, run: str | None) -> NodeKind:
        """Return what a question is about that names no kind."""
        there = self._cached(
            ("kinds", run),
            lambda: {
                key.kind
                for key, known in zip(self._store.keys, self._store.known, strict=True)
                if known and run in (None, key.run_id)
            },
        )
        return "agent" if there == {"agent"} else "individual"

    def _best_row(self, metric: str | None, run: str | None, kind: NodeKind) -> int | None:
        if metric is None and not self.metrics(run):
            return None
        metric = self._metric(metric, run, kind)
        sign = 1.0 if self.direction(metric, run) == "higher" else -1.0
        leaders: list[int] = []
        best_value = 0.0
        for row in range(len(self._store.keys)):
            value = m.valid_score(self._store, row, metric)
            if value is None or not self._is_in(row, run, kind) or is_rejected(self._store, row):
                continue
            if not leaders or sign * value > best_value:
                leaders, best_value = [row], sign * value
            elif sign * value == best_value:
                leaders.append(row)
        if len(leaders) > 1:
            return min(leaders, key=self._positions().__getitem__)
        return leaders[0] if leaders else None

    def path_to_seed(self, node: Any, metric: str | None = None) -> list[NodeKey]:
        """Return the path from a seed to the node, both included.

        From the node upwards, each step takes the parent with the best score on `metric` (by
        default :meth:`default_metric`); among equal or unknown scores the first parent.
        """
        with self.lock:
            row = self._row(node)
            run = self._store.keys[row].run_id
            metric = metric or self.default_metric(run) or self.default_metric()
            if metric is None:
                return self._keys(walks.climb(self._store, row, lambda parent: None))
            sign = 1.0 if self.direction(metric, run) == "higher" else -1.0

            def merit(parent: int) -> float | None:
                value = m.valid_score(self._store, parent, metric)
                return None if value is None else sign * value

            return self._keys(walks.climb(self._store, row, merit))

    def path_to_best(
        self, metric: str | None = None, run: str | None = None, kind: NodeKind | None = None
    ) -> list[NodeKey]:
        """Return the path from a seed to the best node, both included; empty without a best.

        Raises
        ------
        MetricChoiceError
            As for :meth:`best`.
        """
        with self.lock:
            best = self.best(metric, run, kind)
            if best is None:
                return []
            return self.path_to_seed(best, metric or self.default_metric(run, best.kind))

    # costs and comparison

    def cost(self, node: Any = None, run: str | None = None) -> CostSummary:
        """Return what an ancestry (the node included) or a whole run cost; without both, all runs.

        Each operator counts once, also where several paths lead through it. With both, `node` is
        looked for in `run`, a run's id.

        Raises
        ------
        GraphError
            There is no such run, or no such node in it.
        """
        with self.lock:
            store = self._store
            if run is not None and run not in store.run_rows:
                known = ", ".join(store.run_ids[:5]) or "none"
                raise GraphError(f"no run {run!r}; run ids are: {known}")
            if node is None:
                return self._run_cost(run)
            rows = walks.ancestors(store, self._row(node, run))
            makers = [maker for row in rows for maker in store.makers[row]]
            return summarise(store, makers, [store.births[row] for row in rows])

    def _run_cost(self, run: str | None) -> CostSummary:
        store = self._store
        makers = [
            row for row, (run_id, _) in enumerate(store.operator_ids) if run in (None, run_id)
        ]
        times = [store.births[row] for row in range(len(store.keys)) if self._is_in(row, run, None)]
        for run_id, info in self.runs.items():
            if run in (None, run_id):
                ends = (info.started_ns, info.ended_ns)
                times += [end for end in ends if isinstance(end, int)]
        return summarise(store, makers, times)

    def compare(self, a: Any, b: Any) -> Comparison:
        """Return what two nodes share and where they differ."""
        with self.lock:
            store, position = self._store, self._positions()
            row_a, row_b = self._row(a), self._row(b)
            above_a = set(walks.ancestors(store, row_a))
            above_b = set(walks.ancestors(store, row_b))
            shared = sorted(above_a & above_b, key=position.__getitem__)
            mrca = shared[-1] if shared else None
            steps = [
                None if mrca is None else walks.steps_up(store, row, mrca) for row in (row_a, row_b)
            ]
            return Comparison(
                a=store.keys[row_a],
                b=store.keys[row_b],
                mrca=None if mrca is None else store.keys[mrca],
                steps_a=steps[0],
                steps_b=steps[1],
                shared_ancestors=tuple(self._keys(shared)),
                only_a=len(above_a - above_b),
                only_b=len(above_b - above_a),
                scores=score_table(self._score_rows(row_a, row_b)),
                cost_a=self.cost(store.keys[row_a]),
                cost_b=self.cost(store.keys[row_b]),
            )

    def compare_runs(self, a: str, b: str, metric: str | None = None) -> RunComparison:
        """Return two runs side by side, as frames.

        Parameters
        ----------
        a, b : str
            Run ids.
        metric : str, optional
            What is compared; by default :meth:`default_metric` of the first run, else of all.

        Raises
        ------
        GraphError
            There is no such run.
        MetricChoiceError
            No node of either has a score on `metric`, or none is named and there is no default.

        Examples
        --------
        >>> from hutch_lineage.model import FitnessRecord, NodeKey, Stamp
        >>> graph = LineageGraph()
        >>> for run, score in (("r", 1.0), ("s", 3.0)):
        ...     key = NodeKey("individual", run, "a")
        ...     _ = graph.apply(FitnessRecord(key, Stamp(1, run), {"score": score}))
        >>> graph.compare_runs("r", "s").totals.loc["best"].tolist()
        [1.0, 3.0, 2.0]
        """
        with self.lock:
            for run in (a, b):
                self.cost(run=run)  # raises where there is no such run
            names = sorted({*self.metrics(a), *self.metrics(b)})
            if metric is None and names:
                metric = self.default_metric(a) or self.default_metric(b) or self.default_metric()
            if names or metric is not None:
                metric = m.chosen_metric(names, metric, None)
            return compare(self, a, b, metric)

    def _score_rows(self, a: int, b: int) -> list[tuple[str, float | None, float | None, str]]:
        store = self._store
        run = store.keys[a].run_id
        rows: list[tuple[str, float | None, float | None, str]] = []
        for metric in self.metrics():
            values = m.score_of(store, a, metric), m.score_of(store, b, metric)
            if values != (None, None):
                rows.append((metric, *values, self.direction(metric, run)))
        return rows

    def efficacy(
        self,
        by: Literal["kind", "llm_id"] = "kind",
        metric: str | None = None,
        run: str | None = None,
    ) -> pd.DataFrame:
        """Return how well each kind of operator, or each model, improved on its parents.

        A try improves when the child is better on `metric` than its best parent. A child that was
        found invalid is a try without improvement; a try whose child or parents have no score is
        not compared.

        Returns
        -------
        DataFrame
            Indexed by `by` (string, ``unknown`` where nobody said), sorted by it; columns
            ``tries, compared, improvements`` (int64), ``improvement_rate`` (float64, improvements
            per compared try), ``median_gain, mean_gain, best_gain`` (float64, positive is better),
            ``cost_usd`` (float64, NaN if no operator says it), ``gain_per_usd`` (float64, the
            gains of all improvements with a known cost over the cost of all tries with one),
            ``tokens`` (float64, in and out, NaN if unknown), ``gain_per_1k_tokens`` (float64, as
            per dollar), ``unknown_cost`` (int64), ``improvements_per_usd,
            improvements_per_1k_tokens`` (float64, the number of improvements over the same).

        Raises
        ------
        MetricChoiceError
            As for :meth:`best`.
        ConfigurationError
            `by` is neither ``kind`` nor ``llm_id``.
        """
        if by not in ("kind", "llm_id"):
            raise ConfigurationError(f"by is 'kind' or 'llm_id', not {by!r}", "by")
        with self.lock:
            chosen = None if metric is None and not self.metrics(run) else self._metric(metric, run)
            higher = chosen is None or self.direction(chosen, run) == "higher"
            return efficacy_table(self._store, by, chosen, higher, run)

    def seed_shares(
        self, run: str | None = None, kind: NodeKind = "individual", top: int = 8
    ) -> pd.DataFrame:
        """Return what part of each generation descends from which seed.

        A known node without parents is a seed and descends wholly from itself; any other is the
        mean of its parents, each counted once. The nodes of a cycle share one mixture, the mean of
        what leads into the cycle from outside. Where nothing known is at the beginning, at a
        ghost or a closed cycle, the origin is unknown. Ghosts themselves are not counted.

        Parameters
        ----------
        run : str, optional
            Count the nodes of this run only; they may descend from seeds of others.
        kind : {"individual", "agent"}
            What is counted.
        top : int
            How many seeds have a column of their own: those from which most descends.

        Returns
        -------
        DataFrame
            Indexed by ``generation_index`` (Int64, -1 where it is not known), ascending; one
            float64 column per seed, named by its id (``id (run)`` where that is not unique),
            largest first, then ``others`` and ``unknown``. Each row adds up to 1. No rows where
            there is no such node.

        Examples
        --------
        >>> from hutch_lineage.model import NodeKey, NodeRecord, Stamp
        >>> a, b, c = (NodeKey("individual", "r", name) for name in "abc")
        >>> graph = LineageGraph()
        >>> graph.apply(
        ...     NodeRecord(a, Stamp(1, "1"), (), {"generation_index": 0}),
        ...     NodeRecord(b, Stamp(2, "2"), (), {"generation_index": 0}),
        ...     NodeRecord(c, Stamp(3, "3"), (a, b), {"generation_index": 1}),
        ... )
        3
        >>> graph.seed_shares()[["a", "b"]].to_numpy().tolist()
        [[0.5, 0.5], [0.5, 0.5]]
        """
        with self.lock:
            store = self._store
            rows = [
                row
                for row in range(len(store.keys))
                if store.known[row] and self._is_in(row, run, kind)
            ]
            position = self._positions()
            return share_table(
                store, rows, top, lambda seeds: sorted(seeds, key=position.__getitem__)
            )

    @property
    def frames(self) -> Frames:
        """The graph as pandas DataFrames: individuals, edges, a path, a phylogeny and others."""
        return Frames(self)

    # for the questions

    def _metric(self, metric: str | None, run: str | None, kind: NodeKind | None = None) -> str:
        return m.chosen_metric(self.metrics(run), metric, self.default_metric(run, kind))

    def _is_in(self, row: int, run: str | None, kind: NodeKind | None) -> bool:
        key = self._store.keys[row]
        return kind in (None, key.kind) and run in (None, key.run_id)

    def _in_birth_order(self, rows: Any) -> list[NodeKey]:
        return self._keys(sorted(rows, key=self._positions().__getitem__))
