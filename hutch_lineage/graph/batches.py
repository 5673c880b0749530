"""What the columns of a scene say of many nodes, operators or edges at once.

The same values as `rows` gives, a column at a time: ten times as fast where much is new.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt

from hutch_lineage.model import clean_text

from .ledger import unpack_stamp
from .legend import Legend, as_text
from .loops import Loops
from .rows import (
    CYCLE,
    GHOST,
    INVALID,
    REJECTED,
    SEED,
    TOKENS,
    VERDICTS,
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

BATCH = 24
Columns = dict[str, Any]
Floats = npt.NDArray[np.float64]
Places = npt.NDArray[np.int64]
Codes = npt.NDArray[np.int32]
_NOTHING: Mapping[str, Any] = {}
_EPOCH = 0x80  # the first byte of a packed time from 1970 on


class Texts:
    """A text of many rows, numbered among themselves until a legend numbers it.

    Parameters
    ----------
    values : sequence
        Texts, or what stands for one; None where nothing is said.
    """

    def __init__(self, values: Sequence[Any]) -> None:
        if not set(map(type, values)) <= {str, type(None)}:
            values = [None if value is None else as_text(value) for value in values]
        self._texts = list(dict.fromkeys([*values, None]))
        index = {text: number for number, text in enumerate(self._texts)}
        self._rows = np.array([*map(index.__getitem__, values), index[None]], dtype=np.int32)

    def codes(self, legend: Legend, category: str, at: Places | None = None) -> Codes:
        """Return the legend's number of the text of each row, or of the rows `at`; -1 for None.

        A text that is new to the legend is numbered as it comes.
        """
        rows = self._rows[:-1] if at is None else self._rows[at]
        codes = np.full(len(self._texts), -1, dtype=np.int32)
        if len(self._texts) > 1:
            found, first = np.unique(rows, return_index=True)
            for number in found[np.argsort(first)].tolist():
                codes[number] = legend.code(category, self._texts[number])
        return codes[rows]


class Made:
    """What is said of new operators, by column: for rows of their own and of what they made.

    Parameters
    ----------
    store : Store
        Where they are.
    first : int
        The first that is new. Nodes that are new, too, were made by none before it.
    """

    def __init__(self, store: Store, first: int) -> None:
        self.rows = range(first, len(store.operator_ids))
        self._said = [store.operator_attributes.values[row] or _NOTHING for row in self.rows]
        self._names = set(chain.from_iterable(self._said))
        self.kind, self.model = self.texts("kind"), self.texts("llm_id")
        self.agent = Texts(self._agents(store))
        self.cost, *self.tokens = (self.floats(name) for name in ("cost_usd", *TOKENS))
        self.verdict = np.array([verdict(each) for each in self._of("verdict")], dtype=np.uint8)

    def _of(self, name: str) -> list[Any]:
        if name not in self._names:
            return [None] * len(self._said)
        return [each.get(name) for each in self._said]

    def texts(self, name: str) -> Texts:
        """Return what is said under a name, as texts."""
        return Texts(self._of(name))

    def floats(self, name: str) -> Floats:
        """Return the numbers said under a name; NaN where there is none."""
        return _floats(self._of(name)) if name in self._names else np.full(len(self._said), NAN)

    def _agents(self, store: Store) -> list[Any]:
        """Return the agent behind each operator."""
        keys, rows = store.keys, self.rows
        if any(keys[child][0] == "agent" for child in store.operator_child[rows.start :]):
            return [operating_agent(store, row) for row in rows]
        return self._of("overseer_id")


def node_columns(
    store: Store, legend: Legend, loops: Loops, rows: Sequence[int], made: Made
) -> Columns:
    """Return the columns of new nodes that may change; metrics are not among them.

    ``origin`` is there only if a node has one.
    """
    said = [store.attributes.values[row] or _NOTHING for row in rows]
    names = set(chain.from_iterable(said))
    makers = [store.makers[row] for row in rows]
    several = [place for place, own in enumerate(makers) if len(own) > 1]
    newest = [own[0] if own else -1 for own in makers]
    for place in several:
        newest[place] = made_by(store, rows[place])[-1]
    last = np.array(newest, dtype=np.int64)
    at = np.where(last < 0, -1, last - made.rows.start)  # -1 finds what stands behind the last
    index = np.array(rows, dtype=np.int64)
    births = np.frombuffer(store.births, dtype=np.int64)[index]

    def codes(name: str, category: str) -> Codes:
        if name not in names:
            return np.full(len(rows), -1, dtype=np.int32)
        return Texts([each.get(name) for each in said]).codes(legend, category)

    cost, *tokens = (np.append(each, NAN)[at] for each in (made.cost, *made.tokens))
    return {
        "generation": _generations([each.get("generation_index") for each in said]),
        "flags": _flags(store, loops, rows, index, said, np.append(made.verdict, 0)[at]),
        "island": codes("island_id", "island"),
        "op": made.kind.codes(legend, "operator", at),
        "model": made.model.codes(legend, "model", at),
        "itype": codes("kind", "kind"),
        "agent": made.agent.codes(legend, "agent", at),
        "cost": _cost(store, makers, several, cost),
        "tokens": _tokens(store, makers, several, *tokens),
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


def operator_columns(store: Store, legend: Legend, made: Made) -> Columns:
    """Return the columns of new operators that may change."""
    return {
        "kind": made.kind.codes(legend, "operator"),
        "model": made.model.codes(legend, "model"),
        "cost": made.cost,
        **dict(zip(TOKENS, made.tokens, strict=True)),
        "time": _times(store.operator_stamps[made.rows.start :]),
        "flags": made.verdict,
        "agent": made.agent.codes(legend, "agent"),
        "score_before": made.floats("score_before"),
        "score_after": made.floats("score_after"),
        "benchmark": made.texts("benchmark").codes(legend, "benchmark"),
        "target": made.texts("target_path").codes(legend, "target"),
    }


def edge_operators(
    store: Store, children: Sequence[int], counts: Places
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return for the edges into `children` the newest operator of each, and its order.

    `counts` says how many edges lead into each.
    """
    made_from, makers, parents = store.operator_parents, store.makers, store.parents
    own = [makers[child] for child in children]
    first = np.array([made[0] if made else -1 for made in own], dtype=np.int64)
    newest = np.repeat(first, counts)
    starts = np.cumsum(counts) - counts
    orders = np.arange(len(newest)) - np.repeat(starts, counts)
    for place, (child, made) in enumerate(zip(children, own, strict=True)):
        # Mostly one operator made a child from all its parents.
        if made and (len(made) > 1 or made_from[made[0]] != parents[child]):
            found, start = makers_from(store, child), starts[place]
            for order, parent in enumerate(parents[child]):
                newest[start + order] = found.get(parent, (-1,))[-1]
    if store.orders:
        for place, child in enumerate(children):
            if child in store.orders:
                orders[starts[place] : starts[place] + counts[place]] = store.orders[child]
    return newest, orders


