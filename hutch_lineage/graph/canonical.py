"""A graph as plain sorted data, so that two of them can be compared."""

from __future__ import annotations

import hashlib
from dataclasses import asdict
from typing import Any

import orjson

from hutch_lineage.model import clean_json

from .store import Store
from .views import edges_into, node_view, operator_info, run_info

__all__ = ["canonical", "fingerprint"]


def canonical(store: Store) -> dict[str, Any]:
    """Return nodes, edges, operators and runs, each a list sorted by key."""
    edges = [
        (store.keys[parent], key, attributes)
        for child, key in enumerate(store.keys)
        for parent, attributes in edges_into(store, child)
    ]
    operators = [operator_info(store, row) for row in range(len(store.operator_ids))]
    runs = [run_info(store, row) for row in range(len(store.run_ids))]
    return {
        "nodes": sorted(
            ((key, node_view(store, row)) for row, key in enumerate(store.keys)),
            key=lambda entry: entry[0],
        ),
        "edges": sorted(edges, key=lambda entry: entry[:2]),
        "operators": [
            asdict(info) for info in sorted(operators, key=lambda operator: operator.key)
        ],
        "runs": [asdict(info) for info in sorted(runs, key=lambda run: run.run_id)],
    }


def fingerprint(data: dict[str, Any]) -> str:
    """Return the SHA-256 of `data` as sorted JSON."""
    options = orjson.OPT_SORT_KEYS | orjson.OPT_NON_STR_KEYS | orjson.OPT_SERIALIZE_NUMPY
    try:
        text = orjson.dumps(data, default=repr, option=options)
    except TypeError:  # broken Unicode, a number beyond 64 bits, or deep nesting
        text = orjson.dumps(clean_json(data)[0], option=options)
    return hashlib.sha256(text).hexdigest()
