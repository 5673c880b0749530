"""The command line on what the workers of a session left that was killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import hutch_lineage as hl
from hutch_lineage.cli.main import cli
from tests.receivers import Receiver, unused_port
from tests.support.waiting import wait_until

SEARCH = """
import multiprocessing, os, sys, time
import hutch_lineage as hl

def work(run):
    for number in range(200):
        if number == 100:
            while not os.path.exists("go on"): time.sleep(0.01)
        run.log_operator(kind="mutate", parent_ids=["seed"], child_id=str(number))
    open("done", "w").close()

if __name__ == "__main__":
    if len(sys.argv) > 1:
        hl.configure(hl.SDKConfig(openlineage_endpoint=sys.argv[1]))
    with hl.run("search") as run:
        process = multiprocessing.get_context("fork").Process(target=work, args=(run,))
        process.start()
        process.join()
"""


def call(*words: str) -> Result:
    """Run the command with these words."""
    return CliRunner().invoke(cli, words)


def kill_half_way(folder: Path, *arguments: str) -> Path:
    """Kill a session while its worker goes on; return its folder."""
    (folder / "search.py").write_text(SEARCH)
    program = subprocess.Popen([sys.executable, "search.py", *arguments], cwd=folder)
    root = Path(os.environ["HUTCH_LINEAGE_SESSIONS"])

    def taken() -> bool:
        """Whether the session has all of the first half, or cares for none of it."""
        for path in root.glob("*/*.ndjson"):
            if path.read_bytes().count(b"\n") == 100:
                noted = path.with_suffix(".taken")
                size = b"%020d" % path.stat().st_size
                return not arguments or (noted.exists() and noted.read_bytes() == size)
        return False

    try:
        wait_until(taken, 60)
        program.send_signal(signal.SIGSTOP)
        (folder / "go on").touch()
        wait_until((folder / "done").exists, 60)
    finally:
        (folder / "go on").touch()
        program.kill()
        program.wait(20)
    (session,) = root.iterdir()
    wait_until(lambda: "worker of it lives" not in call("status").output)
    return session


def test_flush_sends_what_workers_left(tmp_path: Path) -> None:
    """Session and worker were ended in an outage: all of both arrives, once, in order."""
    port = unused_port()
    url = f"http://127.0.0.1:{port}"
    session = kill_half_way(tmp_path, url)
    said = call("status").output
    assert f"{session}\n  left by workers of process " in said
    assert ": 100 events\n  meant for " in said
    with Receiver(port=port) as receiver:
        done = call("flush")
        events = receiver.events
    assert (done.exit_code, "sent 201 events to " in done.output) == (0, True)
    assert [each["eventType"] for each in events] == ["START", *200 * ["RUNNING"]]
    assert {each["job"]["name"] for each in events} == {"search"}
    children = [each["outputs"][0]["name"].partition(":")[2] for each in events[1:]]
    assert children == [str(number) for number in range(200)]
    assert not session.exists()
    assert call("status").output.startswith("nothing waits")


def test_what_was_meant_for_no_backend(tmp_path: Path) -> None:
    """It is told, left where it is, and can be opened."""
    session = kill_half_way(tmp_path)
    said = call("status").output
    assert f"{session}\n  left by workers of process " in said
    assert ": 200 events\n  meant for no backend: `hutch-lineage load FILE` opens" in said
    assert call("flush").output == "nothing to send\n"
    (letters,) = session.glob("*.ndjson")
    graph = hl.load(letters)
    assert graph.nx.number_of_edges() == 200


def test_a_journal_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Then the events stay with the session, and the exit code says so."""
    session = kill_half_way(tmp_path, f"http://127.0.0.1:{unused_port()}")
    root = Path(os.environ["HUTCH_OPENLINEAGE_JOURNAL"])
    root.rename(tmp_path / "moved")
    root.write_text("no folder")
    done = call("flush", "--timeout", "0.1")
    assert (done.exit_code, "cannot be moved to the journal" in done.output) == (1, True)
    assert session.exists()


BUSY = """
import multiprocessing, os, sys, time
import hutch_lineage as hl

def work(run, worker):
    number = 0
    while os.getppid() == parent:
        run.log_operator(kind="mutate", parent_ids=["seed"], child_id=f"{worker}-{number}")
        number += 1
        time.sleep(0.001)
    open(f"last-{worker}", "w").write(str(number - 1))

parent = os.getpid()
if __name__ == "__main__":
    hl.configure(hl.SDKConfig(openlineage_endpoint=sys.argv[1]))
    with hl.run("search") as run:
        context = multiprocessing.get_context("fork")
        workers = [context.Process(target=work, args=(run, worker)) for worker in range(3)]
        for process in workers: process.start()
        for process in workers: process.join()
"""


@pytest.mark.parametrize("after_s", [0.3, 0.8])
def test_a_session_killed_at_any_moment(tmp_path: Path, after_s: float) -> None:
    """Whatever it did just then: all that its workers logged arrives, a worker's in order."""
    (tmp_path / "search.py").write_text(BUSY)
    with Receiver() as receiver:
        program = subprocess.Popen([sys.executable, "search.py", receiver.url], cwd=tmp_path)
        try:
            receiver.wait_for(2, 60)
            time.sleep(after_s)
        finally:
            program.kill()
            program.wait(20)
        last = [tmp_path / f"last-{worker}" for worker in range(3)]
        wait_until(lambda: all(path.exists() and path.read_text() for path in last), 60)
        wait_until(lambda: "worker of it lives" not in call("status").output)
        assert call("flush", "--timeout", "120").exit_code == 0
        events = receiver.events
    children = [each["outputs"][0]["name"].partition(":")[2] for each in events[1:]]
    for worker, path in enumerate(last):
        mine = [int(name.split("-")[1]) for name in children if name.startswith(f"{worker}-")]
        assert list(dict.fromkeys(mine)) == list(range(int(path.read_text()) + 1))
    twice = len(children) - len(set(children))
    assert twice <= 64 + 1  # what was taken in and not noted yet, and what was being posted
    assert call("status").output.startswith("nothing waits")
