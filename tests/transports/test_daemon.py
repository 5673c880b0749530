"""A real `hutch serve` gets every event once, whatever happens to it, and nobody waits for it."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import logging
import os
import random
import signal
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from hutch.sdk import fallback as theirs

import hutch_lineage as hl
from hutch_lineage.errors import ConfigurationError, DeliveryError
from hutch_lineage.model import OperatorEvent
from hutch_lineage.sdk import SDKConfig, runtime
from hutch_lineage.transports import DaemonTransport
from hutch_lineage.transports.server import HutchServer as Poster
from tests.hutch_server import HutchServer
from tests.receivers import Answer, Receiver, unused_port
from tests.support.search import RUN, island_search
from tests.support.waiting import wait_until
from tests.transports.searches import (
    IN_THREADS,
    children,
    killed_search,
    log_in_threads,
    search,
    send_interrupted,
)

TAKEN = Answer(200, body=b'{"accepted":1,"rejected":0,"duplicates":0}')
TOKEN = "hush-hush-token"


@pytest.fixture
def queue(tmp_path: Path) -> Path:
    """The fallback queue."""
    return tmp_path / "queue" / "fallback-events.jsonl"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[HutchServer]:
    """A Hutch server that is not started yet."""
    made = HutchServer(tmp_path / "server.duckdb")
    yield made
    made.stop()


@pytest.fixture(scope="module")
def standing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HutchServer]:
    """A Hutch server that is there all the time; each test has a run of its own in it."""
    with HutchServer(tmp_path_factory.mktemp("standing") / "server.duckdb") as made:
        yield made


@pytest.fixture
def r() -> str:
    """The id of a run."""
    return str(uuid.uuid4())


def operator(child: str, run_id: str) -> OperatorEvent:
    """One event."""
    payload = {"id": f"op-{child}", "kind": "refine", "child_id": child}
    return OperatorEvent.model_validate({"run_id": run_id, "payload": payload})


def names(count: int, start: int = 0) -> list[str]:
    """Names of children, in order."""
    return [f"c{number}" for number in range(start, start + count)]


def send(transport: DaemonTransport, children: list[str], run_id: str = "r") -> None:
    """Send an operator for each child."""
    for child in children:
        transport.send(operator(child, run_id))


def configure(url: str, queue: Path, **more: object) -> None:
    """Use the server."""
    hl.configure(SDKConfig(mode="daemon", daemon_url=url, fallback_path=queue, **more))


def posted(receiver: Receiver) -> list[str]:
    """The children that a scripted server has accepted, in order."""
    return [child for body in receiver.events for child in children(body)]


# -- a server that is there ------------------------------------------------------------------


def test_a_search_arrives_whole(standing: HutchServer, queue: Path, r: str) -> None:
    """The server answers with every event as it was sent."""
    transport = DaemonTransport(standing.url, fallback=queue)
    events = island_search(generations=4)
    for event in events:
        transport.send(event)
    assert transport.flush(30)
    transport.close()
    assert standing.events(RUN) == [json.loads(e.model_dump_json()) for e in events]
    assert [path.name for path in queue.parent.iterdir()] == []


def test_odd_texts_arrive(standing: HutchServer, queue: Path, r: str) -> None:
    """Characters at which Hutch would split a line of several events arrive, several at once."""
    transport = DaemonTransport(standing.url, fallback=queue)
    odd = ["a\u2028b", "a\x85b", "a\x0bb", "ä☃"]
    send(transport, odd, r)
    transport.close()
    assert children(standing.events(r)) == odd


def test_eight_threads_lose_nothing(standing: HutchServer, queue: Path, r: str) -> None:
    """8 threads that log 150 operators each bring 1,200 to the server, each thread's in order."""
    configure(standing.url, queue)
    with hl.run("r") as run:
        log_in_threads(run)
    assert runtime().transport.flush(60)
    found = children(standing.events(run.id))
    assert len(found) == 1200
    assert sorted(found, key=lambda child: child[0]) == IN_THREADS


