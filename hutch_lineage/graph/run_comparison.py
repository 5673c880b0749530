"""Two runs side by side, as frames."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pandas as pd

from .columns import FRAME_COLUMNS, column
from .metrics import valid_score
from .views import is_rejected, number

if TYPE_CHECKING:
    from .lineage import LineageGraph

__all__ = ["RunComparison", "compare"]

_COUNTS = ("individuals", "edges", "operators", "cost_usd", "tokens_in", "tokens_out", "seconds")
_TREE = ("extant", "roots", "mrca_age", "phylogenetic_diversity", "colless_like")


@dataclass(frozen=True, slots=True, eq=False)
class RunComparison:
    """Two runs: what each had, how it came along, and what its operators and models gave.

    Attributes
    ----------
    a, b : str
        The run ids.
    metric : str or None
        What is compared; None where neither has a score.
    totals : DataFrame
        Indexed by measure (string): ``a, b, difference`` (float64, b - a). Counts, costs, the best
        score, and the measures of the phylogeny.
    progress : DataFrame
        One row per individual with a score, run by run in birth order: ``run_id`` (string),
        ``evaluation`` (int64, from 1), ``seconds`` (float64, since the run's first birth),
        ``cost_usd`` (float64, of all that was made until then), ``score, best`` (float64, the best
        until then).
    kinds, models : DataFrame
        :meth:`LineageGraph.efficacy` of both, with ``run_id`` as first level of the index.
    """

    a: str
    b: str
    metric: str | None
    totals: pd.DataFrame
    progress: pd.DataFrame
    kinds: pd.DataFrame
    models: pd.DataFrame


def compare(graph: LineageGraph, a: str, b: str, metric: str | None) -> RunComparison:
    """Return the comparison of two runs of a graph."""
    scored = graph.metrics(a) + graph.metrics(b)
    parts = [_progress(graph, run, metric) for run in (a, b)]
    tables = {
        by: pd.concat(
            {
                run: graph.efficacy(by, metric if metric in graph.metrics(run) else None, run)
                for run in (a, b)
            },
            names=["run_id"],
        )
        for by in ("kind", "llm_id")
    }
    return RunComparison(
        a=a,
        b=b,
        metric=metric if scored else None,
        totals=_totals(graph, a, b, metric),
        progress=pd.concat(parts, ignore_index=True),
        kinds=tables["kind"],
        models=tables["llm_id"],
    )


def _totals(graph: LineageGraph, a: str, b: str, metric: str | None) -> pd.DataFrame:
    runs = graph.frames.runs().set_index("run_id")
    measured = []
    for run in (a, b):
        said: dict[str, Any] = {name: runs.loc[run, name] for name in _COUNTS}
        best = graph.best(metric, run) if metric in graph.metrics(run) else None
        row = None if best is None else graph._store.rows[best]
        said["best"] = None if row is None else valid_score(graph._store, row, str(metric))
        tree = graph.frames.phylogeny(run)
        said |= {name: tree[name].iloc[0] if len(tree) else None for name in _TREE}
        measured.append({name: None if pd.isna(value) else value for name, value in said.items()})
    names = list(measured[0])
    table = pd.DataFrame(
        {
            side: column([_float(said[name]) for name in names], "float64")
            for side, said in zip("ab", measured, strict=True)
        }
    )
    table["difference"] = table["b"] - table["a"]
    table.index = pd.Index(pd.array(names, dtype="string"), name="measure")
    return table


def _float(value: Any) -> float | None:
    return None if value is None else float(value)


def _progress(graph: LineageGraph, run: str, metric: str | None) -> pd.DataFrame:
    store = graph._store
    lower = metric is not None and graph.direction(metric, run) == "lower"
    spent, best, first = 0.0, None, None
    rows: list[tuple[Any, ...]] = []
    for key in graph.nodes(run=run):
        row = store.rows[key]
        for maker in store.makers[row]:
            spent += number((store.operator_attributes.values[maker] or {}).get("cost_usd")) or 0.0
        born = store.births[row] if store.births[row] >= 0 else None
        first = born if first is None else first
        score = None if metric is None else valid_score(store, row, metric)
        if score is None or is_rejected(store, row):
            continue
        if best is None or (score < best if lower else score > best):
            best = score
        since = None if born is None or first is None else (born - first) / 1e9
        rows.append((run, len(rows) + 1, since, spent, score, best))
    return pd.DataFrame(
        {
            name: column([row[place] for row in rows], dtype)
            for place, (name, dtype) in enumerate(FRAME_COLUMNS["progress"].items())
        }
    )
