"""The benchmark of delivery runs, and writes its own section of the page; no figure is judged."""

from __future__ import annotations

from pathlib import Path

from benchmarks.delivery import Plan, lines, page, run
from benchmarks.sections import write_section

TINY = Plan(rounds=1, events=200, few=10, slow=4, peers=False)


def test_it_prints_its_table_and_writes_the_same(tmp_path: Path) -> None:
    """Each figure of ours is there; the other sections of the page stay as they are."""
    results = run(TINY)
    table = [line for line in lines(results) if line.startswith("|")]
    assert len(table) == 2 + 18
    assert all(line.split("|")[3].strip() not in {"", "-"} for line in table)
    document = tmp_path / "performance.md"
    write_section(document, "explorer", "## The explorer\n\nas it was")
    write_section(document, "delivery", "## Delivery\n\nold")
    write_section(document, "delivery", page(results, TINY.rounds))
    written = document.read_text()
    assert "\n".join(table) in written
    assert "## The explorer\n\nas it was" in written
    assert "old" not in written.split()
