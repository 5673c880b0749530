"""What a backend's answer means for the event that was posted."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import Final, Literal

import orjson

from .remarks import remark_of

Verdict = Literal["accepted", "retry", "rejected"]

TRANSIENT: Final = frozenset({408, 425, 429})
MAX_WAIT_S: Final = 300.0


@dataclass(frozen=True, slots=True)
class Reply:
    """The outcome of one post.

    Attributes
    ----------
    verdict : str
        ``accepted``; ``retry``, where the event stays owed; or ``rejected``, where sending the
        same event again cannot help.
    status : int or None
        The HTTP status, or None when there was no answer.
    reason : str
        For people, secrets masked; of what is accepted, what the backend says of it, if it does.
    wait_s : float or None
        How long the backend asked to be left alone, in seconds.

    Examples
    --------
    >>> Reply("retry", 503, "503 Service Unavailable", wait_s=5.0).verdict
    'retry'
    """

    verdict: Verdict
    status: int | None = None
    reason: str = ""
    wait_s: float | None = None


def reply_of(
    status: int, retry_after: str | None = None, detail: str = "", body: bytes = b""
) -> Reply:
    """Judge an HTTP status.

    2xx is accepted; 408, 425, 429, 5xx and redirects that were not followed are to be tried
    again; any other 4xx rejects the event. So does a 500 whose JSON body says ``"code": 4xx``, as
    Marquez answers an event that it cannot read.

    Parameters
    ----------
    status : int
        The HTTP status.
    retry_after : str, optional
        The ``Retry-After`` header: seconds or an HTTP date.
    detail : str
        What the backend said, or the place it redirects to.
    body : bytes
        The body of the answer.

    Examples
    --------
    >>> reply_of(503).verdict, reply_of(422, detail="bad runId").reason
    ('retry', '422 Unprocessable Entity: bad runId')
    """
    if 200 <= status < 300:
        return Reply("accepted", status, remark_of(body))
    reason = f"{status} {_phrase(status)}".strip() + (f": {detail}" if detail else "")
    if status in TRANSIENT or not (400 <= status < 500 or (status == 500 and _blames(body))):
        return Reply("retry", status, reason, _wait_s(retry_after))
    return Reply("rejected", status, reason)


def _blames(body: bytes) -> bool:
    """Whether the body of an answer says that the request was wrong."""
    try:
        document = orjson.loads(body)
    except ValueError:
        return False
    code = document.get("code") if isinstance(document, dict) else None
    return type(code) is int and 400 <= code < 500 and code not in TRANSIENT


def _phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return ""


def _wait_s(retry_after: str | None) -> float | None:
    if not retry_after:
        return None
    try:
        wait_s = float(retry_after)
    except ValueError:
        try:
            moment = parsedate_to_datetime(retry_after)
        except (ValueError, OverflowError):
            return None
        moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        wait_s = (moment - datetime.now(UTC)).total_seconds()
    return min(max(wait_s, 0.0), MAX_WAIT_S) if math.isfinite(wait_s) else None
