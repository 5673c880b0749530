"""From a file, a folder, or what a backend holds of a run, to a graph in one step."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from hutch_lineage.errors import ConfigurationError
from hutch_lineage.mapping import IN_MEMORY, parse_endpoint
from hutch_lineage.sdk import runtime

if TYPE_CHECKING:
    from hutch_lineage.graph import LineageGraph
    from hutch_lineage.model import ScoreDirection


def load(
    source: str | Path,
    *,
    kind: str | None = None,
    run: str | None = None,
    api_key: str | None = None,
    directions: Mapping[str, ScoreDirection] | None = None,
) -> LineageGraph:
    """Read a run from a file, a folder or a backend into a new graph.

    Parameters
    ----------
    source : str or Path
        A file or a folder of any kind that :func:`hutch_lineage.readers.all_formats` lists, such as
        Hutch events (one JSON a line), OpenLineage events, Hutch's event log in a DuckDB file;
        ``.gz`` files are read too. Or the address of a ``hutch serve`` or a Marquez,
        ``http://host:port`` (who is there is found out) or ``marquez://host[:port]``: blocks while
        it is asked, and each answer has a limit of 20 s.
    kind : str, optional
        How to read it. It is found from the content, not from the name, where it is not given.
    run : str, optional
        The run to read from a backend, by name or id; not needed where there is only one.
    api_key : str, optional
        For a backend: sent as a bearer token. Without it, the configured key serves for the
        configured host, or for any where none is configured.

    directions : mapping, optional
        Which way metrics are better, where the source does not say it or is wrong: metric ->
        ``higher`` or ``lower``. See :meth:`LineageGraph.declare`.

    Returns
    -------
    LineageGraph
        What was skipped, repaired or could not be known is in its ``report``.

    Raises
    ------
    ReadError
        Nothing in it can be read; the message names file, line and reason, or lists the kinds
        that can be. Or the backend does not answer, or has not that run; the message lists those
        that are close.

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

    key = api_key or reading_key(source)
    graph = LineageGraph()
    graph.declare(directions or {})
    return read(source, kind=kind, run=run, api_key=key).apply_to(graph)


def reading_key(source: object) -> str | None:
    """Return the configured key where it may be sent to `source`; None for a file.

    That of the Hutch server goes to its own address alone.

    Examples
    --------
    >>> reading_key("run.jsonl") is None
    True
    """
    from hutch_lineage.readers import http_url, is_backend

    if not is_backend(source):
        return None
    config = runtime().config
    try:
        asked = parse_endpoint(http_url(str(source))).origin
        if config.auth_token and parse_endpoint(config.daemon_url).origin == asked:
            return config.auth_token
    except ConfigurationError:  # whoever opens it says so
        return None
    key, configured = config.openlineage_api_key, config.openlineage_endpoint
    if not key or configured is None or configured == IN_MEMORY:
        return key
    return key if parse_endpoint(configured).origin == asked else None
