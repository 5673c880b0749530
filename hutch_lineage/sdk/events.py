"""From the arguments of a verb to an event."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from pydantic import ValidationError

from hutch_lineage.errors import InvalidEventError
from hutch_lineage.model import Event, Repair, clean, new_id, problems_of

from .runtime import Runtime

E = TypeVar("E", bound=Event)


def make_event(
    sdk: Runtime,
    verb: str,
    event_class: type[E],
    run_id: str,
    fields: dict[str, Any],
    envelope: Mapping[str, Any],
) -> E:
    """Clean and check arguments and return the event.

    Parameters
    ----------
    sdk : Runtime
        Where changes are reported.
    verb : str
        Named in messages.
    event_class : type
        The class of the event.
    run_id : str
        The run that it belongs to.
    fields : dict
        The fields of the payload.
    envelope : mapping
        Any of ``event_id, stream_id, worker_id``, or another ``run_id``; None stands for the
        default. A worker process gives its events a ``worker_id`` such as ``4802@myhost``.

    Raises
    ------
    InvalidEventError
        The arguments break the schema.
    CaptureError
        In strict mode, when cleaning lost something.
    """
    fields, repairs = clean(fields)
    data: dict[str, Any] = {"run_id": run_id, "payload": fields}
    for value in envelope.values():
        if value is not None:  # seldom, and a loop is the quickest to find out
            repairs += _add_envelope(data, envelope)
            break
    if sdk.ties.worker_id is not None:
        data.setdefault("worker_id", sdk.ties.worker_id)
    try:
        # as model_validate does, without its own options: a microsecond of seven
        event: E = event_class.__pydantic_validator__.validate_python(data)
    except ValidationError as error:
        problems = [
            line.removeprefix("payload.").removeprefix("payload: ") for line in problems_of(error)
        ]
        words = any(line.startswith("kind:") for line in problems)
        hint = " (a word of your own goes into metadata)" if words else ""
        raise InvalidEventError(
            f"{verb}: {'; '.join(problems)}. Nothing was captured; correct the arguments{hint}",
            problems,
        ) from error
    if repairs:
        sdk.report(verb, repairs)
    return event


def _add_envelope(data: dict[str, Any], envelope: Mapping[str, Any]) -> list[Repair]:
    """Add what an envelope says to the fields of an event; return what was changed in it."""
    given, repairs = clean({name: value for name, value in envelope.items() if value is not None})
    data.update(given)
    return repairs


def id_or_new(given: Any, prefix: str) -> Any:
    """Return the id that was given, or a new one where that is None or empty.

    Examples
    --------
    >>> id_or_new("a", "ind-"), len(id_or_new("", "ind-"))
    ('a', 16)
    """
    return new_id(prefix) if given is None or (isinstance(given, str) and not given) else given


def id_list(values: Iterable[Any] | None) -> Any:
    """Return ids as a list; what is no collection of ids is left for the schema to refuse.

    Examples
    --------
    >>> id_list(("a", "b")), id_list(None), id_list("ab")
    (['a', 'b'], [], 'ab')
    """
    if values is None:
        return []
    if isinstance(values, (list, str, bytes)):
        return values
    if hasattr(values, "tolist"):  # an array, whose truth and items are not Python's
        return values.tolist()
    return list(values) if isinstance(values, Iterable) else values


def id_of(node: Any) -> Any:
    """Return the id of what a verb returned; anything else as it is.

    Examples
    --------
    >>> id_of("a")
    'a'
    """
    return node if type(node) is str else getattr(node, "id", node)


def ids_of(nodes: Iterable[Any] | None) -> Any:
    """Return the ids of nodes as a list, see :func:`id_list` and :func:`id_of`.

    Examples
    --------
    >>> ids_of(["a", "b"])
    ['a', 'b']
    """
    given = id_list(nodes)
    return [id_of(node) for node in given] if type(given) is list else given


def as_dict(values: Mapping[str, Any] | None) -> Any:
    """Return a mapping as a dict; anything else is left for the schema to refuse.

    Examples
    --------
    >>> as_dict(None), as_dict({"a": 1})
    ({}, {'a': 1})
    """
    if values is None:
        return {}
    if type(values) is dict:
        return values
    return dict(values) if hasattr(values, "keys") else values
