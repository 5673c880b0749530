"""Worker processes capture into the session: every way to start one, and every way to lose one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.receivers import Receiver
from tests.support.waiting import wait_until

METHODS = ("fork", "spawn", "forkserver")

PRELUDE = """
import concurrent.futures, logging, multiprocessing, os, signal, sys, time, warnings
import json
import hutch_lineage as hl
from hutch_lineage.sdk import runtime

warnings.simplefilter("ignore")  # newer Pythons warn of a fork with threads
logging.basicConfig(stream=sys.stdout, format="%(levelname)s %(message)s")

def with_handle(run, parent, number):
    child = run.log_individual(kind="program", parent_ids=[parent.id], individual_id=f"h{number}")
    run.log_operator(kind="mutate", parent_ids=[parent.id], child_id=child.id)

def alone(number):
    child = hl.log_individual(kind="program", parent_ids=["seed"], individual_id=f"a{number}")
    hl.log_operator(kind="mutate", parent_ids=["seed"], child_id=child.id)

def many(run, number, count):
    for step in range(count):
        run.log_operator(
            kind="mutate", parent_ids=["seed"], child_id=f"{number}-{step}",
            metadata={"step": step},
        )
    return os.getpid()

def seed(run):
    return run.log_individual(kind="program", individual_id="seed")

def tell(**more):
    events = runtime().events
    graph = hl.lineage()
    print(json.dumps({
        "kinds": [e.event_kind for e in events],
        "nodes": sorted(key.id for key in graph.nx),
        "edges": graph.nx.number_of_edges(),
        "ids": len({e.event_id for e in events}),
        "workers": sorted({e.worker_id for e in events if e.worker_id}),
        **more,
    }))
"""


def write(folder: Path, body: str) -> Path:
    """Write a program, as `spawn` needs it: with a main part that workers do not run."""
    path = folder / "search.py"
    indented = "".join(f"    {line}\n" for line in body.strip().splitlines())
    path.write_text(f'{PRELUDE}\nif __name__ == "__main__":\n{indented}')
    return path


def run(folder: Path, body: str, *arguments: str, **env: str) -> list[str]:
    """Run a program and return the lines that it printed; it must end well and in silence."""
    done = subprocess.run(
        [sys.executable, str(write(folder, body)), *arguments],
        capture_output=True, text=True, timeout=120, check=False, env={**os.environ, **env},
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


def told(folder: Path, body: str, *arguments: str, **env: str) -> dict[str, Any]:
    """Run a program and return what it told of its session."""
    (line,) = run(folder, body, *arguments, **env)
    found: dict[str, Any] = json.loads(line)
    return found


def sessions() -> list[Path]:
    """What is left in the folder of sessions."""
    return sorted(Path(os.environ["HUTCH_LINEAGE_SESSIONS"]).glob("*"))


def check(session: dict[str, Any], *names: str) -> None:
    """All children, their operators and nothing else; once; the end last."""
    assert Counter(session["kinds"]) == {
        "run_start": 1, "individual": 1 + len(names), "operator": len(names), "run_end": 1,
    }  # fmt: skip
    assert session["kinds"][-1] == "run_end"
    assert session["nodes"] == sorted(["seed", *names])
    assert session["edges"] == len(names)
    assert session["ids"] == len(session["kinds"])
    assert sessions() == []


# -- every way to start one ----------------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS)
def test_pool(tmp_path: Path, method: str) -> None:
    """A pool of any start method: with the run as an argument, and with module functions."""
    session = told(
        tmp_path,
        """
with hl.run("search") as run:
    parent = seed(run)
    with multiprocessing.get_context(sys.argv[1]).Pool(2) as pool:
        pool.starmap(with_handle, [(run, parent, number) for number in range(4)])
        pool.map(alone, range(4))
tell()
""",
        method,
    )
    check(session, *(f"{kind}{number}" for kind in "ha" for number in range(4)))
    assert 1 <= len(session["workers"]) <= 2
    pid, _, host = session["workers"][0].partition("@")
    assert (pid.isdecimal(), host) == (True, os.uname().nodename)


@pytest.mark.parametrize("method", METHODS)
def test_executor_made_before_the_run(tmp_path: Path, method: str) -> None:
    """Workers that are older than the run find it; and the next one, too."""
    session = told(
        tmp_path,
        """
