"""From what a caller writes to the number of one node."""

from __future__ import annotations

from typing import Any

from hutch_lineage.errors import AmbiguousNodeError, UnknownNodeError
from hutch_lineage.model import NodeKey, clean_text

from .database import Database

_SHOWN = 5


def number_of(database: Database, node: Any, run: str | None = None) -> int:
    """Return the number of the node that `node` names, as ``LineageGraph.resolve`` does.

    Raises
    ------
    UnknownNodeError
        There is none; the message names ids that look like it.
    AmbiguousNodeError
        There are several; ``candidates`` lists them.
    """
    if isinstance(node, tuple):
        key = node
        found = _named(database, "kind = ? AND run_id = ? AND id = ?", list(key), len(key) == 3)
        if not found:
            raise _unknown(database, str(key[-1]) if key else "", f"no node {tuple(key)!r}")
        return found[0][0]
    node_id = node if isinstance(node, str) else getattr(node, "id", None)
    if not isinstance(node_id, str):
        raise UnknownNodeError(
            "a node is named by its id, by (kind, run_id, id) or by an object with an id,"
            f" not by {type(node).__name__}",
            node_id=repr(node),
        )
    if run is None and not isinstance(node, str):
        run = getattr(node, "run_id", None)
    found = _named(database, "id = ? AND (? IS NULL OR run_id = ?)", [node_id, run, run])
    if len(found) == 1:
        return found[0][0]
    keys = [key for _, key in found]
    if keys:
        raise AmbiguousNodeError(
            f"{node_id!r} names {len(keys)} nodes; pass one of: "
            + ", ".join(str(tuple(key)) for key in keys[:_SHOWN])
            + (" ..." if len(keys) > _SHOWN else ""),
            candidates=keys,
        )
    where = "" if run is None else f" with run {run!r}"
    raise _unknown(database, node_id, f"no node {node_id!r}{where}")


def _named(
    database: Database, which: str, values: list[Any], sensible: bool = True
) -> list[tuple[int, NodeKey]]:
    if not sensible or not all(value is None or isinstance(value, str) for value in values):
        return []
    if any(value is not None and clean_text(value) != value for value in values):
        return []  # broken Unicode: no log holds it
    rows = database.rows(
        f"SELECT n, kind, run_id, id FROM nodes WHERE {which} ORDER BY kind, run_id",
        values,
    )
    return [(row[0], NodeKey(*row[1:])) for row in rows]


def _unknown(database: Database, node_id: str, message: str) -> UnknownNodeError:
    looked_for = clean_text(node_id)
    rows = database.rows(
        "SELECT id FROM nodes WHERE contains(lower(id), lower(?)) "
        "OR jaro_winkler_similarity(id, ?) > 0.9 GROUP BY id "
        "ORDER BY contains(lower(id), lower(?)) DESC, length(id), id LIMIT ?",
        [looked_for or "\0", looked_for, looked_for, _SHOWN],
    )
    close = tuple(row[0] for row in rows)
    ((size,),) = database.rows("SELECT count(*) FROM nodes")
    hint = f"; did you mean {', '.join(map(repr, close))}?" if close else ""
    among = f" among {size:,}" if size else ": there are no nodes"
    return UnknownNodeError(f"{message}{among}{hint}", node_id=node_id, close=close)
