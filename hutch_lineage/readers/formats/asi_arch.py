"""The tree of architectures of ASI-ARCH."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from hutch_lineage.readers import Item, NothingFoundError, Report, Source, is_file

from .asi_arch_tree import is_tree, tree_records
from .only_value import begins_with, only_value


class AsiArch:
    """``tree.json`` of ASI-ARCH, or the folder that it lies in."""

    kind = "asi-arch"
    title = "the tree.json of ASI-ARCH"

    def detect(self, source: Source) -> bool:
        """Return whether it is such a tree, or holds one."""
        if source.is_file:
            return is_tree(source.first)
        return source.is_folder and next(_trees(source), None) is not None

    def read(self, source: Source, report: Report) -> Iterator[Item]:
        """Yield the architectures, each under its parent."""
        paths = list(_trees(source)) if source.is_folder else [source.here]
        if not paths:
            raise NothingFoundError(f"{source.name}: no tree of ASI-ARCH in it", source.name)
        source.note_unseen(report)
        for path in paths:
            folder = path.absolute().parent.name
            run_id = folder if path.stem == "tree" and folder and len(paths) == 1 else path.stem
            yield from tree_records(only_value(path, is_tree, "tree of ASI-ARCH"), run_id, report)


def _trees(source: Source) -> Iterator[Path]:
    for name in source.names:
        path = source.here / name
        if name.endswith(".json") and is_file(path) and begins_with(path, is_tree):
            yield path