context = multiprocessing.get_context(sys.argv[1])
with concurrent.futures.ProcessPoolExecutor(2, mp_context=context) as pool:
    list(pool.map(abs, range(4)))  # all of them are up
    with hl.run("first"):
        list(pool.map(alone, range(2)))
    with hl.run("second") as run:
        seed(run)
        list(pool.map(alone, range(2, 4)))
events = runtime().events
second = run.id
tell(second=sorted(e.payload.id for e in events
                   if e.run_id == second and e.event_kind == "individual"))
""",
        method,
    )
    assert session["second"] == ["a2", "a3", "seed"]
    assert session["ids"] == len(session["kinds"]) == 2 * 2 + 4 * 2 + 1
    assert sessions() == []


@pytest.mark.parametrize("backend", ["loky", "multiprocessing"])
def test_joblib(tmp_path: Path, backend: str) -> None:
    """joblib, whose workers are used again by the next session of the process."""
    session = told(
        tmp_path,
        """
from joblib import Parallel, delayed
def parallel(calls): Parallel(2, backend=sys.argv[1])(calls)
for _ in range(2):
    hl.reset()
    with hl.run("search") as run:
        parent = seed(run)
        parallel(delayed(with_handle)(run, parent, number) for number in range(4))
        parallel(delayed(alone)(number) for number in range(4))
tell()
""",
        backend,
    )
    check(session, *(f"{kind}{number}" for kind in "ha" for number in range(4)))


def test_a_former_session_takes_nothing(tmp_path: Path) -> None:
    """Workers that go on after `reset` log to the new session, whoever still looks at the old."""
    session = told(
        tmp_path,
        """
from hutch_lineage.session import current_session
with multiprocessing.get_context("fork").Pool(1) as pool:
    with hl.run("former") as run:
        pool.apply(alone, (0,))
    former = current_session()
    assert former.graph.nx.number_of_edges() == 1
    hl.reset()
    with hl.run("search") as run:
        seed(run)
        pool.apply(alone, (1,))
        assert former.graph.nx.number_of_edges() == 1
tell()
""",
    )
    check(session, "a1")


def test_single_processes(tmp_path: Path) -> None:
    """A process for each step, as `maxtasksperchild=1` has it too, leaves no file behind."""
    session = told(
        tmp_path,
        """
with hl.run("search") as run:
    seed(run)
    for number in range(5):
        process = multiprocessing.get_context("fork").Process(target=alone, args=(number,))
        process.start()
        process.join()
    names = os.listdir(runtime().ties.folder)
    runtime().gather()
    left = os.listdir(runtime().ties.folder)
tell(files=[len(names), len(left)])
""",
    )
    check(session, *(f"a{number}" for number in range(5)))
    assert session["files"] == [2 + 5, 2]


def test_workers_of_workers(tmp_path: Path) -> None:
    """They log to the same session, also where the worker between them logs nothing."""
    session = told(
        tmp_path,
        """
import functools
class Island(multiprocessing.get_context("fork").Process):
    def run(self):
        inner = multiprocessing.get_context("spawn").Process(target=alone, args=(1,))
        inner.start()
        inner.join()
        alone(2)
        if os.fork() == 0:
            alone(3)
            os._exit(0)
        os.wait()
with hl.run("search") as run:
    seed(run)
    island = Island()
    island.start()
    island.join()
tell()
""",
    )
    check(session, "a1", "a2", "a3")
    assert len(session["workers"]) == 3


def test_fork_in_a_thread(tmp_path: Path) -> None:
    """A fork in another thread, where the run is not the active one, and others are busy."""
    session = told(
        tmp_path,
        """
import threading
hl.configure(hl.SDKConfig(openlineage_endpoint="in-memory"))
with hl.run("search") as run:
    seed(run)
    stop = threading.Event()
    def busy():
        while not stop.is_set():
            run.log_stream_event(label="busy")
    def forks():
        for number in range(5):
            child = os.fork()
            if child == 0:
                alone(number)
                os._exit(0)
            os.waitpid(child, 0)
    threads = [threading.Thread(target=busy), threading.Thread(target=forks)]
    for thread in threads: thread.start()
    threads[1].join()
    stop.set()
    threads[0].join()
