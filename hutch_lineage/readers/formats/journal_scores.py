"""What the journal of a tree search says of a node's metric, in each of its spellings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from statistics import fmean
from typing import Any, Final, NamedTuple

from hutch_lineage.model import ScoreDirection

from .finite import finite

METRIC: Final = "metric"
"""What a metric is called that has no name."""

COMPOSITE: Final = "composite"


class Scores(NamedTuple):
    """The scores of one evaluation: metric -> number, and metric -> direction where stated."""

    values: dict[str, float]
    directions: dict[str, ScoreDirection | None]
    composite: float | None = None


def scores_of(metric: Any) -> Scores:
    """Return the scores in a node's ``metric``.

    It is a number; an object with ``value`` and ``maximize``, whose value is a number or one for
    each data set; or, in AI-Scientist-v2, an object whose value lists ``metric_names``, each with
    ``lower_is_better`` and its data sets. Where one metric has several data sets, the composite is
    the mean of them, which is what that search compares by.

    Examples
    --------
    >>> scores_of({"value": 0.13, "maximize": False})
    Scores(values={'metric': 0.13}, directions={'metric': 'lower'}, composite=None)
    >>> scores_of({"value": None, "maximize": None}).values
    {}
    """
    said = metric if isinstance(metric, Mapping) else {"value": metric}
    value, direction = said.get("value"), _direction(said.get("maximize"))
    name = said.get("name") if isinstance(said.get("name"), str) and said.get("name") else METRIC
    if isinstance(value, Mapping) and isinstance(value.get("metric_names"), list):
        return _named(value["metric_names"])
    if isinstance(value, Mapping):
        return _by_dataset(str(name), direction, value)
    number = finite(value)
    if number is None:
        return Scores({}, {})
    return Scores({str(name): number}, {str(name): direction})


def _named(metrics: list[Any]) -> Scores:
    values: dict[str, float] = {}
    directions: dict[str, ScoreDirection | None] = {}
    for metric in metrics:
        if not isinstance(metric, Mapping):
            continue
        lower = metric.get("lower_is_better")
        direction = _direction(not lower if isinstance(lower, bool) else None)
        for dataset, value in _finals(metric.get("data")):
            name = f"{metric.get('metric_name') or METRIC} ({dataset})"
            values[name] = value
            directions[name] = direction
    if len(metrics) != 1 or not values:
        return Scores(values, directions)
    directions[COMPOSITE] = next(iter(directions.values()))
    return Scores(values, directions, fmean(values.values()))


def _finals(data: Any) -> Iterator[tuple[str, float]]:
    for point in data if isinstance(data, list) else []:
        if isinstance(point, Mapping):
            value = finite(point.get("final_value"))
            if value is not None:
                yield str(point.get("dataset_name") or "data"), value


def _by_dataset(name: str, direction: ScoreDirection | None, value: Mapping[Any, Any]) -> Scores:
    values = {
        f"{name} ({dataset})": number
        for dataset, each in value.items()
        if (number := finite(each)) is not None
    }
    if not values:
        return Scores({}, {})
    directions: dict[str, ScoreDirection | None] = dict.fromkeys([*values, COMPOSITE], direction)
    return Scores(values, directions, fmean(values.values()))


def _direction(maximize: Any) -> ScoreDirection | None:
    if not isinstance(maximize, bool):
        return None
    return "higher" if maximize else "lower"
