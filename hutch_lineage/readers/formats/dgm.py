"""Runs of the Darwin Goedel Machine: a folder for each agent, and a file of generations."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from hutch_lineage.errors import ReadError
from hutch_lineage.readers import (
    Item,
    NothingFoundError,
    Report,
    Source,
    bytes_of,
    documents,
    is_file,
    is_folder,
)

from .dgm_agents import Agent, dgm_records, is_agent, is_generation
from .only_value import begins_with, values_of

AGENT: Final = "metadata.json"
GENERATIONS: Final = "dgm_metadata.jsonl"
PATCH: Final = "model_patch.diff"
DEEPEST: Final = 2
MOST_LOOKED_AT: Final = 200


class Dgm:
    """An output folder of DGM, one with several of them, or its ``dgm_metadata.jsonl``."""

    kind = "dgm"
    title = "an output folder of DGM (metadata.json of agents, dgm_metadata.jsonl)"

    def detect(self, source: Source) -> bool:
        """Return whether there are generations or agents in it."""
        if source.is_file:
            return is_generation(source.first) and source.here.suffix != ".json"
        return source.is_folder and next(_runs(source.here, DEEPEST), None) is not None

    def read(self, source: Source, report: Report) -> Iterator[Item]:
        """Yield the agents of each run, and the self-modifications that made them."""
        if source.is_folder:
            runs = list(_runs(source.here, DEEPEST))
        else:
            runs = [source.here.absolute().parent]
        if not runs:
            raise NothingFoundError(f"{source.name}: no agents of DGM in it", source.name)
        for folder in runs:
            path = folder / GENERATIONS if source.is_folder else source.here
            generations = list(_generations(path, report)) if is_file(path) else []
            read = values_of(list(_agents(folder)), is_agent, "agent of DGM", report)
            agents = [Agent(each.parent.name, said, _patch(each, report)) for each, said in read]
            run_id = folder.absolute().name or "dgm"
            if len(runs) > 1:
                run_id = folder.relative_to(source.here).as_posix()
            yield from dgm_records(agents, generations, run_id, report)


def _runs(folder: Path, deeper: int) -> Iterator[Path]:
    """Yield the folders of runs: those with generations, or with folders of agents."""
    if is_file(folder / GENERATIONS) or next(_agents(folder), None) is not None:
        yield folder
        return
    for each in _folders(folder)[:MOST_LOOKED_AT] if deeper else ():
        yield from _runs(each, deeper - 1)


def _folders(folder: Path) -> list[Path]:
    try:
        return sorted(
            each for each in folder.iterdir() if is_folder(each) and not each.is_symlink()
        )
    except OSError:
        return []


def _agents(folder: Path) -> Iterator[Path]:
    for each in _folders(folder):
        path = each / AGENT
        if is_file(path) and begins_with(path, is_agent):
            yield path


def _patch(path: Path, report: Report) -> str:
    """Return what an agent changed in its parent; empty where it has no patch."""
    try:
        return bytes_of(path.with_name(PATCH)).decode("utf-8", "replace")
    except FileNotFoundError:
        return ""
    except OSError as error:
        report.add("patches that cannot be read", f"{path.parent.name}: {error.strerror}")
        return ""


def _generations(path: Path, report: Report) -> Iterator[dict[str, Any]]:
    found = False
    fault: tuple[int, str] | None = None
    for document in documents(path):
        if is_generation(document.value):
            found = True
            yield document.value
            continue
        problem = document.fault or "no generation"
        fault = fault or (document.line, problem)
        report.add("generations skipped", f"{path.name} line {document.line}: {problem}")
    if not found:
        line, problem = fault or (1, "nothing in it")
        raise ReadError(f"{path}: line {line}: {problem}: no generation in it", str(path), line)