def test_the_session_shows_what_is_posted(standing: HutchServer, queue: Path, r: str) -> None:
    """The graph and the explorer have every event, whatever the transport."""
    configure(standing.url, queue)
    with hl.run("r") as run:
        seed = run.log_individual(kind="program")
        run.log_individual(kind="program", parent_ids=[seed.id])
    assert "2 individuals" in repr(hl.lineage())
    assert "2 individuals" in repr(hl.explore())
    hl.reset()
    assert len(standing.events(run.id)) == 4


# -- a server that is away -------------------------------------------------------------------


def test_what_waited_is_sent_in_order_when_it_is_back(server: HutchServer, queue: Path) -> None:
    """Up, down, up again: the order holds, and nothing is in the store twice."""
    server.start()
    transport = DaemonTransport(server.url, fallback=queue)
    send(transport, names(50))
    assert transport.flush(30)
    server.stop()
    send(transport, names(50, 50))
    wait_until(lambda: queue.exists() and theirs.queue_size(queue) == 50)
    send(transport, names(50, 100))
    assert theirs.queue_size(queue) == 100
    server.start()
    assert transport.flush(60)
    send(transport, names(50, 150))
    transport.close()
    found = server.events("r")
    assert children(found) == names(200)
    assert len({event["event_id"] for event in found}) == 200
    assert theirs.queue_size(queue) == 0


def test_hutch_reads_the_queue(queue: Path) -> None:
    """The queue is Hutch's: its own reader gives back the events."""
    url = f"http://127.0.0.1:{unused_port()}"
    transport = DaemonTransport(url, fallback=queue)
    send(transport, names(3))
    transport.close()
    assert [event.payload.child_id for event in theirs.iter_events(queue)] == names(3)


def test_hutchs_queue_is_sent(standing: HutchServer, queue: Path, r: str) -> None:
    """What Hutch itself has left, half replayed too, is sent before anything new."""
    from hutch.schema import EVENT_ADAPTER

    for child in names(4):
        event = EVENT_ADAPTER.validate_json(operator(child, r).model_dump_json())
        theirs.append_event(queue, event)
        if child == "c1":
            theirs.begin_replay(queue)
    transport = DaemonTransport(standing.url, fallback=queue)
    send(transport, ["new"], r)
    transport.close()
    assert children(standing.events(r)) == [*names(4), "new"]
    assert [path.name for path in queue.parent.iterdir() if path.suffix != ".lock"] == []


def test_lines_that_are_no_events_are_set_aside(
    standing: HutchServer, queue: Path, r: str, caplog: pytest.LogCaptureFixture
) -> None:
    """A queue with garbage and half a line in it is sent all the same, and that is said.

    What this version does not know may be an event of a newer one: it is not destroyed.
    """
    queue.parent.mkdir()
    line = operator("a", r).model_dump_json()
    unknown = line.replace('"operator"', '"of-a-newer-hutch"')
    queue.write_text(f"{line}\n{unknown}\n{line[:50]}")
    transport = DaemonTransport(standing.url, fallback=queue)
    assert transport.flush(30)
    transport.close()
    assert children(standing.events(r)) == ["a"]
    assert "1 lines of" in caplog.text
    assert queue.with_name(f"{queue.name}.rejected").read_text() == f"{unknown}\n"


@pytest.mark.parametrize("up", [False, True])
def test_a_killed_search_loses_nothing(server: HutchServer, queue: Path, up: bool) -> None:
    """After kill -9, with the server up or down, the next start sends what was logged, once."""
    if up:
        server.start()
    search("r", 300, "kill", {"HUTCH_DAEMON_URL": server.url, "HUTCH_FALLBACK_PATH": queue})
    if not up:
        server.start()
    transport = DaemonTransport(server.url, fallback=queue)
    assert transport.flush(30)
    transport.close()
    found = server.events("r")
    assert children(found) == names(300)
    assert len({event["event_id"] for event in found}) == len(found)
    assert [path.name for path in queue.parent.iterdir() if path.suffix != ".lock"] == []


