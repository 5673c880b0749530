"""What the commands answer about a graph: plain data for programs, and lines for people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hutch_lineage.graph import LineageGraph
    from hutch_lineage.model import NodeKey


def counts(graph: LineageGraph) -> dict[str, int]:
    """Return how many there are of each."""
    known = graph.nodes(ghosts=False)
    agents = sum(key.kind == "agent" for key in known)
    return {
        "individuals": len(known) - agents,
        "agents": agents,
        "edges": graph.edge_count,
        "run_count": len(graph.runs),
        "not_seen": len(graph.nodes()) - len(known),
    }


def report_of(graph: LineageGraph) -> list[dict[str, Any]]:
    """Return what was odd."""
    report = graph.report
    return [
        {"what": what, "count": count, "examples": list(report.examples.get(what, ()))}
        for what, count in report.counts.items()
    ]


def run_of(graph: LineageGraph, run_id: str) -> dict[str, Any]:
    """Return a run, what it cost, and its best."""
    info, cost = graph.runs[run_id], graph.cost(run=run_id)
    bests = {}
    for kind in ("individual", "agent"):
        found = _best(graph, run_id, kind)
        if found is not None:
            bests[f"best_{kind}"] = found
    return {
        "run_id": run_id,
        "name": info.name,
        "project": info.project,
        "status": info.status,
        "operators": cost.operators,
        "cost_usd": cost.cost_usd,
        "tokens_in": cost.tokens_in,
        "tokens_out": cost.tokens_out,
        **bests,
    }


def _best(graph: LineageGraph, run_id: str, kind: Any) -> dict[str, Any] | None:
    metric = graph.default_metric(run_id, kind)
    key = graph.best(metric, run_id, kind) if metric else None
    if key is None or metric is None:
        return None
    info = graph.metric_info(metric, run_id)
    return {
        "id": key.id,
        "metric": metric,
        "score": graph.score(key, metric),
        "direction": info.direction,
        "declared": info.declared,
        "path": [each.id for each in graph.path_to_best(metric, run_id, kind)],
        "lineage_cost_usd": graph.cost(key).cost_usd,
    }


def genome_of(graph: LineageGraph, key: NodeKey) -> str | None:
    """Return the text of a genome, None where it is not known."""
    found = graph.node(key).get("genome")
    return found if isinstance(found, str) else None


def steps_of(graph: LineageGraph, key: NodeKey, metric: str) -> list[dict[str, Any]]:
    """Return the path to a node as :meth:`Frames.path` has it; None is what nobody said."""
    records = graph.frames.path(key, metric).to_dict("records")
    return [{str(name): _plain(value) for name, value in row.items()} for row in records]


def _plain(value: Any) -> Any:
    """Return None for what nobody said: pandas has NA and NaN for it, and neither is itself."""
    import pandas as pd

    return None if value is pd.NA or value != value else value


def told(steps: list[dict[str, Any]], metric: str) -> list[str]:
    """Return a path as lines of text."""
    from hutch_lineage.export import dollars, number, one_line

    lines = []
    for step in steps:
        score, gain, cost = step["score"], step["gain"], step["cost_usd"]
        words = [
            step["id"],
            "" if score is None else f"{metric} {number(score)}",
            "" if gain is None else f"(gain {number(gain)})",
            step["operator_kind"] or ("seed" if step["step"] == 0 else ""),
            step["llm_id"],
            "" if cost is None else dollars(cost),
        ]
        lines.append(one_line("  ".join(word for word in words if word)))
    return lines
