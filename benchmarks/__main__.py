"""Run every benchmark and print its ratios: ``make bench``, or ``python -m benchmarks [NAME]``."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from . import delivery, emission, explorer, ingestion, transports

BENCHMARKS = {
    "emission": emission.measure,
    "delivery": delivery.measure,
    "transports": transports.measure,
    "ingestion": ingestion.measure,
}


def main(given: list[str] | None = None) -> None:
    """Run the named benchmarks, all by default."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    names = [*BENCHMARKS, "explorer"]
    parser.add_argument("name", nargs="*", help=f"which ones: {', '.join(names)}; all by default")
    parser.add_argument("--quick", action="store_true", help="explorer: small lineages, once")
    parser.add_argument("--rounds", type=int, help="explorer: how often each is measured")
    parser.add_argument("--write", type=Path, metavar="PAGE", help="explorer: write the page, too")
    wanted = parser.parse_args(given)
    if unknown := set(wanted.name) - set(names):
        parser.error(f"no benchmark {', '.join(sorted(unknown))}: one of {', '.join(names)}")
    for name in wanted.name or names:
        print(f"\n{name}")
        found = _explorer(wanted) if name == "explorer" else BENCHMARKS[name]()
        for line in found:
            print(f"  {line}")


def _explorer(wanted: argparse.Namespace) -> list[str]:
    """Measure the explorer, write the page if that is wanted; return the table."""
    plan = explorer.QUICK if wanted.quick else explorer.Plan()
    if wanted.rounds:
        plan = replace(plan, rounds=wanted.rounds)
    results = explorer.run(plan)
    if wanted.write:
        wanted.write.write_text(explorer.page(results, plan.rounds, plan.seconds), encoding="utf-8")
    return explorer.lines(results)


if __name__ == "__main__":
    main()
