"""The SDK in a process: first use, forks, threads at the end."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

import hutch_lineage as hl
from hutch_lineage.sdk import runtime


def _python(code: str, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={**os.environ, **env},
    )


def test_one_runtime() -> None:
    """Threads that log first at the same moment share one runtime."""
    barrier = threading.Barrier(8)

    def first(_: int) -> object:
        barrier.wait(10)
        return runtime()

    with ThreadPoolExecutor(8) as pool:
        assert len(set(pool.map(first, range(8)))) == 1


def test_verbs_load_nothing_heavy() -> None:
    """Logging loads neither pandas, networkx, requests, numpy nor IPython."""
    done = _python(
        "import sys, hutch_lineage as hl\n"
        "with hl.run('r'): hl.log_individual(kind='program')\n"
        "heavy = {'pandas', 'networkx', 'requests', 'numpy', 'IPython', 'duckdb'}\n"
        "print(sorted(heavy & sys.modules.keys()))"
    )
    assert (done.stdout, done.stderr) == ("[]\n", "")


def test_quiet_exit() -> None:
    """A process that ends with an open run, or after an exception, ends without noise."""
    done = _python("import hutch_lineage as hl; hl.start_run(); hl.log_individual(kind='program')")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


FORK = """
import logging, os, sys, threading, warnings
import hutch_lineage as hl
from hutch_lineage.sdk import runtime
from hutch_lineage.session import current_session

warnings.simplefilter("ignore")  # newer Pythons warn of a fork with threads
logging.basicConfig(stream=sys.stdout, format="%(levelname)s %(message)s")
sdk = runtime()
run = hl.start_run(name="r", run_id="x")
session, graph = current_session(), hl.lineage()
hold, held = threading.Event(), threading.Event()

def keep_locks():
    with sdk._lock, sdk.start_lock, sdk.tee._lock, run._end_lock, session._lock, graph.lock:
        held.set()
        hold.wait(30)

thread = threading.Thread(target=keep_locks)
thread.start()
held.wait(30)
child = os.fork()
if child == 0:
    hl.log_individual(kind="program")
    run.log_individual(kind="program")
    hl.start_run(name="own")
    sdk.ensure_emitter()
    run.end()
    print("child", len(sdk.open_runs()), hl.lineage(), flush=True)
    os._exit(0)
hold.set()
thread.join()
os.waitpid(child, 0)
hl.end_run()
print("parent", len(sdk.events), len(sdk.open_runs()), hl.lineage())
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_fork() -> None:
    """A forked child logs to its parent even if all locks were held, and can look at it."""
    done = _python(FORK)
    assert done.stderr == ""
    warning, child, parent = done.stdout.splitlines()
    assert warning.startswith("WARNING run r was started by another process, which alone ends it")
    seen = "LineageGraph(0 individuals, 0 agents, 0 edges, 1 run)"
    assert child == f"child 2 {seen}"
    assert parent == "parent 5 0 LineageGraph(2 individuals, 0 agents, 0 edges, 2 runs)"


def test_environment_of_a_process() -> None:
    """HUTCH_STRICT=1 in the environment makes a loss an exception."""
    code = (
        "import hutch_lineage as hl\n"
        "hl.start_run()\n"
        "try: hl.log_fitness(individual='a', scores={'loss': float('nan')})\n"
        "except hl.HutchLineageError as error: print(type(error).__name__)"
    )
    assert _python(code, HUTCH_STRICT="1").stdout == "CaptureError\n"


def test_many_threads() -> None:
    """Events of many threads all arrive, each whole."""
    with hl.run("r") as run, ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: run.log_operator(kind="mutate", child_id=str(n)), range(800)))
    children = {event.payload.child_id for event in runtime().events[1:-1]}
    assert children == {str(number) for number in range(800)}
