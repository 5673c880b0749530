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
        "score": _score(graph, key, metric),
        "direction": info.direction,
        "declared": info.declared,
        "path": [each.id for each in graph.path_to_best(metric, run_id, kind)],
        "lineage_cost_usd": graph.cost(key).cost_usd,
    }


def _score(graph: LineageGraph, key: NodeKey, metric: str) -> float | None:
    node = graph.node(key)
    found = (node.get("scores") or {}).get(metric, node.get(metric))
    return found if isinstance(found, int | float) else None


def genome_of(graph: LineageGraph, key: NodeKey) -> str | None:
    """Return the text of a genome, None where it is not known."""
    found = graph.node(key).get("genome")
    return found if isinstance(found, str) else None


def step_of(graph: LineageGraph, key: NodeKey, metric: str) -> dict[str, Any]:
    """Return a node of a path: its score, and what made it."""
    operators = graph.node(key).get("operators") or ()
    made = graph.operators[operators[-1]] if operators else None
    return {
        "id": key.id,
        "score": _score(graph, key, metric),
        "operator": made.kind if made else None,
        "llm_id": made.llm_id if made else None,
        "cost_usd": made.cost_usd if made else None,
        "tokens_in": made.tokens_in if made else None,
        "tokens_out": made.tokens_out if made else None,
        "parent_ids": [parent.id for parent in graph.parents(key)],
    }


def told(steps: list[dict[str, Any]], metric: str) -> list[str]:
    """Return a path as lines of text."""
    from hutch_lineage.export import dollars, number, one_line

    lines = []
    before: float | None = None
    for step in steps:
        score = step["score"]
        words = [step["id"], "" if score is None else f"{metric} {number(score)}"]
        if score is not None and before is not None:
            words.append(f"({score - before:+.4g})")
        words += [step["operator"] or "seed", step["llm_id"] or ""]
        words.append("" if step["cost_usd"] is None else dollars(step["cost_usd"]))
        lines.append(one_line("  ".join(word for word in words if word)))
        before = before if score is None else score
    return lines
