"""Notebook widgets without a notebook: how long making one takes and how many bytes it sends."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

from .limit import BEYOND, READY, limited
from .lineages import WIDTH, graph_of, pulled


def ours(nodes: int) -> Callable[[], int]:
    """Make an explorer of a graph and its first messages."""
    from hutch_lineage.explorer import Explorer
    from hutch_lineage.session import OpenedSource

    graph = graph_of(nodes)

    def work() -> int:
        explorer = Explorer(OpenedSource(graph, "a graph"))
        messages = pulled(explorer._scene.cursor())
        state = len(json.dumps({name: explorer.get_state()[name] for name in ("view", "status")}))
        assets = len(Explorer._esm) + len(explorer._bundle) + len(Explorer._css)
        return assets + state + sum(len(json.dumps(c)) + sum(map(len, b)) for c, b in messages)

    return work


def ipycytoscape(nodes: int) -> Callable[[], int]:
    """Use ipycytoscape: one widget for each node and each edge."""
    from ipycytoscape import CytoscapeWidget
    from ipywidgets import Widget

    graph = plain(graph_of(nodes).nx)

    def work() -> int:
        widget = CytoscapeWidget()
        widget.graph.add_graph_from_networkx(graph, directed=True)
        widgets = [widget, widget.graph, *widget.graph.nodes, *widget.graph.edges]
        return sum(_size(Widget, each) for each in widgets)

    return work


def ipysigma(nodes: int) -> Callable[[], int]:
    """Use ipysigma: the graph in one trait; nothing can be added once it is shown."""
    from ipysigma import Sigma
    from ipywidgets import Widget

    graph = plain(graph_of(nodes).nx)
    places = {node: {"x": node // WIDTH, "y": node % WIDTH} for node in graph}
    return lambda: _size(Widget, Sigma(graph, layout=places))


def plain(graph: Any) -> Any:
    """Return a graph with numbers as nodes and no attributes."""
    import networkx as nx

    number = {node: place for place, node in enumerate(graph)}
    made = nx.DiGraph()
    made.add_nodes_from(range(len(number)))
    made.add_edges_from((number[a], number[b]) for a, b in graph.edges())
    return made


def _size(kind: Any, widget: Any) -> int:
    """Return how many bytes a widget sends when it opens."""
    from ipywidgets.widgets.widget import _remove_buffers

    state, _, buffers = _remove_buffers(kind.get_state(widget))
    return len(json.dumps(state, default=str)) + sum(map(len, buffers))


WIDGETS = {"ours": ours, "ipycytoscape": ipycytoscape, "ipysigma": ipysigma}


def made(name: str, nodes: int) -> tuple[float, float]:
    """Return seconds to make and serialise a widget, and its MB; infinite beyond the limit."""
    answer: tuple[float, float] | None = limited(_work, name, nodes)
    return answer or (BEYOND, BEYOND)


def _work(put: Callable[[object], None], name: str, nodes: int) -> None:
    work = WIDGETS[name](nodes)
    put(READY)
    began = time.perf_counter()
    size = work()
    put((time.perf_counter() - began, size / 1e6))
