"""A number as files of anybody hold it."""

from __future__ import annotations

import math
from typing import Any


def finite(value: Any) -> float | None:
    """Return a value as a number; None where it is none, a truth value, or not finite.

    Examples
    --------
    >>> finite(2), finite(True), finite("2"), finite(float("inf")), finite(10**400)
    (2.0, None, None, None, None)
    """
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:  # a whole number beyond all floats
        return None
    return number if math.isfinite(number) else None