@pytest.mark.parametrize("seed", range(2))
def test_kill_at_any_moment_loses_nothing(standing: HutchServer, queue: Path, seed: int) -> None:
    """Killed in the middle, the server up or down: all that a verb returned for arrives, once."""
    chance = random.Random(seed)
    away = f"http://127.0.0.1:{unused_port()}"
    for url in (standing.url, away):
        run_id = str(uuid.uuid4())
        environ = {"HUTCH_DAEMON_URL": url, "HUTCH_FALLBACK_PATH": queue}
        returned = killed_search(run_id, chance.uniform(0, 0.05), environ)
        if url == away:  # what had not come as far as the queue is put there by the next start
            transport = DaemonTransport(away, fallback=queue)
            transport.flush(0.3)
            transport.close()
        transport = DaemonTransport(standing.url, fallback=queue)
        assert transport.flush(60)
        transport.close()
        found = children(standing.events(run_id))
        assert found == names(len(found))
        assert len(found) - returned in (0, 1)


def test_the_end_of_the_interpreter_leaves_nothing_behind(
    standing: HutchServer, queue: Path, r: str
) -> None:
    """A script that just ends has posted everything."""
    search(r, 300, "end", {"HUTCH_DAEMON_URL": standing.url, "HUTCH_FALLBACK_PATH": queue})
    assert children(standing.events(r)) == names(300)


def test_a_server_that_hangs_holds_no_interpreter(queue: Path) -> None:
    """A script ends within seconds, and the next start sends what was not taken."""
    with Receiver(then="hang") as receiver:
        environ = {"HUTCH_DAEMON_URL": receiver.url, "HUTCH_FALLBACK_PATH": queue}
        start = time.monotonic()
        logged = search("r", 30, "end", {**environ, "HUTCH_TIMEOUT_S": 60})
        assert time.monotonic() - start < 20
    assert "32 events were not taken" in logged
    assert theirs.queue_size(queue) == 32


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_forked_child_posts_for_itself(standing: HutchServer, queue: Path, r: str) -> None:
    """Parent and child each post their own events, once, on a connection of their own."""
    transport = DaemonTransport(standing.url, fallback=queue)
    send(transport, ["before"], r)
    assert transport.flush(30)
    send(transport, ["waits"], r)
    pid = os.fork()
    if pid == 0:
        send(transport, ["child"], r)
        os._exit(0 if transport.flush(30) else 1)
    assert os.waitpid(pid, 0)[1] == 0
    send(transport, ["after"], r)
    transport.close()
    found = children(standing.events(r))
    assert sorted(found) == ["after", "before", "child", "waits"]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_fork_in_the_middle_of_an_answer_holds_nobody(queue: Path) -> None:
    """A child that is forked while an answer is read does not wait for its parent's connection."""
    half = Answer(200, body=TAKEN.body, withheld=10)
    with Receiver(half, then=TAKEN) as receiver:
        transport = DaemonTransport(receiver.url, fallback=queue, timeout_s=3)
        send(transport, ["parent"])
        receiver.wait_for_requests(1)
        time.sleep(0.3)  # now it waits for the rest of the body
        pid = os.fork()
        if pid == 0:
            signal.alarm(20)
            send(transport, ["child"])
            os._exit(0 if transport.flush(10) else 1)
        assert os.waitpid(pid, 0)[1] == 0
        assert transport.flush(30)
        transport.close()
        assert set(posted(receiver)) == {"parent", "child"}


