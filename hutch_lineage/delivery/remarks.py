"""What a backend says of an event that it accepted."""

from __future__ import annotations

from typing import Any, Final

import orjson

_MOST: Final = 3
_MOST_TEXT: Final = 300


def remark_of(body: bytes) -> str:
    """Return in words what the answer to an accepted event says; empty where it says nothing.

    OpenMetadata tells how many edges it made, and which datasets and jobs it did not find, with the
    reason: it answers 200 also where it made none.

    Parameters
    ----------
    body : bytes
        The body of the answer.

    Examples
    --------
    >>> remark_of(b'{"lineageEdgesCreated": 2}')
    '2 edges made'
    >>> remark_of(b'{"lineageEdgesCreated": 0, "unresolvedDatasets":'
    ...           b' [{"name": "a.b.c", "reason": "NAMESPACE_NOT_MAPPED"}]}')
    'no edge made; not found: a.b.c (NAMESPACE_NOT_MAPPED)'
    >>> remark_of(b"")
    ''
    """
    if not body.lstrip().startswith(b"{"):
        return ""
    try:
        said = orjson.loads(body)
    except ValueError:
        return ""
    told = []
    edges = said.get("lineageEdgesCreated")
    if type(edges) is int:
        told.append(f"{edges or 'no'} edge{'' if edges in (0, 1) else 's'} made")
    lost = [
        _named(each)
        for key in ("unresolvedDatasets", "unresolvedJobs")
        for each in (said[key] if isinstance(said.get(key), list) else ())
    ]
    if lost:
        more = f" and {len(lost) - _MOST} more" if len(lost) > _MOST else ""
        told.append(f"not found: {', '.join(lost[:_MOST])}{more}")
    return "; ".join(told)[:_MOST_TEXT]


def shows_nothing(event: bytes, answer: bytes) -> bool:
    """Whether an answer says that no edge was made of an event that has one.

    Parameters
    ----------
    event : bytes
        The JSON of the event that was posted.
    answer : bytes
        The body of the answer.

    Examples
    --------
    >>> event = b'{"eventType":"COMPLETE","inputs":[{}],"outputs":[{}]}'
    >>> shows_nothing(event, b'{"lineageEdgesCreated": 0}'), shows_nothing(event, b"")
    (True, False)
    """
    try:
        said, asked = orjson.loads(answer), orjson.loads(event)
    except ValueError:
        return False
    if not isinstance(said, dict) or said.get("lineageEdgesCreated") != 0:
        return False
    ended = asked.get("eventType") == "COMPLETE"
    return ended and bool(asked.get("inputs")) and bool(asked.get("outputs"))


def _named(lost: Any) -> str:
    if not isinstance(lost, dict):
        return str(lost)
    name = lost.get("name") or lost.get("fullyQualifiedName") or lost.get("namespace") or "?"
    reason = lost.get("reason")
    return f"{name} ({reason})" if reason else str(name)
