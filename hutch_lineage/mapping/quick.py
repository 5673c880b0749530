"""The short way to the JSON of an operator's RunEvent, for the events of which there are many.

It writes what :func:`to_run_event` and :func:`encode` write together, byte for byte, and leaves to
them whatever would have to be repaired.
"""

from __future__ import annotations

from typing import Any

import orjson

from .clock import iso_from_ns
from .custom_facets import SCHEMA_URLS
from .documents import OPENLINEAGE_PRODUCER, OPENLINEAGE_SCHEMA_URL

_SCHEMA_URL = SCHEMA_URLS["hutchOperator"]


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
        return orjson.dumps(
            {
                "eventType": "RUNNING",
                "eventTime": iso_from_ns(event.timestamp_ns),
                "run": {
                    "runId": event.run_id,
                    "facets": {
                        "hutchOperator": {
                            "_producer": OPENLINEAGE_PRODUCER,
                            "_schemaURL": _SCHEMA_URL,
                            "operator_id": payload.id,
                            "operator_kind": payload.kind,
                            "cost_usd": cost,
                            "tokens_in": tokens_in,
                            "tokens_out": tokens_out,
                            "llm_id": payload.llm_id,
                        }
                    },
                },
                "job": {"namespace": namespace, "name": job_name},
                "inputs": [
                    {"namespace": namespace, "name": f"individual:{parent}"}
                    for parent in payload.parent_ids
                ],
                "outputs": [{"namespace": namespace, "name": f"individual:{payload.child_id}"}],
                "producer": OPENLINEAGE_PRODUCER,
                "schemaURL": OPENLINEAGE_SCHEMA_URL,
            }
        )
    except Exception:  # whatever is wrong with it, the long way says it in words
        return None
