"""Lineages for the exports."""

from __future__ import annotations

from hutch_lineage.graph import LineageGraph
from hutch_lineage.model import FitnessRecord, NodeKey, NodeRecord, Stamp

HOSTILE = "<img src=x onerror=alert(1)>&\"'</script><script>alert(2)</script>"


def key(name, kind="individual", run="r1"):
    """Name a node."""
    return NodeKey(kind, run, name)


def many(count, run="r1"):
    """A graph of `count` individuals in generations of 100."""
    made = LineageGraph()
    for number in range(count):
        node = key(f"n{number}", run=run)
        parents = (key(f"n{number - 100}", run=run),) if number >= 100 else ()
        made.apply(
            NodeRecord(node, Stamp(number, f"e{number}"), parents, {"is_seed": not parents}),
            FitnessRecord(node, Stamp(number, f"f{number}"), {"score": float(number)}),
        )
    return made
