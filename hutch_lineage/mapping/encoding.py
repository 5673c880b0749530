"""JSON of a RunEvent, with what JSON cannot hold repaired and named.

NaN and infinities become null, lone surrogates U+FFFD, numpy values the Python values they stand
for. Anything else that JSON cannot hold is an error.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from enum import Enum
from typing import Any

import orjson

from hutch_lineage.model import clean_text

_PLAIN = (bool, type(None))
_INT64 = range(-(2**63), 2**64)


def encode(document: Mapping[str, Any]) -> tuple[bytes, list[str]]:
    """Return the JSON of a RunEvent and what had to be repaired, one line per value.

    Raises
    ------
    TypeError
        A value is of a type that JSON cannot hold; the message names the field and the type.

    Examples
    --------
    >>> encode({"score": float("nan"), "id": "a"})
    (b'{"score":null,"id":"a"}', ['score was nan, written as null'])
    """
    if _finite(document):
        try:
            return orjson.dumps(document), []
        except TypeError:
            pass
    problems: list[str] = []
    return orjson.dumps(_repaired(document, "", problems)), problems


def _finite(document: Mapping[str, Any]) -> bool:
    # Only the top level and facets hold numbers in a mapped event; in an event of another producer
    # anything may have any type.
    run = document.get("run")
    facets = run.get("facets") if isinstance(run, dict) else None
    facets = facets.values() if isinstance(facets, dict) else ()
    for holder in (document, *(facet for facet in facets if isinstance(facet, dict))):
        for value in holder.values():
            if type(value) is float and value - value != 0.0:
                return False
    return True


def _repaired(value: Any, where: str, problems: list[str]) -> Any:
    if isinstance(value, _PLAIN):
        return value
    if isinstance(value, Enum):
        return _repaired(value.value, where, problems)
    if isinstance(value, str):
        return _text(str(value), where, problems)
    if isinstance(value, Mapping):
        return {
            _text(str(key), where, problems): _repaired(item, _at(where, key), problems)
            for key, item in value.items()
        }
    if isinstance(value, list | tuple):
        return [_repaired(item, f"{where}[{i}]", problems) for i, item in enumerate(value)]
    if type(value).__module__ == "numpy":
        problems.append(f"{where} was {type(value).__name__} of numpy, written as plain JSON")
        return _repaired(value.tolist(), where, problems)
    if isinstance(value, int | float):
        return _number(value, where, problems)
    raise TypeError(f"{where or 'the event'} is a {type(value).__name__}, which JSON cannot hold")


def _at(where: str, key: object) -> str:
    return f"{where}.{key}" if where else str(key)


def _text(value: str, where: str, problems: list[str]) -> str:
    text = clean_text(value)
    if text is not value:
        problems.append(f"{where} held half of a surrogate pair, written as U+FFFD")
    return text


def _number(value: float, where: str, problems: list[str]) -> float | None:
    if isinstance(value, int):
        if int(value) in _INT64:
            return int(value)
        problems.append(f"{where} was an integer beyond 64 bits, written as null")
        return None
    if math.isfinite(value):
        return float(value)
    problems.append(f"{where} was {float(value)}, written as null")
    return None
