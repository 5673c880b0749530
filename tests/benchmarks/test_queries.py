"""The benchmark of queries runs, and writes its own section; no figure is judged."""

from __future__ import annotations

from benchmarks.queries import Plan, lines, page, run

TINY = Plan(rounds=1, individuals=200, in_memory=100, memory="200MB")


def test_it_prints_its_table_and_writes_the_same() -> None:
    """Each figure of ours is there."""
    results = run(TINY)
    table = [line for line in lines(results) if line.startswith("|")]
    assert len(table) == 2 + 5 + 6
    assert all(line.split("|")[3].strip() not in {"", "-"} for line in table)
    assert "\n".join(table) in page(results, TINY.rounds)
