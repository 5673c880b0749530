"""What of a graph a form has no place for, counted, a line each."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

if TYPE_CHECKING:
    from hutch_lineage.graph import LineageGraph

Loss: TypeAlias = Literal[
    "scores", "genomes", "metadata", "migrations", "diffs", "operators without parents", "runs"
]

_LINES: Final[dict[Loss, str]] = {
    "scores": "scores of nodes",
    "genomes": "genomes",
    "metadata": "metadata of nodes",
    "migrations": "migrations",
    "diffs": "diffs of operators",
    "operators without parents": "operators without parents",
    "runs": "runs, with their settings and times",
}


def losses(graph: LineageGraph, *of: Loss) -> list[str]:
    """Return a line for each of `of` that the graph has.

    Examples
    --------
    >>> from hutch_lineage.graph import LineageGraph
    >>> from hutch_lineage.model import NodeKey, NodeRecord, Stamp
    >>> graph = LineageGraph()
    >>> graph.apply(NodeRecord(NodeKey("agent", "r", "a"), Stamp(1, ""), (), {"genome": "x"}))
    1
    >>> losses(graph, "genomes", "diffs")
    ['genomes, left out: 1']
    """
    found: Counter[Loss] = Counter()
    with graph.lock:
        for key in graph.nodes():
            view = graph.node(key)
            found["scores"] += "scores" in view
            found["genomes"] += "genome" in view
            found["metadata"] += bool(set(view.get("metadata") or ()) - {"genome"})
            found["migrations"] += len(view.get("migrations") or ())
        for operator in graph.operators.values():
            found["diffs"] += bool(operator.diff)
            found["operators without parents"] += not operator.parents
        found["runs"] = sum(bool(run.attributes) for run in graph.runs.values())
    told = ((line, found[loss]) for loss, line in _LINES.items() if loss in of)
    return [f"{line}, left out: {count:,}" for line, count in told if count]
