"""The explorer against what else draws lineages: one run, one machine, the same lineages."""

from __future__ import annotations

from .measure import PEERS, QUICK, Plan, run
from .page import page
from .results import Results, markdown

__all__ = ["PEERS", "QUICK", "Plan", "Results", "lines", "page", "run"]


def lines(results: Results) -> list[str]:
    """Return the results as lines of text: the table, the notes, the machine."""
    notes = [f"- {note}" for note in results.notes]
    return [*markdown(results.rows()), "", *notes, "", results.machine()]
