"""A DuckDB file that the real Hutch reads and serves; nothing is lost and nobody waits."""

from __future__ import annotations

import json
import logging
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest
from hutch.store import open_and_migrate, open_db, read_events

import hutch_lineage as hl
from hutch_lineage.errors import CaptureError, StoreBusyError, StoreError
from hutch_lineage.model import OperatorEvent
from hutch_lineage.sdk import SDKConfig, runtime
from hutch_lineage.session import current_session
from hutch_lineage.transports import EmbeddedTransport
from tests.hutch_server import HutchServer
from tests.support.search import RUN, island_search
from tests.transports.searches import (
    IN_THREADS,
    children,
    killed_search,
    log_in_threads,
    search,
    send_interrupted,
    waiting_search,
)


@pytest.fixture
def db(tmp_path: Path) -> Path:
    """Where the file will be."""
    return tmp_path / "runs.duckdb"


def operator(child: str, run_id: str = "r") -> OperatorEvent:
    """One event."""
    payload = {"id": f"op-{child}", "kind": "refine", "child_id": child}
    return OperatorEvent.model_validate({"run_id": run_id, "payload": payload})


def stored(db: Path, run_id: str = "r") -> list[str]:
    """The children that the real Hutch reads from a closed file."""
    connection = open_and_migrate(db)
    try:
        return children(read_events(connection, run_id))
    finally:
        connection.close()


def configure(db: Path, **more: object) -> None:
    """Use the file."""
    hl.configure(SDKConfig(mode="embedded", db_path=db, **more))


# -- what is in the file ---------------------------------------------------------------------


def test_hutch_reads_what_was_logged(db: Path) -> None:
    """Every event of a search comes back from Hutch's own reader, equal to what was sent."""
    events = island_search(generations=4)
    transport = EmbeddedTransport(db)
    for event in events:
        transport.send(event)
    transport.close()
    connection = open_and_migrate(db)
    found = read_events(connection, RUN)
    connection.close()
    assert [json.loads(e.model_dump_json()) for e in found] == [
        json.loads(e.model_dump_json()) for e in events
    ]


def test_odd_texts_and_numbers_come_back(db: Path) -> None:
    """Line separators, quotes, large and small numbers are stored as they are."""
    odd = {"text": 'a\u2028b\x85c"payload":{\\', "big": 2**62, "tiny": 5e-324, "sum": 0.1 + 0.2}
    configure(db)
    with hl.run("r") as run:
        run.log_individual(kind="program", individual_id="\u2029☃", metadata=odd)
    hl.reset()
    connection = open_and_migrate(db)
    [_, individual, _] = read_events(connection, run.id)
    connection.close()
    assert (individual.payload.id, individual.payload.metadata) == ("\u2029☃", odd)


def test_the_table_is_hutchs_own(tmp_path: Path) -> None:
    """Columns, types and indexes are those that Hutch's migration makes, and it runs over ours."""
    EmbeddedTransport(tmp_path / "ours.duckdb").close()
    facts = []
    for name, opened in (("ours", open_db), ("theirs", open_and_migrate)):
        connection = opened(tmp_path / f"{name}.duckdb")
        columns = connection.execute("DESCRIBE events").fetchall()
        indexes = connection.execute(
            "SELECT index_name, expressions FROM duckdb_indexes() WHERE table_name = 'events' "
            "ORDER BY ALL"
        ).fetchall()
        facts.append((columns, indexes))
        connection.close()
    assert facts[0] == facts[1]
    open_and_migrate(tmp_path / "ours.duckdb").close()


def test_hutchs_own_file_is_gone_on_with(db: Path) -> None:
    """A file that Hutch made takes further events, and an event id is stored once."""
    open_and_migrate(db).close()
    event = operator("a")
    for _ in range(2):
        transport = EmbeddedTransport(db)
        transport.send(event)
        transport.send(event)
        transport.close()
    assert stored(db) == ["a"]


def test_hutch_serves_the_file(db: Path) -> None:
    """`hutch serve` opens the file once it is closed, and answers with all of it."""
    configure(db)
    with hl.run("r") as run:
        for number in range(20):
            run.log_operator(kind="refine", child_id=f"c{number}")
    hl.reset()
    with HutchServer(db) as server:
        assert children(server.events(run.id)) == [f"c{n}" for n in range(20)]


