"""What OpenMetadata's and DataHub's code makes of runs, as the table of docs/backends.md.

``python -m tests.peers.table`` writes it anew.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.backends.cases import ROOT, of_file, truth_of
from tests.backends.measuring import HEAD, percent
from tests.peers.judging import Edge, edges_at_datahub, edges_at_openmetadata, judged
from tests.peers.runs import OTHER_RUN, posted, search
from tests.support import figures

PAGE = ROOT / "docs" / "backends.md"
MARKER = "OpenMetadata and DataHub measured"

_EDGES: dict[str, tuple[str, Callable[[Iterable[Mapping[str, Any]]], set[Edge]]]] = {
    "openmetadata": ("OpenMetadata", edges_at_openmetadata),
    "datahub": ("DataHub", edges_at_datahub),
}


def rows(data: Path) -> list[list[str]]:
    """Measure all runs; a row for each run, backend and mapping."""
    runs: dict[str, Sequence[Any]] = {
        "OpenEvolve's run": of_file(data / "hutch-openevolve" / "events.jsonl"),
        "CodeEvolve's run": of_file(data / "hutch-codeevolve" / "events.jsonl"),
        "crossover, agents, two runs": [*search(), *search(OTHER_RUN, "failed")],
    }
    truths = {what: _true(events) for what, events in runs.items()}
    found = []
    for peer, (name, edges_of) in _EDGES.items():
        asked = {
            (what, mapping): posted(list(events), mapping)
            for what, events in runs.items()
            for mapping in ("generic", peer)
        }
        for (what, mapping), said in judged(peer, asked).items():
            true, shown = truths[what], edges_of(said)
            hits = len(true & shown)
            found.append(
                [
                    name,
                    f"`{mapping}`",
                    what,
                    f"{len(true):,}",
                    f"{len(shown):,}",
                    percent(hits / len(shown)) if shown else "-",
                    percent(hits / len(true)),
                    f"{len(said):,}",
                ]
            )
    return found


def _true(events: Sequence[Any]) -> set[Edge]:
    return {((one.run_id, one.id), (other.run_id, other.id)) for one, other in truth_of(events)}


def main() -> int:
    """Write the table; takes half a minute."""
    data = Path(os.environ.get("HUTCH_LINEAGE_DATA") or ROOT.parent / "shared" / "data")
    figures.put(PAGE, MARKER, [list(HEAD[:-1]), *rows(data)])
    return 0


if __name__ == "__main__":
    sys.exit(main())
