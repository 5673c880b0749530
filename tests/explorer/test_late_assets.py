"""The bundles that follow the graph: when they are sent."""

from __future__ import annotations

from hutch_lineage.explorer.late_assets import LateAssets


def names(messages: list[dict[str, object]]) -> list[object]:
    return [message["name"] for message in messages]


def test_it_goes_once_to_each_front_end():
    """After the first graph and never again, until another front end says that it is there."""
    late = LateAssets()
    assert names(late.due(heard=True)) == ["hands", "panels"]
    assert names(late.due(heard=True)) == []
    late.restart()
    assert names(late.due(heard=True)) == ["hands", "panels"]


def test_a_front_end_that_cannot_speak_gets_it_too():
    """Behind the second graph, once; and again when it has spoken, for it may have missed it."""
    late = LateAssets()
    assert [names(late.due(heard=False)) for _ in range(4)] == [[], ["hands", "panels"], [], []]
    late.restart()
    assert names(late.due(heard=True)) == ["hands", "panels"]