def test_an_outage_is_told_once(queue: Path, caplog: pytest.LogCaptureFixture) -> None:
    """One WARNING when it begins, one INFO when it ends; further tries say nothing."""
    caplog.set_level(logging.INFO)
    with Receiver(503, 503, 503, then=TAKEN) as receiver:
        transport = DaemonTransport(receiver.url, fallback=queue)
        send(transport, names(5))
        assert transport.flush(30)
        transport.close()
    told = [(r.levelname, r.message) for r in caplog.records if "hutch_lineage" in r.name]
    assert [level for level, _ in told] == ["WARNING", "INFO"]
    assert "503 Service Unavailable" in told[0][1]
    assert str(queue) in told[0][1]
    assert posted(receiver) == names(5)


@pytest.mark.parametrize("fault", ["hang", "reset", "close", Answer(200, body=b"<html>")])
def test_a_server_in_trouble_holds_nobody(fault: str | Answer, queue: Path) -> None:
    """A server that hangs, breaks off or is none costs a verb nothing; then all arrives, in order.

    The time limit of one request is the configured one.
    """
    with Receiver(fault, fault, then=TAKEN) as receiver:
        configure(receiver.url, queue, request_timeout_s=0.3)
        run = hl.start_run(name="r")
        slowest = 0.0
        for child in names(100):
            start = time.perf_counter()
            run.log_operator(kind="refine", child_id=child)
            slowest = max(slowest, time.perf_counter() - start)
            time.sleep(0.005)
        assert slowest < 0.25
        assert runtime().transport.flush(30)
        assert list(dict.fromkeys(posted(receiver)))[-100:] == names(100)


def test_without_a_queue_events_wait_in_memory(tmp_path: Path) -> None:
    """With auto_fallback off no file is written, and all arrives when the server is back."""
    with Receiver(503, 503, then=TAKEN) as receiver:
        configure(receiver.url, tmp_path / "q.jsonl", auto_fallback=False)
        with hl.run("r") as run:
            for child in names(5):
                run.log_operator(kind="refine", child_id=child)
        assert runtime().transport.flush(30)
        assert posted(receiver) == names(5)
    assert list(tmp_path.iterdir()) == []


def test_a_queue_that_cannot_be_written_is_told_once(caplog: pytest.LogCaptureFixture) -> None:
    """It is said once; events wait in memory and arrive."""
    with Receiver(503, 503, then=TAKEN) as receiver:
        configure(receiver.url, Path("/proc/none/queue.jsonl"))
        with hl.run("r") as run:
            for child in names(5):
                run.log_operator(kind="refine", child_id=child)
        assert runtime().transport.flush(30)
        assert posted(receiver) == names(5)
    assert caplog.text.count("cannot be written to disk") == 1


