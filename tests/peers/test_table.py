"""The figures of OpenMetadata and DataHub in docs/backends.md are what their code says."""

from __future__ import annotations

from tests.peers.table import MARKER, PAGE, rows
from tests.support import figures


def test_what_is_shown_is_what_is_printed(data_dir):
    """100 % under the preset; each figure is in the table."""
    measured = rows(data_dir)
    assert measured == figures.taken(PAGE, MARKER)
    assert {tuple(row[5:7]) for row in measured if row[1] != "`generic`"} == {("100 %", "100 %")}
