"""From what a caller writes to one node: a bare id, a key, or an object that has an id."""

from __future__ import annotations

import difflib
from typing import Any, get_args

from hutch_lineage.errors import AmbiguousNodeError, UnknownNodeError
from hutch_lineage.model import NodeKey, NodeKind

from .store import Store

__all__ = ["named", "resolve"]

_CLOSE_POOL = 2_000
_SHOWN = 5


def resolve(store: Store, node: Any, run: str | None = None, kind: NodeKind | None = None) -> int:
    """Return the row that `node` names; see `LineageGraph.resolve`."""
    if isinstance(node, tuple):
        if len(node) == 3 and all(isinstance(part, str) for part in node):
            row = store.rows.get(NodeKey(*node))
            if row is not None:
                return row
        raise _unknown(store, str(node[-1]) if node else "", f"no node {tuple(node)!r}")
    node_id = node if isinstance(node, str) else getattr(node, "id", None)
    if not isinstance(node_id, str):
        raise UnknownNodeError(
            f"a node is named by its id, by (kind, run_id, id) or by an object with an id,"
            f" not by {type(node).__name__}",
            node_id=repr(node),
        )
    if run is None and not isinstance(node, str):
        run = getattr(node, "run_id", None)
    found = named(store, node_id, run, kind)
    if len(found) == 1:
        return store.rows[found[0]]
    if found:
        raise AmbiguousNodeError(
            f"{node_id!r} names {len(found)} nodes; pass run= or kind= to resolve(), or one of: "
            + ", ".join(str(tuple(key)) for key in found[:_SHOWN])
            + (" ..." if len(found) > _SHOWN else ""),
            candidates=found,
        )
    where = "".join(
        f" with {name} {value!r}" for name, value in (("run", run), ("kind", kind)) if value
    )
    elsewhere = named(store, node_id)
    if elsewhere:
        places = ", ".join(f"{key.kind} in run {key.run_id!r}" for key in elsewhere[:_SHOWN])
        raise UnknownNodeError(
            f"no node {node_id!r}{where}; there is one as {places}",
            node_id=node_id,
            close=(node_id,),
        )
    raise _unknown(store, node_id, f"no node {node_id!r}{where}")


def named(
    store: Store, node_id: str, run: str | None = None, kind: NodeKind | None = None
) -> list[NodeKey]:
    """Return the keys of all nodes with that id, sorted."""
    runs = store.run_ids if run is None else [run]
    kinds: tuple[NodeKind, ...] = get_args(NodeKind) if kind is None else (kind,)
    keys = (NodeKey(a_kind, a_run, node_id) for a_kind in kinds for a_run in runs)
    return sorted(key for key in keys if key in store.rows)


def _unknown(store: Store, node_id: str, message: str) -> UnknownNodeError:
    close = close_ids(store, node_id)
    hint = f"; did you mean {', '.join(map(repr, close))}?" if close else ""
    size = f" among {len(store.keys):,}" if store.keys else ": the graph is empty"
    return UnknownNodeError(f"{message}{size}{hint}", node_id=node_id, close=close)


def close_ids(store: Store, node_id: str) -> tuple[str, ...]:
    """Return up to five ids that look like `node_id`, with bounded work on a big graph."""
    ids = dict.fromkeys(key[2] for key in store.keys)
    text = node_id.casefold()
    inside = [known for known in ids if text and text in known.casefold()]
    if inside:
        return tuple(sorted(inside, key=lambda known: (len(known), known))[:_SHOWN])
    pool = list(ids)
    if len(pool) > _CLOSE_POOL:
        pool = [known for known in pool if known[:3].casefold() == text[:3]][:_CLOSE_POOL]
    return tuple(difflib.get_close_matches(node_id, pool, n=_SHOWN, cutoff=0.6))
