"""The options of the forms: which there are, and what each may be."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final

from hutch_lineage.errors import ExportError

if TYPE_CHECKING:
    from hutch_lineage.graph import LineageGraph

TEXTS: Final = frozenset(
    {"metric", "run", "kind", "theme", "title", "lengths", "name", "license", "author", "namespace"}
)
"""Options that are texts, also where they look like a number: a run may be called ``7``."""

_NUMBERS: Final = frozenset({"width", "height", "max_marks", "density"})
_SWITCHES: Final = frozenset({"first_parent"})
_SHOWN: Final = 5


def check_options(
    graph: LineageGraph, options: Mapping[str, Any], known: Iterable[str], form: str
) -> None:
    """Refuse an option that the form does not have, or a value that it cannot have.

    Raises
    ------
    ExportError
        With what there is instead.
    """
    known = tuple(known)
    for name, value in options.items():
        if name not in known:
            there = f"there is {', '.join(known)}" if known else "there is none"
            raise ExportError(f"no option {name!r} of {form}: {there}")
        if value is not None and (wanted := _wanted(name, value)):
            raise ExportError(f"{name} is {wanted}, not {value!r}")
    _check_named(graph, options)


def _wanted(name: str, value: object) -> str:
    """Return what an option is, in words, where `value` is something else."""
    if name in TEXTS:
        return "" if isinstance(value, str) else "a text"
    if name in _SWITCHES:
        return "" if isinstance(value, bool) else "true or false"
    if name not in _NUMBERS:
        return ""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return "" if is_number and math.isfinite(value) else "a number"  # type: ignore[arg-type]


def _check_named(graph: LineageGraph, options: Mapping[str, Any]) -> None:
    run, kind = options.get("run"), options.get("kind")
    if run is not None and run not in graph.runs:
        known = ", ".join(list(graph.runs)[:_SHOWN]) or "none"
        raise ExportError(f"no run {run!r}; run ids are: {known}")
    metric = options.get("metric")
    if metric is not None and metric not in graph.metrics(run):
        known = ", ".join(graph.metrics(run)[:_SHOWN]) or "none"
        raise ExportError(f"no metric {metric!r}; metrics are: {known}")
    if kind not in (None, "individual", "agent"):
        raise ExportError(f"kind is individual or agent, not {kind!r}")
