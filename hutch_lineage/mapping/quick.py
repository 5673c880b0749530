"""The short way to the JSON of an operator's RunEvent, for the events of which there are many.

What all operators of a run have in common is written once, the long way, with gaps for the rest: so
it is byte for byte what :func:`to_run_event` and :func:`encode` write, in little more than half the
time. Whatever would have to be repaired is left to them.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

import orjson

from hutch_lineage.model import parse_event

from .clock import iso_from_ns
from .custom_facets import operator_facet
from .names import dataset_name
from .runevents import to_run_event

_INDIVIDUAL: Final = dataset_name("individual", "")
_GAP: Final = "\0gap"
_SOME: Final = {
    "event_kind": "operator",
    "run_id": "any",
    "payload": {"id": "any", "kind": "refine", "parent_ids": ["any"], "child_id": "any"},
}


def operator_json(event: Any, namespace: str, job_name: str) -> bytes | None:
    """Return the JSON for an ``operator`` event, or None where it takes the long way.

    Examples
    --------
    >>> from hutch_lineage.model import parse_event
    >>> event = parse_event({"event_kind": "operator", "run_id": "r1",
    ...                      "payload": {"id": "o", "kind": "refine", "child_id": "b"}})
    >>> operator_json(event, "hutch", "packing")[:23]
    b'{"eventType":"RUNNING",'
    """
    try:
        payload = event.payload
        facet = operator_facet(payload)
        cost = facet["cost_usd"]
        if type(cost) is float and cost - cost != 0.0:
            return None  # nan or infinite
        if type(facet["tokens_in"]) is float or type(facet["tokens_out"]) is float:
            return None
        start, run, job, output, end, dataset = _frame(event.run_id, namespace, job_name)
        dumps = orjson.dumps
        inputs = [dataset + dumps(_INDIVIDUAL + parent) + b"}" for parent in payload.parent_ids]
        return b"".join(
            (
                start,
                dumps(iso_from_ns(event.timestamp_ns)),
                run,
                dumps(facet),
                job,
                b",".join(inputs),
                output,
                dumps(_INDIVIDUAL + payload.child_id),
                end,
            )
        )
    except Exception:  # whatever is wrong with it, the long way says it in words
        return None


@lru_cache(maxsize=256)
def _frame(run_id: str, namespace: str, job_name: str) -> tuple[bytes, ...]:
    """Return the JSON before, between and after the gaps, and that of a dataset up to its name.

    The gaps are the time, the facet, the inputs and the name of the output.
    """
    some = parse_event(_SOME)
    document: Any = to_run_event(some, namespace=namespace, job_name=job_name)
    document["run"]["runId"] = run_id
    document["eventTime"] = document["run"]["facets"]["hutchOperator"] = _GAP
    (parent,), (child,) = document["inputs"], document["outputs"]
    parent["name"] = child["name"] = _GAP
    gap = orjson.dumps(_GAP)
    dataset, closing = orjson.dumps(parent).split(gap)
    # raises where a name holds the gap: the events of that run take the long way
    start, run, job, output, end = orjson.dumps(document).split(gap)
    return start, run, job.removesuffix(dataset), output.removeprefix(closing), end, dataset
