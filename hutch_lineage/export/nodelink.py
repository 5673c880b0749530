"""Node-link JSON, which networkx, D3 and many others read: with nothing left out."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from hutch_lineage.mapping import NODE_LINK
from hutch_lineage.model import clean_json

from .flat import name_of

if TYPE_CHECKING:
    from hutch_lineage.graph import LineageGraph


def to_node_link(graph: LineageGraph, notes: list[str] | None = None) -> str:
    """Return a graph as node-link JSON; :func:`hutch_lineage.load` gives an equal graph back.

    Parameters
    ----------
    graph : LineageGraph
        What to write.
    notes : list of str, optional
        Gets a line where a value was mended since JSON cannot hold it.

    Returns
    -------
    str
        ``nodes`` have ``id`` (``kind/run/id``), ``node_kind, run_id, node_id`` and the attributes
        of ``graph.nx``; ``edges`` have ``source, target, order, relation, self_loop, operators``.
        Runs and operators stand in ``graph``.

    Examples
    --------
    >>> import json
    >>> import networkx as nx
    >>> from hutch_lineage.graph import LineageGraph
    >>> len(nx.node_link_graph(json.loads(to_node_link(LineageGraph())), edges="edges"))
    0
    """
    data = graph.to_canonical()
    document = {
        "directed": True,
        "multigraph": False,
        "graph": {
            "format": NODE_LINK,
            "runs": data["runs"],
            "operators": [_operator(operator) for operator in data["operators"]],
        },
        "nodes": [_node(key, said) for key, said in data["nodes"]],
        "edges": [
            {"source": name_of(parent), "target": name_of(child), **said, **_ids(said)}
            for parent, child, said in data["edges"]
        ],
    }
    try:
        return json.dumps(document, allow_nan=False, separators=(",", ":")) + "\n"
    except (TypeError, ValueError, RecursionError):
        mended, repairs = clean_json(document)
        if notes is not None:
            notes.append(f"values that JSON cannot hold, mended: {len(repairs):,}")
        return json.dumps(mended, allow_nan=False, separators=(",", ":")) + "\n"


def _node(key: Any, said: Mapping[str, Any]) -> dict[str, Any]:
    named = {"id": name_of(key), "node_kind": key.kind, "run_id": key.run_id, "node_id": key.id}
    return {**said, **_ids(said), **named}


def _ids(said: Mapping[str, Any]) -> dict[str, Any]:
    return {"operators": [key.id for key in said["operators"]]} if "operators" in said else {}


def _operator(operator: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "run_id": operator["key"].run_id,
        "id": operator["key"].id,
        "child": name_of(operator["child"]),
        "parents": [name_of(parent) for parent in operator["parents"]],
        "stamp": operator["stamp"],
        "attributes": operator["attributes"],
    }
