"""Numbers and counts as people read them."""

from __future__ import annotations

import pytest

from hutch_lineage.export.wording import dollars, number, short_id
from hutch_lineage.plumbing import counted


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (0.0, "0"),
        (-2.0, "-2"),
        (2.63581, "2.6358"),
        (1234567.0, "1,234,567"),
        (123456.7, "123,457"),
        (12345.67, "12346"),
        (1.5e300, "1.5e+300"),
        (1e-9, "1e-09"),
    ],
)
def test_numbers_have_five_digits(value, expected):
    """Rounded to what is worth reading, from the smallest to the largest."""
    assert number(value) == expected


def test_dollars_counts_and_ids():
    """Small amounts keep tenths of cents; nouns agree with their count; UUIDs are cut."""
    assert (dollars(0.0), dollars(9.9999), dollars(12.0)) == ("$0.000", "$10.000", "$12.00")
    assert (counted(0, "edge"), counted(2, "ancestry")) == ("0 edges", "2 ancestries")
    assert short_id("my-own-id-that-is-long-and-has-dashes") == (
        "my-own-id-that-is-long-and-has-dashes"
    )
