"""Phylogenies measured, paths step by step, two runs side by side: by hand."""

from __future__ import annotations

import math
from typing import Any

import pytest

from hutch_lineage.errors import GraphError, MetricChoiceError
from hutch_lineage.graph import LineageGraph
from tests.graph.lineages import born, graph_of, made, scored

S = 1_000_000_000


def family() -> LineageGraph:
    """A stem z, then a with the tips c, and d and e below b; times in seconds."""
    return graph_of(
        born("z", 0),
        born("a", 2 * S, "z"),
        born("b", 3 * S, "a"),
        born("c", 5 * S, "a"),
        born("d", 6 * S, "b"),
        born("e", 8 * S, "b"),
    )


def measured(graph: LineageGraph, **options: Any) -> dict[str, Any]:
    """The only row of the measures."""
    (row,) = graph.frames.phylogeny(**options).to_dict("records")
    return row


def test_a_small_tree() -> None:
    """Each figure, worked out by its formula."""
    found = measured(family())
    assert (found["extant"], found["nodes"], found["roots"]) == (3, 6, 1)
    assert (found["mrca"], found["mrca_depth"], found["mrca_age"]) == ("a", 1, 6.0)
    assert (found["phylogenetic_diversity"], found["branch_length"]) == (5, 2 + 1 + 3 + 3 + 5)
    # c: 8 - 2; d: 8 - 6, 6 - 3, and half of 3 - 2; e: nothing, 8 - 3, and half of 3 - 2
    assert found["mean_distinctiveness"] == pytest.approx((6 + 5.5 + 5.5) / 3)
    cherry = 2 + math.log(2 + math.e)
    assert found["colless_like"] == pytest.approx((cherry - 1) / 2)
    shares = family().frames.distinctiveness()
    assert shares["id"].tolist() == ["c", "d", "e"]
    assert shares["evolutionary_distinctiveness"].tolist() == [6.0, 5.5, 5.5]


def test_who_is_alive_and_when_now_is_may_be_said() -> None:
    """The others are pruned away; an ancestor may live, too."""
    found = measured(family(), extant=["b", "d"], time=10.0)
    assert (found["extant"], found["nodes"], found["mrca"]) == (2, 4, "b")
    assert (found["mrca_age"], found["mean_distinctiveness"]) == (7.0, (3.5 + 7.0) / 2)


def test_one_alone_and_several_roots() -> None:
    """One has no balance to lose; several roots have no common ancestor."""
    alone = measured(family(), extant=["d"])
    assert (alone["mrca"], alone["mean_distinctiveness"], alone["colless_like"]) == ("d", 0.0, 0.0)
    two = measured(graph_of(born("a", 1), born("b", 2)))
    assert two["roots"] == 2
    assert math.isnan(two["colless_like"])
    assert math.isnan(two["mrca_age"])


def test_runs_apart_and_none() -> None:
    """A row per run; an empty graph has the columns."""
    graph = graph_of(born("a", 1), born("a", 2, run="s"))
    assert graph.frames.phylogeny()["run_id"].tolist() == ["r", "s"]
    assert graph.frames.phylogeny("s")["run_id"].tolist() == ["s"]
    empty = LineageGraph().frames
    assert empty.phylogeny().dtypes.tolist() == graph.frames.phylogeny().dtypes.tolist()
    assert empty.distinctiveness().dtypes.tolist() == graph.frames.distinctiveness().dtypes.tolist()


def test_circles_are_refused() -> None:
    """A self loop is no parent; a circle is no tree."""
    assert measured(graph_of(born("a", 1, "a"), born("b", 2, "a")))["mrca"] == "b"
    circle = graph_of(born("a", 1, "b"), born("b", 2, "a"), born("c", 3, "b"))
    with pytest.raises(GraphError, match="in a circle"):
        circle.frames.phylogeny()


def test_a_deep_tree_needs_no_recursion() -> None:
    """Ten thousand generations."""
    chain = graph_of(*(born(str(n), n, *([str(n - 1)] if n else [])) for n in range(10_000)))
    assert measured(chain)["phylogenetic_diversity"] == 9_999


def searched() -> LineageGraph:
    """A crossover that shares an ancestor, and a second run."""
    return graph_of(
        born("a", 1),
        made("b", 2, "a", cost_usd=1.0, tokens_in=10, kind="mutate", diff="+x", llm_id="m"),
        made("c", 3, "a", cost_usd=2.0, tokens_in=20),
        made("d", 4, "b", "c", cost_usd=4.0, tokens_in=40, kind="crossover"),
        *(scored(node, 5 + n, score=n) for n, node in enumerate("abcd")),
        born("x", 2 * S, run="s"),
        made("y", 3 * S, "x", run="s", cost_usd=8.0, kind="mutate"),
        scored("x", 20, run="s", score=5.0),
        scored("y", 21, run="s", score=9.0),
    )


def test_the_path_step_by_step() -> None:
    """What changed, what it cost, what it gained; an ancestry counts each operator once."""
    path = searched().frames.path(run="r")
    assert path["id"].tolist() == ["a", "c", "d"]
    assert path["operator_kind"].fillna("").tolist() == ["", "", "crossover"]
    assert path["gain"].fillna(0).tolist() == [0, 2, 1]
    assert path["cost_usd"].fillna(0).tolist() == [0, 2, 4]
    assert path["total_cost_usd"].fillna(0).tolist() == [0, 2, 7]
    assert path["total_tokens_in"].fillna(0).tolist() == [0, 20, 70]
    assert searched().frames.path("b")["diff"].tolist()[1] == "+x"
    empty = LineageGraph().frames.path()
    assert empty.dtypes.tolist() == path.dtypes.tolist()


def test_the_operators_of_an_ancestry() -> None:
    """Their sum is what the ancestry cost."""
    graph = searched()
    table = graph.frames.operators(of="d")
    assert table["child_id"].tolist() == ["b", "c", "d"]
    assert table["cost_usd"].sum() == graph.cost("d").cost_usd == 7.0


def test_two_runs_side_by_side() -> None:
    """Totals, the way to the best, and what operators and models gave."""
    found = searched().compare_runs("r", "s")
    assert found.metric == "score"
    assert found.totals.loc["best"].tolist() == [3.0, 9.0, 6.0]
    assert found.totals.loc["cost_usd"].tolist() == [7.0, 8.0, 1.0]
    assert found.totals.loc["individuals"].tolist() == [4.0, 2.0, -2.0]
    assert found.progress["run_id"].tolist() == ["r"] * 4 + ["s"] * 2
    assert found.progress["best"].tolist() == [0, 1, 2, 3, 5, 9]
    assert found.progress["cost_usd"].tolist() == [0, 1, 3, 7, 0, 8]
    assert found.kinds.loc[("s", "mutate"), "improvements_per_usd"] == 1 / 8
    assert found.models.index.names == ["run_id", "llm_id"]


def test_runs_without_scores_and_wrong_names() -> None:
    """Counts and costs can still be compared; what is not there is named."""
    graph = graph_of(born("a", 1), born("b", 2, run="s"))
    found = graph.compare_runs("r", "s")
    assert found.metric is None
    assert len(found.progress) == 0
    with pytest.raises(GraphError, match="no run 'x'"):
        graph.compare_runs("r", "x")
    with pytest.raises(MetricChoiceError, match="no node has a score on 'y'"):
        searched().compare_runs("r", "s", "y")