kinds = [e.event_kind for e in runtime().events if e.event_kind != "stream_event"]
print(json.dumps(kinds))
""",
    )
    assert Counter(session) == {"run_start": 1, "individual": 6, "operator": 5, "run_end": 1}  # type: ignore[arg-type]
    assert session[-1] == "run_end"  # type: ignore[index]


def test_another_program(tmp_path: Path) -> None:
    """A program that was told of the run logs to it; one that was not is on its own."""
    session = told(
        tmp_path,
        """
import subprocess
code = "import hutch_lineage as hl; hl.log_individual(kind='program', individual_id='other')"
with hl.run("search") as run:
    seed(run)
    run.for_workers()
    strange = subprocess.run([sys.executable, "-c", code], stderr=subprocess.PIPE, text=True)
    with hl.run("another"):
        told = {**os.environ, **run.for_workers()}
        subprocess.run([sys.executable, "-c", code], check=True, env=told)
tell(strange=strange.stderr, mine=[e.event_kind for e in runtime().events if e.run_id == run.id])
""",
    )
    assert "NoActiveRunError: no run is open: start one" in session["strange"]
    assert session["mine"] == ["run_start", "individual", "individual", "run_end"]
    assert session["nodes"] == ["other", "seed"]


# -- what a worker may do ------------------------------------------------------------------------


def test_a_worker_does_not_end_the_run(tmp_path: Path) -> None:
    """Neither by leaving the block that it was forked in nor by a call, which is told."""
    lines = run(
        tmp_path,
        """
parent = os.getpid()
try:
    with hl.run("search") as run:
        seed(run)
        if os.fork() == 0:
            sys.exit(3)
        print(os.waitstatus_to_exitcode(os.wait()[1]), flush=True)
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            pool.apply(type(run).end, (run,))
        hl.log_stream_event(label="still open")
finally:
    if os.getpid() == parent:
        print([e.event_kind for e in runtime().events], run.status)
""",
    )
    assert lines[0] == "3"
    assert lines[1].startswith("WARNING run search was started by another process")
    kinds = ["run_start", "individual", "stream_event", "run_end"]
    assert lines[2] == f"{kinds} finished"


def test_a_run_of_a_worker(tmp_path: Path) -> None:
    """A run that a worker starts is the session's, too, from its start to its end."""
    session = told(
        tmp_path,
        """
def island(number):
    with hl.run(f"island {number}"):
        alone(number)
with hl.run("search") as run:
    seed(run)
    for number in range(2):
        process = multiprocessing.get_context("fork").Process(target=island, args=(number,))
        process.start()
        process.join()
events = runtime().events
island = [e.event_kind for e in events if e.run_id != run.id]
tell(island=island)
""",
    )
    assert session["island"] == 2 * ["run_start", "individual", "operator", "run_end"]
    assert session["kinds"][-1] == "run_end"


@pytest.mark.parametrize("method", METHODS)
def test_a_worker_that_configures(tmp_path: Path, method: str) -> None:
    """Settings in a worker, as at the top of a program, do not take it out of the session."""
    with Receiver() as receiver:
        session = told(
            tmp_path,
            """
def work(number):
    hl.configure(hl.SDKConfig(openlineage_endpoint=sys.argv[2]))
    alone(number)
    return hl.emitter() is None
globals()["work"] = work
work.__module__ = "__main__"
with hl.run("search") as run:
    seed(run)
    with multiprocessing.get_context(sys.argv[1]).Pool(2) as pool:
        emitters = pool.map(alone if sys.argv[1] != "fork" else work, range(4))
tell(emitters=emitters)
""",
            method,
            receiver.url,
        )
        assert receiver.requests == []
    check(session, *(f"a{number}" for number in range(4)))