def test_a_copy_of_the_one_file_is_whole(db: Path, tmp_path: Path) -> None:
    """After close nothing is beside the file, and a copy of it holds everything."""
    configure(db)
    with hl.run("r") as run:
        run.log_operator(kind="refine", child_id="c")
    hl.reset()
    assert [path.name for path in tmp_path.iterdir()] == [db.name]
    shutil.copy(db, tmp_path / "copy.duckdb")
    assert stored(tmp_path / "copy.duckdb", run.id) == ["c"]


# -- threads, runs, processes ----------------------------------------------------------------


def test_eight_threads_lose_nothing(db: Path) -> None:
    """D7b: 8 threads that log 150 operators each store 1,200, each thread's in its order."""
    configure(db)
    with hl.run("r") as run:
        log_in_threads(run)
    hl.reset()
    found = stored(db, run.id)
    assert len(found) == 1200
    assert sorted(found, key=lambda child: child[0]) == IN_THREADS


def test_configured_in_the_middle_of_a_run(db: Path, tmp_path: Path) -> None:
    """The file gets all of a run that was in memory; a further file its start, and the rest."""
    with hl.run("ended"):
        pass
    run = hl.start_run(name="r", run_id="r")
    run.log_operator(kind="refine", child_id="c0")
    configure(db)
    run.log_operator(kind="refine", child_id="c1")
    configure(tmp_path / "other.duckdb")
    run.log_operator(kind="refine", child_id="c2")
    hl.reset()
    assert (stored(db), stored(tmp_path / "other.duckdb")) == (["c0", "c1"], ["c2"])
    for path in (db, tmp_path / "other.duckdb"):
        connection = open_and_migrate(path)
        found = connection.execute("SELECT run_id FROM events WHERE event_kind = 'run_start'")
        assert found.fetchall() == [("r",)]
        connection.close()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # also in callbacks
@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timers here")
def test_an_interrupt_at_any_moment_costs_no_event(db: Path) -> None:
    """However often Ctrl-C comes in the middle of a verb, what was logged is stored."""
    transport = EmbeddedTransport(db)
    sent = send_interrupted(lambda child: transport.send(operator(child)), 3000)
    transport.close()
    found = stored(db)
    assert len(found) == len(set(found))
    assert set(sent) <= set(found)


def test_two_runs_and_two_configurations_share_a_file(db: Path) -> None:
    """A process may run twice on one file, and configure it anew in between."""
    ids = []
    for _ in range(2):
        configure(db)
        with hl.run("r") as run:
            run.log_operator(kind="refine", child_id="c")
        ids.append(run.id)
    hl.reset()
    assert [stored(db, run_id) for run_id in ids] == [["c"], ["c"]]


@pytest.mark.parametrize("count", [40, 4000])
def test_a_killed_search_loses_nothing(db: Path, tmp_path: Path, count: int) -> None:
    """What was logged before kill -9 is in the file after the next start, and nothing beside it."""
    search("r", count, "kill", {"HUTCH_DB_PATH": db})
    EmbeddedTransport(db).close()
    assert stored(db) == [f"c{n}" for n in range(count)]
    assert [path.name for path in tmp_path.iterdir()] == [db.name]


@pytest.mark.parametrize("seed", range(2))
def test_kill_at_any_moment_loses_nothing(db: Path, seed: int) -> None:
    """Killed again and again in the middle: all that a verb returned for is there, and in order."""
    chance = random.Random(seed)
    for run_id in ("r1", "r2"):
        returned = killed_search(run_id, chance.uniform(0, 1.2), {"HUTCH_DB_PATH": db})
        EmbeddedTransport(db).close()
        found = stored(db, run_id)
        assert found == [f"c{n}" for n in range(len(found))]
        assert len(found) - returned in (0, 1)


