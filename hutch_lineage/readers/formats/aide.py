"""Runs of AIDE: a journal for each."""

from __future__ import annotations

from collections.abc import Iterator

from hutch_lineage.readers import Item, NothingFoundError, Report, Source

from .journal import is_journal
from .journal_files import JournalFiles, items_of, runs_below


class Aide:
    """``journal.json`` of AIDE, its run's folder, or a folder of runs."""

    kind = "aide"
    title = "AIDE's journal.json, or a folder with it"

    def detect(self, source: Source) -> bool:
        """Return whether it is a journal, or some lie in it and none is that of a stage."""
        if source.is_file:
            return is_journal(source.first)
        runs = runs_below(source.here) if source.is_folder else []
        return bool(runs) and not any(run.staged for run in runs)

    def read(self, source: Source, report: Report) -> Iterator[Item]:
        """Yield the programs of each run, and how each was made of its parent."""
        if source.is_folder:
            runs = runs_below(source.here)
        else:
            runs = [JournalFiles(source.here.absolute().parent, [source.here])]
        if not runs:
            raise NothingFoundError(f"{source.name}: no journal.json in it", source.name)
        yield from items_of(runs, "AIDE", report)
