"""The graph as pandas DataFrames, with the same columns and dtypes whatever is in it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import pandas as pd

from .columns import COLUMNS, column
from .costs import CostSummary
from .infos import RunInfo
from .ledger import unpack_stamp
from .metrics import COMPOSITE, score_of
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
        return _frame(data, COLUMNS["edges"])

    def operators(self) -> pd.DataFrame:
        """One row per operator, sorted by time, run and id; a crossover is one row.

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
            rows = sorted(
                range(len(ids)),
                key=lambda row: (stamps[row], ids[row], keys[store.operator_child[row]]),
            )
            children = [keys[store.operator_child[row]] for row in rows]
            data = _said(store.operator_attributes.values, rows, COLUMNS["operators"])
            data |= {
                "run_id": [ids[row][0] for row in rows],
                "id": [ids[row][1] for row in rows],
                "node_kind": [child.kind for child in children],
                "child_id": [child.id for child in children],
                "parent_ids": [_ids(store, store.operator_parents[row]) for row in rows],
                "n_parents": [len(store.operator_parents[row]) for row in rows],
                "time": [unpack_stamp(stamps[row]).timestamp_ns for row in rows],
            }
        return _frame(data, COLUMNS["operators"])

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
        names = COLUMNS["runs"]
        return _frame({name: [row.get(name) for row in rows] for name in names}, names)

    def _nodes(self, kind: str) -> pd.DataFrame:
        graph = self._graph
        with graph.lock:
            store, keys = graph._store, graph._store.keys
            rows = [row for row in graph._order() if keys[row].kind == kind]
            data = _said(store.attributes.values, rows, COLUMNS["nodes"])
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
            columns = dict(COLUMNS["nodes"])
            for metric in graph.metrics():
                taken = metric in COLUMNS["nodes"] and metric != COMPOSITE
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
        **{name: getattr(info, name, None) for name in COLUMNS["runs"]},
        **counts[info.run_id],
        "started": started,
        "ended": ended,
        "seconds": None if started is None or ended is None else (ended - started) / 1e9,
        "operators": cost.operators,
        "cost_usd": cost.cost_usd if cost.operators else None,
        "tokens_in": cost.tokens_in if cost.operators else None,
        "tokens_out": cost.tokens_out if cost.operators else None,
        "unknown_cost": cost.unknown_cost,
    }
