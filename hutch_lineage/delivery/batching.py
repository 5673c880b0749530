"""Several events in one request: OpenLineage's ``/lineage/batch``, and OpenMetadata's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final
from urllib.parse import urlsplit, urlunsplit

import orjson

from hutch_lineage.plumbing import Answer

from .options import BatchForm
from .replies import Reply

_AROUND: Final[dict[BatchForm, tuple[bytes, bytes]]] = {
    "openlineage": (b"[", b"]"),
    "openmetadata": (b'{"events":[', b"]}"),
}
_ABSENT: Final = frozenset({404, 405, 501})
_TOO_LARGE: Final = 413


class Batches:
    """What is known of the batches that a backend takes; all connections to it share that.

    Parameters
    ----------
    url : str
        Where single events are posted to.
    size : int
        How many events one request may carry.
    form : str
        How they are put into it.

    Examples
    --------
    >>> batches = Batches("http://localhost:5000/api/v1/lineage?key=1", 100)
    >>> batches.url
    'http://localhost:5000/api/v1/lineage/batch?key=1'
    >>> batches.body([b'{"a":1}', b"{}"])
    b'[{"a":1},{}]'
    >>> Batches("http://localhost:8585/api/v1/lineage", 100, "openmetadata").body([b"{}"])
    b'{"events":[{}]}'
    """

    def __init__(self, url: str, size: int, form: BatchForm = "openlineage") -> None:
        parts = urlsplit(url)
        self.url = urlunsplit((parts.scheme, parts.netloc, f"{parts.path}/batch", parts.query, ""))
        self.size = size
        self._before, self._after = _AROUND[form]

    def body(self, bodies: Sequence[bytes]) -> bytes:
        """Return the body of a batch."""
        return b"".join((self._before, b",".join(bodies), self._after))

    def refused(self, status: int, count: int) -> bool:
        """Whether the backend takes none, or none of so many events; if so, remember it."""
        if status in _ABSENT:
            self.size = 1
        elif status == _TOO_LARGE:
            self.size = max(1, count // 2)
        return status in _ABSENT or status == _TOO_LARGE


def batch_replies(
    answer: Answer, whole: Reply, count: int, masked: Callable[[str], str]
) -> list[Reply]:
    """Return what an answer says of each event.

    The body may name those that failed: ``{"failed_events": [{"index", "reason", "retriable"}]}``
    by the specification of OpenLineage, ``failedEvents`` at OpenMetadata. Without it the status
    counts for all.
    """
    if whole.verdict == "accepted" and whole.reason:  # said of a whole batch, and of no event
        whole = replace(whole, reason="")
    replies = [whole] * count
    if whole.verdict != "accepted" or not answer.body:
        return replies
    try:
        document: Any = orjson.loads(answer.body)
    except ValueError:
        return replies
    if not isinstance(document, dict):
        return replies
    failed = document.get("failed_events") or document.get("failedEvents")
    for item in failed if isinstance(failed, list) else ():
        index = item.get("index") if isinstance(item, dict) else None
        if type(index) is int and 0 <= index < count:
            reason = masked(str(item.get("reason") or "refused as part of a batch")[:200])
            retriable = item.get("retriable") is True
            replies[index] = Reply("retry" if retriable else "rejected", answer.status, reason)
    return replies
