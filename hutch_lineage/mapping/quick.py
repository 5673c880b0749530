"""The short way to the JSON of an operator's RunEvent, for the events of which there are many.

It writes what :func:`to_run_event` and :func:`encode` write together, byte for byte, and leaves to
them whatever would have to be repaired.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import orjson

from .clock import iso_from_ns
from .custom_facets import SCHEMA_URLS
from .documents import OPENLINEAGE_PRODUCER, OPENLINEAGE_SCHEMA_URL


class _Frame(NamedTuple):
    """What all operators of a run have in common, in the order in which it is written."""

    run: bytes
    job: bytes
    dataset: bytes
    end: bytes


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
        cost = payload.cost_usd
        tokens_in, tokens_out = payload.tokens_in, payload.tokens_out
        if type(cost) is float and cost - cost != 0.0:
            return None  # nan or infinite
        if type(tokens_in) is float or type(tokens_out) is float:
            return None
        frame = _frame(event.run_id, namespace, job_name)
        facet = orjson.dumps(
            {
                "operator_id": payload.id,
                "operator_kind": payload.kind,
                "cost_usd": cost,
                "tokens_in": tokens_in,
                "tokens_out": tokens_out,
                "llm_id": payload.llm_id,
            }
        )
        dataset = frame.dataset
        inputs = [
            dataset + orjson.dumps(f"individual:{parent}") + b"}" for parent in payload.parent_ids
        ]
        return b"".join(
            (
                b'{"eventType":"RUNNING","eventTime":"',
                iso_from_ns(event.timestamp_ns).encode(),
                frame.run,
                facet[1:],
                frame.job,
                b",".join(inputs),
                b'],"outputs":[',
                dataset,
                orjson.dumps(f"individual:{payload.child_id}"),
                frame.end,
            )
        )
    except Exception:  # whatever is wrong with it, the long way says it in words
        return None


@lru_cache(maxsize=256)
def _frame(run_id: str, namespace: str, job_name: str) -> _Frame:
    facet = {"_producer": OPENLINEAGE_PRODUCER, "_schemaURL": SCHEMA_URLS["hutchOperator"]}
    job = {"namespace": namespace, "name": job_name}
    end = {"producer": OPENLINEAGE_PRODUCER, "schemaURL": OPENLINEAGE_SCHEMA_URL}
    return _Frame(
        run=b'","run":{"runId":%b,"facets":{"hutchOperator":%b,'
        % (orjson.dumps(run_id), orjson.dumps(facet)[:-1]),
        job=b'}},"job":%b,"inputs":[' % orjson.dumps(job),
        dataset=b'{"namespace":%b,"name":' % orjson.dumps(namespace),
        end=b"}],%b" % orjson.dumps(end)[1:],
    )
