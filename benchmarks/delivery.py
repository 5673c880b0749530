"""What one operator event costs a loop in each state of the backend, and how fast events arrive.

The caller's cost is that of ``log_operator``, the whole way through the SDK; live, with the journal
on. Beside it stands Hutch's emitter alone: building its event and emitting it, in memory. Rates are
against ``http.client`` on one kept-alive connection, which posts ready-made bodies and does nothing
else.
"""

from __future__ import annotations

import http.client
import logging
import os
import shutil
import socket
import statistics
import tempfile
import time
from collections.abc import Callable

from hutch.openlineage import build_openlineage_emitter as build_theirs
from hutch.schema import OperatorEvent, OperatorPayload

import hutch_lineage as hl
from hutch_lineage.delivery import DeliveryOptions, HttpOptions
from hutch_lineage.model import EVENT_ADAPTER
from hutch_lineage.openlineage import OpenLineageEmitter

from .backend import Backend, backend
from .emission import operators

ROUNDS = 7
EVENTS = 2_000
BATCH = 100
FIELDS = {"kind": "refine", "parent_ids": ["ind-a"], "llm_id": "a-model", "cost_usd": 0.012,
          "tokens_in": 120, "tokens_out": 45}  # fmt: skip


def measure() -> list[str]:
    """Return the result as lines of text."""
    logging.disable(logging.CRITICAL)
    folder = tempfile.mkdtemp(prefix="hutch-lineage-bench-")
    before = os.environ.get("HUTCH_OPENLINEAGE_JOURNAL")
    os.environ["HUTCH_OPENLINEAGE_JOURNAL"] = folder
    try:
        with backend("ok") as healthy, backend("hang") as hung:
            return [*_costs(healthy.url, hung.url), *_rates(healthy)]
    finally:
        logging.disable(logging.NOTSET)
        del os.environ["HUTCH_OPENLINEAGE_JOURNAL"]
        if before is not None:
            os.environ["HUTCH_OPENLINEAGE_JOURNAL"] = before
        shutil.rmtree(folder, ignore_errors=True)


def _costs(healthy: str, hung: str) -> list[str]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        down = f"http://127.0.0.1:{probe.getsockname()[1]}"
    contenders: dict[str, Callable[[], list[float]]] = {
        "through the SDK, in memory": lambda: _through_sdk("in-memory"),
        "live, backend healthy": lambda: _through_sdk(healthy),
        "live, backend hung": lambda: _through_sdk(hung),
        "live, backend down": lambda: _through_sdk(down),
        "thehutch emitter alone, in memory": _theirs,
    }
    found: dict[str, list[list[float]]] = {name: [] for name in contenders}
    for _ in range(ROUNDS):
        for name, run in contenders.items():
            found[name].append(sorted(run()))
    lines = []
    for name, rounds in found.items():
        middle = statistics.median(each[EVENTS // 2] for each in rounds) * 1e6
        late = statistics.median(each[EVENTS * 99 // 100] for each in rounds) * 1e6
        lines.append(f"{name:36} median {middle:8.2f} us   p99 {late:8.1f} us")
    return lines


def _through_sdk(endpoint: str) -> list[float]:
    hl.reset()
    hl.configure(hl.SDKConfig(openlineage_endpoint=endpoint, openlineage_exit_timeout_s=0.0))
    took = []
    with hl.run("bench"):
        for number in range(EVENTS):
            start = time.perf_counter()
            hl.log_operator(child_id=f"ind-{number}", **FIELDS)
            took.append(time.perf_counter() - start)
    hl.emitter().close(0)  # type: ignore[union-attr]
    shutil.rmtree(os.environ["HUTCH_OPENLINEAGE_JOURNAL"], ignore_errors=True)
    hl.reset()
    return took


def _theirs() -> list[float]:
    emitter = build_theirs(endpoint="in-memory")
    took = []
    for number in range(EVENTS):
        start = time.perf_counter()
        payload = OperatorPayload(id=f"op-{number}", child_id=f"ind-{number}", **FIELDS)
        emitter.emit(OperatorEvent(run_id="run", payload=payload))
        took.append(time.perf_counter() - start)
    return took


def _rates(healthy: Backend) -> list[str]:
    events = [EVENT_ADAPTER.validate_python(each) for each in operators(EVENTS)]

    def ours(batch: int) -> float:
        options = DeliveryOptions(http=HttpOptions(batch=batch))
        emitter = OpenLineageEmitter(endpoint="in-memory", options=options)
        for each in events:
            emitter.emit(each)
        emitter.stats()  # maps them
        start = time.perf_counter()
        emitter.go_live(healthy.url)
        whole = emitter.flush(60)
        took = time.perf_counter() - start
        if not whole:
            raise RuntimeError(emitter.stats())
        emitter.close()
        return EVENTS / took

    bodies = [b"x" * 780] * EVENTS
    batches = [b"[" + b",".join(bodies[:BATCH]) + b"]"] * (EVENTS // BATCH)
    contenders = {
        "delivered, single posts": lambda: ours(1),
        "http.client, single posts": lambda: _floor(healthy.port, bodies, EVENTS),
        f"delivered, batches of {BATCH}": lambda: ours(BATCH),
        f"http.client, batches of {BATCH}": lambda: _floor(healthy.port, batches, EVENTS),
    }
    best = dict.fromkeys(contenders, 0.0)
    for _ in range(ROUNDS):
        for name, run in contenders.items():
            best[name] = max(best[name], run())
    return [f"{name:36} {rate:12,.0f} events/s" for name, rate in best.items()]


def _floor(port: int, bodies: list[bytes], events: int) -> float:
    connection = http.client.HTTPConnection("127.0.0.1", port)
    start = time.perf_counter()
    for body in bodies:
        connection.request("POST", "/api/v1/lineage", body, {"Content-Type": "application/json"})
        connection.getresponse().read()
    took = time.perf_counter() - start
    connection.close()
    return events / took