def test_strict(tmp_path: Path) -> None:
    """Strict holds in workers as well, and what the backend refuses raises at the end."""
    with Receiver(201, 201, then=400) as receiver:
        lines = run(
            tmp_path,
            """
logging.disable()
hl.configure(hl.SDKConfig(openlineage_endpoint=sys.argv[1], strict=True))
run = hl.start_run(name="search")
with multiprocessing.get_context("spawn").Pool(1) as pool:
    try:
        pool.apply(run.log_fitness, (), {"individual": "a", "scores": {"loss": float("nan")}})
    except hl.HutchLineageError as error:
        print(type(error).__name__)
    pool.starmap(many, [(run, 1, 3)])
try:
    run.end()
except hl.HutchLineageError as error:
    print(type(error).__name__)
print(run.ended, [e.event_kind for e in runtime().events])
""",
            receiver.url,
        )
    kinds = ["run_start", *3 * ["operator"], "run_end"]
    assert lines == ["CaptureError", "DeliveryError", f"True {kinds}"]


def test_hooks_are_the_parents(tmp_path: Path) -> None:
    """What a notebook does at each verb, with the sockets of its kernel, is not done in a child."""
    lines = run(
        tmp_path,
        """
from hutch_lineage.sdk import before_verb
before_verb.append(lambda: print("hook", os.getpid() == parent, flush=True))
parent = os.getpid()
with hl.run("search") as run:
    if os.fork() == 0:
        run.log_stream_event(label="quiet")
        os._exit(0)
    os.wait()
print([e.event_kind for e in runtime().events])
""",
    )
    assert lines == ["hook True"] * 2 + ["['run_start', 'stream_event', 'run_end']"]


def test_switched_off(tmp_path: Path) -> None:
    """HUTCH_LINEAGE_SESSIONS=off: a forked child keeps its events, and says so."""
    lines = run(
        tmp_path,
        """
with hl.run("search") as run:
    if os.fork() == 0:
        alone(1)
        os._exit(0)
    os.wait()
print([e.event_kind for e in runtime().events])
""",
        HUTCH_LINEAGE_SESSIONS="off",
    )
    assert "the events logged in it stay in it" in lines[0]
    assert lines[1:] == ["['run_start', 'run_end']"]


def test_without_workers_nothing_is_made(tmp_path: Path) -> None:
    """A session without workers has neither a folder nor a thread, and loads nothing for them."""
    lines = run(
        tmp_path,
        """
for name in [name for name in sys.modules if name.startswith("multiprocessing")]:
    del sys.modules[name]
hl.configure(hl.SDKConfig(openlineage_endpoint="in-memory"))
with hl.run("search") as run:
    seed(run)
import threading
print(threading.active_count(), os.path.exists(os.environ["HUTCH_LINEAGE_SESSIONS"]))
print([name for name in sys.modules if name.startswith(("hutch_lineage.workers", "multipro"))])
""",
    )
    assert lines == ["1 False", "[]"]


# -- how it comes to the parent ------------------------------------------------------------------


def test_seen_while_they_work(tmp_path: Path) -> None:
    """In live mode the backend has a worker's events while the parent waits for that worker."""
    with Receiver() as receiver:
        path = write(
            tmp_path,
            """
hl.configure(hl.SDKConfig(openlineage_endpoint=sys.argv[1]))
with hl.run("search") as run:
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        pool.apply(many, (run, 0, 3))
        pool.apply(time.sleep, (float(sys.argv[2]),))
""",
        )
        with subprocess.Popen([sys.executable, str(path), receiver.url, "3"]) as program:
            events = receiver.wait_for(4)
            assert program.poll() is None
            program.wait(30)
            events = receiver.wait_for(5)
    assert [each["eventType"] for each in events] == ["START", *3 * ["RUNNING"], "COMPLETE"]


def test_eight_workers_live(tmp_path: Path) -> None:
    """8 x 500 events: each reaches the backend once, in its worker's order, before COMPLETE."""
    with Receiver() as receiver:
        (line,) = run(
            tmp_path,
            """
hl.configure(hl.SDKConfig(openlineage_endpoint=sys.argv[1]))
with hl.run("search") as run:
    with multiprocessing.get_context("fork").Pool(8) as pool:
        pool.starmap(many, [(run, number, 500) for number in range(8)], chunksize=1)
print(hl.emitter().flush(60), len(runtime().events))
""",
            receiver.url,
        )
        events = receiver.events
    assert line == "True 4002"
    assert [events[0]["eventType"], events[-1]["eventType"]] == ["START", "COMPLETE"]
    children = [each["outputs"][0]["name"].partition(":")[2] for each in events[1:-1]]
    assert len(children) == len(set(children)) == 4000
    for worker in range(8):
        steps = [int(name.split("-")[1]) for name in children if name.startswith(f"{worker}-")]
        assert steps == list(range(500))
    assert sessions() == []


