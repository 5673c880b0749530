"""The report: what was odd, counted, with examples."""

from __future__ import annotations

from hutch_lineage.graph import LineageGraph, Report
from hutch_lineage.model import OperatorRecord
from tests.graph.lineages import at, born, graph_of, ids, key


def test_nothing_odd_is_an_empty_report():
    """A sound graph has nothing to say."""
    report = graph_of(born("a", 1, is_seed=True), born("b", 2, "a")).report
    assert (report.lines(), bool(report), repr(report)) == ([], False, "Report(nothing odd)")


def test_what_readers_add_stays_beside_what_the_graph_shows():
    """Counts of both; a kind that both know adds up."""
    graph = graph_of(born("b", 2, "a"))
    graph.report.add("bad line", "file:3")
    graph.report.add("bad line", count=2)
    graph.apply(born("c", 3, "x"))
    assert graph.report.lines() == [
        "ghost (named but never introduced): 2 (a, x)",
        "bad line: 3 (file:3, ...)",
    ]


def test_examples_are_few_and_the_same_at_every_call():
    """Five examples at most, the first by name."""
    graph = graph_of(born("x", 1, *(f"g{n}" for n in range(9, 0, -1))))
    (line,) = graph.report.lines()
    assert line == "ghost (named but never introduced): 9 (g1, g2, g3, g4, g5, ...)"


def test_a_seed_with_parents_is_odd_and_no_seed():
    """Edges win: who has parents is no seed, whatever was said, and the report tells."""
    graph = graph_of(born("a", 1), born("b", 3, is_seed=True), born("b", 2, "a", is_seed=False))
    assert graph.report.examples == {"stated with different parents": ["b"]}
    assert (graph.node("b")["is_seed"], ids(graph.seeds())) == (False, ["a"])


def test_one_job_run_with_several_outputs_is_not_odd():
    """Datasets of other producers share the operator that wrote them."""
    outputs = [
        OperatorRecord("openlineage", "job#1", at(n), (), key(f"out{n}", "openlineage"))
        for n in (1, 2)
    ]
    assert graph_of(outputs).report.lines() == []


def test_an_example_is_text_from_outside():
    """Adding nothing but a kind counts it."""
    report = Report()
    report.add("unknown kind")
    assert report.lines() == ["unknown kind: 1"]
    assert not LineageGraph().report
