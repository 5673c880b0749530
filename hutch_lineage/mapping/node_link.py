"""Node-link JSON of this package becomes lineage records again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from hutch_lineage.model import NodeKey, Record, Stamp

from .sound import fault_of
from .statements import statements

NODE_LINK: Final = "hutch-lineage node-link 1"
"""What the ``format`` of such a file says."""

_NAMED: Final = ("id", "node_kind", "run_id", "node_id", "operators")


def is_node_link(value: Any) -> bool:
    """Return whether `value` is node-link JSON that :func:`hutch_lineage.export.to_node_link` made.

    Examples
    --------
    >>> is_node_link({"graph": {"format": NODE_LINK}}), is_node_link([])
    (True, False)
    """
    if not isinstance(value, Mapping) or not isinstance(value.get("graph"), Mapping):
        return False
    return bool(value["graph"].get("format") == NODE_LINK)


def records_of_node_link(document: Mapping[str, Any]) -> list[Record]:
    """Return the records of node-link JSON: they build a graph equal to the one that was written.

    Raises
    ------
    KeyError, TypeError, ValueError, AttributeError
        The document is not as it was written.

    Examples
    --------
    >>> node = {"id": "individual/r/a", "node_kind": "individual", "run_id": "r", "node_id": "a"}
    >>> records = records_of_node_link({"graph": {"runs": [], "operators": []},
    ...                                 "nodes": [{**node, "ghost": False}], "edges": []})
    >>> records[0].key.id
    'a'
    """
    keys = {
        node["id"]: NodeKey(node["node_kind"], node["run_id"], node["node_id"])
        for node in document["nodes"]
    }
    data = {
        "runs": document["graph"]["runs"],
        "nodes": [
            (keys[node["id"]], {name: node[name] for name in node if name not in _NAMED})
            for node in document["nodes"]
        ],
        "edges": [(keys[edge["source"]], keys[edge["target"]], edge) for edge in document["edges"]],
        "operators": [
            {
                "key": (operator["run_id"], operator["id"]),
                "child": keys[operator["child"]],
                "parents": tuple(keys[parent] for parent in operator["parents"]),
                "stamp": Stamp(*operator["stamp"]),
                "attributes": operator["attributes"],
            }
            for operator in document["graph"]["operators"]
        ],
    }
    records = list(statements(data))
    for record in records:
        if fault := fault_of(record):
            raise TypeError(fault)
    return records
