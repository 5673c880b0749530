"""Layouts in Python: ours, in one go and node by node, against networkx and igraph."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from .limit import BEYOND, READY, limited
from .lineages import WIDTH

Edges = tuple[Any, Any]


def edges(nodes: int) -> Edges:
    """Return sources and targets: 50 nodes a generation, 30 % of them with two parents."""
    chance = np.random.default_rng(1)
    child = np.arange(WIDTH, nodes)
    before = child // WIDTH * WIDTH - WIDTH
    first = before + (WIDTH * chance.random(child.size) * chance.random(child.size)).astype(int)
    second = before + chance.integers(0, WIDTH, child.size)
    also = (chance.random(child.size) < 0.3) & (second != first)
    return np.concatenate([first, second[also]]), np.concatenate([child, child[also]])


def ours_bulk(nodes: int) -> Callable[[], object]:
    """Lay out a whole lineage, as the explorer does with a file."""
    from hutch_lineage.graph.layouts import LAYOUTS as OURS
    from hutch_lineage.graph.layouts import Family

    source, target = edges(nodes)
    by_child = np.argsort(target, kind="stable")
    rows, zero = np.arange(nodes), np.zeros(nodes, dtype=np.int64)
    none = zero - 1
    lineage = (source[by_child], target[by_child])
    family = Family(zero, zero, rows // WIDTH, np.full(nodes, np.nan), none, none, *lineage)
    layout = OURS["generations"]()
    return lambda: layout.arrange(family)


def ours_live(nodes: int) -> Callable[[], object]:
    """Place nodes for good, 50 at a time, as the explorer does live."""
    from hutch_lineage.graph.layouts import LAYOUTS as OURS
    from hutch_lineage.graph.layouts import Newcomers

    source, target = edges(nodes)
    parents: list[list[int]] = [[] for _ in range(nodes)]
    for parent, child in zip(source.tolist(), target.tolist(), strict=True):
        parents[child].append(parent)
    batches = []
    for start in range(0, nodes, WIDTH):
        own = parents[start : start + WIDTH]
        zeros, none, never = [0] * len(own), [-1] * len(own), [float("nan")] * len(own)
        generation = [start // WIDTH] * len(own)
        batches.append(Newcomers(zeros, zeros, generation, never, none, own))
    layout = OURS["generations"]()
    return lambda: [layout.extend(batch) for batch in batches]


def networkx_multipartite(nodes: int) -> Callable[[], object]:
    """Use networkx, the generations given: it keeps the order of the nodes in each."""
    import networkx as nx

    graph = nx.DiGraph()
    graph.add_nodes_from((row, {"layer": row // WIDTH}) for row in range(nodes))
    graph.add_edges_from(zip(*(column.tolist() for column in edges(nodes)), strict=True))
    return lambda: nx.multipartite_layout(graph, subset_key="layer")


def igraph_sugiyama(nodes: int) -> Callable[[], object]:
    """Use the Sugiyama layout of igraph, the generations given."""
    import igraph

    graph = igraph.Graph(nodes, np.column_stack(edges(nodes)), directed=True)
    layers = (np.arange(nodes) // WIDTH).tolist()
    return lambda: graph.layout_sugiyama(layers=layers)


LAYOUTS: dict[str, Callable[[int], Callable[[], object]]] = {
    "ours": ours_bulk,
    "ours, live": ours_live,
    "networkx multipartite": networkx_multipartite,
    "igraph sugiyama": igraph_sugiyama,
}


def seconds(name: str, nodes: int) -> float:
    """Return how long a layout takes in a process of its own; infinite beyond the limit."""
    took: float | None = limited(_work, name, nodes)
    return BEYOND if took is None else took


def _work(put: Callable[[object], None], name: str, nodes: int) -> None:
    work = LAYOUTS[name](nodes)
    put(READY)
    began = time.perf_counter()
    work()
    put(time.perf_counter() - began)
