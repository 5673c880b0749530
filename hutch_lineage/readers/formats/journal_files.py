"""Where the journals of tree searches lie: one a run, or one for each stage of a run."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from hutch_lineage.readers import Item, Report, files_below

from .journal import Journal, is_journal, journal_of, journal_records
from .only_value import begins_with, values_of

FILE: Final = "journal.json"
STAGE: Final = "stage_"
MOST_LOOKED_AT: Final = 10_000
_NUMBERED: Final = re.compile(r"\d+-run")
_PARTS: Final = re.compile(r"\d+|\D+")


@dataclass(slots=True)
class JournalFiles:
    """The journals of one run, and the folder that is the run's."""

    folder: Path
    files: list[Path]

    @property
    def staged(self) -> bool:
        """Whether each is that of a stage."""
        return self.files[0].parent.name.startswith(STAGE)


def runs_below(folder: Path) -> list[JournalFiles]:
    """Return the runs whose journals stand below a folder, the stages of each in their order.

    Examples
    --------
    >>> runs_below(Path("nowhere"))
    []
    """
    runs: dict[Path, JournalFiles] = {}
    for path in _journals_below(folder):
        stage = path.parent
        home = stage.parent if stage.name.startswith(STAGE) else stage
        runs.setdefault(home, JournalFiles(home, [])).files.append(path)
    for run in runs.values():
        run.files.sort(key=lambda path: _in_order(path.parent.name))
    return list(runs.values())


def _journals_below(folder: Path) -> Iterator[Path]:
    for place, path in enumerate(files_below(folder)):
        if place >= MOST_LOOKED_AT:
            return
        if path.name == FILE and begins_with(path, is_journal):
            yield path


def _in_order(name: str) -> list[tuple[int, str]]:
    """Return a key that sorts ``stage_2_x`` before ``stage_10_x``."""
    return [(int(part), "") if part.isdigit() else (-1, part) for part in _PARTS.findall(name)]


def run_name(folder: Path) -> str:
    """Return what the run of a folder is called; a bare ``0-run`` by the experiment it is of.

    Examples
    --------
    >>> run_name(Path("experiments/2026_idea/logs/0-run")), run_name(Path("logs/2-blue-owl"))
    ('2026_idea', '2-blue-owl')
    """
    path = folder.absolute()
    if _NUMBERED.fullmatch(path.name) and path.parent.name == "logs" and path.parent.parent.name:
        return path.parent.parent.name
    return path.name or "journal"


def items_of(runs: Sequence[JournalFiles], system: str, report: Report) -> Iterator[Item]:
    """Yield the records of some runs; their names are made distinct where they are not.

    Raises
    ------
    ReadError
        None of the journals of a run can be read; with file and line.
    """
    taken: set[str] = set()
    for run in runs:
        run_id = run_name(run.folder)
        if run_id in taken:
            run_id = run.folder.as_posix()
        taken.add(run_id)
        read = values_of(run.files, is_journal, "journal", report)
        journals = [_journal(path, value, report, staged=run.staged) for path, value in read]
        yield from journal_records(journals, run_id, system, report)


def _journal(path: Path, value: Any, report: Report, *, staged: bool) -> Journal:
    stage = path.parent.name.removeprefix(STAGE) if staged else ""
    return journal_of(value, f"{path.parent.name}/{path.name}", report, stage)
