"""Checkpoints of OpenEvolve: one, or all those of a run merged by program id over time."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from hutch_lineage.errors import ReadError
from hutch_lineage.model import Record
from hutch_lineage.readers import (
    Feed,
    Item,
    Report,
    Source,
    file_state,
    first_values,
    head_of,
    is_file,
    is_folder,
    text_of,
)

from .half_written import Patience
from .only_json import Unreadable, json_file
from .openevolve_programs import Programs

_NUMBER: Final = re.compile(r"(\d+)$")
_DEEPEST: Final = 4
_HOLDERS: Final = frozenset({"checkpoints", "openevolve_output"})
_SIGNS: Final = frozenset({"islands", "archive", "feature_map", "best_program_id"})


@dataclass(frozen=True, order=True)
class Checkpoint:
    """A folder with ``metadata.json`` and ``programs``; `number` is at the end of its name."""

    number: int
    folder: Path

    @property
    def run(self) -> Path:
        """The folder of the run that it belongs to."""
        folder = self.folder.absolute().parent
        while folder.name in _HOLDERS and folder.parent != folder:
            folder = folder.parent
        return folder


class OpenEvolve:
    """One checkpoint, the folder of a run, or a folder of runs."""

    kind = "openevolve"
    title = "checkpoints of OpenEvolve, one or a folder of them"

    def detect(self, source: Source) -> bool:
        """Return whether there is a checkpoint in it."""
        return source.is_folder and next(checkpoints(source.here), None) is not None

    def read(self, source: Source, report: Report) -> Iterator[Item]:
        """Yield the programs, the older checkpoints first."""
        return OpenEvolveRuns(source, report).items()

    def follow(self, source: Source, report: Report) -> Feed:
        """Return a feed that reads the programs that are new in each poll."""
        return OpenEvolveRuns(source, report)


class OpenEvolveRuns:
    """The runs in a folder, as far as they have been read.

    A program that stands in several checkpoints under the same name and with the same size is read
    once: OpenEvolve does not change what it has evaluated.

    Parameters
    ----------
    source : Source
        The folder.
    report : Report
        What is odd goes there.
    """

    period_s = 2.0
    ended = False

    def __init__(self, source: Source, report: Report) -> None:
        self.name = source.name
        self._folder = source.here
        self._report = report
        self._runs: dict[Path, Programs] = {}
        self._seen: set[tuple[Path, str, int]] = set()
        self._metadata: dict[Path, tuple[int, int]] = {}
        self._patience = Patience()

    def items(self) -> Iterator[Record]:
        """Yield all that there is.

        Raises
        ------
        ReadError
            There is no checkpoint, or no program in any.
        """
        yield from self._new(patient=False)
        if not any(map(len, self._runs.values())):
            raise ReadError(
                f"{self.name}: no checkpoint of OpenEvolve with a program in it: such a folder "
                "holds metadata.json and programs/*.json",
                self.name,
            )

    def poll(self) -> Sequence[Item]:
        """Return what is new; a file that is half written comes with a later call."""
        return list(self._new(patient=True))

    def close(self) -> None:
        """Do nothing: nothing is open between two polls."""

    def _new(self, *, patient: bool) -> Iterator[Record]:
        found = sorted(checkpoints(self._folder))
        for checkpoint in found:
            if not patient and not is_file(checkpoint.folder / "metadata.json"):
                self._report.add("checkpoints without metadata.json", checkpoint.folder.name)
            programs = self._programs(checkpoint.run)
            for path in _program_files(checkpoint.folder / "programs"):
                yield from self._program(path, checkpoint, programs, patient=patient)
            yield from programs.settle()
        for checkpoint in found:
            yield from self._said_of_run(checkpoint, patient=patient)
        for programs in self._runs.values():
            yield from programs.directions()

    def _programs(self, run: Path) -> Programs:
        if run not in self._runs:
            taken = {programs.run_id for programs in self._runs.values()}
            run_id = run.name if run.name not in taken else f"{run.parent.name}/{run.name}"
            self._runs[run] = Programs(run_id, self._report)
        return self._runs[run]

    def _program(
        self, path: Path, checkpoint: Checkpoint, programs: Programs, *, patient: bool
    ) -> Iterator[Record]:
        try:
            size = path.stat().st_size
        except OSError:
            return  # it was removed just now
        mark = (checkpoint.run, path.name, size)
        if mark in self._seen:
            return
        where = f"{checkpoint.number:09}/{path.name}"
        try:
            program = json_file(path)
            if not isinstance(program.get("id"), str):
                raise Unreadable("it has no id")
        except Unreadable as error:
            if not patient or self._patience.ends(path):
                self._seen.add(mark)
                self._report.add("program files skipped", f"{where}: {error}")
            return
        self._seen.add(mark)
        yield from programs.take(program, where, str(path.absolute()))

    def _said_of_run(self, checkpoint: Checkpoint, *, patient: bool) -> Iterator[Record]:
        path = checkpoint.folder / "metadata.json"
        mark = file_state(path)
        if mark is None or self._metadata.get(path) == mark:
            return
        try:
            metadata = json_file(path)
        except Unreadable as error:
            if not patient or self._patience.ends(path):
                self._report.add("checkpoints whose metadata.json is unreadable", str(error))
            return
        self._metadata[path] = mark
        run = self._programs(checkpoint.run)
        yield from run.run(checkpoint.number, metadata, checkpoint.run.name)


def checkpoints(folder: Path, deepest: int = _DEEPEST) -> Iterator[Checkpoint]:
    """Yield the checkpoints in a folder, which may be one itself; links are not followed."""
    programs = folder / "programs"
    if is_folder(programs) and (_says_so(folder / "metadata.json") or _holds_program(programs)):
        match = _NUMBER.search(folder.absolute().name)
        yield Checkpoint(int(match[1]) if match else 0, folder)
    elif deepest > 0:
        try:
            below = sorted(path for path in folder.iterdir() if not path.name.startswith("."))
        except OSError:
            return
        for path in below:
            if is_folder(path) and not path.is_symlink():
                yield from checkpoints(path, deepest - 1)


def _says_so(path: Path) -> bool:
    return bool(_SIGNS & _beginning(path).keys())


def _holds_program(programs: Path) -> bool:
    said = next((_beginning(path) for path in _program_files(programs)), {})
    return {"id", "code"} <= said.keys()


def _beginning(path: Path) -> dict[str, Any]:
    try:
        values = first_values(text_of(head_of(path)), most=1)
    except ReadError:
        return {}
    return values[0] if values and isinstance(values[0], dict) else {}


def _program_files(programs: Path) -> Iterator[Path]:
    try:
        names = sorted(path for path in programs.iterdir() if path.suffix == ".json")
    except OSError:
        return
    yield from names
