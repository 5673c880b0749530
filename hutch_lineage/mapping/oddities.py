"""What was odd about an OpenLineage event, for a reader to count and report."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal, NamedTuple, TypeAlias

OddityKind = Literal[
    "not-an-event",
    "no-run",
    "templated-run-id",
    "no-job",
    "no-time",
    "unreadable-time",
    "time-without-offset",
    "dataset-without-name",
    "dataset-without-namespace",
    "input-is-output",
    "malformed-facet",
]

ODDITIES: Final[dict[OddityKind, str]] = {
    "not-an-event": "neither a run, a job nor a dataset event",
    "no-run": "no run id: its datasets are joined within the event only",
    "templated-run-id": "the run id is an unfilled template: treated as no run id",
    "no-job": "no job name",
    "no-time": "no eventTime: the event sorts before all others",
    "unreadable-time": "eventTime is not ISO 8601: the event sorts before all others",
    "time-without-offset": "eventTime names no offset: read as UTC",
    "dataset-without-name": "a dataset has no name: left out",
    "dataset-without-namespace": "a dataset has no namespace: known by its name alone",
    "input-is-output": "a dataset is both input and output: kept as a self loop",
    "malformed-facet": "a lineage facet does not have the standard's shape: left out",
}


class Oddity(NamedTuple):
    """One thing that was odd.

    `kind` is a key of ``ODDITIES``, whose value says what it means; `example` is the text at fault.
    """

    kind: OddityKind
    example: str


OnOddity: TypeAlias = Callable[[Oddity], None]
