"""Which way is better: what files say of it, and one stated table for those that do not.

A direction is never worked out from the values. What is neither in the file nor in the table stays
undeclared, and the report says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from hutch_lineage.model import ScoreDirection
from hutch_lineage.readers import Report

KNOWN: Final[Mapping[str, Mapping[str, ScoreDirection]]] = MappingProxyType(
    {
        # Avida's fitness is merit over gestation time. Every other column is metadata.
        "alife-csv": {"fitness": "higher"},
        # The sum of what its search maximises: loss, benchmark and judged novelty.
        "asi-arch": {"score": "higher"},
        # The share of the benchmark's tasks that an agent resolved; parents are chosen by it.
        "dgm": {"accuracy_score": "higher", "accuracy_score_deep": "higher"},
        # OpenEvolve takes the greatest for the best; of other metrics it knows nothing.
        "openevolve": {"combined_score": "higher"},
        # ShinkaEvolve maximises it, too; its other metrics only inform.
        "shinka": {"combined_score": "higher"},
    }
)
"""Format -> metric -> the direction in which the system itself searches."""


class Directions:
    """The directions that a file states, one score after another.

    Examples
    --------
    >>> from hutch_lineage.readers import ReadReport
    >>> directions = Directions()
    >>> directions.say("loss", "lower")
    >>> directions.say("accuracy", None)
    >>> report = ReadReport()
    >>> directions.agreed(report)
    {'loss': 'lower'}
    >>> list(report.examples)
    ['metric direction unknown']
    """

    def __init__(self) -> None:
        self._stated: dict[str, set[ScoreDirection]] = {}

    def say(self, metric: str, direction: ScoreDirection | None) -> None:
        """Note a metric, and its direction where it is stated."""
        stated = self._stated.setdefault(metric, set())
        if direction is not None:
            stated.add(direction)

    def agreed(self, report: Report) -> dict[str, ScoreDirection]:
        """Return the directions that are stated in one way; the others go to the report."""
        for metric, stated in self._stated.items():
            if len(stated) != 1:
                why = "stated both ways" if stated else "the file does not say it"
                report.add("metric direction unknown", f"{metric}: {why}")
        return {metric: next(iter(said)) for metric, said in self._stated.items() if len(said) == 1}
