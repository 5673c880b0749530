"""Worker processes of a kernel capture into its session."""

from __future__ import annotations

import textwrap

import pytest

from tests.support.kernel import Kernel

SEARCH = """
import multiprocessing
from joblib import Parallel, delayed

def work(run, number):
    child = run.log_individual(kind="program", parent_ids=["seed"], individual_id=f"c{number}")
    hl.log_operator(kind="mutate", parent_ids=["seed"], child_id=child.id)

explorer = hl.explore()
"""

WAYS = {
    "joblib": "Parallel(2)(delayed(work)(run, number) for number in range(6))",
    "fork": (
        "with multiprocessing.get_context('fork').Pool(2) as pool:\n"
        "    pool.starmap(work, [(run, number) for number in range(6)])"
    ),
}


@pytest.mark.parametrize("way", WAYS)
def test_workers_of_a_kernel(kernel: Kernel, way: str) -> None:
    """Functions of a cell, in workers: all that they log is in the kernel's session and picture."""
    assert kernel.run(SEARCH).count("Traceback") == 0
    body = textwrap.indent(WAYS[way], "    ")
    told = kernel.run(
        "with hl.run('search') as run:\n"
        "    run.log_individual(kind='program', individual_id='seed')\n"
        f"{body}\n"
        "graph = hl.lineage()\n"
        "from hutch_lineage.sdk import runtime\n"
        "print(graph.nx.number_of_nodes(), graph.nx.number_of_edges(),"
        " [e.event_kind for e in runtime().events].index('run_end'))",
        timeout_s=120,
    )
    assert told.splitlines()[-1] == "7 6 14"


def test_the_picture_grows_while_workers_work(kernel: Kernel) -> None:
    """The explorer has a worker's events before the worker has ended."""
    kernel.run(SEARCH)
    told = kernel.run(
        "def slow(run, number):\n"
        "    work(run, number)\n"
        "    deadline = time.monotonic() + 60\n"
        "    while not pathlib.Path(name).exists() and time.monotonic() < deadline:\n"
        "        time.sleep(0.02)\n"
        "    return pathlib.Path(name).exists()\n"
        "import tempfile, threading\n"
        "name = tempfile.mkdtemp() + '/seen'\n"
        "def look():\n"
        "    while len(runtime().events) < 4: time.sleep(0.02)\n"
        "    pathlib.Path(name).touch()\n"
        "from hutch_lineage.sdk import runtime\n"
        "threading.Thread(target=look).start()\n"
        "with hl.run('search') as run:\n"
        "    run.log_individual(kind='program', individual_id='seed')\n"
        "    print(Parallel(2)(delayed(slow)(run, number) for number in range(1)))",
        timeout_s=120,
    )
    assert told.splitlines()[-1] == "[True]"
