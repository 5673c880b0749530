"""Metrics: which way is better, how that is known, and which one is meant."""

from __future__ import annotations

import pytest

from hutch_lineage.errors import MetricChoiceError
from hutch_lineage.graph import LineageGraph
from hutch_lineage.model import FitnessRecord, RunRecord
from tests.graph.lineages import at, graph_of, key, scored


@pytest.mark.parametrize(
    ("name", "direction", "source"),
    [
        ("val_loss", "lower", "name"),
        ("RMSE", "lower", "name"),
        ("evalTime", "lower", "name"),
        ("wall-clock.seconds", "lower", "name"),
        ("L2Error", "lower", "name"),
        ("distance_score", "higher", "name"),
        ("accuracy", "higher", "name"),
        ("sum_radii", "higher", "assumed"),
        ("lossless_ratio", "higher", "assumed"),
        ("times_won", "higher", "assumed"),
        ("", "higher", "assumed"),
    ],
)
def test_a_name_tells_the_direction_by_its_words(name, direction, source):
    """Whole words count, whatever joins them; a name that says nothing is assumed higher."""
    info = LineageGraph().metric_info(name)
    assert (info.direction, info.source, info.declared) == (direction, source, False)


def test_what_a_run_declares_goes_before_the_name():
    """A declared direction wins over the table and is marked as declared."""
    graph = graph_of(RunRecord("r", at(1), {"score_directions": {"loss": "higher"}}))
    assert graph.direction("loss") == "higher"
    assert graph.metric_info("loss").declared
    assert graph.direction("loss", run="other") == "lower"


def test_runs_that_disagree_have_to_be_told_apart():
    """Without run= the answer would be wrong for one of them."""
    graph = graph_of(
        RunRecord("r1", at(1), {"score_directions": {"q": "higher"}}),
        RunRecord("r2", at(2), {"score_directions": {"q": "lower"}}),
    )
    assert (graph.direction("q", run="r1"), graph.direction("q", run="r2")) == ("higher", "lower")
    with pytest.raises(MetricChoiceError, match="pass run="):
        graph.direction("q")


def test_metrics_are_those_with_a_value():
    """Sorted names of a run or of all, the composite among them."""
    graph = graph_of(
        scored("a", 1, run="r1", q=1.0, p=2.0),
        FitnessRecord(key("a", "r2"), at(2), {}, {"composite": 1.0, "invalid_reason": "x"}),
    )
    assert graph.metrics() == ["composite", "p", "q"]
    assert graph.metrics(run="r2") == ["composite"]
    assert graph.metrics(run="r3") == []


def test_a_composite_that_is_the_same_everywhere_tells_nothing():
    """Importers that write 1.0 for every node do not hide the metric that differs."""
    said = [
        FitnessRecord(key(str(n)), at(n), {"score": float(n), "p": 0.0}, {"composite": 1.0})
        for n in range(10)
    ]
    assert graph_of(said).default_metric() == "score"
    assert graph_of(said[:9]).default_metric() == "composite"


@pytest.mark.parametrize(
    ("scores", "declared", "composite", "expected"),
    [
        ({"p": 1.0}, {}, None, "p"),
        ({"p": 1.0, "q": 1.0}, {}, None, None),
        ({"p": 1.0, "q": 1.0}, {"q": "lower"}, None, "q"),
        ({"p": 1.0, "q": 1.0}, {"q": "lower"}, 1.0, "q"),
        ({"p": 1.0, "q": 1.0}, {"p": "lower", "q": "lower"}, 1.0, "composite"),
        ({"p": 1.0, "combined_score": 1.0, "score": 1.0}, {}, None, "combined_score"),
        ({"p": 1.0, "q": 1.0}, {"unused": "lower"}, None, None),
        ({}, {}, None, None),
    ],
)
def test_the_default_metric(scores, declared, composite, expected):
    """The one declared, else the composite, else the only one, else a name for the whole."""
    graph = graph_of(
        RunRecord("r", at(1), {"score_directions": declared}),
        FitnessRecord(key("a"), at(2), scores, {"composite": composite}),
    )
    assert graph.default_metric() == graph.default_metric(run="r") == expected
