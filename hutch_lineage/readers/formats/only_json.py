"""A small file that holds one JSON object."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import orjson

from hutch_lineage.readers import bytes_of


class Unreadable(Exception):  # noqa: N818 - what became of a file, no error of this package
    """It does not hold a JSON object (yet); the text says why."""


def json_file(path: Path) -> dict[str, Any]:
    """Return the object in a file.

    Raises
    ------
    Unreadable
        There is none, or no file.
    """
    try:
        data = bytes_of(path)
    except OSError as error:
        raise Unreadable(f"{path.name} cannot be read: {error.strerror}") from error
    try:
        value = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        try:  # NaN and Infinity are not JSON, but Python writes them
            value = json.loads(data)
        except (ValueError, RecursionError):
            raise Unreadable(f"not JSON: {error.msg}") from None
    if not isinstance(value, dict):
        raise Unreadable(f"it holds a {type(value).__name__}")
    return value
