"""Newick: the tree format of phylogenetics."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal

from hutch_lineage.errors import ExportError

if TYPE_CHECKING:
    from hutch_lineage.graph import LineageGraph
    from hutch_lineage.model import NodeKey, NodeKind

_PLAIN = re.compile(r"[^\s()\[\]{}/\\,;:=*'\"`+<>_]+")  # what stands without quotes everywhere
Lengths = Literal["auto", "origin_time", "birth", "none"]


def to_newick(
    graph: LineageGraph,
    *,
    run: str | None = None,
    kind: NodeKind | None = None,
    first_parent: bool = False,
    lengths: Lengths = "auto",
    notes: list[str] | None = None,
) -> str:
    r"""Return a graph as Newick, one tree a line for each root.

    Parameters
    ----------
    graph : LineageGraph
        A forest: no node has two parents.
    run : str, optional
        The nodes of this run alone.
    kind : {"individual", "agent"}, optional
        Which nodes; individuals if there are any, else agents.
    first_parent : bool
        Of several parents keep the first, so that any graph without a cycle can be written.
    lengths : {"auto", "origin_time", "birth", "none"}
        Branch lengths: the time from parent to child, in the source's own unit, or in seconds.
        ``auto`` takes ``origin_time`` where every node has one, else ``birth``, else none.
    notes : list of str, optional
        Gets a line for each thing that was left out.

    Returns
    -------
    str
        Inner nodes are labelled, too; siblings stand in birth order. Labels are ids; where two runs
        have the same id, ``run/id``.

    Raises
    ------
    ExportError
        A node has two parents, or there is a cycle; the message names the first one in birth order.
        A length was asked for that is not known, or is negative.

    Examples
    --------
    >>> from hutch_lineage.graph import LineageGraph
    >>> from hutch_lineage.model import NodeKey, NodeRecord, Stamp
    >>> a, b, c = (NodeKey("individual", "r", name) for name in "abc")
    >>> graph = LineageGraph()
    >>> graph.apply(NodeRecord(b, Stamp(-1, ""), (a,)), NodeRecord(c, Stamp(-1, ""), (a,)))
    2
    >>> to_newick(graph)
    '(b,c)a;\n'
    """
    said = [] if notes is None else notes
    with graph.lock:
        if kind is None:
            kind = "individual" if graph.nodes("individual") else "agent"
        nodes = graph.nodes(kind, run)
        above = _parents(graph, nodes, first_parent, said)
        times = _times(graph, nodes, lengths, said)
    ids = {key.id for key in nodes}
    labels = {key: key.id if len(ids) == len(nodes) else f"{key.run_id}/{key.id}" for key in nodes}
    children: dict[NodeKey, list[NodeKey]] = {key: [] for key in nodes}
    for child, parent in above.items():
        if parent is not None:
            children[parent].append(child)
    lines = []
    for root in (key for key in nodes if above[key] is None):
        parts = (
            text if isinstance(text, str) else _quoted(labels[text]) + _length(text, above, times)
            for text in _written(root, children)
        )
        lines.append("".join(parts) + ";\n")
    return "".join(lines)


def _parents(
    graph: LineageGraph, nodes: list[NodeKey], first_parent: bool, notes: list[str]
) -> dict[NodeKey, NodeKey | None]:
    inside = set(nodes)
    above: dict[NodeKey, NodeKey | None] = {}
    further = outside = 0
    for key in nodes:
        named = graph.parents(key)
        parents = [parent for parent in named if parent in inside]
        outside += len(named) - len(parents)
        if len(parents) > 1 and not first_parent:
            first = ", ".join(parent.id for parent in parents[:3])
            raise ExportError(
                f"Newick holds trees, and {key.id} has {len(parents)} parents ({first}): "
                "first_parent=True keeps the first of each"
            )
        further += max(len(parents) - 1, 0)
        above[key] = parents[0] if parents else None
    loop = _loop(above)
    if loop is not None:
        raise ExportError(f"Newick holds trees, and {loop.id} descends from itself")
    if further:
        notes.append(f"further parents left out: {further:,}")
    if outside:
        notes.append(f"parents of another run or kind left out: {outside:,}")
    return above


def _loop(above: dict[NodeKey, NodeKey | None]) -> NodeKey | None:
    """Return a node on a cycle, or None."""
    sound: set[NodeKey] = set()
    for key in above:
        trail: dict[NodeKey, None] = {}
        at: NodeKey | None = key
        while at is not None and at not in sound:
            if at in trail:
                return at
            trail[at] = None
            at = above[at]
        sound.update(trail)
    return None


def _times(
    graph: LineageGraph, nodes: list[NodeKey], lengths: Lengths, notes: list[str]
) -> dict[NodeKey, float]:
    if lengths not in ("auto", "origin_time", "birth", "none"):
        raise ExportError(f"lengths is 'auto', 'origin_time', 'birth' or 'none', not {lengths!r}")
    if lengths == "none":
        return {}
    for name, unit in (("origin_time", 1.0), ("birth", 1e9)):
        if lengths not in ("auto", name):
            continue
        field = "birth_ns" if name == "birth" else name
        values = {key: graph.node(key).get(field) for key in nodes}
        known = {key: value / unit for key, value in values.items() if value is not None}
        if len(known) == len(nodes):
            return known
        if lengths == name:
            lacking = next(key for key in nodes if key not in known)
            raise ExportError(f"no {name} is known of {lacking.id}: lengths='none' leaves them out")
    if nodes:
        notes.append("no branch lengths: not every node has a time")
    return {}


def _length(key: NodeKey, above: dict[NodeKey, NodeKey | None], times: dict[NodeKey, float]) -> str:
    parent = above[key]
    return "" if parent is None or not times else f":{times[key] - times[parent]:.12g}"


def _written(root: NodeKey, children: dict[NodeKey, list[NodeKey]]) -> Iterator[str | NodeKey]:
    """Yield brackets, commas and nodes in the order of the text, without recursion."""
    stack: list[tuple[NodeKey, int]] = [(root, 0)]
    while stack:
        key, done = stack.pop()
        below = children[key]
        if done < len(below):
            yield "," if done else "("
            stack += [(key, done + 1), (below[done], 0)]
            continue
        if below:
            yield ")"
        yield key


def _quoted(label: str) -> str:
    if _PLAIN.fullmatch(label):
        return label
    return "'" + re.sub(r"[\r\n\t]", " ", label).replace("'", "''") + "'"
