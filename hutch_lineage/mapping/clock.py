"""Time both ways: Unix nanoseconds and the ISO 8601 text of OpenLineage.

OpenLineage text written here has six decimals and ends in ``Z``; nanoseconds below a microsecond
are cut off. Reading takes any number of decimals up to nine and any offset, without going through
a float, so microseconds come back exactly.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Final

_ISO = re.compile(
    r"(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d(?::\d\d)?)(?:[.,](\d+))?\s*([Zz]|[+-]\d\d(?::?\d\d)?)?$"
)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_SECOND = timedelta(seconds=1)
_OWN_LENGTH: Final = len("2026-05-05T12:34:56.123456Z")
LAST_US: Final = 253_402_300_799_999_999
"""The last microsecond of the year 9999."""


def iso_from_ns(timestamp_ns: int) -> str:
    """Return Unix nanoseconds as ``2026-05-05T12:34:56.123456Z``.

    Raises
    ------
    ValueError
        The year is beyond 9999.

    Examples
    --------
    >>> iso_from_ns(1_777_984_496_123_456_789)
    '2026-05-05T12:34:56.123456Z'
    """
    seconds, rest = divmod(int(timestamp_ns), 1_000_000_000)
    return f"{_iso_second(seconds)}.{rest // 1000:06d}Z"


def exact_iso(timestamp_ns: int) -> str:
    """Return Unix nanoseconds as ISO 8601 text with nine decimals, so that none is lost.

    Raises
    ------
    ValueError
        The year is beyond 9999.

    Examples
    --------
    >>> exact_iso(1_777_984_496_123_456_789)
    '2026-05-05T12:34:56.123456789Z'
    """
    seconds, rest = divmod(int(timestamp_ns), 1_000_000_000)
    return f"{_iso_second(seconds)}.{rest:09d}Z"


@lru_cache(maxsize=64)
def _iso_second(seconds: int) -> str:
    # neighbouring events share their second
    try:
        return datetime.fromtimestamp(seconds, UTC).isoformat()[:19]
    except (ValueError, OverflowError, OSError) as error:
        raise ValueError(f"a time of {seconds} s is beyond the year 9999") from error


def ns_from_iso(text: object) -> int | None:
    """Return ISO 8601 text as Unix nanoseconds, or None where it is no such text.

    Text without an offset counts as UTC.

    Examples
    --------
    >>> ns_from_iso("2026-05-05T14:34:56.123456+02:00")
    1777984496123456000
    >>> ns_from_iso("{{RUN_START_TIME}}") is None
    True
    """
    if not isinstance(text, str):
        return None
    if len(text) == _OWN_LENGTH and text[19] == "." and text[26] == "Z":
        decimals = text[20:26]  # as it is written here, which goes without the pattern
        if decimals.isdigit() and decimals.isascii():
            whole = _whole_ns(text[:19])
            return None if whole is None else whole + int(decimals) * 1000
    return _by_pattern(text)


def _by_pattern(text: str) -> int | None:
    match = _ISO.match(text)
    if match is None:
        return None
    day, clock, decimals, offset = match.groups()
    seconds = _seconds(f"{day}T{clock}{(offset or 'Z').upper()}")
    if seconds is None:
        return None
    return seconds * 1_000_000_000 + int((decimals or "0")[:9].ljust(9, "0"))


@lru_cache(maxsize=64)
def _whole_ns(text: str) -> int | None:
    return _by_pattern(f"{text}.000000Z")


@lru_cache(maxsize=64)
def _seconds(text: str) -> int | None:
    # neighbouring events share their second, and one asks twice for its time
    try:
        return (datetime.fromisoformat(text) - _EPOCH) // _SECOND
    except (ValueError, OverflowError):
        return None


def has_offset(text: str) -> bool:
    """Return whether ISO 8601 text names its offset from UTC."""
    match = _ISO.match(text)
    return match is not None and match.group(4) is not None
