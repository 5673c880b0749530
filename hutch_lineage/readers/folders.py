"""The files of a folder and of those in it, within bounds; links to folders are not followed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from .report import Report

DEEPEST: Final = 4


def files_below(
    folder: Path, report: Report | None = None, deepest: int = DEEPEST
) -> Iterator[Path]:
    """Yield the regular files below a folder, sorted within each folder, files before folders.

    Hidden ones are passed over. A folder that cannot be read, or that lies too deep, is in the
    report.

    Examples
    --------
    >>> list(files_below(Path("nowhere")))
    []
    """
    try:
        with os.scandir(folder) as found:
            entries = sorted(
                (entry for entry in found if not entry.name.startswith(".")),
                key=lambda entry: entry.name,
            )
    except OSError as error:
        if report is not None:
            report.add("folders skipped: cannot be read", f"{folder}: {error.strerror}")
        return
    folders = []
    for entry in entries:
        if entry.is_dir(follow_symlinks=False):
            folders.append(entry.path)
        elif _is_regular(entry):
            yield Path(entry.path)
    for path in folders:
        if deepest > 0:
            yield from files_below(Path(path), report, deepest - 1)
        elif report is not None:
            report.add("folders skipped: too deep", path)


def _is_regular(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_file()
    except OSError:  # a link in a circle
        return False
