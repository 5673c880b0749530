"""OpenLineage events as a file: one JSON object a line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from hutch_lineage.errors import ExportError
from hutch_lineage.mapping import (
    JobNames,
    Preset,
    encode,
    is_openlineage,
    mapper_of,
    preset_of,
    to_run_event,
)
from hutch_lineage.model import Event, RunStartEvent


def to_ndjson(
    events: Iterable[Event | Mapping[str, Any]],
    *,
    namespace: str = "hutch",
    preset: str | Preset = "generic",
) -> str:
    r"""Return events as OpenLineage NDJSON, which every OpenLineage tool reads.

    Parameters
    ----------
    events : iterable of dict or Event
        OpenLineage events, which are written as they are (but for numbers that are not finite:
        null), or Hutch events, which are mapped; those that say nothing in OpenLineage are left
        out.
    namespace : str
        The namespace of mapped events.
    preset : str or Preset
        How Hutch events are mapped, see :func:`hutch_lineage.mapping.preset_of`. OpenLineage events
        stay as they are.

    Returns
    -------
    str
        One event a line, each with a line end; empty without events.

    Raises
    ------
    ExportError
        An event is neither of the two, or cannot be written as JSON.
    ConfigurationError
        There is no such preset.

    Examples
    --------
    >>> to_ndjson([{"eventType": "START", "run": {"runId": "r"}}])
    '{"eventType":"START","run":{"runId":"r"}}\n'
    """
    mapper = mapper_of(preset_of(preset), namespace)
    lines: list[bytes] = []
    for number, event in enumerate(events, start=1):
        try:
            if isinstance(event, Mapping):
                lines.append(encode(_openlineage(event, number))[0])
            elif isinstance(event, Event):
                lines += (body for body, _ in mapper.map(event))
            else:
                raise ExportError(f"event {number} is a {type(event).__name__}, not an event")
        except (TypeError, RecursionError) as error:
            raise ExportError(f"event {number} cannot be written as JSON: {error}") from error
    lines += (body for body, _ in mapper.rest())
    return b"".join(line + b"\n" for line in lines).decode()


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
        return _openlineage(event, number)
    if not isinstance(event, Event):
        raise ExportError(f"event {number} is a {type(event).__name__}, not an event")
    started = event.payload.name if isinstance(event, RunStartEvent) else None
    job_name = names.started(event.run_id, started)
    return to_run_event(event, namespace=namespace, job_name=job_name)


def _openlineage(event: Mapping[str, Any], number: int) -> Mapping[str, Any]:
    if not is_openlineage(event):
        raise ExportError(f"event {number} is not an OpenLineage event")
    return event