def test_what_is_read_is_complete(tmp_path: Path) -> None:
    """Whoever looks, at the graph, the emitter or the events, sees what workers have written."""
    session = told(
        tmp_path,
        """
hl.configure(hl.SDKConfig(openlineage_endpoint="in-memory"))
emitter = hl.emitter()
with hl.run("search") as run:
    seed(run)
    seen = []
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        for number in range(3):
            pool.apply(alone, (number,))
            seen.append([hl.lineage().nx.number_of_edges(), len(emitter.captured_events)])
tell(seen=seen)
""",
    )
    assert session["seen"] == [[1, 2], [2, 3], [3, 4]]
    check(session, "a0", "a1", "a2")


# -- every way to lose one -----------------------------------------------------------------------


def test_a_sink_that_reads(tmp_path: Path) -> None:
    """One that reads all there is whenever it is handed an event disturbs neither order nor end."""
    session = told(
        tmp_path,
        """
class Curious:
    name = "curious"
    seen = 0
    def accept(self, event):
        self.seen += 1
        hl.lineage()
curious = Curious()
runtime().tee.add(curious)
with hl.run("search") as run:
    seed(run)
    with multiprocessing.get_context("fork").Pool(2) as pool:
        pool.starmap(many, [(run, number, 20) for number in range(2)])
orders = [[e.payload.metadata["step"] for e in runtime().events if e.event_kind == "operator"
           and e.payload.child_id.startswith(f"{number}-")] for number in range(2)]
tell(orders=orders, seen=curious.seen)
""",
    )
    assert session["orders"] == 2 * [list(range(20))]
    assert session["seen"] == session["ids"] == len(session["kinds"]) == 43
    assert session["kinds"][-1] == "run_end"


def test_a_killed_worker_loses_nothing(tmp_path: Path) -> None:
    """What a worker had logged when it was killed is there; so is what it logs when terminated."""
    lines = run(
        tmp_path,
        """
def endless(run, pipe):
    for number in range(10**9):
        run.log_operator(kind="mutate", parent_ids=["seed"], child_id=str(number))
        pipe.send(number)
context = multiprocessing.get_context("fork")
with hl.run("search") as run:
    for sign in (signal.SIGKILL, signal.SIGTERM):
        ours, theirs = context.Pipe()
        process = context.Process(target=endless, args=(run, theirs), daemon=True)
        process.start()
        theirs.close()
        while (last := ours.recv()) < 200: pass
        os.kill(process.pid, sign)
        process.join()
        try:
            while True: last = ours.recv()
        except EOFError: pass
        runtime().gather()
        found = [int(e.payload.child_id) for e in runtime().events
                 if e.event_kind == "operator" and e.worker_id.startswith(f"{process.pid}@")]
        print(found == list(range(len(found))), len(found) - last)
""",
    )
    assert lines in [[f"True {one}", f"True {two}"] for one in (1, 2) for two in (1, 2)]
    assert sessions() == []


def test_a_worker_that_outlives_the_run(tmp_path: Path) -> None:
    """What it logs after the end is kept, with a WARNING, up to the end of the process."""
    lines = run(
        tmp_path,
        """
def late(run):
    run.log_stream_event(label="before")
    os.read(reading, 1)
    run.log_stream_event(label="after")
reading, writing = os.pipe()
with hl.run("search") as run:
    process = multiprocessing.get_context("fork").Process(target=late, args=(run,))
    process.start()
    while len(runtime().events) < 2:
        time.sleep(0.01)
        runtime().gather()
os.write(writing, b"x")
process.join()
runtime().gather()
print([e.event_kind for e in runtime().events])
""",
    )
    assert lines[0].startswith("WARNING a worker logged to run search after its end")
    assert lines[1] == "['run_start', 'stream_event', 'run_end', 'stream_event']"
    assert sessions() == []


