"""What a browser may change in the state of a view, and what is refused."""

from __future__ import annotations

import pytest

from hutch_lineage.errors import ConfigurationError
from hutch_lineage.explorer.view_state import checked_view, colour_key, first_view


def test_takes_what_is_sound():
    """A browser's change of view is taken over field by field."""
    change = {
        "kind": "agent",
        "run": "r1",
        "focus": {"mode": "path", "row": 3},
        "query": "abc",
        "layout": "tree",
        "best": "score",
        "scale": "rank",
        "size": "cost",
        "edges": "operator",
        "hidden": {"operator": ["mutate"]},
        "ranges": {"metric:score": {"low": 0.5, "high": None, "missing": True}},
        "collapsed": [2, 5],
        "chains": True,
        "dead_ends": True,
        "compare": 4,
    }
    view = checked_view(first_view(), change)
    expected = {**first_view(), **change}
    assert expected == view


@pytest.mark.parametrize(
    "change",
    [
        None,
        7,
        {"kind": "<img>"},
        {"focus": {"mode": "all", "row": 1}},
        {"focus": {"mode": "path", "row": -1}},
        {"focus": {"mode": "path", "row": True}},
        {"focus": {"mode": "between", "row": 1}},
        {"focus": {"mode": ["path"], "row": 1}},
        {"run": 5},
        {"layout": "spiral"},
        {"best": ["score"]},
        {"scale": ["log"]},
        {"hidden": {"operator": "mutate", "kind": ["a"], "model": [3, None]}},
        {"hidden": ["operator"]},
        {"ranges": {"operator": {"low": 1}, "cost": {"low": "1"}, "age": {"high": True}}},
        {"ranges": {"cost": {"low": float("nan"), "high": 10**400}, 3: {}, "age": 7}},
        {"ranges": ["cost"]},
        {"ranges": {f"metric:{'x' * 400}": {"low": 1}}},
        {"collapsed": ["a", -1, True, 2**40, [1]]},
        {"chains": 1, "dead_ends": "yes"},
        {"compare": "3"},
        {"query": ["a"]},
        {"unknown": 1},
    ],
)
def test_leaves_out_what_is_not(change):
    """What a broken or hostile browser sends never reaches the state."""
    assert first_view() == checked_view(first_view(), change)


@pytest.mark.parametrize(
    ("focus", "expected"),
    [
        ({"mode": "steps", "row": 1}, {"mode": "steps", "row": 1, "steps": 1}),
        ({"mode": "steps", "row": 1, "steps": 10**9}, {"mode": "steps", "row": 1, "steps": 1000}),
        (
            {"mode": "between", "row": 1, "other": 2, "steps": 3},
            {"mode": "between", "row": 1, "other": 2},
        ),
        ({"mode": "improvements"}, {"mode": "improvements", "row": -1}),
    ],
)
def test_a_focus_keeps_what_its_mode_needs(focus, expected):
    """Steps are bounded, an end belongs to a path between two, improvements need no node."""
    assert checked_view(first_view(), {"focus": focus})["focus"] == expected


def test_an_older_state_takes_defaults():
    """A state saved before a field existed is whole again."""
    assert checked_view({"kind": "agent"}, {}) == {**first_view(), "kind": "agent"}


def test_bounds_text():
    """A search text cannot grow without bound in the saved state."""
    assert len(checked_view(first_view(), {"query": "x" * 10_000})["query"]) == 400


def test_colour_key():
    """A metric's name wins over a plain colouring of the same name."""
    assert colour_key("cost", ["cost"]) == "metric:cost"
    assert colour_key("cost", ["loss"]) == "cost"


def test_colour_key_unknown():
    """An unknown colouring is refused with the list of those that there are."""
    with pytest.raises(ConfigurationError, match="loss, operator, model"):
        colour_key("fitnes", ["loss"])
