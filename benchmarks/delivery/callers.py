"""What one operator event costs whoever logs it, in seconds for each of many."""

from __future__ import annotations

import gc
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from hutch.openlineage import build_openlineage_emitter as build_theirs
from hutch.schema import OperatorEvent, OperatorPayload

import hutch_lineage as hl

FIELDS = {"kind": "refine", "parent_ids": ["ind-a"], "llm_id": "a-model", "cost_usd": 0.012,
          "tokens_in": 120, "tokens_out": 45}  # fmt: skip
LINE_BYTES = 780
TIMEOUT_S = 5.0


def timed(call: Callable[[int], object], count: int) -> list[float]:
    """Return how long each of so many calls took."""
    gc.collect()
    took = []
    for number in range(count):
        start = time.perf_counter()
        call(number)
        took.append(time.perf_counter() - start)
    return took


def through_our_sdk(endpoint: str, count: int) -> list[float]:
    """Log operators by the verb, with the journal where something is posted."""
    with fresh_journal():
        hl.reset()
        hl.configure(hl.SDKConfig(openlineage_endpoint=endpoint, openlineage_exit_timeout_s=0.0))
        with hl.run("bench"):
            took = timed(lambda n: hl.log_operator(child_id=f"ind-{n}", **FIELDS), count)
        hl.emitter().close(0)  # type: ignore[union-attr]
        hl.reset()
    return took


def by_their_emitter(endpoint: str, count: int) -> list[float]:
    """Build an event of the reference and emit it: its emitter alone, without its SDK."""
    emitter = build_theirs(endpoint=endpoint)

    def call(number: int) -> None:
        payload = OperatorPayload(id=f"op-{number}", child_id=f"ind-{number}", **FIELDS)
        emitter.emit(OperatorEvent(run_id="run", payload=payload))

    return timed(call, count)


def one_write(count: int) -> list[float]:
    """Write the bytes of an event to a file: the least that keeps it over a crash."""
    body = b"x" * LINE_BYTES
    with tempfile.TemporaryFile(buffering=0) as file:
        number = file.fileno()
        return timed(lambda _: os.write(number, body), count)


@contextmanager
def fresh_journal() -> Iterator[None]:
    """Have journals in a folder of their own, which is removed in the end."""
    folder = tempfile.mkdtemp(prefix="hutch-lineage-bench-")
    before = os.environ.get("HUTCH_OPENLINEAGE_JOURNAL")
    os.environ["HUTCH_OPENLINEAGE_JOURNAL"] = folder
    try:
        yield
    finally:
        del os.environ["HUTCH_OPENLINEAGE_JOURNAL"]
        if before is not None:
            os.environ["HUTCH_OPENLINEAGE_JOURNAL"] = before
        shutil.rmtree(folder, ignore_errors=True)
