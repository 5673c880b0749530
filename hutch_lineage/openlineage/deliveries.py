"""What became of each RunEvent: where it is, and what the backend said."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import orjson

from hutch_lineage.delivery import Outbox, Posting, PostingState
from hutch_lineage.mapping import dataset_name, named_node


class EventDelivery(NamedTuple):
    """One RunEvent and what became of it.

    Attributes
    ----------
    position : int
        Its place among the captured events.
    state : {"memory", "queued", "sent", "rejected"}
        ``memory``: no endpoint is owed it. ``queued``: it is owed, never tried or to be tried
        again. ``sent``: the backend accepted it. ``rejected``: the backend refused it.
    event_type, event_time, job : str
        As in the event.
    what : str
        The kind of operator, ``self_mod``, ``seed``, ``unknown``, ``run start`` or ``run end``.
    inputs, outputs : tuple of str
        The names of its datasets; what a preset wrote with dots is ``individual:<id>`` here, too.
    status : int or None
        The HTTP status of a refusal, or of an answer that says something.
    reason : str
        Why it was refused, in the backend's words, secrets masked. Of a sent one what the backend
        says of it, such as how many edges it made and what it did not find; empty for most.
    """

    position: int
    state: PostingState
    event_type: str
    event_time: str
    job: str
    what: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    status: int | None
    reason: str


class DeliveryLog(NamedTuple):
    """A part of what was captured, newest last, and whom it is for.

    Attributes
    ----------
    endpoint : str or None
        The masked URL that the states are about: the live one, else the last one; None where
        nothing was ever posted.
    backend : str
        Its preset.
    total : int
        How many events there are in all; with a filter, how many match.
    events : list of EventDelivery
        Those that were asked for.
    """

    endpoint: str | None
    backend: str
    total: int
    events: list[EventDelivery]


def delivery_log(
    outbox: Outbox,
    postings: Callable[[int, int], list[Posting]] | None,
    offset: int,
    limit: int,
    *,
    state: PostingState | None,
    query: str,
    endpoint: str | None,
    backend: str,
) -> DeliveryLog:
    """Return what :meth:`OpenLineageEmitter.deliveries` documents.

    Parameters
    ----------
    outbox : Outbox
        The events.
    postings : callable or None
        Tells the states of a range of them; None where nothing was ever posted.
    offset, limit, state, query, endpoint, backend
        As documented there.
    """
    end = len(outbox)
    of = postings or _in_memory
    if state is None and not query:
        total = end
        start, stop, _ = slice(offset, None).indices(end)
        stop = min(stop, start + max(0, limit))
        places: Sequence[int] = range(start, stop)
        found = dict(zip(places, of(start, stop), strict=False))
    else:
        states = of(0, end)
        places = [
            index
            for index in (_chosen(outbox, states, query) if query else range(len(states)))
            if state in (None, states[index].state)
        ]
        total = len(places)
        found = {index: states[index] for index in places[offset:][: max(0, limit)]}
    events = [_told(outbox, index, posting) for index, posting in found.items()]
    return DeliveryLog(endpoint, backend, total, events)


def _in_memory(start: int, stop: int) -> list[Posting]:
    return [Posting("memory")] * max(0, stop - start)


def _chosen(outbox: Outbox, states: Sequence[Posting], query: str) -> Iterator[int]:
    """Yield the places whose event holds `query` in its JSON, whatever the case."""
    wanted = query.lower().encode()
    for index in range(len(states)):
        try:
            if wanted in outbox.read(index).lower():
                yield index
        except LookupError:  # delivered long ago, and kept no more
            continue


def _told(outbox: Outbox, index: int, posting: Posting) -> EventDelivery:
    """Return one line of the log."""
    try:
        event: dict[str, Any] = orjson.loads(outbox.read(index))
    except LookupError:
        event = {}
    return EventDelivery(
        position=index,
        state=posting.state,
        event_type=str(event.get("eventType", "")),
        event_time=str(event.get("eventTime", "")),
        job=str(event.get("job", {}).get("name", "")),
        what=_what(event.get("run", {}).get("facets", {})),
        inputs=_names(event.get("inputs", ())),
        outputs=_names(event.get("outputs", ())),
        status=posting.status,
        reason=posting.reason,
    )


_FACETS = {"hutchRunOutcome": "run end", "hutchRun": "run start", "hutchSelfMod": "self_mod"}


def _what(facets: dict[str, Any]) -> str:
    operator = facets.get("hutchOperator")
    if isinstance(operator, dict):
        return str(operator.get("operator_kind") or "operator")
    word = next((word for name, word in _FACETS.items() if name in facets), "")
    lineage = facets.get("hutchLineage")
    return word or (str(lineage.get("what", "")) if isinstance(lineage, dict) else "")


def _names(datasets: Iterable[dict[str, Any]]) -> tuple[str, ...]:
    return tuple(_name(str(dataset.get("name", ""))) for dataset in datasets)


def _name(name: str) -> str:
    node = named_node(name)
    return name if node is None else dataset_name(node.kind, node.id)
