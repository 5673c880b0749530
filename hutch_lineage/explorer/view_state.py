"""What a view shows: the part of its state that Python and the browser share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypedDict, get_args

from hutch_lineage.errors import ConfigurationError

FocusMode = Literal["ancestors", "descendants", "both", "path"]
FOCUS_MODES: tuple[str, ...] = get_args(FocusMode)
PLAIN_COLOURS = ("operator", "model", "island", "cost", "generation", "run")
THEMES = ("auto", "light", "dark")


class Focus(TypedDict):
    """The nodes that are left when the rest is faded: those related to one row."""

    mode: str
    row: int


class ViewState(TypedDict):
    """See the explorer guide for each field."""

    kind: str
    run: str | None
    colour: str
    focus: Focus | None
    query: str
    tab: str


def first_view() -> ViewState:
    """Return the state of a new view: individuals, all runs, coloured by the default metric."""
    return {
        "kind": "individual",
        "run": None,
        "colour": "",
        "focus": None,
        "query": "",
        "tab": "details",
    }


def checked_view(current: Mapping[str, Any], change: Any) -> dict[str, Any]:
    """Return `current` with what is sound in `change`, as a browser sent it."""
    view = dict(current)
    if not isinstance(change, dict):
        return view
    for name in ("colour", "query", "tab"):
        if isinstance(change.get(name), str):
            view[name] = change[name][:400]
    if change.get("kind") in ("individual", "agent"):
        view["kind"] = change["kind"]
    if "run" in change and (change["run"] is None or isinstance(change["run"], str)):
        view["run"] = change["run"]
    if "focus" in change:
        view["focus"] = _checked_focus(change["focus"])
    return view


def _checked_focus(focus: Any) -> Focus | None:
    if not isinstance(focus, dict) or focus.get("mode") not in FOCUS_MODES:
        return None
    row = focus.get("row")
    if not isinstance(row, int) or isinstance(row, bool) or row < 0:
        return None
    return {"mode": focus["mode"], "row": row}


def colour_key(by: str, metrics: list[str]) -> str:
    """Return the colouring called `by`: a metric's name, or one of the plain ones.

    Raises
    ------
    ConfigurationError
        There is no such colouring; the message lists those that there are.
    """
    name = by.removeprefix("metric:")
    if name in metrics:
        return f"metric:{name}"
    if by in PLAIN_COLOURS:
        return by
    choices = ", ".join([*metrics, *PLAIN_COLOURS])
    raise ConfigurationError(f"cannot colour by {by!r}: choose one of {choices}", "colour")
