"""Run every benchmark and print its ratios: ``make bench``, or ``python -m benchmarks [NAME]``."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from . import delivery, emission, explorer, ingestion, transports
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


def _delivery(wanted: argparse.Namespace) -> list[str]:
    """Measure delivery, write its section if that is wanted; return the table."""
    plan = delivery.Plan()
    if wanted.rounds or wanted.quick:
        plan = replace(plan, rounds=wanted.rounds or 1)
    results = delivery.run(plan)
    if wanted.write:
        write_section(wanted.write, "delivery", delivery.page(results, plan.rounds))
    return delivery.lines(results)


def _transports(wanted: argparse.Namespace) -> list[str]:
    """Measure the transports, write their section if that is wanted; return the table."""
    plan = transports.Plan()
    if wanted.rounds or wanted.quick:
        plan = replace(plan, rounds=wanted.rounds or 1)
    results = transports.run(plan)
    if wanted.write:
        write_section(wanted.write, "transports", transports.page(results, plan.rounds))
    return transports.lines(results)


TABLES = {"delivery": _delivery, "transports": _transports, "explorer": _explorer}


if __name__ == "__main__":
    main()