def test_half_a_line_is_no_obstacle(db: Path, tmp_path: Path) -> None:
    """A line torn by a crash is left out; one that is no event is set aside; the rest is stored."""
    good = operator("a").model_dump_json().encode()
    left = tmp_path / f"{db.name}.{os.uname().nodename}-999999999-0123abcd.ahead"
    left.write_bytes(good + b'\n{"event_kind":"what"}\n' + good[:40])
    EmbeddedTransport(db).close()
    assert stored(db) == ["a"]
    assert not left.exists()
    assert Path(f"{db}.rejected.jsonl").read_bytes() == b'{"event_kind":"what"}\n'


def test_a_file_of_another_host_is_left_alone(db: Path, tmp_path: Path) -> None:
    """What another host wrote a moment ago is its own."""
    other = tmp_path / f"{db.name}.elsewhere-1-0123abcd.ahead"
    other.write_bytes(operator("a").model_dump_json().encode() + b"\n")
    EmbeddedTransport(db).close()
    assert other.exists()


def test_a_second_process_is_told_who_has_the_file(db: Path) -> None:
    """D7c: configuring it raises an error that names the other process, its host, the ways out."""
    with (
        waiting_search("r", {"HUTCH_DB_PATH": db}) as pid,
        pytest.raises(StoreBusyError, match="HUTCH_DAEMON_URL") as caught,
    ):
        configure(db)
    assert (caught.value.pid, caught.value.host) == (pid, os.uname().nodename)
    assert str(db) in str(caught.value)
    assert f"process {pid}" in str(caught.value)
    assert runtime().config.mode == "memory"


def test_a_loop_in_a_second_process_goes_on(db: Path) -> None:
    """D7c: configured by the environment, a verb does not raise: events wait for the file."""
    with waiting_search("first", {"HUTCH_DB_PATH": db}) as pid:
        logged = search("second", 5, "end", {"HUTCH_DB_PATH": db})
    assert f"process {pid}" in logged
    assert logged.count("has it open") == 1
    assert "7 events are not in" in logged
    EmbeddedTransport(db).close()
    assert stored(db, "second") == [f"c{n}" for n in range(5)]
    assert stored(db, "first") == ["c0"]


