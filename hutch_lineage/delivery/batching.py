"""Several events in one request: OpenLineage's ``/lineage/batch``, and OpenMetadata's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final
from urllib.parse import urlsplit, urlunsplit

import orjson

from hutch_lineage.plumbing import Answer

from .replies import Reply

_ABSENT: Final = frozenset({404, 405, 413, 501})


def batch_url(url: str) -> str:
    """Return where batches for a lineage URL are posted to.

    Examples
    --------
    >>> batch_url("http://localhost:5000/api/v1/lineage?key=1")
    'http://localhost:5000/api/v1/lineage/batch?key=1'
    """
    parts = urlsplit(url)
    return urlunsplit((parts.scheme, parts.netloc, f"{parts.path}/batch", parts.query, ""))


def batch_body(bodies: Sequence[bytes]) -> bytes:
    """Return the body of a batch: a JSON array of events.

    Examples
    --------
    >>> batch_body([b'{"a":1}', b"{}"])
    b'[{"a":1},{}]'
    """
    return b"[" + b",".join(bodies) + b"]"


def no_batches(status: int) -> bool:
    """Whether a backend says that it takes no batches, or none of that size."""
    return status in _ABSENT


def batch_replies(
    answer: Answer, whole: Reply, count: int, masked: Callable[[str], str]
) -> list[Reply]:
    """Return what an answer says of each event.

    The body may name those that failed, ``{"failed_events": [{"index", "reason", "retriable"}]}``.
    Without it the status counts for all.
    """
    replies = [whole] * count
    if whole.verdict != "accepted" or not answer.body:
        return replies
    try:
        document: Any = orjson.loads(answer.body)
    except ValueError:
        return replies
    failed = document.get("failed_events") if isinstance(document, dict) else None
    for item in failed if isinstance(failed, list) else ():
        index = item.get("index") if isinstance(item, dict) else None
        if type(index) is int and 0 <= index < count:
            reason = masked(str(item.get("reason") or "refused as part of a batch")[:200])
            retriable = item.get("retriable") is True
            replies[index] = Reply("retry" if retriable else "rejected", answer.status, reason)
    return replies
