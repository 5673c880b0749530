"""The graph as pandas DataFrames, with the same columns and dtypes whatever is in it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import pandas as pd

from hutch_lineage.model import NodeKey

from .metrics import COMPOSITE
from .views import edge_view, number

if TYPE_CHECKING:
    from .infos import OperatorInfo
    from .lineage import LineageGraph

__all__ = ["COLUMNS", "Frames"]

_TIME = "datetime64[ns, UTC]"

COLUMNS: dict[str, dict[str, str]] = {
    "nodes": {
        "run_id": "string",
        "id": "string",
        "kind": "string",
        "ghost": "bool",
        "is_seed": "boolean",
        "generation_index": "Int64",
        "island_id": "string",
        "islands": "object",
        "population_id": "string",
        "parents": "object",
        "n_parents": "int64",
        "n_children": "int64",
        "operators": "object",
        "cost_usd": "float64",
        "tokens_in": "Int64",
        "tokens_out": "Int64",
        "birth": _TIME,
        "origin_time": "float64",
        "genome_lang": "string",
        "genome_uri": "string",
        "genome_hash": "string",
        "invalid_reason": "string",
        "composite": "float64",
    },
    "edges": {
        "run_id": "string",
        "node_kind": "string",
        "parent": "string",
        "child": "string",
        "order": "int64",
        "relation": "string",
        "operators": "object",
        "self_loop": "bool",
        "parent_run_id": "string",
    },
    "operators": {
        "run_id": "string",
        "id": "string",
        "kind": "string",
        "node_kind": "string",
        "child": "string",
        "parents": "object",
        "n_parents": "int64",
        "llm_id": "string",
        "llm_temperature": "float64",
        "cost_usd": "float64",
        "tokens_in": "Int64",
        "tokens_out": "Int64",
        "time": _TIME,
        "verdict": "string",
        "score_before": "float64",
        "score_after": "float64",
        "benchmark": "string",
        "target_path": "string",
        "overseer_id": "string",
    },
    "runs": {
        "run_id": "string",
        "name": "string",
        "project": "string",
        "status": "string",
        "started": _TIME,
        "ended": _TIME,
        "seconds": "float64",
        "individuals": "int64",
        "agents": "int64",
        "ghosts": "int64",
        "edges": "int64",
        "operators": "int64",
        "cost_usd": "float64",
        "tokens_in": "Int64",
        "tokens_out": "Int64",
        "unknown_cost": "int64",
        "started_by": "string",
        "git_commit": "string",
        "summary": "string",
    },
}
"""Column -> dtype of each frame. `individuals` and `agents` share ``nodes`` and add a float64
column ``score:<metric>`` per metric, sorted by name. Object columns hold tuples of str."""

_MAX_NS = 2**63 - 1


def _text(value: Any) -> str | None:
    return None if value is None else str(value)


def _whole(value: Any) -> int | None:
    found = number(value)
    return None if found is None else int(found)


def _time(value: Any) -> int | None:
    return value if isinstance(value, int) and 0 <= value <= _MAX_NS else None


def _column(values: list[Any], dtype: str) -> pd.Series[Any]:
    if dtype == _TIME:
        times = pd.array([_time(value) for value in values], dtype="Int64")
        filled = times.to_numpy(dtype="int64", na_value=pd.NaT.value)
        return pd.Series(filled.view("datetime64[ns]")).dt.tz_localize("UTC")
    convert: dict[str, Callable[[Any], Any]] = {
        "string": _text,
        "Int64": _whole,
        "float64": number,
    }
    kept = [convert[dtype](value) for value in values] if dtype in convert else values
    return pd.Series(kept, dtype=dtype)


def _frame(rows: list[dict[str, Any]], columns: dict[str, str]) -> pd.DataFrame:
    return pd.DataFrame(
        {name: _column([row.get(name) for row in rows], dtype) for name, dtype in columns.items()},
        columns=list(columns),
    )


class Frames:
    """Each method builds one DataFrame of the graph as it stands, with a plain index.

    :data:`COLUMNS` lists columns and dtypes; they are the same for an empty graph. Times are UTC,
    costs US dollars. What nobody said is missing (NA, NaN, NaT), never 0.

    Examples
    --------
    >>> from hutch_lineage.graph import LineageGraph
    >>> len(LineageGraph().frames.individuals())
    0
    """

    def __init__(self, graph: LineageGraph) -> None:
        self._graph = graph

    def individuals(self) -> pd.DataFrame:
        """One row per individual in birth order, ghosts included; ``score:<metric>`` columns."""
        return self._nodes("individual")

    def agents(self) -> pd.DataFrame:
        """One row per agent in birth order, with the columns of `individuals`."""
        return self._nodes("agent")

    def edges(self) -> pd.DataFrame:
        """One row per parent and child, children in birth order, parents in the order named.

        ``parent`` and ``child`` are ids, ``operators`` the ids of the operators in between.
        """
        graph = self._graph
        with graph.lock:
            store = graph._store
            rows = []
            for child in graph._order():
                for parent in store.parents[child]:
                    view = edge_view(store, parent, child)
                    above, below = store.keys[parent], store.keys[child]
                    rows.append(
                        {
                            **view,
                            "operators": tuple(key.id for key in view["operators"]),
                            "run_id": below.run_id,
                            "node_kind": below.kind,
                            "parent": above.id,
                            "child": below.id,
                            "parent_run_id": above.run_id,
                        }
                    )
        return _frame(rows, COLUMNS["edges"])

    def operators(self) -> pd.DataFrame:
        """One row per operator, sorted by time, run and id; a crossover is one row."""
        graph = self._graph
        with graph.lock:
            infos = sorted(graph.operators.values(), key=lambda info: (info.stamp, info.key))
        return _frame([_operator_row(info) for info in infos], COLUMNS["operators"])

    def runs(self) -> pd.DataFrame:
        """One row per run, sorted by start and id; costs and tokens count each operator once."""
        graph = self._graph
        with graph.lock:
            rows = [self._run_row(run_id) for run_id in graph.runs]
        rows.sort(key=lambda row: (row["started"] is None, row["started"] or 0, row["run_id"]))
        return _frame(rows, COLUMNS["runs"])

    def _nodes(self, kind: str) -> pd.DataFrame:
        graph = self._graph
        with graph.lock:
            store = graph._store
            scores = [name for name in graph.metrics() if name != COMPOSITE or _is_score(graph)]
            rows = []
            for row in graph._order():
                key = store.keys[row]
                if key.kind == kind:
                    rows.append(self._node_row(row, key))
        columns = dict(COLUMNS["nodes"])
        columns.update({f"score:{name}": "float64" for name in scores})
        return _frame(rows, columns)

    def _node_row(self, row: int, key: NodeKey) -> dict[str, Any]:
        graph, store = self._graph, self._graph._store
        view = graph.node(key)
        cost = graph._cost_of(store.makers[row])
        parents = store.parents[row]
        scores = view.get("scores", {})
        return {
            **view,
            **{f"score:{name}": value for name, value in scores.items()},
            "run_id": key.run_id,
            "id": key.id,
            "islands": view.get("islands", ()),
            "parents": tuple(store.keys[parent].id for parent in parents),
            "n_parents": len(parents),
            "n_children": len(store.children[row]),
            "operators": tuple(made.id for made in view.get("operators", ())),
            "cost_usd": cost.cost_usd if cost.operators else None,
            "tokens_in": cost.tokens_in if cost.operators else None,
            "tokens_out": cost.tokens_out if cost.operators else None,
            "birth": view.get("birth_ns"),
        }

    def _run_row(self, run_id: str) -> dict[str, Any]:
        graph, store = self._graph, self._graph._store
        info = graph.runs[run_id]
        cost = graph.cost(run=run_id)
        rows = [row for row, key in enumerate(store.keys) if key.run_id == run_id]
        agents = sum(store.keys[row].kind == "agent" for row in rows)
        started, ended = _time(info.started_ns), _time(info.ended_ns)
        span = None if started is None or ended is None else (ended - started) / 1e9
        return {
            **{name: getattr(info, name) for name in COLUMNS["runs"] if hasattr(info, name)},
            "started": started,
            "ended": ended,
            "seconds": span,
            "individuals": len(rows) - agents,
            "agents": agents,
            "ghosts": sum(not store.known[row] for row in rows),
            "edges": sum(len(store.parents[row]) for row in rows),
            "operators": cost.operators,
            "cost_usd": cost.cost_usd,
            "tokens_in": cost.tokens_in,
            "tokens_out": cost.tokens_out,
            "unknown_cost": cost.unknown_cost,
        }


def _is_score(graph: LineageGraph) -> bool:
    return any(scores and COMPOSITE in scores for scores in graph._store.scores.values)


def _ids(keys: Iterable[NodeKey]) -> tuple[str, ...]:
    return tuple(key.id for key in keys)


def _operator_row(info: OperatorInfo) -> dict[str, Any]:
    return {
        **info.attributes,
        "run_id": info.key.run_id,
        "id": info.key.id,
        "node_kind": info.child.kind,
        "child": info.child.id,
        "parents": _ids(info.parents),
        "n_parents": len(info.parents),
        "time": info.stamp.timestamp_ns,
    }