def test_a_folder_that_cannot_be_made_is_told_in_one_message(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Where no file can be written beside it either, that is part of it."""
    monkeypatch.setenv("HUTCH_DB_PATH", "/proc/nope/x.duckdb")
    run = hl.start_run(name="r")
    run.log_operator(kind="refine", child_id="c0")
    [told] = [r.message for r in caplog.records if r.levelno >= logging.WARNING]
    assert told == (
        "/proc/nope/x.duckdb cannot be opened: No such file or directory: /proc/nope. Nor can a "
        "file beside it be written: until one of them can, events are in memory only, and the end "
        "of the process loses them. Name another file with db_path or HUTCH_DB_PATH"
    )


def test_a_file_that_becomes_free_is_taken(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once the other process has ended, what waited is stored without anybody's doing."""
    monkeypatch.setenv("HUTCH_DB_PATH", str(db))
    with waiting_search("first", {"HUTCH_DB_PATH": db}):
        run = hl.start_run(name="second", run_id="second")
        run.log_operator(kind="refine", child_id="c0")
    transport = runtime().transport
    assert isinstance(transport, EmbeddedTransport)
    assert transport.flush(30)
    run.log_operator(kind="refine", child_id="c1")
    hl.reset()
    assert stored(db, "second") == ["c0", "c1"]


def test_strict_refuses_a_busy_file_in_the_loop(db: Path) -> None:
    """Under HUTCH_STRICT=1 the first verb raises."""
    with waiting_search("first", {"HUTCH_DB_PATH": db}):
        logged = search("second", 1, "end", {"HUTCH_DB_PATH": db, "HUTCH_STRICT": 1}, status=1)
    assert "StoreBusyError" in logged


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_forked_child_leaves_the_file_alone(db: Path) -> None:
    """Parent and child go on; the child's events are stored when the file is closed or opened."""
    code = f"""
import os
import hutch_lineage as hl
from hutch_lineage.transports import EmbeddedTransport
from tests.transports.test_embedded import operator
transport = EmbeddedTransport({str(db)!r})
transport.send(operator("before"))
if os.fork() == 0:
    transport.send(operator("child"))
    raise SystemExit  # the way out that frees everything
os.wait()
transport.send(operator("after"))
transport.close()
"""
    subprocess.run([sys.executable, "-W", "ignore", "-c", code], check=True, timeout=60)
    EmbeddedTransport(db).close()
    assert sorted(stored(db)) == ["after", "before", "child"]


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_what_workers_log_is_stored(db: Path, tmp_path: Path, method: str) -> None:
    """Events of a process pool come through the session into the one file, also at the very end."""
    script = tmp_path / "script.py"
    script.write_text(f"""
import multiprocessing
import hutch_lineage as hl

def work(number):
    hl.log_operator(kind="refine", child_id=f"c{{number}}")

if __name__ == "__main__":
    run = hl.start_run(name="search", run_id="r")
    hl.configure(hl.SDKConfig(mode="embedded", db_path={str(db)!r}))
    with multiprocessing.get_context({method!r}).Pool(2) as pool:
        pool.map(work, range(20))
""")
    environ = {**os.environ, "PYTHONPATH": str(Path.cwd()), "HUTCH_LINEAGE_SESSIONS": str(tmp_path)}
    subprocess.run([sys.executable, "-W", "ignore", script], check=True, timeout=120, env=environ)
    assert list(tmp_path.glob("*.ahead")) == []
    assert sorted(stored(db)) == sorted(f"c{n}" for n in range(20))


def test_the_end_of_the_interpreter_closes_the_file(db: Path, tmp_path: Path) -> None:
    """A script that just ends leaves one whole file."""
    search("r", 300, "end", {"HUTCH_DB_PATH": db})
    assert [path.name for path in tmp_path.iterdir()] == [db.name]
    assert len(stored(db)) == 300


# -- disks -----------------------------------------------------------------------------------


def test_a_place_that_cannot_be_written(caplog: pytest.LogCaptureFixture) -> None:
    """It is said once, capture goes on in memory, and the lineage is there."""
    configure(Path("/proc/none/runs.duckdb"))
    with hl.run("r") as run:
        for number in range(5):
            run.log_individual(kind="program", individual_id=f"i{number}")
    assert "5 individuals" in repr(hl.lineage())
    runtime().close()
    warnings = [r.message for r in caplog.records if r.levelno >= logging.WARNING]
    assert sum("cannot be opened" in message for message in warnings) == 1
    assert sum("beside it be written" in message for message in warnings) == 1
    assert sum("are lost" in message for message in warnings) == 1
    assert len(warnings) == 2


def test_strict_raises_where_the_place_cannot_be_written() -> None:
    """In strict mode it is an error, when it is configured."""
    with pytest.raises(StoreError, match="cannot be opened"):
        configure(Path("/proc/none/runs.duckdb"), strict=True)


def test_another_file_is_not_touched(tmp_path: Path) -> None:
    """A path that names something else is refused, and that stays as it is."""
    other = tmp_path / "notes.txt"
    other.write_text("dear diary\n" * 1000)
    with pytest.raises(StoreError, match="cannot be used as a store") as caught:
        configure(other)
    assert caught.value.setting == "db_path"
    assert other.read_text() == "dear diary\n" * 1000


def test_a_table_of_somebody_else_is_not_touched(db: Path) -> None:
    """A database whose ``events`` are something else is refused, too."""
    with duckdb.connect(str(db)) as connection:
        connection.execute("CREATE TABLE events (moment TIMESTAMP)")
    with pytest.raises(StoreError, match="cannot be used as a store"):
        configure(db)


@pytest.mark.parametrize("with_another", [False, True])
def test_a_file_that_is_removed_is_made_anew(
    db: Path, with_another: bool, caplog: pytest.LogCaptureFixture
) -> None:
    """What comes after is stored where the next one looks for it, and one WARNING says so."""
    transport = EmbeddedTransport(db)
    transport.send(operator("c0"))
    assert transport.flush(30)
    for path in db.parent.glob("runs.duckdb*"):
        if path.suffix != ".ahead":
            path.unlink()
    if with_another:
        open_and_migrate(db).close()
    transport.send(operator("c1"))
    assert transport.flush(30)
    transport.close()
    assert stored(db) == ["c1"]
    assert caplog.text.count("was removed or replaced") == 1


def test_a_database_in_memory_is_no_store() -> None:
    """Its events would be gone with the process."""
    with pytest.raises(StoreError, match="it is no file"):
        configure(Path(":memory:"))


def test_a_name_that_is_no_unicode(tmp_path: Path) -> None:
    """DuckDB takes no such path: events wait beside it, and the loop goes on."""
    db = tmp_path / os.fsdecode(b"runs\xff.duckdb")
    configure(db)
    hl.start_run(name="r")
    hl.reset()
    assert [path.suffix for path in tmp_path.iterdir()] == [".ahead"]


def test_a_full_disk_is_told_once_and_costs_nothing(db: Path) -> None:
    """While no file may grow, events wait in memory; when there is room again, all are stored."""
    code = f"""
import logging, resource
logging.basicConfig(level="INFO")
import hutch_lineage as hl
from hutch_lineage.sdk import runtime
hl.configure(hl.SDKConfig(mode="embedded", db_path={str(db)!r}))
run = hl.start_run(name="r", run_id="r")
runtime().transport.flush(20)
resource.setrlimit(resource.RLIMIT_FSIZE, (1024, resource.RLIM_INFINITY))
for number in range(50):
    run.log_operator(kind="refine", child_id=f"c{{number}}")
assert not runtime().transport.flush(1)
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
assert runtime().transport.flush(20)
run.end()
"""
    assert resource.RLIM_INFINITY == -1
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("cannot be stored") == 1
    assert done.stderr.count("cannot be written beside") == 1
    assert "are stored in" in done.stderr
    assert stored(db) == [f"c{n}" for n in range(50)]


def test_a_path_that_speaks_of_locks_is_not_taken_for_a_busy_file() -> None:
    """Whether another process has the file is not read from its name."""
    with pytest.raises(StoreError) as caught:
        configure(Path("/proc/PID 7 lock/runs.duckdb"), strict=True)
    assert not isinstance(caught.value, StoreBusyError)


def test_an_event_that_the_table_cannot_hold_stops_no_other(
    db: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A time beyond the column's type is set aside; what came with it is stored."""
    transport = EmbeddedTransport(db)
    far = operator("far").model_copy(update={"timestamp_ns": 2**70})
    for event in (*(operator(f"a{n}") for n in range(5)), far, operator("b")):
        transport.send(event)
    transport.close()
    assert stored(db) == [*(f"a{n}" for n in range(5)), "b"]
    [line] = Path(f"{db}.rejected.jsonl").read_bytes().splitlines()
    assert children([json.loads(line)]) == ["far"]
    assert caplog.text.count("set aside") == 1


# -- strict, the session ---------------------------------------------------------------------


def test_strict_stores_before_the_verb_returns(db: Path) -> None:
    """In strict mode an event is in the table when its verb returns."""
    configure(db, strict=True)
    run = hl.start_run(name="r", run_id="r")
    run.log_operator(kind="refine", child_id="c")
    connection = open_db(db)  # of this process: DuckDB shares the file within one
    assert children(read_events(connection, "r")) == ["c"]
    connection.close()


def test_strict_raises_where_an_event_cannot_be_stored(db: Path) -> None:
    """In strict mode a verb raises when its event is not stored."""
    configure(db, strict=True)
    run = hl.start_run(name="r", run_id="r")
    connection = open_db(db)
    connection.execute("DROP TABLE events")
    with pytest.raises(CaptureError, match="not stored"):
        run.log_operator(kind="refine", child_id="c")
    connection.close()


def test_the_session_shows_what_is_stored(db: Path) -> None:
    """The graph and the explorer have every event, whatever the transport."""
    configure(db)
    with hl.run("r") as run:
        seed = run.log_individual(kind="program")
        run.log_individual(kind="program", parent_ids=[seed.id])
    explorer = hl.explore()
    assert current_session().kept.startswith(str(db))
    assert "2 individuals" in repr(hl.lineage())
    assert "2 individuals" in repr(explorer)
    hl.reset()
    connection = open_and_migrate(db)
    assert len(read_events(connection, run.id)) == 4
    connection.close()
