"""Phylogenies in the ALife data standard."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from hutch_lineage.errors import ReadError
from hutch_lineage.model import ScoreDirection
from hutch_lineage.readers import Item, NothingFoundError, Report, Source, head_of, is_file

from .csv_rows import header_of, rows
from .phylogeny import ID, LIST, ONE, is_phylogeny, phylogeny_records
from .within import Within

ENDINGS = (".csv", ".csv.gz")


class ALife:
    """The ALife data standard as CSV, plain or gzipped; each file of a folder is a run.

    See https://alife-data-standards.github.io/alife-data-standards/phylogeny.html.

    Parameters
    ----------
    metrics : dict of str to str, optional
        Columns that are metrics -> ``higher`` or ``lower``, besides ``fitness``. No column becomes
        one because it holds numbers.
    """

    kind = "alife-csv"
    title = "a phylogeny in the ALife data standard (CSV)"

    def __init__(self, metrics: Mapping[str, ScoreDirection] | None = None) -> None:
        self._metrics = dict(metrics or {})

    def detect(self, source: Source) -> bool:
        """Return whether the first line names an id and its ancestors."""
        if source.is_file:
            return is_phylogeny(header_of(source.head))
        return source.is_folder and next(_files(source), None) is not None

    def read(self, source: Source, report: Report) -> Iterator[Item]:
        """Yield the individuals, row by row; of a folder file by file."""
        if not source.is_folder:
            yield from _one(source.here, report, self._metrics)
            return
        source.note_unseen(report)
        found = False
        for path in _files(source):
            try:
                for item in _one(path, Within(report, path.name), self._metrics):
                    found = True
                    yield item
            except ReadError as error:
                report.add("files skipped: cannot be read to their end", str(error))
        if not found:
            raise NothingFoundError(f"{source.name}: no phylogeny in it", source.name)


def run_id_of(path: Path) -> str:
    """Return what a phylogeny is called: its file, without the ending.

    Examples
    --------
    >>> run_id_of(Path("runs/nk.lexicase.csv.gz"))
    'nk.lexicase'
    """
    return path.name.removesuffix(".gz").removesuffix(".csv") or path.name


def _files(source: Source) -> Iterator[Path]:
    for name in source.names:
        path = source.here / name
        if name.endswith(ENDINGS) and is_file(path) and is_phylogeny(header_of(head_of(path))):
            yield path


def _one(path: Path, report: Report, metrics: Mapping[str, ScoreDirection]) -> Iterator[Item]:
    table = rows(path)
    line, header = next(table, (1, []))
    if not is_phylogeny([name.strip() for name in header]):
        has = f"it has {', '.join(header)}"[:200] if header else "it is empty"
        raise ReadError(
            f"{path}: line {line}: a phylogeny has the columns {ID} and {LIST} (or {ONE}); {has}",
            str(path),
            line,
        )
    yield from phylogeny_records(header, table, run_id_of(path), report, metrics)