def clean_texts(texts: Sequence[str]) -> Sequence[str]:
    """Return texts as valid Unicode; see `clean_text`."""
    return texts if "".join(texts).isascii() else [clean_text(text) for text in texts]


def flat(lists: Iterable[Sequence[int]]) -> npt.NDArray[np.int64]:
    """Return lists of numbers, one after the other."""
    return np.fromiter(chain.from_iterable(lists), dtype=np.int64)


def _flags(
    store: Store,
    loops: Loops,
    rows: Sequence[int],
    index: Places,
    said: list[Mapping[str, Any]],
    verdicts: npt.NDArray[np.uint8],
) -> npt.NDArray[np.uint16]:
    known = np.frombuffer(store.known, dtype=np.uint8)[index]
    flags = np.where(known, 0, GHOST).astype(np.uint16)
    flags[verdicts == VERDICTS["rejected"]] |= REJECTED
    evaluations = store.evaluations.values
    for place, (row, each) in enumerate(zip(rows, said, strict=True)):
        if each.get("is_seed") is True and store.is_seed(row):
            flags[place] |= SEED
        facts = evaluations[row]
        if facts and "invalid_reason" in facts and store.invalid_reason(row) is not None:
            flags[place] |= INVALID
    if len(loops):
        flags[[row in loops for row in rows]] |= CYCLE
    return flags


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


def _cost(store: Store, makers: list[tuple[int, ...]], several: list[int], first: Floats) -> Floats:
    """Return for each node the sum of what its operators cost."""
    facts = store.operator_attributes.values
    for place in several:
        said = [facts[maker] or _NOTHING for maker in makers[place]]
        first[place] = sum_of(number(each.get("cost_usd")) for each in said)
    return first


def _tokens(
    store: Store,
    makers: list[tuple[int, ...]],
    several: list[int],
    read: Floats,
    wrote: Floats,
) -> Floats:
    """Return for each node the sum of what its operators read and wrote."""
    facts = store.operator_attributes.values
    tokens = np.where(np.isnan(read), wrote, np.where(np.isnan(wrote), read, read + wrote))
    for place in several:
        tokens[place] = sum_of(tokens_of([facts[maker] or _NOTHING for maker in makers[place]]))
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
