"""Node-link JSON that this package wrote, alone or in an RO-Crate."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from hutch_lineage.errors import ReadError
from hutch_lineage.mapping import is_node_link, records_of_node_link
from hutch_lineage.readers import Item, Report, Source, documents, first_values, head_of, text_of

IN_CRATE: Final = "lineage.json"
CRATE: Final = "ro-crate-metadata.json"


class NodeLink:
    """A graph as :func:`hutch_lineage.export.write` made it, as ``.json`` or as ``.crate``."""

    kind = "node-link"
    title = "a graph as node-link JSON of this package, or an RO-Crate with one"

    def detect(self, source: Source) -> bool:
        """Return whether it says so itself."""
        if source.is_file:
            return is_node_link(source.first)
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
        yield from _records(path)


def _records(path: Path) -> Iterator[Item]:
    for document in documents(path):
        if document.fault or not is_node_link(document.value):
            problem = document.fault or "no node-link JSON of this package"
            raise ReadError(f"{path}: line {document.line}: {problem}", str(path), document.line)
        try:
            records = records_of_node_link(document.value)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise ReadError(
                f"{path}: line {document.line}: not as it was written: "
                f"{type(error).__name__}: {error}",
                str(path),
                document.line,
            ) from error
        yield from records
