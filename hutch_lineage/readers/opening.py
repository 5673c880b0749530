"""The first JSON values of a text that may break off anywhere: enough to tell what a file is."""

from __future__ import annotations

import json
import re
from typing import Any, Final

_SPACE: Final = re.compile(r"[\s,]*")
_DEEPEST: Final = 12
_WHOLE: Final = json.JSONDecoder()


class _BrokenOffError(Exception):
    """The text ends within a value; `value` is what stands there of it."""

    def __init__(self, value: Any) -> None:
        super().__init__()
        self.value = value


def first_values(text: str, most: int = 32) -> list[Any]:
    r"""Return the first JSON values of a text; the last one as far as it goes.

    Values may stand one a line or one after another. After one that is no JSON, it goes on at the
    next line. An array at the top gives its members.

    Examples
    --------
    >>> first_values('{"a": 1}\nnot JSON\n{"nodes": [{"step": 0, "code": "impor')
    [{'a': 1}, {'nodes': [{'step': 0}]}]
    >>> first_values('[{"a": 1}, {"a": 2}')
    [{'a': 1}, {'a': 2}]
    """
    found: list[Any] = []
    place = _skip(text, 0)
    while place < len(text) and len(found) < most:
        try:
            value, place = _value(text, place, 0)
        except _BrokenOffError as broken:
            found += [broken.value] if broken.value not in (None, {}, []) else []
            break
        except ValueError:
            end = text.find("\n", place)
            if end < 0:
                break
            place = end
        else:
            found.append(value)
        place = _skip(text, place)
    if len(found) == 1 and isinstance(found[0], list):
        return list(found[0][:most])
    return found


def _value(text: str, place: int, depth: int) -> tuple[Any, int]:
    if place >= len(text) or depth > _DEEPEST:
        raise _BrokenOffError(None)
    if text[place] == "{":
        return _object(text, place + 1, depth)
    if text[place] == "[":
        return _array(text, place + 1, depth)
    try:
        return _WHOLE.raw_decode(text, place)
    except ValueError:
        if text[place] == '"' or len(text) - place < len("-Infinity"):
            raise _BrokenOffError(None) from None
        raise


def _object(text: str, place: int, depth: int) -> tuple[dict[str, Any], int]:
    found: dict[str, Any] = {}
    while True:
        place = _skip(text, place)
        if place >= len(text):
            raise _BrokenOffError(found)
        if text[place] == "}":
            return found, place + 1
        if text[place] != '"':
            raise ValueError(place)
        try:
            key, place = _WHOLE.raw_decode(text, place)
        except ValueError:
            raise _BrokenOffError(found) from None
        place = _skip(text, place)
        if place >= len(text):
            raise _BrokenOffError(found)
        if text[place] != ":":
            raise ValueError(place)
        try:
            found[key], place = _value(text, _skip(text, place + 1), depth + 1)
        except _BrokenOffError as broken:
            if broken.value is not None:
                found[key] = broken.value
            raise _BrokenOffError(found) from None


def _array(text: str, place: int, depth: int) -> tuple[list[Any], int]:
    found: list[Any] = []
    while True:
        place = _skip(text, place)
        if place >= len(text):
            raise _BrokenOffError(found)
        if text[place] == "]":
            return found, place + 1
        try:
            value, place = _value(text, place, depth + 1)
        except _BrokenOffError as broken:
            found += [broken.value] if broken.value is not None else []
            raise _BrokenOffError(found) from None
        found.append(value)


def _skip(text: str, place: int) -> int:
    match = _SPACE.match(text, place)
    return match.end() if match else place
