"""The graph as pandas DataFrames, with the same columns and dtypes whatever is in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import pandas as pd

from . import walks
from .columns import FRAME_COLUMNS, column
from .costs import CostSummary
from .infos import RunInfo
from .ledger import unpack_stamp
from .metrics import COMPOSITE, score_of
from .phylogeny import Tree, fair_proportions, latest, measures, tree_of
from .steps import step_rows
from .views import made_by, makers_from, number, total

if TYPE_CHECKING:
    from .lineage import LineageGraph
    from .store import Store

__all__ = ["Frames"]


class Frames:
    """Each method builds one DataFrame of the graph as it stands, with a plain index.

    Columns and dtypes are the same for an empty graph. Times are UTC, costs US dollars; what nobody
    said is missing (NA, NaN, NaT), never 0. Columns of dtype object hold tuples of str.

    Examples
    --------
    >>> from hutch_lineage.graph import LineageGraph
    >>> len(LineageGraph().frames.individuals())
    0
    """

    def __init__(self, graph: LineageGraph) -> None:
        self._graph = graph

    def individuals(self) -> pd.DataFrame:
        """One row per individual in birth order, ghosts included.

        Returns
        -------
        DataFrame
            ``run_id, id, kind`` (string), ``ghost`` (bool), ``is_seed`` (boolean),
            ``generation_index`` (Int64), ``island_id`` (string), ``islands`` (object),
            ``population_id`` (string), ``parent_ids`` (object, in order), ``n_parents, n_children``
            (int64), ``operator_ids`` (object, oldest first), ``cost_usd`` (float64), ``tokens_in,
            tokens_out`` (Int64; cost and tokens of the operators that made it), ``birth``
            (datetime64[ns, UTC]), ``origin_time`` (float64, in the source's own unit),
            ``genome_lang, genome_uri, genome_hash, invalid_reason`` (string), ``composite``
            (float64), and one float64 column per metric, by name; a metric that is named like one
            of the others becomes ``score:<metric>``.
        """
        return self._nodes("individual")

    def agents(self) -> pd.DataFrame:
        """One row per agent in birth order, with the columns of `individuals`."""
        return self._nodes("agent")

    def edges(self) -> pd.DataFrame:
        """One row per parent and child, children in birth order, parents in the order named.

        Returns
        -------
        DataFrame
            ``run_id`` (of the child), ``node_kind`` (individual or agent), ``parent_id, child_id``
            (string), ``order`` (int64, place among the child's parents), ``relation`` (string),
            ``operator_ids`` (object), ``self_loop`` (bool), ``parent_run_id`` (string).
        """
        graph = self._graph
        with graph.lock:
            store, keys = graph._store, graph._store.keys
            pairs = [(parent, child) for child in graph._order() for parent in store.parents[child]]
            ordered = [order for child in graph._order() for order in store.order_of(child)]
            data: dict[str, list[Any]] = {
                "run_id": [keys[child].run_id for _, child in pairs],
                "node_kind": [keys[child].kind for _, child in pairs],
                "parent_id": [keys[parent].id for parent, _ in pairs],
                "child_id": [keys[child].id for _, child in pairs],
                "order": ordered,
                "relation": [store.relations.get(pair, (b"", "parent"))[1] for pair in pairs],
                "operator_ids": _operator_ids_of_edges(store, graph._order()),
                "self_loop": [parent == child for parent, child in pairs],
                "parent_run_id": [keys[parent].run_id for parent, _ in pairs],
            }
        return _frame(data, FRAME_COLUMNS["edges"])

    def operators(self, of: Any = None) -> pd.DataFrame:
        """One row per operator, sorted by time, run and id; a crossover is one row.

        Parameters
        ----------
        of : str, NodeKey or object with an ``id``, optional
            Only the operators of this node's ancestry, the node included: what
            :meth:`LineageGraph.cost` adds up.

        Returns
        -------
        DataFrame
            ``run_id, id, kind, node_kind, child_id`` (string), ``parent_ids`` (object, in order),
            ``n_parents`` (int64), ``llm_id`` (string), ``llm_temperature, cost_usd`` (float64),
            ``tokens_in, tokens_out`` (Int64), ``time`` (datetime64[ns, UTC], of the newest
            statement), and for self-modifications ``verdict`` (string), ``score_before,
            score_after`` (float64), ``benchmark, target_path, overseer_id`` (string).
        """
        graph = self._graph
        with graph.lock:
            store, keys = graph._store, graph._store.keys
            stamps, ids = store.operator_stamps, store.operator_ids
            among: Iterable[int] = range(len(ids))
            if of is not None:
                above = walks.ancestors(store, graph._row(of))
                among = [maker for row in above for maker in store.makers[row]]
            rows = sorted(
                among,
                key=lambda row: (stamps[row], ids[row], keys[store.operator_child[row]]),
            )
            children = [keys[store.operator_child[row]] for row in rows]
            data = _said(store.operator_attributes.values, rows, FRAME_COLUMNS["operators"])
            data |= {
                "run_id": [ids[row][0] for row in rows],
                "id": [ids[row][1] for row in rows],
                "node_kind": [child.kind for child in children],
                "child_id": [child.id for child in children],
                "parent_ids": [_ids(store, store.operator_parents[row]) for row in rows],
                "n_parents": [len(store.operator_parents[row]) for row in rows],
                "time": [unpack_stamp(stamps[row]).timestamp_ns for row in rows],
            }
        return _frame(data, FRAME_COLUMNS["operators"])

    def runs(self) -> pd.DataFrame:
        """One row per run, sorted by start and id; costs and tokens count each operator once.

        Returns
        -------
        DataFrame
            ``run_id, name, project, status`` (string), ``started, ended`` (datetime64[ns, UTC]),
            ``seconds`` (float64), ``individuals, agents, ghosts, edges, operators`` (int64; ghosts
            are counted among individuals and agents), ``cost_usd`` (float64), ``tokens_in,
            tokens_out`` (Int64), ``unknown_cost`` (int64, operators that do not say their cost),
            ``started_by, git_commit, summary`` (string).
        """
        graph = self._graph
        with graph.lock:
            infos = list(graph.runs.values())
            infos.sort(key=lambda info: (info.started_ns is None, info.started_ns, info.run_id))
            counts = _run_counts(graph._store)
            rows = [_run_row(info, counts, graph.cost(run=info.run_id)) for info in infos]
        names = FRAME_COLUMNS["runs"]
        return _frame({name: [row.get(name) for row in rows] for name in names}, names)

    def path(
        self, node: Any = None, metric: str | None = None, run: str | None = None
    ) -> pd.DataFrame:
        """One row per step from a seed to a node: what changed, what it cost and what it gained.

        Parameters
        ----------
        node : str, NodeKey or object with an ``id``, optional
            Where the path ends; by default at the best on `metric`, see
            :meth:`LineageGraph.path_to_best`.
        metric : str, optional
            What is gained; by default :meth:`LineageGraph.default_metric`.
        run : str, optional
            Look for the best there.

        Returns
        -------
        DataFrame
            ``step`` (int64, from 0), ``run_id, id`` (string), ``operator_ids`` (object, those that
            made it, oldest first), ``operator_kind, llm_id, diff`` (string, of the newest of them),
            ``score`` (float64, missing where invalid), ``gain`` (float64, over the last score on
            the path, positive is better), ``cost_usd`` (float64), ``tokens_in, tokens_out``
            (Int64; of the operators that made it), and ``total_cost_usd, total_tokens_in,
            total_tokens_out``: of its whole ancestry, each operator once.

        Raises
        ------
        MetricChoiceError
            As for :meth:`LineageGraph.best`.
        """
        graph = self._graph
        with graph.lock:
            if node is None:
                path = graph.path_to_best(metric, run)
            else:
                path = graph.path_to_seed(node, metric)
            of = run if not path else path[-1].run_id
            metric = metric or graph.default_metric(of) or graph.default_metric()
            lower = metric is not None and graph.direction(metric, of) == "lower"
            rows = [graph._store.rows[key] for key in path]
            data = step_rows(graph._store, rows, metric, -1.0 if lower else 1.0)
        columns = FRAME_COLUMNS["path"]
        return _frame({name: data.get(name, []) for name in columns}, columns)

    def phylogeny(
        self,
        run: str | None = None,
        extant: Iterable[Any] | None = None,
        time: float | None = None,
    ) -> pd.DataFrame:
        """Measures of the phylogeny of each run, as artificial life reports them.

        What is alive is looked at together with its ancestry, each individual with its first
        parent alone. Times are in the unit of the source (``origin_time``), else in Unix seconds.

        Parameters
        ----------
        run : str, optional
            This run only.
        extant : iterable of nodes, optional
            What is alive; by default every known individual without children.
        time : float, optional
            The present; by default the latest birth in the run.

        Returns
        -------
        DataFrame
            One row per run with something alive, in the order of `runs`: ``run_id`` (string),
            ``extant, nodes, roots`` (int64, of the tree above what is alive), ``mrca`` (string) and
            ``mrca_depth`` (Int64, edges below the root; missing for several roots), ``mrca_age``
            (float64, the present minus its birth), ``phylogenetic_diversity`` (int64, branches of
            the tree, each of length 1: Faith 1992, Biological Conservation 61: 1-10),
            ``branch_length`` (float64, the same with branches as long as births are apart),
            ``mean_distinctiveness`` (float64, the mean of `distinctiveness`) and ``colless_like``
            (float64, Mir et al. 2018, 0 is balanced; missing for several roots).

        Raises
        ------
        GraphError
            First parents lead in a circle, or `extant` names no node.
        """
        rows = []
        with self._graph.lock:
            for run_id, tree, now in self._trees(run, extant, time):
                found = measures(self._graph._store, tree, now)
                rows.append({"run_id": run_id, **found})
        columns = FRAME_COLUMNS["phylogeny"]
        return _frame({name: [row[name] for row in rows] for name in columns}, columns)

    def distinctiveness(
        self,
        run: str | None = None,
        extant: Iterable[Any] | None = None,
        time: float | None = None,
    ) -> pd.DataFrame:
        """How much evolutionary history each living individual has for itself.

        Each branch of its lineage, up to the most recent common ancestor of all, is shared out
        among what is alive below it (fair proportion: Isaac et al. 2007, PLoS ONE 2(3): e296).

        Parameters
        ----------
        run, extant, time
            As for :meth:`phylogeny`.

        Returns
        -------
        DataFrame
            One row per living individual: ``run_id, id`` (string),
            ``evolutionary_distinctiveness`` (float64, in the unit of time).

        Raises
        ------
        GraphError
            As for :meth:`phylogeny`.
        """
        data: dict[str, list[Any]] = {name: [] for name in FRAME_COLUMNS["distinctiveness"]}
        with self._graph.lock:
            store = self._graph._store
            for run_id, tree, now in self._trees(run, extant, time):
                data["run_id"] += [run_id] * len(tree.tips)
                data["id"] += [store.keys[row].id for row in tree.tips]
                data["evolutionary_distinctiveness"] += fair_proportions(store, tree, now)
        return _frame(data, FRAME_COLUMNS["distinctiveness"])

    def _trees(
        self, run: str | None, extant: Iterable[Any] | None, time: float | None
    ) -> Iterator[tuple[str, Tree, float]]:
        """Yield each run with the tree of what is alive in it, and the present."""
        graph = self._graph
        store = graph._store
        chosen = None if extant is None else {graph._row(node, run) for node in extant}
        living: dict[str, list[int]] = {run_id: [] for run_id in store.run_ids}
        born: dict[str, list[int]] = {run_id: [] for run_id in store.run_ids}
        for row in graph._order():
            kind, run_id, _ = store.keys[row]
            if kind != "individual" or run not in (None, run_id):
                continue
            born[run_id].append(row)
            childless = all(child == row for child in store.children[row])
            if row in chosen if chosen is not None else store.known[row] and childless:
                living[run_id].append(row)
        for run_id, tips in living.items():
            if tips:
                now = latest(store, born[run_id]) if time is None else time
                yield run_id, tree_of(store, tips), now

    def _nodes(self, kind: str) -> pd.DataFrame:
        graph = self._graph
        with graph.lock:
            store, keys = graph._store, graph._store.keys
            rows = [row for row in graph._order() if keys[row].kind == kind]
            data = _said(store.attributes.values, rows, FRAME_COLUMNS["nodes"])
            data |= {
                "run_id": [keys[row].run_id for row in rows],
                "id": [keys[row].id for row in rows],
                "ghost": [not store.known[row] for row in rows],
                "is_seed": [store.is_seed(row) for row in rows],
                "islands": [store.islands_of(row) for row in rows],
                "parent_ids": [_ids(store, store.parents[row]) for row in rows],
                "n_parents": [len(store.parents[row]) for row in rows],
                "n_children": [len(store.children[row]) for row in rows],
                "operator_ids": [_made_ids(store, made_by(store, row)) for row in rows],
                "birth": [store.births[row] for row in rows],
                "invalid_reason": [store.invalid_reason(row) for row in rows],
            }
            for name in ("cost_usd", "tokens_in", "tokens_out"):
                data[name] = [_summed(store, store.makers[row], name) for row in rows]
            columns = dict(FRAME_COLUMNS["nodes"])
            for metric in graph.metrics():
                taken = metric in FRAME_COLUMNS["nodes"] and metric != COMPOSITE
                name = f"score:{metric}" if taken else metric
                columns[name] = "float64"
                data[name] = [score_of(store, row, metric) for row in rows]
        return _frame(data, columns)


def _frame(data: Mapping[str, list[Any]], columns: Mapping[str, str]) -> pd.DataFrame:
    return pd.DataFrame({name: column(data[name], dtype) for name, dtype in columns.items()})


def _said(
    values: list[dict[str, Any] | None], rows: list[int], names: Iterable[str]
) -> dict[str, list[Any]]:
    """Return what was said under each name, per row; None where nothing was."""
    nothing: dict[str, Any] = {}
    said = [values[row] or nothing for row in rows]
    return {name: [each.get(name) for each in said] for name in names}


def _ids(store: Store, rows: tuple[int, ...]) -> tuple[str, ...]:
    return tuple([store.keys[row].id for row in rows])


def _made_ids(store: Store, makers: Iterable[int]) -> tuple[str, ...]:
    return tuple([store.operator_ids[row][1] for row in makers])


def _operator_ids_of_edges(store: Store, children: Iterable[int]) -> list[tuple[str, ...]]:
    found = []
    for child in children:
        makers = makers_from(store, child) if store.parents[child] else {}
        found += [_made_ids(store, makers.get(parent, ())) for parent in store.parents[child]]
    return found


def _summed(store: Store, makers: tuple[int, ...], name: str) -> float | None:
    said = [number((store.operator_attributes.values[row] or {}).get(name)) for row in makers]
    known = [value for value in said if value is not None]
    return total(known) if known else None


def _run_counts(store: Store) -> dict[str, dict[str, int]]:
    names = ("individuals", "agents", "ghosts", "edges")
    counts = {run_id: dict.fromkeys(names, 0) for run_id in store.run_ids}
    for row, key in enumerate(store.keys):
        count = counts[key.run_id]
        count["agents" if key.kind == "agent" else "individuals"] += 1
        count["ghosts"] += not store.known[row]
        count["edges"] += len(store.parents[row])
    return counts


def _run_row(
    info: RunInfo, counts: Mapping[str, Mapping[str, int]], cost: CostSummary
) -> dict[str, Any]:
    started, ended = info.started_ns, info.ended_ns
    return {
        **{name: getattr(info, name, None) for name in FRAME_COLUMNS["runs"]},
        **counts[info.run_id],
        "started": started,
        "ended": ended,
        "seconds": None if started is None or ended is None else (ended - started) / 1e9,
        "operators": cost.operators,
        "cost_usd": cost.cost_usd,
        "tokens_in": cost.tokens_in,
        "tokens_out": cost.tokens_out,
        "unknown_cost": cost.unknown_cost,
    }
