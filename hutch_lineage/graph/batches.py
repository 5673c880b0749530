"""What the columns of a scene say of many nodes, operators or edges at once.

The same values as `rows` gives, a column at a time: ten times as fast where much is new.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt

from .ledger import unpack_stamp
from .legend import Legend
from .loops import Loops
from .rows import (
    CYCLE,
    GHOST,
    INVALID,
    REJECTED,
    SEED,
    TOKENS,
    generation,
    measured,
    origin_of,
    plain,
    seconds,
    sum_of,
    tokens_of,
    verdict,
)
from .store import Store
from .table import NAN
from .views import made_by, makers_from, number, operating_agent

Columns = dict[str, Any]
Floats = npt.NDArray[np.float64]
_NOTHING: Mapping[str, Any] = {}
_EPOCH = 0x80  # the first byte of a packed time from 1970 on


def node_columns(store: Store, legend: Legend, loops: Loops, rows: Sequence[int]) -> Columns:
    """Return the columns of nodes that may change; metrics are not among them.

    ``origin`` is there only if a node has one.
    """
    said = [store.attributes.values[row] or _NOTHING for row in rows]
    makers = [store.makers[row] for row in rows]
    facts = store.operator_attributes.values
    last = [
        own[0] if len(own) == 1 else made_by(store, row)[-1] if own else -1
        for row, own in zip(rows, makers, strict=True)
    ]
    newest = [(facts[maker] or _NOTHING) if maker >= 0 else _NOTHING for maker in last]
    births = np.array([store.births[row] for row in rows], dtype=np.int64)
    return {
        "generation": _generations([each.get("generation_index") for each in said]),
        "flags": _flags(store, loops, rows, said, newest),
        "island": _codes(legend, "island", [each.get("island_id") for each in said]),
        "op": _codes(legend, "operator", [each.get("kind") for each in newest]),
        "model": _codes(legend, "model", [each.get("llm_id") for each in newest]),
        "itype": _codes(legend, "kind", [each.get("kind") for each in said]),
        "agent": _codes(legend, "agent", _agents(store, last, newest)),
        "cost": _cost(store, makers),
        "tokens": _tokens(store, makers),
        "time": np.where(births < 0, NAN, births / 1e9),
        **_origins(store, rows, births),
    }


def _origins(store: Store, rows: Sequence[int], births: npt.NDArray[np.int64]) -> Columns:
    """Return the column of the sources' own times, if there is any."""
    origins = np.full(len(rows), NAN)
    for place in np.flatnonzero(births < 0).tolist():
        origin = origin_of(store, rows[place])
        if origin is not None:
            origins[place] = origin
    return {} if np.isnan(origins).all() else {"origin": origins}


def metric_columns(store: Store, legend: Legend, rows: Sequence[int]) -> Columns:
    """Return the columns of the metrics that these nodes have."""
    places: dict[str, list[int]] = {}
    values: dict[str, list[Any]] = {}
    scores, evaluations, keys = store.scores.values, store.evaluations.values, store.keys
    held: tuple[Any, ...] = ()
    names: dict[str, str] = {}
    for place, row in enumerate(rows):
        own: Mapping[str, Any] | None = scores[row]
        facts = evaluations[row]
        if facts and "composite" in facts:
            own = measured(store, row)
        if not own:
            continue
        kind, run_id, _ = keys[row]
        if (kind, run_id) != held:
            held, names = (kind, run_id), {}
        for metric, value in own.items():
            column = names.get(metric)
            if column is None:
                column = names[metric] = legend.metric(run_id, kind, metric)
                places.setdefault(column, [])
                values.setdefault(column, [])
            places[column].append(place)
            values[column].append(value)
    columns = {}
    for column, given in values.items():
        filled = np.full(len(rows), NAN)
        filled[places[column]] = _floats(given)
        columns[column] = filled
    return columns


def operator_columns(store: Store, legend: Legend, rows: Sequence[int]) -> Columns:
    """Return the columns of operators that may change."""
    said = [store.operator_attributes.values[row] or _NOTHING for row in rows]

    def floats(name: str) -> Floats:
        return _floats([each.get(name) for each in said])

    return {
        "kind": _codes(legend, "operator", [each.get("kind") for each in said]),
        "model": _codes(legend, "model", [each.get("llm_id") for each in said]),
        "cost": floats("cost_usd"),
        "tokens_in": floats("tokens_in"),
        "tokens_out": floats("tokens_out"),
        "time": _times([store.operator_stamps[row] for row in rows]),
        "flags": np.array([verdict(each.get("verdict")) for each in said], dtype=np.uint8),
        "agent": _codes(legend, "agent", _agents(store, rows, said)),
        "score_before": floats("score_before"),
        "score_after": floats("score_after"),
        "benchmark": _codes(legend, "benchmark", [each.get("benchmark") for each in said]),
        "target": _codes(legend, "target", [each.get("target_path") for each in said]),
    }


