"""The report: what a person would ask first, in tables."""

from __future__ import annotations

from hutch_lineage.export import to_markdown
from hutch_lineage.session import load
from tests.export.lineages import many
from tests.graph.lineages import born, graph_of, made, scored


def test_the_path_with_gain_and_cost():
    """Each step says by what it was made, what it gained over the one before, what it cost."""
    graph = graph_of(
        born("a", 1),
        scored("a", 1, loss=3.0),
        made("b", 2, "a", kind="refine", llm_id="m", cost_usd=0.5, tokens_in=7),
        scored("b", 2, loss=1.0),
    )
    text = to_markdown(graph)
    assert "| 0 | a | seed |  | 3 | - | - | - |" in text
    assert "| 1 | b | refine by m |  | 1 | +2 | $0.500 | 7 |" in text
    assert "Its whole ancestry, each operator once: 1 operator, $0.500, 7 tokens." in text
    assert "| refine | 1 | 1 | 1 | 2 | 0.5 | 4 | 285.71 |" in text


def test_texts_of_the_run_are_texts(hostile):
    """Nothing in a name becomes a table, a link or an element."""
    text = to_markdown(hostile)
    assert "<img" not in text.replace("\\<img", "")
    assert "## What was odd" in text


def test_a_large_graph_has_a_short_report():
    """It grows with the path and the operators, not with the graph."""
    assert len(to_markdown(many(2_000)).splitlines()) < 100


def test_real_runs(data_dir):
    """Best, path, operators and oddities of published runs."""
    for folder in ("hutch-codeevolve", "hutch-openevolve"):
        graph = load(data_dir / folder / "events.jsonl")
        text = to_markdown(graph, title="A run")
        assert text.startswith("# A run\n")
        for head in ("## Runs", "## The best individual", "## What each operator gave"):
            assert head in text
