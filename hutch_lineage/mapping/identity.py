"""What tells events of any producer apart, which have no id of their own."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from hutch_lineage.model import clean_json

from .clock import ns_from_iso
from .loose import as_dict


def event_digest(event: Mapping[str, Any]) -> str:
    """Return sixteen hexadecimal digits of what an event says, in place of an id of its own.

    Examples
    --------
    >>> event = {"eventTime": "2026-05-05T12:34:56.120000Z", "run": {"runId": "r"}}
    >>> returned = {"eventTime": "2026-05-05T12:34:56.12Z", "run": {"runId": "r", "facets": {}}}
    >>> event_digest(event) == event_digest(returned)
    True
    """
    try:
        # a backend gives an event back with other nulls, empty objects and decimals of its time
        said = {**_said(event), "eventTime": ns_from_iso(event.get("eventTime"))}
        text = json.dumps(said, sort_keys=True, default=str)
    except (RecursionError, TypeError, ValueError):  # nested beyond measure, or not made of JSON
        text = json.dumps(clean_json(event)[0], sort_keys=True)
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=8).hexdigest()


def _said(value: Any) -> Any:
    """Return what JSON says, without what says nothing."""
    if isinstance(value, Mapping):
        said = ((key, _said(each)) for key, each in value.items())
        return {key: each for key, each in said if each is not None and each != {}}
    if isinstance(value, list):
        return [_said(each) for each in value]
    return value


def job_of(event: Mapping[str, Any]) -> str:
    """Return ``<namespace>/<name>`` of the job of an event; empty where it has none."""
    job = as_dict(event.get("job"))
    return "/".join(str(job[key]) for key in ("namespace", "name") if job.get(key))
