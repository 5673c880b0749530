"""GraphML, which Gephi, Cytoscape, yEd, igraph and networkx read."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import networkx as nx

from .flat import flat_graph

if TYPE_CHECKING:
    from hutch_lineage.graph import LineageGraph


def to_graphml(graph: LineageGraph, notes: list[str] | None = None) -> str:
    r"""Return a graph as GraphML.

    Parameters
    ----------
    graph : LineageGraph
        What to write.
    notes : list of str, optional
        Gets a line for each thing that was left out.

    Returns
    -------
    str
        A node is named ``kind/run/id`` and has ``node_kind, run_id, node_id``; an edge leads from
        parent to child. Scores become ``score.<metric>`` (double). GraphML has no lists or dicts:
        those are JSON text. An edge has the sums of its operators as ``cost_usd, tokens_in,
        tokens_out`` where known, and their ids, kinds and models as text; an operator with two
        parents stands on both edges, so do not add them up over edges.

    Examples
    --------
    >>> from hutch_lineage.graph import LineageGraph
    >>> "<graphml" in to_graphml(LineageGraph())
    True
    """
    stream = io.BytesIO()
    nx.write_graphml_xml(flat_graph(graph, notes), stream, named_key_ids=False)
    return stream.getvalue().decode()
