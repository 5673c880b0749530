"""OpenLineage events as a file: one JSON object a line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from hutch_lineage.errors import ExportError
from hutch_lineage.mapping import JobNames, encode, is_openlineage, to_run_event
from hutch_lineage.model import Event, RunStartEvent


def to_ndjson(events: Iterable[Event | Mapping[str, Any]], *, namespace: str = "hutch") -> str:
    r"""Return events as OpenLineage NDJSON, which every OpenLineage tool reads.

    Parameters
    ----------
    events : iterable of dict or Event
        OpenLineage events, which are written as they are (but for numbers that are not finite:
        null), or Hutch events, which are mapped; those that say nothing in OpenLineage are left
        out.
    namespace : str
        The namespace of mapped events.

    Returns
    -------
    str
        One event a line, each with a line end; empty without events.

    Raises
    ------
    ExportError
        An event is neither of the two, or cannot be written as JSON.

    Examples
    --------
    >>> to_ndjson([{"eventType": "START", "run": {"runId": "r"}}])
    '{"eventType":"START","run":{"runId":"r"}}\n'
    """
    lines = []
    for number, event in enumerate(run_events(events, namespace=namespace), start=1):
        try:
            lines.append(encode(event)[0] + b"\n")
        except (TypeError, RecursionError) as error:
            raise ExportError(f"event {number} cannot be written as JSON: {error}") from error
    return b"".join(lines).decode()


def run_events(
    events: Iterable[Event | Mapping[str, Any]], *, namespace: str = "hutch"
) -> list[Mapping[str, Any]]:
    """Return events as OpenLineage events; see :func:`to_ndjson`."""
    names = JobNames()
    mapped = (
        _run_event(event, names, namespace, number) for number, event in enumerate(events, start=1)
    )
    return [event for event in mapped if event is not None]


def _run_event(
    event: Event | Mapping[str, Any], names: JobNames, namespace: str, number: int
) -> Mapping[str, Any] | None:
    if isinstance(event, Mapping):
        if not is_openlineage(event):
            raise ExportError(f"event {number} is not an OpenLineage event")
        return event
    if not isinstance(event, Event):
        raise ExportError(f"event {number} is a {type(event).__name__}, not an event")
    started = event.payload.name if isinstance(event, RunStartEvent) else None
    job_name = names.started(event.run_id, started)
    return to_run_event(event, namespace=namespace, job_name=job_name)
