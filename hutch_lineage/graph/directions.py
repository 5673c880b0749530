"""Which way metrics are better, as a person says it: over what the runs say, also of later runs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from hutch_lineage.errors import ConfigurationError
from hutch_lineage.model import Record, RunRecord, ScoreDirection, Stamp

from .store import Store

_AFTER_ALL_NS: Final = (1 << 63) - 1


class Directions:
    """Statements of a person, as records that are newer than all of a source.

    Examples
    --------
    >>> said = Directions()
    >>> said.say({"error": "lower"})
    >>> [record.attributes for record in said.due(Store())]
    []
    """

    def __init__(self) -> None:
        self._said: dict[str, ScoreDirection] = {}
        self._number = 0
        self._runs = 0

    def say(self, directions: Mapping[str, ScoreDirection]) -> None:
        """Note directions, for all runs.

        Raises
        ------
        ConfigurationError
            A direction is neither ``higher`` nor ``lower``.
        """
        for metric, direction in directions.items():
            if direction not in ("higher", "lower"):
                raise ConfigurationError(
                    f"the direction of {metric} is {direction!r}: say higher or lower", "directions"
                )
        self._said |= directions
        self._number += 1
        self._runs = 0

    def due(self, store: Store) -> list[Record]:
        """Return what is to be said of the runs that have not heard it."""
        if not self._said:
            return []
        runs, self._runs = store.run_ids[self._runs :], len(store.run_ids)
        stamp = Stamp(_AFTER_ALL_NS, f"declared-{self._number:06}")
        return [RunRecord(run, stamp, {"score_directions": dict(self._said)}) for run in runs]
