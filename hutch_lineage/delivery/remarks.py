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
    if not told and said.get("status") == "failure":
        told.append(f"failure: {said.get('message') or 'no reason was given'}")
    return "; ".join(told)[:_MOST_TEXT]


def lacks_edges(event: bytes, answer: bytes) -> bool:
    """Whether an answer says that not all edges were made of an event that has some.

    Parameters
    ----------
    event : bytes
        The JSON of the event that was posted.
    answer : bytes
        The body of the answer.

    Examples
    --------
    >>> event = b'{"eventType":"COMPLETE","inputs":[{}],"outputs":[{}]}'
    >>> lacks_edges(event, b'{"lineageEdgesCreated": 0}'), lacks_edges(event, b"")
    (True, False)
    >>> lacks_edges(event, b'{"lineageEdgesCreated": 1, "unresolvedDatasets": [{"name": "a"}]}')
    True
    """
    said = _said(answer)
    is_short = _made(said) == 0 or bool(said.get("unresolvedDatasets"))
    return (is_short or said.get("status") == "failure") and _asked(event) > 0


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
    said = _said(answer)
    made, asked = _made(said), sum(map(_asked, events))
    return asked > 0 and (said.get("status") == "failure" or (made is not None and made < asked))


def _said(answer: bytes) -> dict[str, Any]:
    try:
        said = orjson.loads(answer)
    except ValueError:
        return {}
    return said if isinstance(said, dict) else {}


def _made(said: dict[str, Any]) -> int | None:
    """Return how many edges an answer says were made; None where it does not say."""
    made = said.get("lineageEdgesCreated")
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
