"""What a view shows: the part of its state that Python and the browser share."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any, Literal, NotRequired, TypedDict, TypeGuard, get_args

from hutch_lineage.errors import ConfigurationError
from hutch_lineage.model import clean_text

FocusMode = Literal["ancestors", "descendants", "both", "path", "steps", "between", "improvements"]
Layout = Literal["generations", "layered", "time", "tree", "radial", "islands"]
Scale = Literal["linear", "log", "rank"]
FOCUS_MODES: tuple[str, ...] = get_args(FocusMode)
LAYOUTS: tuple[str, ...] = get_args(Layout)
SCALES: tuple[str, ...] = get_args(Scale)
SIZES = ("", "cost", "tokens", "descendants")
EDGES = ("", "operator")
NUMBERS = ("cost", "age", "generation")
HIDEABLE = ("operator", "model", "island", "agent", "run")
PLAIN_COLOURS = (*HIDEABLE, *NUMBERS)
THEMES = ("auto", "light", "dark", "contrast")
MAX_TEXT = 400
MAX_ERROR = 4_000
MAX_NAMES = 100_000  # show_only() names all the others
MAX_RUN = 10_000  # a run is found by its whole id
MAX_ROWS = 10_000
MAX_RANGES = 100
MAX_STEPS = 1_000


class Focus(TypedDict):
    """The nodes that are left when the rest is faded: those related to one row."""

    mode: str
    row: int
    other: NotRequired[int]
    steps: NotRequired[int]


class Range(TypedDict):
    """The numbers that are shown, the bounds included; None where there is no bound.

    ``missing`` says whether nodes without a number are shown, too.
    """

    low: float | None
    high: float | None
    missing: bool


class ViewState(TypedDict):
    """See the explorer guide for each field."""

    kind: str
    run: str | None
    query: str
    tab: str
    layout: str
    best: str
    colour: str
    scale: str
    size: str
    edges: str
    focus: Focus | None
    hidden: dict[str, list[str]]
    ranges: dict[str, Range]
    collapsed: list[int]
    chains: bool
    dead_ends: bool
    compare: int


CHOICES: Mapping[str, tuple[str, ...]] = {
    "kind": ("individual", "agent"),
    "layout": LAYOUTS,
    "scale": SCALES,
    "size": SIZES,
    "edges": EDGES,
}


def first_view() -> ViewState:
    """Return the state of a new view: individuals, all runs, by the default metric."""
    return {
        "kind": "individual",
        "run": None,
        "query": "",
        "tab": "details",
        "layout": "generations",
        "best": "",
        "colour": "",
        "scale": "linear",
        "size": "",
        "edges": "",
        "focus": None,
        "hidden": {},
        "ranges": {},
        "collapsed": [],
        "chains": False,
        "dead_ends": False,
        "compare": -1,
    }


def checked_view(current: Mapping[str, Any], change: Any) -> dict[str, Any]:
    """Return `current` with what is sound in `change`, as a browser sent it.

    A state of an older version lacks fields, one of a newer version has more: the first take their
    defaults, the second are left out. Nothing raises.
    """
    view: dict[str, Any] = {**first_view(), **current}
    if not isinstance(change, dict):
        return view
    for name in ("best", "colour", "query", "tab"):
        if isinstance(change.get(name), str):
            view[name] = _text(change[name])
    for name, choices in CHOICES.items():
        if isinstance(change.get(name), str) and change[name] in choices:
            view[name] = change[name]
    for name in ("chains", "dead_ends"):
        if isinstance(change.get(name), bool):
            view[name] = change[name]
    if "run" in change and (change["run"] is None or isinstance(change["run"], str)):
        view["run"] = None if change["run"] is None else clean_text(change["run"])[:MAX_RUN]
    if "focus" in change:
        view["focus"] = _checked_focus(change["focus"])
    if isinstance(change.get("hidden"), dict):
        view["hidden"] = _checked_hidden(change["hidden"])
    if isinstance(change.get("ranges"), dict):
        view["ranges"] = _checked_ranges(change["ranges"])
    if isinstance(change.get("collapsed"), list):
        view["collapsed"] = _checked_rows(change["collapsed"])
    if "compare" in change:
        view["compare"] = change["compare"] if _is_row(change["compare"]) else -1
    return view


def error_text(text: str) -> str:
    """Return what went wrong as the view can say it: valid Unicode, of a bounded length."""
    return clean_text(text)[:MAX_ERROR]


def _text(value: str) -> str:
    """Return a text that can be sent: a browser may cut one inside a character."""
    return clean_text(value[:MAX_TEXT])


def _is_row(value: Any) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**31


def _checked_rows(rows: Iterable[Any]) -> list[int]:
    return sorted({row for row in rows if _is_row(row)})[:MAX_ROWS]


def _checked_hidden(hidden: Mapping[Any, Any]) -> dict[str, list[str]]:
    checked: dict[str, list[str]] = {}
    for category in HIDEABLE:
        names = hidden.get(category)
        if not isinstance(names, list):
            continue
        sound = sorted({_text(name) for name in names if isinstance(name, str)})[:MAX_NAMES]
        if sound:
            checked[category] = sound
    return checked


def _checked_ranges(ranges: Mapping[Any, Any]) -> dict[str, Range]:
    checked: dict[str, Range] = {}
    for name, given in ranges.items():
        if not isinstance(name, str) or not isinstance(given, dict) or len(checked) == MAX_RANGES:
            continue
        low, high = _bound(given.get("low")), _bound(given.get("high"))
        known = name in NUMBERS or (name.startswith("metric:") and len(name) <= MAX_TEXT)
        if not known or low is high is None:
            continue
        checked[_text(name)] = {"low": low, "high": high, "missing": given.get("missing") is True}
    return checked


def _bound(value: Any) -> float | None:
    """Return a finite number, or None."""
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        return None
    try:
        return float(value) if math.isfinite(value) else None
    except OverflowError:  # a whole number beyond all floats
        return None


def _checked_focus(focus: Any) -> Focus | None:
    if not isinstance(focus, dict) or focus.get("mode") not in FOCUS_MODES:
        return None
    mode: str = focus["mode"]
    row: Any = focus.get("row")
    other: Any = focus.get("other")
    steps: Any = focus.get("steps")
    if mode == "improvements":  # of the whole picture: no node is needed
        return {"mode": mode, "row": row if _is_row(row) else -1}
    if not _is_row(row):
        return None
    if mode == "between":
        return {"mode": mode, "row": row, "other": other} if _is_row(other) else None
    if mode == "steps":
        reach = min(max(steps, 1), MAX_STEPS) if _is_row(steps) else 1
        return {"mode": mode, "row": row, "steps": reach}
    return {"mode": mode, "row": row}


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
