"""Rows as people see them: the attributes of a node or an edge, an operator, a run."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from threading import RLock
from typing import Any, Generic, TypeVar

from hutch_lineage.model import NodeKey

from .infos import Migration, OperatorInfo, OperatorKey, RunInfo
from .ledger import unpack_stamp
from .store import Store

__all__ = [
    "LiveMapping",
    "edges_into",
    "find_operator",
    "invalid_reason",
    "made_by",
    "made_by_agent",
    "makers_from",
    "node_view",
    "number",
    "operating_agent",
    "operator_info",
    "operator_key",
    "run_info",
    "total",
]

Key = TypeVar("Key")
Value = TypeVar("Value")


def number(value: Any) -> float | None:
    """Return `value` if it is a finite number, else None."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        return value if math.isfinite(value) else None
    except OverflowError:  # a whole number beyond all floats
        return None


def total(values: Iterable[float]) -> float:
    """Return the exact sum of numbers; beyond all floats, the largest of them."""
    known = list(values)
    try:
        return math.fsum(known)
    except OverflowError:
        return math.copysign(sys.float_info.max, max(known, key=abs))
    except ValueError:  # both infinities: gains between scores at both ends of the floats
        return math.nan


def operator_key(store: Store, row: int) -> OperatorKey:
    """Return the identity of an operator."""
    run_id, operator_id = store.operator_ids[row]
    return OperatorKey(run_id, operator_id, store.keys[store.operator_child[row]])


def made_by(store: Store, row: int) -> tuple[int, ...]:
    """Return the operators that made a node, oldest first."""
    makers = store.makers[row]
    if len(makers) < 2:
        return makers
    stamps, ids = store.operator_stamps, store.operator_ids
    return tuple(sorted(makers, key=lambda maker: (stamps[maker], ids[maker])))


def makers_from(store: Store, child: int) -> dict[int, list[int]]:
    """Return for each parent of a node the operators that made the node from it, oldest first."""
    found: dict[int, list[int]] = {}
    for maker in made_by(store, child):
        for parent in store.operator_parents[maker]:
            found.setdefault(parent, []).append(maker)
    return found


def operating_agent(store: Store, operator: int) -> str | None:
    """Return the agent behind an operator: the one that changed itself, else the overseer."""
    parents = store.operator_parents[operator]
    if parents and store.keys[store.operator_child[operator]].kind == "agent":
        return store.keys[parents[0]].id
    said = store.operator_attributes.values[operator]
    return said.get("overseer_id") if said else None


def made_by_agent(store: Store, row: int) -> str | None:
    """Return the agent behind the newest operator that made a node."""
    makers = made_by(store, row)
    return operating_agent(store, makers[-1]) if makers else None


def is_rejected(store: Store, row: int) -> bool:
    """Return whether an overseer rejected the newest modification that made a node."""
    makers = made_by(store, row)
    said = store.operator_attributes.values[makers[-1]] if makers else None
    return bool(said) and (said or {}).get("verdict") == "rejected"


def invalid_reason(store: Store, row: int) -> str | None:
    """Return why a node is invalid; None when it is not, or was scored since without fault."""
    return store.invalid_reason(row)


def node_view(store: Store, row: int) -> dict[str, Any]:
    """Return what is known about a node; see `LineageGraph.nx` for the names."""
    view: dict[str, Any] = {"ghost": not store.known[row]}
    values = store.attributes.values[row]
    if values:
        view.update(values)
        if "is_seed" in values:
            view["is_seed"] = store.is_seed(row)
    facts = store.evaluations.values[row]
    if facts:
        for name, value in facts.items():
            view["fitness_metadata" if name == "metadata" else name] = value
        reason = invalid_reason(store, row)
        if reason is None:
            view.pop("invalid_reason", None)
    scores = store.scores.values[row]
    if scores:
        view["scores"] = dict(sorted(scores.items()))
    islands = store.islands_of(row)
    if islands:
        view["islands"] = islands
    if store.makers[row]:
        view["operators"] = tuple(operator_key(store, maker) for maker in made_by(store, row))
    if store.births[row] >= 0:
        view["birth_ns"] = store.births[row]
    moves = store.migrations.get(row)
    if moves:
        view["migrations"] = tuple(
            Migration(source, target, unpack_stamp(stamp).timestamp_ns)
            for stamp, source, target in sorted(moves)
        )
    return view


