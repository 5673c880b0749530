"""Run every benchmark and print its ratios: ``make bench``, or ``python -m benchmarks [NAME]``."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from . import delivery, emission, explorer, ingestion, queries, readers, transports
from .sections import write_section

BENCHMARKS = {
    "emission": emission.measure,
    "ingestion": ingestion.measure,
}


def main(given: list[str] | None = None) -> None:
    """Run the named benchmarks, all by default."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    names = [*BENCHMARKS, *TABLES]
    parser.add_argument("name", nargs="*", help=f"which ones: {', '.join(names)}; all by default")
    parser.add_argument("--quick", action="store_true", help="those with a table: little, once")
    parser.add_argument("--rounds", type=int, help="those with a table: how often")
    parser.add_argument(
        "--write", type=Path, metavar="PAGE", help="those with a table: write their section, too"
    )
    wanted = parser.parse_args(given)
    if unknown := set(wanted.name) - set(names):
        parser.error(f"no benchmark {', '.join(sorted(unknown))}: one of {', '.join(names)}")
    for name in wanted.name or names:
        print(f"\n{name}")
        found = TABLES[name](wanted) if name in TABLES else BENCHMARKS[name]()
        for line in found:
            print(f"  {line}")


def _explorer(wanted: argparse.Namespace) -> list[str]:
    """Measure the explorer, write its section if that is wanted; return the table."""
    plan = explorer.QUICK if wanted.quick else explorer.Plan()
    if wanted.rounds:
        plan = replace(plan, rounds=wanted.rounds)
    results = explorer.run(plan)
    if wanted.write:
        write_section(wanted.write, "explorer", explorer.page(results, plan.rounds, plan.seconds))
    return explorer.lines(results)


def _table(benchmark: Any, name: str, wanted: argparse.Namespace) -> list[str]:
    """Measure what has a plan of rounds, write its section if that is wanted; return the table."""
    plan = benchmark.Plan()
    if wanted.quick:
        plan = getattr(benchmark, "QUICK", replace(plan, rounds=1))
    if wanted.rounds:
        plan = replace(plan, rounds=wanted.rounds)
    results = benchmark.run(plan)
    if wanted.write:
        write_section(wanted.write, name, benchmark.page(results, plan.rounds))
    return list(benchmark.lines(results))


TABLES: dict[str, Callable[[argparse.Namespace], list[str]]] = {
    "delivery": partial(_table, delivery, "delivery"),
    "transports": partial(_table, transports, "transports"),
    "readers": partial(_table, readers, "readers"),
    "query": partial(_table, queries, "query"),
    "explorer": _explorer,
}


if __name__ == "__main__":
    main()
