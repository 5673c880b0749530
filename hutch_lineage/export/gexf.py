"""GEXF, which Gephi and Sigma read."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING

import networkx as nx

from .flat import flat_graph

if TYPE_CHECKING:
    from hutch_lineage.graph import LineageGraph

_DATE = re.compile(rb' lastmodifieddate="[^"]*"')


def to_gexf(graph: LineageGraph, notes: list[str] | None = None) -> str:
    """Return a graph as GEXF 1.2, with the names and attributes of :func:`to_graphml`.

    Parameters
    ----------
    graph : LineageGraph
        What to write.
    notes : list of str, optional
        Gets a line for each thing that was left out.

    Returns
    -------
    str
        A node's label is its id. The same graph gives the same text: no date stands in it.

    Examples
    --------
    >>> from hutch_lineage.graph import LineageGraph
    >>> "<gexf" in to_gexf(LineageGraph())
    True
    """
    flat = flat_graph(graph, notes)
    for _, said in flat.nodes(data=True):
        said["label"] = said["node_id"]
    stream = io.BytesIO()
    nx.write_gexf(flat, stream)
    return _DATE.sub(b"", stream.getvalue(), count=1).decode()