def edges_into(store: Store, child: int) -> list[tuple[int, dict[str, Any]]]:
    """Return the parents of a node, each with the attributes of its edge; see `LineageGraph.nx`."""
    makers = makers_from(store, child)
    edges = []
    for parent, order in zip(store.parents[child], store.order_of(child), strict=True):
        held = store.relations.get((parent, child))
        view = {
            "operators": tuple([operator_key(store, maker) for maker in makers.get(parent, ())]),
            "order": order,
            "relation": held[1] if held else "parent",
            "self_loop": parent == child,
        }
        edges.append((parent, view))
    return edges


def operator_info(store: Store, row: int) -> OperatorInfo:
    """Return an operator."""
    said = store.operator_attributes.values[row] or {}
    key = operator_key(store, row)
    tokens_in, tokens_out = number(said.get("tokens_in")), number(said.get("tokens_out"))
    return OperatorInfo(
        key=key,
        kind=said.get("kind"),
        child=key.child,
        parents=tuple(store.keys[parent] for parent in store.operator_parents[row]),
        llm_id=said.get("llm_id"),
        cost_usd=number(said.get("cost_usd")),
        tokens_in=None if tokens_in is None else int(tokens_in),
        tokens_out=None if tokens_out is None else int(tokens_out),
        diff=said.get("diff"),
        verdict=said.get("verdict"),
        score_before=number(said.get("score_before")),
        score_after=number(said.get("score_after")),
        target_path=said.get("target_path"),
        benchmark=said.get("benchmark"),
        stamp=unpack_stamp(store.operator_stamps[row]),
        attributes=dict(said),
    )


_RUN_FIELDS = (
    "name",
    "project",
    "status",
    "started_by",
    "git_commit",
    "summary",
    "started_ns",
    "ended_ns",
)


def run_info(store: Store, row: int) -> RunInfo:
    """Return a run."""
    said = dict(store.run_attributes.values[row] or {})
    fields = {name: said.pop(name, None) for name in _RUN_FIELDS}
    return RunInfo(
        run_id=store.run_ids[row],
        score_directions=dict(store.run_maps["score_directions"].values[row] or {}),
        config=dict(store.run_maps["config"].values[row] or {}),
        attributes=said,
        **fields,
    )


class LiveMapping(Mapping[Key, Value], Generic[Key, Value]):
    """A read-only mapping over rows of the graph that is always up to date.

    Iterating sees the keys of the moment at which it began.
    """

    def __init__(
        self,
        lock: RLock,
        find: Callable[[Any], int | None],
        build: Callable[[int], Value],
        keys: Callable[[], list[Key]],
        size: Callable[[], int],
    ) -> None:
        self._lock, self._find, self._build = lock, find, build
        self._keys, self._size = keys, size

    def __getitem__(self, key: Key) -> Value:
        with self._lock:
            row = self._find(key)
            if row is None:
                raise KeyError(key)
            return self._build(row)

    def __iter__(self) -> Iterator[Key]:
        with self._lock:
            return iter(self._keys())

    def __len__(self) -> int:
        with self._lock:
            return self._size()

    def __repr__(self) -> str:
        return f"<{len(self)} entries>"


def find_operator(store: Store, key: Any) -> int | None:
    """Return the row of an operator key, or None."""
    if not (isinstance(key, tuple) and len(key) == 3 and isinstance(key[2], tuple)):
        return None
    child = store.rows.get(NodeKey(*key[2])) if len(key[2]) == 3 else None
    return None if child is None else store.operator_row(key[0], key[1], child)
