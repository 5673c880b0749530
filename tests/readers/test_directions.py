"""The stated table of directions, and what a file says."""

from __future__ import annotations

from pathlib import Path

from hutch_lineage.readers import ReadReport
from hutch_lineage.readers.formats.directions import KNOWN, Directions
from tests.project.test_documentation import cells


def test_the_table_is_that_of_the_documentation(project_root: Path) -> None:
    """Nobody has to read the code to know which way a metric counts."""
    rows = cells(project_root / "docs" / "readers.md", "kind | metric")
    said = [(kind.strip("`"), metric.strip("`"), better) for kind, metric, better, _ in rows]
    assert said == [
        (kind, metric, better) for kind, table in KNOWN.items() for metric, better in table.items()
    ]


def test_a_direction_counts_only_where_all_agree() -> None:
    """One that is stated both ways, or nowhere, is unknown."""
    directions, report = Directions(), ReadReport()
    for metric, direction in (
        ("loss", "lower"),
        ("loss", None),
        ("gain", "lower"),
        ("gain", "higher"),
        ("size", None),
    ):
        directions.say(metric, direction)  # type: ignore[arg-type]
    assert directions.agreed(report) == {"loss": "lower"}
    assert report.examples == {
        "metric direction unknown": [
            "gain: stated both ways",
            "size: the file does not say it",
        ]
    }
