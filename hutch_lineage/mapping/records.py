"""The one way in: whatever says something about lineage becomes lineage records."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast, get_args

from hutch_lineage.errors import InvalidEventError
from hutch_lineage.model import Record, parse_event

from .hutch_records import records_of_event
from .reader import is_openlineage, read_run_events

_RECORDS: tuple[type, ...] = get_args(Record)


def records_of(item: Any) -> list[Record]:
    """Return what one item says about lineage.

    Parameters
    ----------
    item : Event, dict or Record
        An event of :mod:`hutch_lineage.model` or of the Hutch SDK, the dict of a canonical Hutch
        event (with ``event_kind``), an OpenLineage event as a dict, or a record, which comes back
        as it is. An OpenLineage event is read on its own: for other producers, whose runs are
        spread over several events, use :func:`read_run_events` or :class:`RunEventReader`.

    Returns
    -------
    list of Record
        Empty where the item carries no lineage.

    Raises
    ------
    InvalidEventError
        The item is none of these, or a canonical dict that breaks the schema.

    Examples
    --------
    >>> records_of({"event_kind": "run_end", "run_id": "r1", "payload": {"status": "failed"}})[
    ...     0
    ... ].attributes["status"]
    'failed'
    """
    if isinstance(getattr(item, "event_kind", None), str):
        return records_of_event(item)
    if isinstance(item, _RECORDS):
        return [cast(Record, item)]
    if isinstance(item, Mapping):
        if "event_kind" in item:
            return records_of_event(parse_event(dict(item)))
        if is_openlineage(item):
            return list(read_run_events([item]))
    raise InvalidEventError(
        f"a {type(item).__name__} says nothing about lineage: give an event, the dict of a Hutch "
        "or OpenLineage event, or a lineage record"
    )
