"""Time both ways."""

from __future__ import annotations

import pytest
from hypothesis import given

from hutch_lineage.mapping import iso_from_ns, ns_from_iso
from tests.mapping.histories import moments


@given(moments)
def test_microseconds_survive_the_way_there_and_back(moment_ns):
    """An event time read back is the nanoseconds that were written, cut to microseconds."""
    assert ns_from_iso(iso_from_ns(moment_ns)) == moment_ns // 1000 * 1000


@pytest.mark.parametrize(
    ("text", "expected_ns"),
    [
        ("1970-01-01T00:00:00Z", 0),
        ("1970-01-01T01:00:00+01:00", 0),
        ("1970-01-01T00:00:00", 0),
        ("1970-01-01T00:00:01.5Z", 1_500_000_000),
        ("1970-01-01 00:00:00.123456789+00:00", 123_456_789),
        ("1969-12-31T23:59:59.5Z", -500_000_000),
        ("1970-01-01T00:00:00.1234567891Z", 123_456_789),
    ],
)
def test_other_spellings_are_read(text, expected_ns):
    """Offsets, a missing offset (UTC), and any number of decimals are read exactly."""
    assert ns_from_iso(text) == expected_ns


@pytest.mark.parametrize("text", ["{{RUN_START_TIME}}", "", "2026-13-01T00:00:00Z", None, 5, "now"])
def test_what_is_no_time_is_none(text):
    """Text that is no time gives None and no exception."""
    assert ns_from_iso(text) is None


def test_a_time_beyond_the_calendar_is_refused():
    """A timestamp that ISO 8601 cannot write is a ValueError, not a wrong date."""
    with pytest.raises(ValueError, match="beyond the year 9999"):
        iso_from_ns(10**22)
