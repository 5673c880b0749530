"""What a backend says of an event that it accepted."""

from __future__ import annotations

from collections.abc import Sequence
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
    return _made(answer) == 0 and _asked(event) > 0


def falls_short(events: Sequence[bytes], answer: bytes) -> bool:
    """Whether the answer to a batch tells of fewer edges than its events have.

    Which event is without, it does not always say.

    Parameters
    ----------
    events : sequence of bytes
        The JSON of the events that were posted.
    answer : bytes
        The body of the answer.

    Examples
    --------
    >>> event = b'{"eventType":"COMPLETE","inputs":[{}],"outputs":[{}]}'
    >>> falls_short([event, event], b'{"lineageEdgesCreated": 1}')
    True
    """
    made = _made(answer)
    return made is not None and made < sum(map(_asked, events))


def _made(answer: bytes) -> int | None:
    """Return how many edges an answer says were made; None where it does not say."""
    try:
        said = orjson.loads(answer)
    except ValueError:
        return None
    made = said.get("lineageEdgesCreated") if isinstance(said, dict) else None
    return made if type(made) is int else None


def _asked(event: bytes) -> int:
    """Return how many edges should be made of an event."""
    try:
        asked = orjson.loads(event)
    except ValueError:
        return 0
    if asked.get("eventType") != "COMPLETE":
        return 0
    return len(asked.get("inputs") or ()) * len(asked.get("outputs") or ())


def _named(lost: Any) -> str:
    if not isinstance(lost, dict):
        return str(lost)
    name = lost.get("name") or lost.get("fullyQualifiedName") or lost.get("namespace") or "?"
    reason = lost.get("reason")
    return f"{name} ({reason})" if reason else str(name)