def test_a_warning_names_the_file_that_has_the_events(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Where the queue cannot be written they are in the file beside it, for the next start."""
    queue = tmp_path / "queue"
    queue.mkdir()
    transport = DaemonTransport(f"http://127.0.0.1:{unused_port()}", fallback=queue)
    send(transport, names(3))
    wait_until(lambda: "They wait in memory" in caplog.text)
    assert not transport.flush(0.1)
    transport.close()
    [ahead] = tmp_path.glob("queue.*.ahead")
    assert len(ahead.read_bytes().splitlines()) == 3
    assert f"they wait in {ahead} for the next start" in caplog.text


def test_the_end_uses_its_time_while_the_server_takes_events(
    queue: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A server that is back just then, and slow, gets all: former failures end nothing."""
    port = unused_port()
    transport = DaemonTransport(f"http://127.0.0.1:{port}", fallback=queue)
    send(transport, names(1200))
    wait_until(lambda: theirs.queue_size(queue) == 1200)
    time.sleep(3)  # it waits longer and longer between its tries
    with Receiver(port=port, then=dataclasses.replace(TAKEN, delay_s=0.4)) as receiver:
        caplog.clear()
        transport.close()
        assert list(dict.fromkeys(posted(receiver))) == names(1200)
    assert "not taken" not in caplog.text


def test_the_end_tells_what_is_left_where_and_why(
    queue: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Of a server that is too slow for its end: the number, the file, the reason; no more."""
    port = unused_port()
    transport = DaemonTransport(f"http://127.0.0.1:{port}", fallback=queue)
    send(transport, names(3000))
    wait_until(lambda: theirs.queue_size(queue) == 3000)
    with Receiver(port=port, then=dataclasses.replace(TAKEN, delay_s=1.2)) as receiver:
        caplog.clear()
        start = time.monotonic()
        transport.close()
        assert time.monotonic() - start < 7
        sent = len(set(posted(receiver)))
    replay = queue.with_name(f"{queue.name}.replay")
    left = 3000 - sent
    assert 0 < sent < 3000
    assert f"{left:,} events were not taken" in caplog.text
    assert "(there was no time left)" in caplog.text
    assert f"they wait in {replay} for the next start" in caplog.text
    assert children([json.loads(line) for line in replay.read_bytes().splitlines()]) == names(
        left, sent
    )
    caplog.clear()
    with Receiver(then=TAKEN) as other:
        transport = DaemonTransport(other.url, fallback=queue)
        assert transport.flush(30)
        transport.close()
        assert list(dict.fromkeys(posted(other))) == names(left, sent)
    told = f"{left:,} events that former processes left in {queue} are sent to the Hutch server at"
    assert told in caplog.text


def test_going_to_another_server_leaves_nothing_behind(queue: Path) -> None:
    """What one server has not taken, the next one that is configured gets first or soon after."""
    configure(f"http://127.0.0.1:{unused_port()}", queue)
    run = hl.start_run(name="r")
    run.log_operator(kind="refine", child_id="c0")
    with Receiver(then=TAKEN) as receiver:
        configure(receiver.url, queue)
        run.log_operator(kind="refine", child_id="c1")
        assert runtime().transport.flush(30)
        assert sorted(posted(receiver)) == ["c0", "c1"]


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # also in callbacks
@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timers here")
@pytest.mark.parametrize("state", [200, 503])
def test_an_interrupt_at_any_moment_costs_no_event(state: int, queue: Path) -> None:
    """However often Ctrl-C comes in the middle of a verb, what was logged arrives."""
    with Receiver(then=TAKEN if state == 200 else state) as receiver:
        transport = DaemonTransport(receiver.url, fallback=queue)
        sent = send_interrupted(lambda child: transport.send(operator(child, "r")), 2000)
        receiver.script(then=TAKEN)
        assert transport.flush(30)
        transport.close()
        assert set(sent) <= set(posted(receiver))


def test_a_slow_server_gets_less_at_a_time(queue: Path) -> None:
    """What could not be stored in time comes in smaller requests, and later in larger ones."""
    with Receiver("hang", "hang", "hang", then=TAKEN) as receiver:
        transport = DaemonTransport(receiver.url, fallback=queue, timeout_s=0.2)
        send(transport, names(600))
        assert transport.flush(30)
        send(transport, names(600, 600))
        assert transport.flush(30)
        transport.close()
        sizes = [len(request.json) for request in receiver.requests if request.answered == 200]
        assert list(dict.fromkeys(posted(receiver))) == names(1200)
    assert min(sizes) <= 16
    assert max(sizes) >= 64


# -- what a server refuses -------------------------------------------------------------------


def test_a_refused_event_is_set_aside_and_the_others_arrive(
    standing: HutchServer, queue: Path, r: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Hutch says how many it refused, always with 200: the one is found and kept in a file."""
    transport = DaemonTransport(standing.url, fallback=queue)
    bad = operator("bad", r)
    bad.payload.__dict__["kind"] = "no such kind"
    for event in (operator("a", r), bad, operator("b", r)):
        transport.send(event)
    transport.close()
    assert children(standing.events(r)) == ["a", "b"]
    aside = queue.with_name(f"{queue.name}.rejected").read_text().splitlines()
    assert children([json.loads(line) for line in aside]) == ["bad"]
    assert "refused 1 event" in caplog.text


def test_a_body_that_is_too_large_is_split() -> None:
    """413 is no outage: the events come in smaller requests, and one alone is refused."""
    lines = [operator(name, "r").model_dump_json().encode() for name in names(8)]
    with (
        Receiver(413, 413, then=TAKEN) as receiver,
        contextlib.closing(Poster(receiver.url)) as poster,
    ):
        assert poster.post(lines) == []
        assert posted(receiver) == names(8)
        receiver.script(413)
        [refused] = poster.post(lines[:1])
    assert (refused.line, "413" in refused.reason) == (lines[0], True)


# -- the token -------------------------------------------------------------------------------


def test_the_token_opens_the_server(tmp_path: Path, queue: Path) -> None:
    """HUTCH_TOKEN is sent as a bearer token, which a protected server wants."""
    with HutchServer(tmp_path / "server.duckdb", token=TOKEN) as server:
        environ = {"HUTCH_DAEMON_URL": server.url, "HUTCH_FALLBACK_PATH": queue}
        logged = search("r", 3, "end", {**environ, "HUTCH_TOKEN": TOKEN})
        assert TOKEN not in logged
        assert children(server.events("r")) == names(3)
        logged = search("q", 3, "end", {**environ, "HUTCH_TOKEN": "wrong-" + TOKEN})
        assert "401 Unauthorized" in logged
        assert "HUTCH_TOKEN" in logged
        assert TOKEN not in logged
        assert server.events("q") == []
        search("s", 1, "end", {**environ, "HUTCH_TOKEN": TOKEN})
        assert children(server.events("q")) == names(3)


def test_the_token_is_shown_nowhere(queue: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Neither reprs nor log lines nor errors hold the token or a password in the URL."""
    caplog.set_level(logging.DEBUG)
    url = f"http://me:{TOKEN}@127.0.0.1:{unused_port()}"
    config = SDKConfig(
        mode="daemon", daemon_url=url, auth_token=TOKEN, fallback_path=queue, strict=True
    )
    hl.configure(config)
    with pytest.raises(DeliveryError) as caught:
        hl.start_run(name="r")
    shown = [repr(config), repr(runtime().transport), str(caught.value), caught.value.endpoint]
    hl.configure(SDKConfig(mode="daemon", daemon_url=url, auth_token=TOKEN, fallback_path=queue))
    hl.start_run(name="r")
    hl.reset()
    assert all(TOKEN not in text for text in [*shown, caplog.text])


def test_a_token_that_no_header_can_carry_is_refused(queue: Path) -> None:
    """It is a setting's error, told when it is configured, without showing it."""
    with pytest.raises(ConfigurationError) as caught:
        configure("http://127.0.0.1:9", queue, auth_token="a\nb")
    assert caught.value.setting == "auth_token"


# -- strict ----------------------------------------------------------------------------------


def test_strict_posts_before_the_verb_returns(queue: Path) -> None:
    """In strict mode the verb posts, and an event that was taken is there."""
    with Receiver(then=TAKEN) as receiver:
        configure(receiver.url, queue, strict=True)
        run = hl.start_run(name="r")
        run.log_operator(kind="refine", child_id="c")
        assert posted(receiver) == ["c"]


@pytest.mark.parametrize(
    ("answer", "status", "said"),
    [
        (503, 503, "503"),
        (401, 401, "HUTCH_TOKEN"),
        ("close", None, "closed"),
        (Answer(200, body=b'{"accepted":0,"rejected":1}'), None, "refused"),
    ],
)
def test_strict_raises(answer: int | str | Answer, status: int | None, said: str) -> None:
    """In strict mode every failure raises, with the status."""
    with Receiver(then=answer) as receiver:
        hl.configure(SDKConfig(mode="daemon", daemon_url=receiver.url, strict=True,
                               auto_fallback=False))  # fmt: skip
        with pytest.raises(DeliveryError, match=said) as caught:
            hl.start_run(name="r")
    assert (caught.value.status, caught.value.endpoint) == (status, receiver.url)
