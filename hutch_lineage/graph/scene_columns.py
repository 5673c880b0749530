"""The columns of a scene: name -> type, as a front end gets them."""

from __future__ import annotations

NODE_COLUMNS = {
    "id": "str",
    "kind": "u1",
    "run": "i4",
    "generation": "i4",
    "flags": "u2",
    "island": "i4",
    "op": "i4",
    "model": "i4",
    "itype": "i4",
    "agent": "i4",
    "cost": "f8",
    "tokens": "f8",
    "time": "f8",
}
EDGE_COLUMNS = {"src": "u4", "dst": "u4", "order": "u1", "op": "i4", "flags": "u1"}
OPERATOR_COLUMNS = {
    "id": "str",
    "kind": "i4",
    "model": "i4",
    "cost": "f8",
    "tokens_in": "f8",
    "tokens_out": "f8",
    "child": "u4",
    "time": "f8",
    "flags": "u1",
    "agent": "i4",
    "score_before": "f8",
    "score_after": "f8",
    "benchmark": "i4",
    "target": "i4",
}
MAKER_COLUMNS = {"op": "u4", "src": "u4"}
MIGRATION_COLUMNS = {"node": "u4", "from": "i4", "to": "i4", "time": "f8"}
