"""Runs of AI-Scientist-v2: a journal for each stage."""

from __future__ import annotations

from collections.abc import Iterator

from hutch_lineage.readers import Item, NothingFoundError, Report, Source

from .journal_files import items_of, runs_below


class AIScientist:
    """The folder of a run, ``logs/0-run`` with a ``stage_*/journal.json`` each, or one around it.

    Its pickles (``manager.pkl``, ``checkpoint.pkl``) are not opened.
    """

    kind = "ai-scientist-v2"
    title = "the stages of AI-Scientist-v2, stage_*/journal.json"

    def detect(self, source: Source) -> bool:
        """Return whether journals of stages lie in it."""
        return source.is_folder and any(run.staged for run in runs_below(source.here))

    def read(self, source: Source, report: Report) -> Iterator[Item]:
        """Yield the programs of all stages; one that was carried over once."""
        runs = runs_below(source.here)
        if not runs:
            raise NothingFoundError(f"{source.name}: no stage_*/journal.json in it", source.name)
        yield from items_of(runs, "AI-Scientist-v2", report)
