"""From a file to a graph in one step."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from .reading import read

if TYPE_CHECKING:
    from hutch_lineage.graph import LineageGraph


def load(source: str | Path) -> LineageGraph:
    """Read a file of events into a new graph.

    Parameters
    ----------
    source : str or Path
        See :func:`read`.

    Returns
    -------
    LineageGraph
        What was odd in the file is in its ``report``.

    Raises
    ------
    ReadError
        As for :func:`read`.
    """
    from hutch_lineage.graph import LineageGraph

    return read(source).apply_to(LineageGraph())
