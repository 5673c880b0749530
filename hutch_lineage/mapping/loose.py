"""JSON of anybody, read with care: any key may be missing, or hold something else."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def as_dict(value: Any) -> Mapping[str, Any]:
    """Return `value` where it is a JSON object, else an empty one.

    Examples
    --------
    >>> as_dict({"a": 1}), as_dict("a")
    ({'a': 1}, {})
    """
    if type(value) is dict:  # as JSON gives it; the question below takes five times as long
        return value
    return value if isinstance(value, Mapping) else {}


def as_text(value: Any) -> str | None:
    """Return `value` where it is a text, else None."""
    return value if isinstance(value, str) else None


def as_number(value: Any) -> float | None:
    """Return `value` where it is a number, else None."""
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None
