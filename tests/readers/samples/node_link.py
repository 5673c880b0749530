"""Node-link JSON of this package."""

from __future__ import annotations

import json
from pathlib import Path

from hutch_lineage.export import to_node_link
from hutch_lineage.graph import LineageGraph
from hutch_lineage.model import NodeKey, NodeRecord, Stamp
from tests.readers.case import Bad, Case

A, B, C = (NodeKey("individual", "r", name) for name in "abc")


def text(*records: NodeRecord) -> str:
    """A graph as JSON."""
    graph = LineageGraph()
    graph.apply(records)
    return to_node_link(graph)


PLAIN = text(NodeRecord(A, Stamp(1, "a")), NodeRecord(B, Stamp(2, "b"), (A,)))
ODD = text(NodeRecord(B, Stamp(2, "b"), (C,)))


def written(path: Path, content: str) -> Path:
    """Write a text."""
    path.write_text(content)
    return path


def torn(folder: Path) -> Path:
    """A graph whose edges name a node that is not there."""
    document = json.loads(PLAIN)
    document["nodes"] = document["nodes"][:1]
    return written(folder / "file", json.dumps(document))


CASES = [
    Case(
        kind="node-link",
        write=lambda folder: written(folder / "file", PLAIN),
        nodes=2,
        edges=1,
        odd=lambda folder: written(folder / "file", ODD),
        oddity="ghost (named but never introduced)",
        bad=(
            Bad("torn", torn, "not as it was written: KeyError", 1),
            Bad("cut", lambda folder: written(folder / "file", PLAIN[:-30]), "not JSON", 1),
        ),
    )
]
