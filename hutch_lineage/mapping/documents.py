"""The shape of the OpenLineage JSON that this package writes.

Only what the default mapping writes is typed here. What is read may come from any producer, so
readers take plain dicts and check as they go.
"""

from __future__ import annotations

from typing import Any, Final, TypedDict

OPENLINEAGE_PRODUCER: Final = "https://github.com/xyin-anl/hutch/v0.1.0"
OPENLINEAGE_SCHEMA_URL: Final = "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent"


class DatasetDict(TypedDict):
    """An input or an output: an individual or an agent under its dataset name."""

    namespace: str
    name: str


class JobDict(TypedDict):
    """The job: one per named Hutch run."""

    namespace: str
    name: str


class RunDict(TypedDict):
    """The run: one per Hutch ``run_id``."""

    runId: str
    facets: dict[str, dict[str, Any]]


class RunEventDict(TypedDict):
    """One OpenLineage RunEvent as posted, in the order of the keys that is posted."""

    eventType: str
    eventTime: str
    run: RunDict
    job: JobDict
    inputs: list[DatasetDict]
    outputs: list[DatasetDict]
    producer: str
    schemaURL: str
