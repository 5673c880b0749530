"""What one operator event costs a loop where events are kept for good, and how fast they get there.

The caller's cost is that of ``log_operator``, the whole way through the SDK. Beside it stands Hutch
itself, with the same transport, and the least that anybody can do: one ``os.write`` of the bytes of
the event. Ratios are to the first line.
"""

from __future__ import annotations

import logging
import os
import shutil
import socket
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import hutch

import hutch_lineage as hl
from hutch_lineage.model import EVENT_ADAPTER
from hutch_lineage.sdk import runtime

from .delivery import FIELDS
from .emission import operators

ROUNDS = 5
EVENTS = 2_000
FEW = 300
"""So many where one takes Hutch a millisecond."""


def measure() -> list[str]:
    """Return the result as lines of text."""
    logging.disable(logging.CRITICAL)
    folder = Path(tempfile.mkdtemp(prefix="hutch-lineage-bench-"))
    try:
        return [*_costs(folder), *_rates(folder)]
    finally:
        logging.disable(logging.NOTSET)
        shutil.rmtree(folder, ignore_errors=True)


def _costs(folder: Path) -> list[str]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        away = f"http://127.0.0.1:{probe.getsockname()[1]}"
    contenders: dict[str, Callable[[Path], list[float]]] = {
        "embedded": lambda at: _ours(mode="embedded", db_path=at / "runs.duckdb"),
        "in memory": lambda at: _ours(),
        "thehutch, embedded": lambda at: _theirs(mode="embedded", db_path=at / "runs.duckdb"),
        "os.write of the same bytes": _floor,
        "daemon, server away": lambda at: _ours(
            mode="daemon", daemon_url=away, fallback_path=at / "queue.jsonl"
        ),
        "thehutch, daemon, server away": lambda at: _theirs(
            mode="daemon", daemon_url=away, fallback_path=at / "queue.jsonl"
        ),
    }
    found: dict[str, list[list[float]]] = {name: [] for name in contenders}
    for number in range(ROUNDS):
        for name, run in contenders.items():
            at = folder / f"{number}-{len(name)}"
            at.mkdir()
            found[name].append(sorted(run(at)))
    middles = {
        name: statistics.median(each[len(each) // 2] for each in rounds)
        for name, rounds in found.items()
    }
    lines = []
    for name, rounds in found.items():
        late = statistics.median(each[len(each) * 99 // 100] for each in rounds) * 1e6
        ratio = middles[name] / middles["embedded"]
        lines.append(
            f"{name:36} median {middles[name] * 1e6:8.2f} us   p99 {late:8.1f} us   {ratio:8.2f} x"
        )
    return lines


def _ours(**settings: Any) -> list[float]:
    hl.reset()
    hl.configure(hl.SDKConfig(**settings))
    took = []
    with hl.run("bench"):
        for number in range(EVENTS):
            start = time.perf_counter()
            hl.log_operator(child_id=f"ind-{number}", **FIELDS)
            took.append(time.perf_counter() - start)
    hl.reset()
    return took


def _theirs(**settings: Any) -> list[float]:
    hutch.configure(hutch.SDKConfig(**settings))
    took = []
    hutch.start_run(name="bench")
    for number in range(FEW):
        start = time.perf_counter()
        hutch.log_operator(child_id=f"ind-{number}", **FIELDS)
        took.append(time.perf_counter() - start)
    hutch.reset()
    return took


def _floor(at: Path) -> list[float]:
    [event] = [EVENT_ADAPTER.validate_python(each) for each in operators(1)]
    line = event.model_dump_json().encode() + b"\n"
    fd = os.open(at / "floor", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    took = []
    for _ in range(EVENTS):
        start = time.perf_counter()
        os.write(fd, line)
        took.append(time.perf_counter() - start)
    os.close(fd)
    return took


def _rates(folder: Path) -> list[str]:
    """Return how many events a second are in the table, the caller as fast as it can be."""

    def ours(at: Path) -> float:
        hl.reset()
        hl.configure(hl.SDKConfig(mode="embedded", db_path=at / "runs.duckdb"))
        run = hl.start_run(name="bench")
        start = time.perf_counter()
        for number in range(EVENTS * 5):
            run.log_operator(child_id=f"ind-{number}", **FIELDS)
        if not runtime().transport.flush(60):  # type: ignore[attr-defined]
            raise RuntimeError(runtime().transport)
        took = time.perf_counter() - start
        hl.reset()
        return EVENTS * 5 / took

    def theirs(at: Path) -> float:
        start = time.perf_counter()
        _theirs(mode="embedded", db_path=at / "runs.duckdb")
        return FEW / (time.perf_counter() - start)

    best = {"stored, embedded": 0.0, "stored, thehutch embedded": 0.0}
    for number in range(ROUNDS):
        for name, run in zip(best, (ours, theirs), strict=True):
            at = folder / f"rate-{number}-{len(name)}"
            at.mkdir()
            best[name] = max(best[name], run(at))
    first = best["stored, embedded"]
    return [
        f"{name:36} {rate:12,.0f} events/s   {first / rate:8.2f} x" for name, rate in best.items()
    ]