def test_a_worker_that_is_joined_at_the_exit(tmp_path: Path) -> None:
    """A process that nobody waits for is waited for at the exit: its events are sent, too."""
    with Receiver() as receiver:
        lines = run(
            tmp_path,
            """
def late():
    os.read(reading, 1)
    time.sleep(0.5)
    hl.log_operator(kind="mutate", parent_ids=["seed"], child_id="late")
reading, writing = os.pipe()
hl.configure(hl.SDKConfig(openlineage_endpoint=sys.argv[1]))
run = hl.start_run(name="search")
multiprocessing.get_context("fork").Process(target=late).start()
os.write(writing, b"x")
""",
            receiver.url,
        )
        assert lines == []
        events = receiver.wait_for(2)
    assert [each["eventType"] for each in events] == ["START", "RUNNING"]
    assert sessions() == []


def test_a_worker_that_outlives_its_session(tmp_path: Path) -> None:
    """What it logs is left in the folder, and the next session tells of it."""
    (name,) = run(
        tmp_path,
        """
reading, writing = os.pipe()
started = os.pipe()
with hl.run("search") as run:
    child = os.fork()
    if child == 0:
        os.close(writing)
        run.log_stream_event(label="before")
        os.write(started[1], b"x")
        os.read(reading, 1)
        time.sleep(0.3)
        os.setsid()
        run.log_stream_event(label="after")
        os._exit(0)
    os.read(started[0], 1)
print(runtime().ties.folder)
""",
    )
    folder = Path(name)
    assert sessions() == [folder]
    wait_until(lambda: any("after" in path.read_text() for path in folder.glob("*.ndjson")))
    said = f"1 event of workers waits in {folder}"
    plain = "import sys, hutch_lineage as hl\nhl.start_run(name='next')\n"
    done = subprocess.run(
        [sys.executable, "-c", plain + "print('multiprocessing' in sys.modules)"],
        capture_output=True, text=True, timeout=120, check=True,
    )  # fmt: skip
    assert (done.stdout, done.stderr.startswith(said)) == ("False\n", True)
    lines = run(tmp_path, "with hl.run('next') as run: run.for_workers()")
    assert [line.startswith(f"WARNING {said}") for line in lines] == [True]


def test_a_killed_parent(tmp_path: Path) -> None:
    """What its workers had written and it had not taken stays, and is told."""
    path = write(
        tmp_path,
        """
def endless(run):
    for number in range(10**9):
        run.log_operator(kind="mutate", parent_ids=["seed"], child_id=str(number))
        if number == 100: print("ready", flush=True)
        if os.getppid() != parent: os._exit(0)
parent = os.getpid()
with hl.run("search") as run:
    process = multiprocessing.get_context("fork").Process(target=endless, args=(run,))
    process.start()
    process.join()
""",
    )
    program = subprocess.Popen([sys.executable, str(path)], stdout=subprocess.PIPE, text=True)
    assert program.stdout is not None
    try:
        assert program.stdout.readline() == "ready\n"
    finally:
        program.kill()
        program.wait(20)
    program.stdout.read()  # the worker has ended as well
    program.stdout.close()
    (folder,) = sessions()
    (letters,) = folder.glob("*.ndjson")
    children = [
        json.loads(line)["payload"]["child_id"] for line in letters.read_text().splitlines()
    ]
    assert len(children) > 100
    assert children == [str(number) for number in range(len(children))]
    lines = run(tmp_path, "with hl.run('next') as run: run.for_workers()")
    assert lines[0].startswith(f"WARNING {len(children)} events of workers wait in {folder}")
    assert sessions() == [folder]


def test_the_disk_is_full(tmp_path: Path) -> None:
    """The worker goes on, its events wait in its memory, and come once there is room."""
    lines = run(
        tmp_path,
        """
import resource
def work(run):
    free = resource.getrlimit(resource.RLIMIT_FSIZE)
    many(run, 0, 2)
    resource.setrlimit(resource.RLIMIT_FSIZE, (500, free[1]))
    many(run, 1, 2)
    resource.setrlimit(resource.RLIMIT_FSIZE, free)
    many(run, 2, 2)
with hl.run("search") as run:
    process = multiprocessing.get_context("fork").Process(target=work, args=(run,))
    process.start()
    process.join()
print([e.payload.child_id for e in runtime().events if e.event_kind == "operator"])
""",
    )
    assert "the events of this worker wait in its memory" in lines[0]
    assert lines[1:] == [str([f"{a}-{b}" for a in range(3) for b in range(2)])]
