"""A graph in a few lines of plain text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hutch_lineage.errors import GraphError
from hutch_lineage.plumbing import counted

from .wording import dollars, number, one_line, short_id

if TYPE_CHECKING:
    from hutch_lineage.graph import LineageGraph
    from hutch_lineage.model import NodeKey, NodeKind

STEPS = 8
RUNS = 5
PATH_MARK = " > "


def to_text(graph: LineageGraph, run: str | None = None) -> str:
    """Summarise a graph: what is in it, the best of each run and the path to it, what it cost.

    Parameters
    ----------
    graph : LineageGraph
        What to summarise.
    run : str, optional
        The id of the only run to tell of.

    Returns
    -------
    str
        Lines without a final line end; the same graph gives the same text. At most five runs are
        named one by one.

    Examples
    --------
    >>> from hutch_lineage.graph import LineageGraph
    >>> to_text(LineageGraph())
    'Nothing captured yet'
    """
    with graph.lock:
        if not len(graph):
            return "Nothing captured yet"
        return "\n".join(one_line(line) for line in (_counts(graph), *_runs(graph, run)))


def _counts(graph: LineageGraph) -> str:
    ghosts = len(graph.nodes()) - len(graph.nodes(ghosts=False))
    individuals = len(graph.nodes("individual", ghosts=False))
    agents = len(graph.nodes("agent", ghosts=False))
    edges = graph.edge_count
    parts = [counted(individuals, "individual")] if individuals or not agents else []
    parts += [counted(agents, "agent")] if agents else []
    parts += [counted(edges, "edge"), counted(len(graph.runs), "run")]
    return " · ".join(parts + ([f"{ghosts:,} not seen"] if ghosts else []))


def _runs(graph: LineageGraph, only: str | None) -> Iterator[str]:
    runs = [(run_id, run) for run_id, run in graph.runs.items() if only in (None, run_id)]
    for run_id, run in runs[:RUNS]:
        facts = [run.name or run_id]
        facts += [run.status] if run.status else []
        cost = graph.cost(run=run_id)
        facts += [dollars(cost.cost_usd)] if cost.cost_usd else []
        tokens = (cost.tokens_in or 0) + (cost.tokens_out or 0)
        facts += [counted(tokens, "token")] if tokens else []
        yield " · ".join(facts)
        for kind in ("individual", "agent"):
            yield from _best(graph, run_id, kind)
    if len(runs) > RUNS:
        yield f"and {counted(len(runs) - RUNS, 'more run')}"


def _best(graph: LineageGraph, run_id: str, kind: NodeKind) -> Iterator[str]:
    metric = graph.default_metric(run_id)
    try:
        best = graph.best(metric, run_id, kind) if metric else None
    except GraphError:
        best = None
    if best is None or metric is None:
        return
    info = graph.metric_info(metric, run_id)
    way = f"{'' if info.declared else 'assumed: '}{info.direction} is better"
    yield f"  best {_named(kind)}{best.id}: {_score(graph, best, metric)} ({way})"
    path = graph.path_to_best(metric, run_id, kind)
    if len(path) > 1:
        shown = [
            f"{short_id(key.id)} {_score(graph, key, metric, short=True)}".strip() for key in path
        ]
        if len(shown) > STEPS:
            left_out = f"({counted(len(shown) - STEPS, 'step')})"
            shown = [*shown[: STEPS // 2], left_out, *shown[-STEPS // 2 :]]
        yield f"  path: {PATH_MARK.join(shown)}"
        cost = graph.cost(best)
        if cost.cost_usd:
            yield f"  lineage cost: {dollars(cost.cost_usd)} over {counted(len(path) - 1, 'step')}"


def _named(kind: NodeKind) -> str:
    return "agent " if kind == "agent" else ""


def _score(graph: LineageGraph, key: NodeKey, metric: str, *, short: bool = False) -> str:
    value = graph.score(key, metric)
    if value is None:
        return ""
    return number(value) if short else f"{metric} {number(value)}"
