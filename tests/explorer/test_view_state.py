"""What a browser may change in the state of a view, and what is refused."""

from __future__ import annotations

import pytest

from hutch_lineage.errors import ConfigurationError
from hutch_lineage.explorer.view_state import checked_view, colour_key, first_view


def test_takes_what_is_sound():
    """A browser's change of view is taken over field by field."""
    change = {"kind": "agent", "run": "r1", "focus": {"mode": "path", "row": 3}, "query": "abc"}
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
        {"run": 5},
        {"query": ["a"]},
        {"unknown": 1},
    ],
)
def test_leaves_out_what_is_not(change):
    """What a broken or hostile browser sends never reaches the state."""
    assert first_view() == checked_view(first_view(), change)


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
