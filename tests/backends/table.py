"""Measure the real Marquez and write the table of docs/backends.md: ``make backends``."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

from tests.backends.cases import ROOT, cases
from tests.backends.measuring import HEAD, MAPPINGS, measured, row
from tests.support import figures
from tests.support.marquez import Marquez, Missing

PAGE = ROOT / "docs" / "backends.md"
MARKER = "Marquez measured"


def main() -> int:
    """Measure all cases; takes about ten minutes."""
    data = Path(os.environ.get("HUTCH_LINEAGE_DATA") or ROOT.parent / "shared" / "data")
    rows: list[list[str]] = [list(HEAD)]
    with tempfile.TemporaryDirectory() as folder:
        os.environ["HUTCH_OPENLINEAGE_JOURNAL"] = f"{folder}/journal"
        Path(folder).chmod(0o755)  # where root runs it, PostgreSQL is another user
        try:
            with Marquez(Path(folder) / "marquez") as marquez:
                for case in cases(data):
                    for mapping in MAPPINGS:
                        rows.append(
                            row("Marquez", mapping, case, *measured(marquez, case, mapping))
                        )
                        print(*rows[-1], sep=" | ", flush=True)
        except Missing as missing:
            print(missing, file=sys.stderr)
            return 1
    figures.put(PAGE, MARKER, rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
