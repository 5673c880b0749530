"""The bundle that may come later: when it is sent."""

from __future__ import annotations

from hutch_lineage.explorer.assets import LateAssets, late_asset


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


def test_it_is_a_script_and_a_style_and_nothing_else_has_a_name():
    """Only bundles that are meant to come later can be asked for."""
    message = late_asset("panels")
    assert message is not None
    assert (message["op"], min(len(message["js"]), len(message["css"])) > 1000) == ("asset", True)
    assert [late_asset(name) for name in ("explorer", "", "../../__init__")] == [None] * 3
