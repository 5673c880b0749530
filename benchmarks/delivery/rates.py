"""How fast events arrive, in events a second."""

from __future__ import annotations

import gc
import http.client
import time
from collections.abc import Callable
from typing import Any

from hutch.openlineage import build_openlineage_emitter as build_theirs
from hutch.schema import OperatorEvent, OperatorPayload

from benchmarks.backend import backend
from benchmarks.emission import operators
from hutch_lineage.delivery import DeliveryOptions, HttpOptions
from hutch_lineage.model import EVENT_ADAPTER
from hutch_lineage.openlineage import OpenLineageEmitter
from tests.receivers import unused_port

from .callers import FIELDS, LINE_BYTES, fresh_journal

LONGEST_S = 60.0


def ours(url: str, count: int, *, batch: int = 1, runs: int = 1) -> float:
    """Have a backlog of so many events delivered, from going live to the last answer."""
    events: list[Any] = [
        EVENT_ADAPTER.validate_python({**each, "run_id": f"run-{number % runs}"})
        for number, each in enumerate(operators(count))
    ]
    with fresh_journal():
        options = DeliveryOptions(http=HttpOptions(batch=batch))
        emitter = OpenLineageEmitter(endpoint="in-memory", options=options)
        for each in events:
            emitter.emit(each)
        emitter.stats()  # maps them
        took = _until_accepted(emitter, lambda: emitter.go_live(url))
        emitter.close()
    return count / took


def after_outage(count: int, *, batch: int) -> float:
    """Have a backlog drained that grew while the backend was away, from its return on."""
    port = unused_port()
    with fresh_journal():
        options = DeliveryOptions(http=HttpOptions(batch=batch))
        emitter = OpenLineageEmitter(endpoint=f"http://127.0.0.1:{port}", options=options)
        for each in operators(count):
            emitter.emit(EVENT_ADAPTER.validate_python(each))
        with backend("ok", port):
            took = _until_accepted(emitter)
        emitter.close()
    return count / took


def _until_accepted(emitter: OpenLineageEmitter, go: Callable[[], object] = lambda: None) -> float:
    """Return in how many seconds all is accepted from `go` on."""
    gc.collect()
    start = time.perf_counter()
    go()
    whole = emitter.flush(LONGEST_S)
    took = time.perf_counter() - start
    if not whole:
        raise RuntimeError(emitter.stats())
    return took


def theirs(url: str, count: int) -> float:
    """Emit with the reference's emitter, which posts at once."""
    emitter = build_theirs(endpoint=url)
    start = time.perf_counter()
    for number in range(count):
        payload = OperatorPayload(id=f"op-{number}", child_id=f"ind-{number}", **FIELDS)
        emitter.emit(OperatorEvent(run_id="run", payload=payload))
    return count / (time.perf_counter() - start)


def floor(port: int, count: int, *, batch: int = 1) -> float:
    """Post ready-made bodies on one connection by ``http.client``, and nothing else."""
    body = b"x" * LINE_BYTES
    body = body if batch == 1 else b"[" + b",".join([body] * batch) + b"]"
    connection = http.client.HTTPConnection("127.0.0.1", port)
    start = time.perf_counter()
    for _ in range(count // batch):
        connection.request("POST", "/api/v1/lineage", body, {"Content-Type": "application/json"})
        connection.getresponse().read()
    took = time.perf_counter() - start
    connection.close()
    return count / took
