"""The default mapping: a Hutch event becomes an OpenLineage RunEvent, or nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .clock import iso_from_ns
from .custom_facets import operator_facet, outcome_facet, run_facet, self_mod_facet
from .documents import OPENLINEAGE_PRODUCER, OPENLINEAGE_SCHEMA_URL, DatasetDict, RunEventDict
from .names import dataset_name

COMPLETE = frozenset({"finished", "running"})

# event type, input names, output names, facet name, facet
_Parts = tuple[str, list[str], list[str], str, dict[str, Any]]


def _run_start(payload: Any) -> _Parts:
    return "START", [], [], "hutchRun", run_facet(payload)


def _run_end(payload: Any) -> _Parts:
    kind = "COMPLETE" if payload.status in COMPLETE else "FAIL"
    return kind, [], [], "hutchRunOutcome", outcome_facet(payload)


def _operator(payload: Any) -> _Parts:
    parents = [dataset_name("individual", parent) for parent in payload.parent_ids]
    child = dataset_name("individual", payload.child_id)
    return "RUNNING", parents, [child], "hutchOperator", operator_facet(payload)


def _self_mod(payload: Any) -> _Parts:
    parent = dataset_name("agent", payload.parent_agent_id)
    child = dataset_name("agent", payload.child_agent_id)
    return "RUNNING", [parent], [child], "hutchSelfMod", self_mod_facet(payload)


_TABLE: dict[str, Callable[[Any], _Parts]] = {
    "run_start": _run_start,
    "run_end": _run_end,
    "operator": _operator,
    "self_mod": _self_mod,
}
MAPPED_KINDS = frozenset(_TABLE)


def to_run_event(event: Any, *, namespace: str, job_name: str) -> RunEventDict | None:
    """Map one Hutch event to the RunEvent that is posted for it.

    Pure: nothing is remembered and the event is only read, attribute by attribute, so an event of
    the Hutch SDK serves as well as one of :mod:`hutch_lineage.model`.

    Parameters
    ----------
    event : Event
        Any event with ``event_kind, run_id, timestamp_ns, payload``.
    namespace : str
        The namespace of the job and of the datasets.
    job_name : str
        The name of the run's job, see :class:`JobNames`.

    Returns
    -------
    RunEventDict or None
        None for the kinds that carry no lineage edge: all but ``run_start``, ``run_end``,
        ``operator`` and ``self_mod``.

    Raises
    ------
    ValueError
        The timestamp is beyond the year 9999.

    Examples
    --------
    >>> from hutch_lineage.model import parse_event
    >>> end = parse_event({"event_kind": "run_end", "run_id": "r1", "payload": {}})
    >>> to_run_event(end, namespace="hutch", job_name="packing")["eventType"]
    'COMPLETE'
    """
    parts = _TABLE.get(event.event_kind)
    if parts is None:
        return None
    event_type, inputs, outputs, facet_name, facet = parts(event.payload)
    return {
        "eventType": event_type,
        "eventTime": iso_from_ns(event.timestamp_ns),
        "run": {"runId": event.run_id, "facets": {facet_name: facet}},
        "job": {"namespace": namespace, "name": job_name},
        "inputs": _datasets(namespace, inputs),
        "outputs": _datasets(namespace, outputs),
        "producer": OPENLINEAGE_PRODUCER,
        "schemaURL": OPENLINEAGE_SCHEMA_URL,
    }


def _datasets(namespace: str, names: list[str]) -> list[DatasetDict]:
    return [{"namespace": namespace, "name": name} for name in names]
