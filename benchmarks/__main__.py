"""Run every benchmark and print its ratios: ``make bench``, or ``python -m benchmarks [NAME]``."""

from __future__ import annotations

import sys

from . import emission, ingestion

BENCHMARKS = {"emission": emission.measure, "ingestion": ingestion.measure}


def main(names: list[str]) -> None:
    """Run the named benchmarks, all by default."""
    for name in names or list(BENCHMARKS):
        print(f"\n{name}")
        for line in BENCHMARKS[name]():
            print(f"  {line}")


if __name__ == "__main__":
    main(sys.argv[1:])
