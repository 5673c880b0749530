"""What tells events of any producer apart, which have no id of their own."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

import orjson

from hutch_lineage.model import clean_json

from .loose import as_dict


def event_digest(event: Mapping[str, Any], moment_ns: int | None) -> str:
    """Return sixteen hexadecimal digits of what an event says, in place of an id of its own.

    Parameters
    ----------
    event : mapping
        The event, as JSON gives it.
    moment_ns : int or None
        Its time: a backend gives that back with other decimals.

    Examples
    --------
    >>> event = {"eventTime": "2026-05-05T12:34:56.120000Z", "run": {"runId": "r"}}
    >>> returned = {"eventTime": "2026-05-05T12:34:56.12Z", "run": {"runId": "r", "facets": {}}}
    >>> event_digest(event, 12) == event_digest(returned, 12)
    True
    """
    said = {**event, "eventTime": moment_ns}
    try:
        text = orjson.dumps(said, option=orjson.OPT_SORT_KEYS)
        if b"null" in text or b"{}" in text:  # a backend gives back other ones than it was sent
            text = orjson.dumps(_said(said), option=orjson.OPT_SORT_KEYS)
    except TypeError:
        text = _slow_text(said)
    return text_digest(text)


def text_digest(text: bytes) -> str:
    """Return the digest of an event that was written as :func:`event_digest` writes it."""
    return hashlib.blake2b(text, digest_size=8).hexdigest()


def _slow_text(said: Mapping[str, Any]) -> bytes:
    """Return a text of what orjson does not write, such as numbers of any size."""
    try:
        text = json.dumps(_said(said), sort_keys=True, default=str)
    except (RecursionError, TypeError, ValueError):  # nested beyond measure, or not made of JSON
        text = json.dumps(clean_json(said)[0], sort_keys=True)
    return text.encode("utf-8", "replace")


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
