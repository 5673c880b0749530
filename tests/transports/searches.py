"""A search as a process of its own: configured by the environment, and killed where asked."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

from hutch_lineage import Run

SEARCH = """
import json, logging, os, signal, sys
logging.basicConfig(level="INFO")
import hutch_lineage as hl
run = hl.start_run(name="search", run_id=sys.argv[1])
for number in range(int(sys.argv[2])):
    run.log_operator(kind="refine", child_id=f"c{number}")
    if sys.argv[3] == "stream":
        os.write(1, b"%d\\n" % number)
if sys.argv[3] == "kill":
    os.kill(os.getpid(), signal.SIGKILL)
if sys.argv[3] == "wait":
    print("ready", flush=True)
    sys.stdin.readline()
run.end()
"""


def search(run_id: str, count: int, end: str, environ: dict[str, Any], status: int = 0) -> str:
    """Run one to its end, which is ``kill`` or ``end``, and return what it logged."""
    process = _started(run_id, count, end, environ)
    _, logged = process.communicate(timeout=120)
    assert process.returncode == (-9 if end == "kill" else status), logged
    return logged


def killed_search(run_id: str, after_s: float, environ: dict[str, Any]) -> int:
    """Kill one in the middle, so long after its first event; return how many verbs returned."""
    process = _started(run_id, 1_000_000, "stream", environ)
    assert process.stdout is not None
    first = ""
    while not first.endswith("\n"):  # byte by byte: what a buffer took is not in the rest
        first += os.read(process.stdout.fileno(), 1).decode()
    time.sleep(after_s)
    process.kill()
    rest, _ = process.communicate(timeout=60)
    *said, _ = (first + rest).split("\n")
    return int(said[-1]) + 1


@contextlib.contextmanager
def waiting_search(run_id: str, environ: dict[str, Any]) -> Iterator[int]:
    """Run one that logs one operator and waits for the end of the block; yields its process id."""
    process = _started(run_id, 1, "wait", environ)
    try:
        assert process.stdout is not None
        while (line := process.stdout.readline()) != "ready\n":
            assert line
        yield process.pid
    finally:
        process.communicate("\n", timeout=60)


def send_interrupted(send: Callable[[str], None], count: int) -> list[str]:
    """Send so many children while KeyboardInterrupt comes again and again; return those sent."""
    armed = False

    def strike(number: int, frame: object) -> None:
        nonlocal armed
        if armed:
            armed = False
            raise KeyboardInterrupt

    sent = []
    before = signal.signal(signal.SIGALRM, strike)
    signal.setitimer(signal.ITIMER_REAL, 0.0007, 0.0007)
    try:
        for number in range(count):
            try:
                armed = True
                send(f"c{number}")
                armed = False
                sent.append(f"c{number}")
            except KeyboardInterrupt:
                pass
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert 0 < len(sent) < count
    return sent


IN_THREADS = [f"{thread}-{number:03}" for thread in range(8) for number in range(150)]
"""The children that :func:`log_in_threads` logs, thread by thread."""


def log_in_threads(run: Run) -> None:
    """Log 1,200 operators from 8 threads at once."""
    threads = [
        threading.Thread(
            target=lambda names=IN_THREADS[start : start + 150]: [
                run.log_operator(kind="refine", child_id=name) for name in names
            ]
        )
        for start in range(0, 1200, 150)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _started(run_id: str, count: int, end: str, environ: dict[str, Any]) -> subprocess.Popen[str]:
    kept = {k: v for k, v in os.environ.items() if not k.startswith("HUTCH_")}
    return subprocess.Popen(
        [sys.executable, "-c", SEARCH, run_id, str(count), end],
        env={**kept, **{name: str(value) for name, value in environ.items()}},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def children(events: list[Any]) -> list[str]:
    """The child ids of the operators among events, as Hutch's models or as JSON."""
    plain = [e if isinstance(e, dict) else json.loads(e.model_dump_json()) for e in events]
    return [e["payload"]["child_id"] for e in plain if e["event_kind"] == "operator"]
