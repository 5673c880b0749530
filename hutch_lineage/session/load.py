"""From a file, or from what a backend holds of a run, to a graph in one step."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from hutch_lineage.errors import ConfigurationError
from hutch_lineage.mapping import IN_MEMORY, parse_endpoint
from hutch_lineage.sdk import runtime

if TYPE_CHECKING:
    from hutch_lineage.graph import LineageGraph


def load(source: str | Path, *, run: str | None = None, api_key: str | None = None) -> LineageGraph:
    """Read a run from a file, or from a backend, into a new graph.

    Parameters
    ----------
    source : str or Path
        Hutch events (one JSON a line) or OpenLineage events (one a line, or a JSON array); the
        kind is found from the content. ``.gz`` files are read too, and so is Hutch's event log in a
        DuckDB file. Or the address of a Marquez,
        ``http://host:port`` or ``marquez://host[:port]``: blocks while it is asked, and each
        answer has a limit of 20 s.
    run : str, optional
        The run to read from a backend, by name or id; not needed where there is only one.
    api_key : str, optional
        For a backend: sent as a bearer token. Without it, the configured key serves for the
        configured host, or for any where none is configured.

    Returns
    -------
    LineageGraph
        What was odd in the file is in its ``report``.

    Raises
    ------
    ReadError
        Nothing in the file can be read; the message names file, line and reason. Or the backend
        does not answer, or has not that run; the message lists those that are close.

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

    return read(source, run, api_key or reading_key(source)).apply_to(LineageGraph())


def reading_key(source: object) -> str | None:
    """Return the configured API key where it may be sent to `source`; None for a file."""
    from hutch_lineage.readers import http_url, is_backend

    config = runtime().config
    key, configured = config.openlineage_api_key, config.openlineage_endpoint
    if not key or not is_backend(source):
        return None
    if configured is None or configured == IN_MEMORY:
        return key
    try:
        asked = parse_endpoint(http_url(str(source))).origin
    except ConfigurationError:  # whoever opens it says so
        return None
    return key if parse_endpoint(configured).origin == asked else None
