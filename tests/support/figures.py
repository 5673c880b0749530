"""Tables of measured figures in the documentation, each between two markers of its own."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path


def put(path: Path, marker: str, rows: Sequence[Sequence[str]]) -> None:
    """Put a table, its head first, between the markers ``<!-- MARKER -->``.

    Parameters
    ----------
    path : Path
        The page, which has the markers.
    marker : str
        Which of its tables.
    rows : sequence of sequence of str
        The cells.
    """
    page = path.read_text()
    head, *body = ("| " + " | ".join(row) + " |" for row in rows)
    table = "\n".join([head, "|---" * len(rows[0]) + "|", *body])
    found = _between(marker).search(page)
    assert found, f"{path} has no <!-- {marker} --> ... <!-- end of {marker} -->"
    path.write_text(page[: found.start(1)] + table + "\n" + page[found.end(1) :])


def taken(path: Path, marker: str) -> list[list[str]]:
    """Return the cells of such a table, without its head; an empty list where there is none."""
    found = _between(marker).search(path.read_text())
    lines = found[1].splitlines()[2:] if found else []
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def _between(marker: str) -> re.Pattern[str]:
    name = re.escape(marker)
    return re.compile(rf"<!-- {name} -->\n(.*?)<!-- end of {name} -->", re.DOTALL)
