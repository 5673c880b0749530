"""The official Python client with its asynchronous transport, in a process of its own.

``python -m benchmarks.delivery.official URL COUNT RUNS WAIT`` emits so many events of so many runs
and prints what each took at the caller, then how long it was until all had arrived (or, without
WAIT, nothing more). It leaves threads and unfinished tasks behind, which are ended with it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import uuid
from typing import Any

LONGEST_S = 60.0


def costs(url: str, count: int) -> list[float]:
    """Return what each of so many events cost the caller, the making of it included."""
    return list(_run(url, count, 1, wait=False)["took"])


def rate(url: str, count: int, *, runs: int = 1) -> float:
    """Return how many events a second arrive."""
    return count / float(_run(url, count, runs, wait=True)["whole_s"])


def _run(url: str, count: int, runs: int, *, wait: bool) -> dict[str, Any]:
    command = [sys.executable, "-m", __name__, url, str(count), str(runs), str(int(wait))]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def main(url: str, count: int, runs: int, wait: int) -> None:
    """Emit, print, and end at once."""
    from openlineage.client import OpenLineageClient
    from openlineage.client.event_v2 import (
        InputDataset,
        Job,
        OutputDataset,
        Run,
        RunEvent,
        RunState,
    )
    from openlineage.client.transport.async_http import AsyncHttpConfig, AsyncHttpTransport

    transport = AsyncHttpTransport(AsyncHttpConfig(url=url))
    client = OpenLineageClient(transport=transport)
    run_ids = [str(uuid.uuid4()) for _ in range(runs)]
    took = []
    began = time.perf_counter()
    for number in range(count):
        start = time.perf_counter()
        event = RunEvent(
            eventType=RunState.RUNNING,
            eventTime="2026-05-05T12:34:56.123456Z",
            run=Run(runId=run_ids[number % runs]),
            job=Job(namespace="hutch", name="bench"),
            producer="https://github.com/OpenLineage/OpenLineage",
            inputs=[InputDataset(namespace="hutch", name=f"individual:ind-{number}")],
            outputs=[OutputDataset(namespace="hutch", name=f"individual:ind-{number + 1}")],
        )
        client.emit(event)
        took.append(time.perf_counter() - start)
    if wait and not transport.wait_for_completion(LONGEST_S):
        sys.exit("not all was delivered in time")
    print(json.dumps({"took": took, "whole_s": time.perf_counter() - began}), flush=True)
    os._exit(0)


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
