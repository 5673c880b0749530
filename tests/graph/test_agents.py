from __future__ import annotations

from hutch_lineage.graph import LineageGraph
from hutch_lineage.model import SelfModEvent, SelfModPayload


def change(parent: str, child: str, after: float, verdict: str) -> SelfModEvent:
    payload = SelfModPayload(
        parent_agent_id=parent,
        child_agent_id=child,
        overseer_verdict=verdict,
        benchmark="solved",
        score_before=0.1,
        score_after=after,
        metadata={"genome": f"skill = {child!r}"},
    )
    return SelfModEvent(run_id="r", payload=payload)


def test_agents_have_the_scores_of_their_benchmark() -> None:
    """Agents are coloured and ranked by what their self-modifications say."""
    graph = LineageGraph()
    graph.apply(change("a", "b", 0.5, "accepted"))
    assert graph.default_metric() == "solved"
    scores = {key.id: graph.node(key)["scores"] for key in graph.nodes("agent")}
    assert scores == {"a": {"solved": 0.1}, "b": {"solved": 0.5}}
    assert graph.node("b")["genome"] == "skill = 'b'"


def test_the_best_agent_was_not_rejected() -> None:
    """A version that the overseer refused is no best, whatever it scored."""
    graph = LineageGraph()
    graph.apply(change("a", "b", 0.5, "accepted"), change("b", "c", 0.9, "rejected"))
    best = graph.best(kind="agent")
    assert best is not None
    assert best.id == "b"