def edge_operators(
    store: Store, children: Sequence[int]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return for the edges into `children` the newest operator of each, and its order."""
    newest: list[int] = []
    orders: list[int] = []
    parents, made_from, makers = store.parents, store.operator_parents, store.makers
    for child in children:
        above = parents[child]
        orders += store.order_of(child)
        own = makers[child]
        if not own:
            newest += [-1] * len(above)
        elif len(own) == 1 and made_from[own[0]] == above:
            newest += own * len(above)
        else:
            found = makers_from(store, child)
            newest += [found.get(parent, (-1,))[-1] for parent in above]
    return np.array(newest, dtype=np.int64), np.array(orders, dtype=np.int64)


def flat(lists: Iterable[Sequence[int]]) -> npt.NDArray[np.int64]:
    """Return lists of numbers, one after the other."""
    return np.fromiter(chain.from_iterable(lists), dtype=np.int64)


def _flags(
    store: Store,
    loops: Loops,
    rows: Sequence[int],
    said: list[Mapping[str, Any]],
    newest: list[Mapping[str, Any]],
) -> npt.NDArray[np.uint16]:
    known = store.known
    flags = np.array([0 if known[row] else GHOST for row in rows], dtype=np.uint16)
    evaluations = store.evaluations.values
    for place, row in enumerate(rows):
        if said[place].get("is_seed") is True and store.is_seed(row):
            flags[place] |= SEED
        facts = evaluations[row]
        if facts and "invalid_reason" in facts and store.invalid_reason(row) is not None:
            flags[place] |= INVALID
        if newest[place].get("verdict") == "rejected":
            flags[place] |= REJECTED
    if len(loops):
        flags[[row in loops for row in rows]] |= CYCLE
    return flags


def _codes(legend: Legend, category: str, values: list[Any]) -> npt.NDArray[np.int32]:
    """Return the numbers of texts, new ones numbered as they come."""
    if not set(map(type, values)) <= {str, type(None)}:
        return np.array([legend.code(category, value) for value in values], dtype=np.int32)
    numbers = {value: legend.code(category, value) for value in dict.fromkeys(values)}
    return np.array([numbers[value] for value in values], dtype=np.int32)


def _floats(values: list[Any]) -> Floats:
    """Return finite numbers, and NaN for everything else."""
    if set(map(type, values)) <= {float, int, type(None)}:
        try:
            numbers = np.array(values, dtype=np.float64)
        except OverflowError:  # a whole number beyond all floats
            pass
        else:
            numbers[np.isinf(numbers)] = NAN
            return numbers
    return np.array([plain(value) for value in values], dtype=np.float64)


def _generations(values: list[Any]) -> npt.NDArray[np.int32]:
    return np.array(
        [
            value
            if type(value) is int and -1 <= value < 2_000_000_000
            else -1
            if value is None
            else generation(value)
            for value in values
        ],
        dtype=np.int32,
    )


def _agents(
    store: Store, operators: Sequence[int], said: list[Mapping[str, Any]]
) -> list[str | None]:
    """Return the agent behind each operator; -1 stands for no operator."""
    keys, child = store.keys, store.operator_child
    if not any(keys[child[row]][0] == "agent" for row in operators if row >= 0):
        return [each.get("overseer_id") for each in said]
    return [operating_agent(store, row) if row >= 0 else None for row in operators]


def _cost(store: Store, makers: list[tuple[int, ...]]) -> Floats:
    """Return for each node the sum of what its operators cost."""
    facts = store.operator_attributes.values
    costs = _floats(
        [(facts[own[0]] or _NOTHING).get("cost_usd") if own else None for own in makers]
    )
    for place, own in enumerate(makers):
        if len(own) > 1:
            said = [facts[maker] or _NOTHING for maker in own]
            costs[place] = sum_of(number(each.get("cost_usd")) for each in said)
    return costs


def _tokens(store: Store, makers: list[tuple[int, ...]]) -> Floats:
    """Return for each node the sum of what its operators read and wrote."""
    facts = store.operator_attributes.values
    first = [(facts[own[0]] or _NOTHING) if own else _NOTHING for own in makers]
    read, wrote = (_floats([each.get(name) for each in first]) for name in TOKENS)
    tokens = np.where(np.isnan(read), wrote, np.where(np.isnan(wrote), read, read + wrote))
    for place, own in enumerate(makers):
        if len(own) > 1:
            tokens[place] = sum_of(tokens_of([facts[maker] or _NOTHING for maker in own]))
    return tokens


def _times(stamps: list[bytes]) -> Floats:
    """Return the seconds of packed stamps; NaN where the time is not known."""
    if not stamps:
        return np.zeros(0)
    packed = np.frombuffer(b"".join([stamp[:9] for stamp in stamps]), dtype=np.uint8)
    packed = packed.reshape(-1, 9)
    low = packed[:, 1:].copy().view(">u8").ravel()
    times = low.astype(np.float64) / 1e9
    times[packed[:, 0] < _EPOCH] = NAN
    for place in np.flatnonzero((packed[:, 0] > _EPOCH) | (low >= 2**63)).tolist():
        times[place] = seconds(unpack_stamp(stamps[place]).timestamp_ns)
    return times
