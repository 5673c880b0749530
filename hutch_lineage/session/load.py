"""From a file to a graph in one step."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hutch_lineage.graph import LineageGraph


def load(source: str | Path) -> LineageGraph:
    """Read a run from a file into a new graph.

    Parameters
    ----------
    source : str or Path
        Hutch events (one JSON a line) or OpenLineage events (one a line, or a JSON array); the
        kind is found from the content. ``.gz`` files are read too.

    Returns
    -------
    LineageGraph
        What was odd in the file is in its ``report``.

    Raises
    ------
    ReadError
        Nothing in the file can be read; the message names file, line and reason.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
    ...     _ = file.write('{"event_kind": "run_end", "run_id": "r", "payload": {}}')
    ...     file.flush()
    ...     load(file.name)
    LineageGraph(0 individuals, 0 agents, 0 edges, 1 run)
    """
    from hutch_lineage.graph import LineageGraph
    from hutch_lineage.readers import read

    return read(source).apply_to(LineageGraph())
