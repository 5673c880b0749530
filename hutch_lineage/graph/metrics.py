"""Metrics: which there are, which way is better, and which one is meant when none is named."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Set
from dataclasses import dataclass
from typing import Literal

from hutch_lineage.errors import MetricChoiceError
from hutch_lineage.model import NodeKind

from .store import Store
from .views import invalid_reason, number

__all__ = [
    "COMPOSITE",
    "HIGHER_WORDS",
    "LOWER_WORDS",
    "OVERALL_METRICS",
    "Direction",
    "MetricInfo",
    "chosen_metric",
    "default_metric",
    "judged",
    "meant",
    "metric_info",
    "metric_names",
    "score_of",
    "valid_score",
]

Direction = Literal["higher", "lower"]

COMPOSITE = "composite"

LOWER_WORDS = frozenset(
    {
        *("error", "errors", "err", "loss", "losses", "residual", "regret", "penalty"),
        *("mae", "mape", "mse", "rmse", "rmsle", "nll", "ppl", "perplexity", "bpb", "bpc"),
        *("wer", "fid", "entropy", "deviation", "divergence", "distance"),
        *("time", "runtime", "seconds", "secs", "duration", "latency", "delay"),
        *("cost", "costs", "energy", "memory", "length"),
        *("failures", "crashes", "violation", "violations"),
    }
)
"""Words in a metric's name that say lower is better, where the run declares no direction."""

HIGHER_WORDS = frozenset(
    {"acc", "accuracy", "auc", "f1", "fitness", "gain", "quality", "reward", "score", "success"}
)
"""Words that say higher is better even beside one of the others (``distance_score``)."""

OVERALL_METRICS = ("combined_score", "fitness", "overall_score", "score", "objective")
"""Names that stand for a whole evaluation, in order of preference."""

_ENOUGH = 10
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+\d*|\d+")


@dataclass(frozen=True, slots=True)
class MetricInfo:
    """A metric and which way is better.

    Attributes
    ----------
    name : str
        The metric; ``composite`` is the composite of the evaluations.
    direction : str
        ``higher`` or ``lower``.
    source : str
        ``declared`` by the run, read from the ``name`` by a stated table, or ``assumed``.
    """

    name: str
    direction: Direction
    source: Literal["declared", "name", "assumed"]

    @property
    def declared(self) -> bool:
        """Whether a run declared the direction."""
        return self.source == "declared"


def score_of(store: Store, row: int, metric: str) -> float | None:
    """Return the value of a node on a metric, or None."""
    scores = store.scores.values[row]
    if scores is not None and metric in scores:
        return number(scores[metric])
    if metric == COMPOSITE:
        facts = store.evaluations.values[row]
        return number(facts.get(COMPOSITE)) if facts else None
    return None


def valid_score(store: Store, row: int, metric: str) -> float | None:
    """Return the value of a node on a metric; None where it has none or is invalid."""
    value = score_of(store, row, metric)
    return None if value is None or invalid_reason(store, row) is not None else value


def metric_names(store: Store, run: str | None = None, kind: NodeKind | None = None) -> list[str]:
    """Return every metric with a value, sorted."""
    names: set[str] = set()
    for row, scores in enumerate(store.scores.values):
        facts = store.evaluations.values[row]
        key = store.keys[row]
        if run not in (None, key.run_id) or kind not in (None, key.kind):
            continue
        if scores is not None:
            names.update(scores)
        if facts and COMPOSITE in facts:
            names.add(COMPOSITE)
    return sorted(names)


def _declared(store: Store, run: str | None) -> dict[str, set[str]]:
    """Return metric -> the directions that runs declare for it."""
    found: dict[str, set[str]] = {}
    for run_id, said in zip(store.run_ids, store.run_maps["score_directions"].values, strict=True):
        if said and run in (None, run_id):
            for metric, direction in said.items():
                if direction in ("higher", "lower"):
                    found.setdefault(metric, set()).add(direction)
    return found


def metric_info(store: Store, metric: str, run: str | None = None) -> MetricInfo:
    """Return the direction of a metric and where it comes from.

    Raises
    ------
    MetricChoiceError
        Runs declare opposite directions and `run` does not say which is meant.
    """
    declared = _declared(store, run).get(metric, set())
    return judged(metric, declared, lambda: metric_names(store, run))


def judged(metric: str, declared: Set[str], names: Callable[[], list[str]]) -> MetricInfo:
    """Return which way is better: as `declared`, or by the metric's name.

    Raises
    ------
    MetricChoiceError
        Both ways are declared; it lists `names`.

    Examples
    --------
    >>> judged("val_loss", set(), list).direction
    'lower'
    """
    if len(declared) > 1:
        raise MetricChoiceError(
            f"runs disagree whether {metric!r} is better higher or lower: pass run=",
            metrics=names(),
        )
    if declared:
        return MetricInfo(metric, "lower" if "lower" in declared else "higher", "declared")
    words = {word.lower() for word in _WORD.findall(metric)}
    if words & HIGHER_WORDS:
        return MetricInfo(metric, "higher", "name")
    if words & LOWER_WORDS:
        return MetricInfo(metric, "lower", "name")
    return MetricInfo(metric, "higher", "assumed")


def _tells_apart(store: Store, metric: str, run: str | None) -> bool:
    """Return whether a metric differs between nodes, or has too few values to say."""
    first: float | None = None
    count = 0
    for row, key in enumerate(store.keys):
        if run in (None, key.run_id):
            value = score_of(store, row, metric)
            if value is not None:
                if first is not None and value != first:
                    return True
                first = value
                count += 1
    return count < _ENOUGH


def default_metric(store: Store, names: list[str], run: str | None = None) -> str | None:
    """Return the metric that is meant when none is named, or None where that is open.

    In this order: the only metric with a declared direction, the composite unless it is the same
    everywhere (as importers write it), the only metric, a name of :data:`OVERALL_METRICS`.
    """
    return meant(names, _declared(store, run), lambda: _tells_apart(store, COMPOSITE, run))


def meant(
    names: list[str], declared: Container[str], composite_tells: Callable[[], bool]
) -> str | None:
    """Return the metric that is meant when none is named; see :func:`default_metric`.

    Examples
    --------
    >>> meant(["loss", "score"], {}, bool)
    'score'
    """
    known = [name for name in names if name in declared]
    if len(known) == 1:
        return known[0]
    if COMPOSITE in names and (names == [COMPOSITE] or composite_tells()):
        return COMPOSITE
    if len(names) == 1:
        return names[0]
    return next((name for name in OVERALL_METRICS if name in names), None)


def chosen_metric(names: list[str], metric: str | None, default: str | None) -> str:
    """Return the metric to use.

    Raises
    ------
    MetricChoiceError
        It does not exist, or none is named and there is no default.

    Examples
    --------
    >>> chosen_metric(["loss"], None, "loss")
    'loss'
    """
    if metric is None:
        metric = default
    if metric is None:
        raise MetricChoiceError(
            f"pass metric=, one of: {', '.join(names) or '(no node has a score)'}", metrics=names
        )
    if metric not in names:
        raise MetricChoiceError(
            f"no node has a score on {metric!r}; pass metric=, one of:"
            f" {', '.join(names) or '(no node has a score)'}",
            metrics=names,
        )
    return metric
