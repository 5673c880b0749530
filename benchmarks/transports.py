"""What one operator event costs a loop where events are kept for good, and how fast they get there.

The caller's cost is that of ``log_operator``, the whole way through the SDK. Beside it stands Hutch
itself, with the same transport, and the least that anybody can do: one ``os.write`` of the bytes of
the event.
"""

from __future__ import annotations

import logging
import os
import shutil
import tempfile
import time
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from statistics import median
from typing import Any

import hutch

import hutch_lineage as hl
from hutch_lineage.model import EVENT_ADAPTER
from hutch_lineage.sdk import runtime
from tests.receivers import unused_port

from .delivery import FIELDS, timed
from .emission import operators
from .explorer.results import OURS, Figure, Results, markdown

THEIRS = "thehutch"
WRITE = "os.write"
TEXT = """\
## Keeping events

What an event costs the loop that logs it where it is kept for good, and how fast it gets there.

{table}

Measured {machine}.

Peer: thehutch {hutch}, with the same transport.

### How to read it

- **log_operator** is timed at the caller, the whole way through the SDK. `os.write` writes the
  bytes of one event to a file: what outlives a killed process cannot cost less.
- **daemon, server away**: no Hutch server answers, so events go to the fallback queue.
- **stored** runs until the last event stands in the table of the DuckDB file.
- Each has its turn in each of {rounds} rounds; the best round counts, which what else runs on the
  machine slowed least; of a p99 the median round.
"""


@dataclass(frozen=True)
class Plan:
    """How much to measure."""

    rounds: int = 5
    events: int = 2_000
    few: int = 300  # where one takes Hutch a millisecond


def run(plan: Plan) -> Results:
    """Measure."""
    logging.disable(logging.CRITICAL)
    results = Results(floors=(WRITE,), takes_best=True)
    folder = Path(tempfile.mkdtemp(prefix="hutch-lineage-bench-"))
    try:
        for number in range(plan.rounds):
            _costs(results, plan, folder / str(number))
            _rates(results, plan, folder / str(number))
    finally:
        logging.disable(logging.NOTSET)
        shutil.rmtree(folder, ignore_errors=True)
    return results


def page(results: Results, rounds: int) -> str:
    """Return the section of docs/performance.md."""
    table = "\n".join(markdown(results.rows()))
    machine, hutch_version = results.machine(), version("thehutch")
    return TEXT.format(table=table, machine=machine, hutch=hutch_version, rounds=rounds)


def lines(results: Results) -> list[str]:
    """Return the results as lines of text: the table, the machine."""
    return [*markdown(results.rows()), "", results.machine()]


def _costs(results: Results, plan: Plan, folder: Path) -> None:
    away = f"http://127.0.0.1:{unused_port()}"
    _note(results, "in memory", None, OURS, _ours(plan.events))
    how, goal = "embedded", 20.0
    for name, costs, events in ((OURS, _ours, plan.events), (THEIRS, _theirs, plan.few)):
        file = _fresh(folder, f"{name}-embedded") / "runs.duckdb"
        _note(results, how, goal, name, costs(events, mode="embedded", db_path=file))
    _note(results, how, goal, WRITE, _floor(_fresh(folder, "floor"), plan.events))
    for name, costs, events in ((OURS, _ours, plan.events), (THEIRS, _theirs, plan.few)):
        queue = _fresh(folder, f"{name}-daemon") / "queue.jsonl"
        took = costs(events, mode="daemon", daemon_url=away, fallback_path=queue)
        _note(results, "daemon, server away", None, name, took)


def _rates(results: Results, plan: Plan, folder: Path) -> None:
    figure = Figure("stored, embedded", "events/s")
    results.add(figure, OURS, _stored(_fresh(folder, "rate") / "runs.duckdb", 5 * plan.events))
    began = time.perf_counter()
    _theirs(plan.few, mode="embedded", db_path=_fresh(folder, "their-rate") / "runs.duckdb")
    results.add(figure, THEIRS, plan.few / (time.perf_counter() - began))


def _note(results: Results, how: str, goal: float | None, name: str, took: list[float]) -> None:
    ordered = sorted(took)
    results.add(Figure(f"log_operator, {how}, median", "us", goal), name, median(ordered) * 1e6)
    late = ordered[len(ordered) * 99 // 100]
    results.add(Figure(f"log_operator, {how}, p99", "us", seldom=True), name, late * 1e6)


def _fresh(folder: Path, name: str) -> Path:
    made = folder / name
    made.mkdir(parents=True)
    return made


def _ours(events: int, **settings: Any) -> list[float]:
    hl.reset()
    hl.configure(hl.SDKConfig(**settings))
    with hl.run("bench"):
        took = timed(lambda n: hl.log_operator(child_id=f"ind-{n}", **FIELDS), events)
    hl.reset()
    return took


def _theirs(events: int, **settings: Any) -> list[float]:
    hutch.configure(hutch.SDKConfig(**settings))
    hutch.start_run(name="bench")
    took = timed(lambda n: hutch.log_operator(child_id=f"ind-{n}", **FIELDS), events)
    hutch.reset()
    return took


def _floor(at: Path, events: int) -> list[float]:
    [event] = [EVENT_ADAPTER.validate_python(each) for each in operators(1)]
    line = event.model_dump_json().encode() + b"\n"
    fd = os.open(at / "floor", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    took = timed(lambda _: os.write(fd, line), events)
    os.close(fd)
    return took


def _stored(path: Path, events: int) -> float:
    """Return how many events a second are in the table, the caller as fast as it can be."""
    hl.reset()
    hl.configure(hl.SDKConfig(mode="embedded", db_path=path))
    started = hl.start_run(name="bench")
    start = time.perf_counter()
    for number in range(events):
        started.log_operator(child_id=f"ind-{number}", **FIELDS)
    if not runtime().transport.flush(60):  # type: ignore[attr-defined]
        raise RuntimeError(runtime().transport)
    took = time.perf_counter() - start
    hl.reset()
    return events / took
