"""Two nodes side by side."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from hutch_lineage.model import NodeKey

from .costs import CostSummary

__all__ = ["Comparison", "score_table"]


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """Two nodes: what they share and where they differ.

    Attributes
    ----------
    a, b : NodeKey
        The two nodes.
    mrca : NodeKey or None
        Their most recent common ancestor by birth order; a node counts as its own ancestor.
    steps_a, steps_b : int or None
        Least number of edges from the node up to `mrca`; None without one.
    shared_ancestors : tuple of NodeKey
        Common ancestors in birth order, the nodes themselves included where they are.
    only_a, only_b : int
        How many of the ancestors (the node included) belong to one side alone.
    scores : DataFrame
        One row per metric that either has: ``metric`` (string), ``a``, ``b``, ``difference``
        (float64, b - a), ``better`` (string: ``a``, ``b``, ``equal`` or missing).
    cost_a, cost_b : CostSummary
        What the ancestry of each cost, the node included.
    """

    a: NodeKey
    b: NodeKey
    mrca: NodeKey | None
    steps_a: int | None
    steps_b: int | None
    shared_ancestors: tuple[NodeKey, ...]
    only_a: int
    only_b: int
    scores: pd.DataFrame
    cost_a: CostSummary
    cost_b: CostSummary


def _better(a: float | None, b: float | None, direction: str) -> str | None:
    if a is None or b is None:
        return None
    if a == b:
        return "equal"
    return "b" if (b > a) == (direction == "higher") else "a"


def score_table(rows: list[tuple[str, float | None, float | None, str]]) -> pd.DataFrame:
    """Return the table of differences from (metric, a, b, direction)."""
    table = pd.DataFrame(
        {
            "metric": pd.array([row[0] for row in rows], dtype="string"),
            "a": pd.array([row[1] for row in rows], dtype="Float64").to_numpy(
                dtype="float64", na_value=float("nan")
            ),
            "b": pd.array([row[2] for row in rows], dtype="Float64").to_numpy(
                dtype="float64", na_value=float("nan")
            ),
        }
    )
    table["difference"] = table["b"] - table["a"]
    table["better"] = pd.array([_better(a, b, way) for _, a, b, way in rows], dtype="string")
    return table
