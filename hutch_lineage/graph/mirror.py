"""The networkx view of the rows, brought up to date when somebody looks at it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import networkx as nx

from .store import Store
from .views import edges_into, node_view

if TYPE_CHECKING:
    from hutch_lineage.model import NodeKey

    DiGraph = nx.DiGraph[NodeKey]

__all__ = ["Mirror"]


class Mirror:
    """One DiGraph that follows a store.

    Attributes that others set on the DiGraph stay; what the store knows is written over.
    """

    def __init__(self) -> None:
        self.graph: DiGraph = nx.DiGraph()
        self._version = 0

    def follow(self, store: Store) -> DiGraph:
        """Apply what changed since the last look and return the DiGraph, always the same one."""
        if self._version == store.version:
            return self.graph
        graph, keys = self.graph, store.keys
        for row in store.node_log.since(self._version):
            key = keys[row]
            if key in graph:
                graph.nodes[key].pop("invalid_reason", None)
            graph.add_node(key, **node_view(store, row))
        for child in store.edge_log.since(self._version):
            for parent, attributes in edges_into(store, child):
                graph.add_edge(keys[parent], keys[child], **attributes)
        self._version = store.version
        return graph
