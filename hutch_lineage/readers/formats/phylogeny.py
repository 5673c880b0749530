"""What the columns of a phylogeny in the ALife data standard mean, and its rows as records."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Final

from hutch_lineage.model import (
    FitnessRecord,
    NodeKey,
    NodeRecord,
    Record,
    RunRecord,
    ScoreDirection,
    Stamp,
)
from hutch_lineage.readers import Report

from .ancestors import STANDARD_ROOTS, ancestors
from .csv_rows import Row
from .directions import KNOWN

ID, LIST, ONE, BORN = "id", "ancestor_list", "ancestor_id", "origin_time"
GENOMES: Final = ("genome", "genotype", "sequence")
TEXTS: Final = (
    *("kind", "island_id", "population_id"),
    *("genome_uri", "genome_hash", "genome_lang"),
)
_NO_TIME: Final = Stamp(-1, "")
_NUMBER: Final = re.compile(r"-?(?:0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?")
_WHOLE_NUMBERS: Final = re.compile(r"(?:(?:0|[1-9]\d{0,17})(?:,|$))+")
_LONGEST: Final = 24  # characters of a number: more is an id or a genome
_MEMO: Final = 16_384
_PART: Final = 512  # rows
_new: Final = tuple.__new__  # a third of what the class itself takes
_NEVER_METRICS: Final = frozenset({"destruction_time"})
_NO_END: Final = frozenset({"inf", "infinity", "+inf"})


def is_phylogeny(header: Sequence[str]) -> bool:
    """Return whether these are the columns of a phylogeny in the ALife data standard.

    Examples
    --------
    >>> is_phylogeny(["id", "ancestor_list", "origin_time"]), is_phylogeny(["id", "name"])
    (True, False)
    """
    return ID in header and (LIST in header or ONE in header)


@dataclass(slots=True)
class Columns:
    """Where in a row what stands.

    Every column has one meaning: id and ancestors; ``origin_time``, in the unit of the file; the
    genome (the first of ``genome``, ``genotype`` and ``sequence``); attributes of an individual
    by their own names; metrics, which are the fields of a stated table and those that are asked
    for; and all others, which are metadata.
    """

    names: list[str]
    identity: int
    listed: int | None
    single: int | None
    born: int | None
    genome: int | None
    metrics: list[tuple[str, int]] = field(default_factory=list)
    texts: list[tuple[str, int]] = field(default_factory=list)
    metadata: list[tuple[str, int]] = field(default_factory=list)

    @classmethod
    def of(cls, header: Sequence[str], metrics: Mapping[str, ScoreDirection]) -> Columns:
        """Give each column its meaning."""
        names = [name.strip() for name in header]
        at = {name: place for place, name in reversed(list(enumerate(names)))}
        genome = next((at[name] for name in GENOMES if name in at), None)
        found = cls(names, at[ID], at.get(LIST), at.get(ONE), at.get(BORN), genome)
        taken = {found.identity, found.listed, found.single, found.born, found.genome}
        for name, place in at.items():
            if place in taken:
                continue
            kind = found.metrics if name in metrics else found.texts if name in TEXTS else None
            (found.metadata if kind is None else kind).append((name, place))
        for group in (found.metrics, found.texts, found.metadata):
            group.sort(key=lambda column: column[1])
        return found


def phylogeny_records(
    header: Sequence[str],
    rows: Iterator[Row],
    run_id: str,
    report: Report,
    metrics: Mapping[str, ScoreDirection] | None = None,
) -> Iterator[Record]:
    """Yield the records of a phylogeny, row by row.

    Parameters
    ----------
    header : sequence of str
        The names of the columns.
    rows : iterator of (line, cells)
        What stands below them.
    run_id : str
        The run that its individuals belong to.
    report : Report
        Where oddities go; some are known only after the last row.
    metrics : dict of str to str, optional
        Further columns that are metrics -> ``higher`` or ``lower``.

    Examples
    --------
    >>> from hutch_lineage.readers import ReadReport
    >>> rows = iter([(2, ["1", "[NONE]"]), (3, ["2", "[1]"])])
    >>> report = ReadReport()
    >>> _, root, child = phylogeny_records(["id", "ancestor_list"], rows, "toy", report)
    >>> child.parents
    (NodeKey(kind='individual', run_id='toy', id='1'),)
    >>> report.lines()
    ['no origin_time: the order is that of descent: 1', 'roots spelled [NONE]: 1 (line 2: 1)']
    """
    directions = {**KNOWN["alife-csv"], **(metrics or {})}
    columns = Columns.of(header, directions)
    declared = {name: directions[name] for name, _ in columns.metrics}
    yield RunRecord(run_id, _NO_TIME, _about(columns, run_id, declared))
    if columns.born is None:
        report.add("no origin_time: the order is that of descent")
    elif "update_born" not in columns.names:
        report.add("origin_time in a unit that the file does not state: kept as it is")
    yield from _Reader(columns, run_id, report).records(rows)


def _about(columns: Columns, run_id: str, declared: dict[str, ScoreDirection]) -> dict[str, Any]:
    metadata: dict[str, Any] = {"format": "ALife data standard", "columns": columns.names}
    if columns.born is not None and "update_born" in columns.names:
        metadata["origin_time_unit"] = "updates"  # Avida's own unit of time
    return {"name": run_id, "score_directions": declared, "metadata": metadata}


class _Reader:
    """Rows to records, some hundred at a time and column by column, which is what makes it fast.

    What has to be remembered from row to row grows with the graph, not with the file: its ids.
    """

    def __init__(self, columns: Columns, run_id: str, report: Report) -> None:
        self._columns = columns
        self._run_id = run_id
        self._report = report
        self._values = _Values()
        self._keys: dict[str, NodeKey] = {}
        self._seen: set[str] = set()
        self._early: list[tuple[str, tuple[str, ...]]] = []
        self._roots = 0

    def records(self, rows: Iterator[Row]) -> Iterator[Record]:
        first = True
        while part := list(islice(rows, _PART)):
            lines, table = self._fitted(part)
            if first and table:
                self._note_numbers(table[0])
                first = False
            yield from self._part(lines, list(zip(*table, strict=True)))
        self._finish()

    def _part(self, lines: list[int], cells: list[tuple[str, ...]]) -> Iterator[Record]:
        if not lines:
            return
        columns, seen = self._columns, self._seen
        ids = list(map(str.strip, cells[columns.identity]))
        parents = self._parents(lines, ids, cells)
        attributes = self._attributes(lines, ids, cells, parents)
        scores = self._scores(lines, cells)
        self._roots += parents.count(())
        for place, (node_id, named) in enumerate(zip(ids, parents, strict=True)):
            if node_id in seen:
                self._report.add("ids in several rows", f"line {lines[place]}: {node_id}")
            seen.add(node_id)
            for parent in named:
                if parent not in seen:
                    self._early.append((node_id, named))
                    break
            key = self._key(node_id)
            above = tuple([self._key(parent) for parent in named])
            yield _new(NodeRecord, (key, _NO_TIME, above, attributes[place]))
            if scores and scores[place]:
                yield FitnessRecord(key, _NO_TIME, scores[place])

    def _key(self, node_id: str) -> NodeKey:
        key = self._keys.get(node_id)
        if key is None:
            key = _new(NodeKey, ("individual", self._run_id, node_id))
            self._keys[node_id] = key
        return key

    def _fitted(self, part: list[Row]) -> tuple[list[int], list[list[str]]]:
        """Return lines and rows of the right width; those without an id are left out."""
        width, identity = len(self._columns.names), self._columns.identity
        lines, table = [], []
        for line, cells in part:
            row = cells if len(cells) == width else self._mended(line, cells)
            if row[identity].strip():
                lines.append(line)
                table.append(row)
            else:
                self._report.add("rows without an id: skipped", f"line {line}")
        return lines, table

    def _mended(self, line: int, cells: list[str]) -> list[str]:
        """Return a row of the right width; a list that was not quoted is put together again."""
        at, width = self._columns.listed, len(self._columns.names)
        extra = len(cells) - width
        if at is not None and extra > 0 and cells[at].startswith("["):
            whole = ",".join(cells[at : at + extra + 1])
            if whole.rstrip().endswith("]"):
                self._report.add("ancestor lists without quotes: put together", f"line {line}")
                return [*cells[:at], whole, *cells[at + extra + 1 :]]
        if extra > 0:
            self._report.add("rows with too many cells: the last ones dropped", f"line {line}")
            return cells[:width]
        self._report.add("rows with too few cells", f"line {line}")
        return cells + [""] * -extra

    def _parents(
        self, lines: list[int], ids: list[str], cells: list[tuple[str, ...]]
    ) -> list[tuple[str, ...]]:
        columns = self._columns
        singles = None if columns.single is None else list(map(str.strip, cells[columns.single]))
        if columns.listed is None:  # a root is spelled as its own ancestor there
            ones = singles or []
            return [
                () if one == own else ancestors(one) for own, one in zip(ids, ones, strict=True)
            ]
        lists = cells[columns.listed]
        parents = list(map(ancestors, lists))
        for place, named in enumerate(parents):
            if not named and lists[place].strip() not in STANDARD_ROOTS:
                shown = lists[place].strip() or "with an empty cell"
                self._report.add(f"roots spelled {shown}", f"line {lines[place]}: {ids[place]}")
            if singles is not None:
                self._compare(lines[place], ids[place], named, singles[place])
        return parents

    def _compare(self, line: int, node_id: str, named: tuple[str, ...], single: str) -> None:
        """Note where the column of one ancestor says other than the list, which holds."""
        if single in named or (not named and not ancestors(single)):
            return
        if single == node_id and not named:
            kind = "roots whose ancestor_id is their own id: no edge"
        else:
            kind = "ancestor_id unlike ancestor_list: the list holds"
        self._report.add(kind, f"line {line}: {node_id} has ancestor_id {single}")

    def _attributes(
        self,
        lines: list[int],
        ids: list[str],
        cells: list[tuple[str, ...]],
        parents: list[tuple[str, ...]],
    ) -> list[dict[str, Any]]:
        columns = self._columns
        made: list[dict[str, Any]] = [{} if named else {"is_seed": True} for named in parents]
        for said, metadata in zip(made, self._metadata(cells), strict=False):
            if metadata:
                said["metadata"] = metadata
        if columns.born is not None:
            self._born(lines, ids, cells[columns.born], made)
        genome = [] if columns.genome is None else [("genome", columns.genome)]
        for name, place in [*genome, *columns.texts]:
            for said, cell in zip(made, cells[place], strict=True):
                if cell:
                    said[name] = cell
        if "destruction_time" in columns.names:
            ends = cells[columns.names.index("destruction_time")]
            for line, node_id, end in zip(lines, ids, ends, strict=True):
                if end.strip().lower() in _NO_END:
                    self._report.add(
                        "destruction_time inf: it lived to the end", f"line {line}: {node_id}"
                    )
        return made

    def _metadata(self, cells: list[tuple[str, ...]]) -> list[dict[str, Any]]:
        """Return what the columns without another meaning say; an empty cell says nothing."""
        columns = self._columns.metadata
        names = [name for name, _ in columns]
        table = zip(*(self._values.of(cells[place]) for _, place in columns), strict=True)
        if any("" in cells[place] for _, place in columns):
            return [
                {name: value for name, value in zip(names, row, strict=True) if value != ""}
                for row in table
            ]
        return [dict(zip(names, row, strict=True)) for row in table]

    def _born(
        self, lines: list[int], ids: list[str], cells: tuple[str, ...], made: list[dict[str, Any]]
    ) -> None:
        for place, born in enumerate(self._values.of(tuple(map(str.strip, cells)))):
            if not isinstance(born, str):
                made[place]["origin_time"] = born
                if born < 0:
                    self._report.add(
                        "origin_time below zero", f"line {lines[place]}: {ids[place]} at {born}"
                    )
            elif born:
                self._report.add("origin_time that is no number", f"line {lines[place]}: {born}")

    def _scores(self, lines: list[int], cells: list[tuple[str, ...]]) -> list[dict[str, float]]:
        columns = self._columns.metrics
        if not columns:
            return []
        scores: list[dict[str, float]] = [{} for _ in lines]
        for name, at in columns:
            for place, value in enumerate(self._values.of(tuple(map(str.strip, cells[at])))):
                if not isinstance(value, str):
                    scores[place][name] = float(value)
                elif value:
                    self._report.add(
                        "scores that are no finite number", f"line {lines[place]}: {name} {value}"
                    )
        return scores

    def _note_numbers(self, row: list[str]) -> None:
        """Say which columns could be metrics, by the first row: nobody said so."""
        for name, place in self._columns.metadata:
            if name not in _NEVER_METRICS and not isinstance(number_or_text(row[place]), str):
                self._report.add("columns of numbers kept as metadata, not as metrics", name)

    def _finish(self) -> None:
        seen, report = self._seen, self._report
        for node_id, named in self._early:
            lost = [parent for parent in named if parent not in seen]
            if len(lost) < len(named):
                report.add("rows before their parents", node_id)
            for parent in lost:
                report.add("ancestors without a row", f"{parent}, named by {node_id}")
        if not seen:
            report.add("no rows")
        elif not self._roots:
            report.add("no root: every row names ancestors")


class _Values(dict[str, "int | float | str"]):
    """Cells as numbers where they are; each spelling is looked at once, within a bound."""

    def __missing__(self, cell: str) -> int | float | str:
        value = number_or_text(cell)
        if len(self) < _MEMO:
            self[cell] = value
        return value

    def of(self, cells: tuple[str, ...]) -> Sequence[int | float | str]:
        """Return the cells of a column as numbers, where they are."""
        if cells[0].isdigit() and _WHOLE_NUMBERS.fullmatch(",".join(cells)):
            return list(map(int, cells))
        return list(map(self.__getitem__, cells))


def number_or_text(cell: str) -> int | float | str:
    """Return a cell as a number where it is one in its usual spelling, else as its text.

    Examples
    --------
    >>> number_or_text("7"), number_or_text("0.5"), number_or_text("007"), number_or_text("inf")
    (7, 0.5, '007', 'inf')
    """
    if cell[:1] not in "-0123456789" or len(cell) > _LONGEST:
        return cell
    match = _NUMBER.fullmatch(cell)
    if match is None:
        return cell
    if match[1] is None and match[2] is None:
        whole = int(cell)
        return whole if -(2**63) <= whole < 2**63 and cell != "-0" else cell
    value = float(cell)
    return value if math.isfinite(value) else cell
