"""Node-link JSON that this package wrote, alone or in an RO-Crate."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import orjson

from hutch_lineage.errors import ReadError
from hutch_lineage.mapping import is_node_link, records_of_node_link
from hutch_lineage.readers import Item, Report, Source, documents, first_values, head_of, text_of

IN_CRATE: Final = "lineage.json"
CRATE: Final = "ro-crate-metadata.json"
MOST_BYTES: Final = 2 << 30
"""What a zipped graph may take in memory as text."""


class NodeLink:
    """A graph as :func:`hutch_lineage.export.write` made it: ``.json``, ``.crate`` or ``.zip``."""

    kind = "node-link"
    title = "a graph as node-link JSON of this package, or an RO-Crate with one"

    def detect(self, source: Source) -> bool:
        """Return whether it says so itself."""
        if source.is_file:
            return is_node_link(source.first) or _is_zipped_crate(source)
        if not {IN_CRATE, CRATE} <= set(source.names):
            return False
        try:
            values = first_values(text_of(head_of(source.here / IN_CRATE)))
        except ReadError:
            return False
        return bool(values) and is_node_link(values[0])

    def read(self, source: Source, report: Report) -> Iterator[Item]:
        """Yield the records of the graph."""
        del report
        path = source.here / IN_CRATE if source.is_folder else source.here
        if source.is_file and _is_zipped_crate(source):
            yield from _records(_zipped(path), path, 1)
            return
        for document in documents(path):
            if document.fault:
                raise _error(path, document.line, document.fault)
            yield from _records(document.value, path, document.line)


def _is_zipped_crate(source: Source) -> bool:
    with suppress(OSError, zipfile.BadZipFile), source.here.open("rb") as file:
        if file.read(2) == b"PK":
            with zipfile.ZipFile(file) as archive:
                return {IN_CRATE, CRATE} <= set(archive.namelist())
    return False


def _zipped(path: Path) -> Any:
    """Return the graph in a crate that is one file; nothing is unpacked to the disk."""
    try:
        with zipfile.ZipFile(path) as archive:
            if archive.getinfo(IN_CRATE).file_size > MOST_BYTES:
                raise _error(path, 1, f"{IN_CRATE} is too large: unpack it, and open the folder")
            with archive.open(IN_CRATE) as file:
                return orjson.loads(file.read(MOST_BYTES))
    except (OSError, ValueError, RuntimeError, zipfile.BadZipFile, zlib.error) as error:
        # RuntimeError: with a password; ValueError: no JSON, or cut
        raise _error(path, 1, f"{IN_CRATE} in it cannot be read: {error}") from error


def _records(value: Any, path: Path, line: int) -> list[Item]:
    if not is_node_link(value):
        raise _error(path, line, "no node-link JSON of this package")
    try:
        return list(records_of_node_link(value))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        problem = f"not as it was written: {type(error).__name__}: {error}"
        raise _error(path, line, problem) from error


def _error(path: Path, line: int, problem: str) -> ReadError:
    return ReadError(f"{path}: line {line}: {problem}", str(path), line)
