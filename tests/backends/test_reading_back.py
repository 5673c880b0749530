"""What a Marquez holds of a run, opened: the graph that was captured, also while it grows."""

from __future__ import annotations

import gc
import json
import re
import threading
import time
from uuid import uuid4

import pytest

import hutch_lineage as hl
from hutch_lineage.errors import ReadError
from hutch_lineage.graph import LineageGraph
from hutch_lineage.mapping import mapper_of, preset_of, read_run_events
from hutch_lineage.model import Event
from hutch_lineage.readers import ReadReport, read
from hutch_lineage.session import GrowingSource, OpenedSource
from tests.backends.cases import made, truth_of
from tests.backends.measuring import MAPPINGS, Backend, bring, post
from tests.openlineage.events import end, operator, start
from tests.receivers import Answer, Receiver, unused_port
from tests.support.waiting import wait_until


@pytest.fixture
def name() -> str:
    """A name that no other run has."""
    return f"reading-{uuid4().hex[:8]}"


def emit_to(marquez: Backend, namespace: str, mapping: str = "generic") -> None:
    """Configure the emitter; the namespace is that of no other test."""
    hl.configure(
        hl.SDKConfig(
            openlineage_endpoint=marquez.url,
            openlineage_namespace=namespace,
            openlineage_backend=mapping,
        )
    )


def captured_graph() -> LineageGraph:
    """The graph of what the emitter captured."""
    graph = LineageGraph()
    graph.apply(read_run_events(hl.emitter().captured_events))
    return graph


def log(run: hl.Run, start: int, stop: int) -> None:
    """Some individuals with their operators, and an agent now and then."""
    for number in range(start, stop):
        parents = [f"ind-{number - back}" for back in (1, 3) if number >= back]
        run.log_individual(kind="program", individual_id=f"ind-{number}", parent_ids=parents)
        if parents:
            run.log_operator(kind="mutate", parent_ids=parents, child_id=f"ind-{number}")
        if number % 4 == 3:
            run.log_self_modification(
                parent_agent_id=f"agent-{number - 4}",
                child_agent_id=f"agent-{number}",
                target_path="agent.py",
                proposal="try again",
                overseer_id="gate",
                overseer_verdict="accepted",
            )


def said(events: list[Event], mapping: str, namespace: str, **rows: object) -> list[object]:
    """Return what a mapping makes of events."""
    mapper = mapper_of(preset_of(mapping, rows), namespace)
    return [json.loads(body) for event in events for body, _ in mapper.map(event)]


def say(
    marquez: Backend, events: list[Event], mapping: str, namespace: str, **rows: object
) -> None:
    """Post it, one after the other."""
    for document in said(events, mapping, namespace, **rows):
        post(marquez.url, document)


def shifted(event: Event, seconds: int) -> Event:
    """Return an event at another time."""
    moved = event.timestamp_ns + seconds * 1_000_000_000
    return event.model_copy(update={"timestamp_ns": moved})


@pytest.mark.parametrize("mapping", MAPPINGS)
def test_it_is_the_graph_that_was_captured(marquez: Backend, name: str, mapping: str) -> None:
    """A run that was posted opens as the same graph, by name, by id and by either address."""
    emit_to(marquez, name, mapping)
    with hl.run(name) as run:
        log(run, 0, 40)
    assert hl.emitter().flush(60)
    wanted = captured_graph()
    assert len(wanted.nx.edges) > 80
    host = marquez.url.removeprefix("http://")
    for address, asked in [(marquez.url, name), (f"marquez://{host}", run.id)]:
        found = hl.load(address, run=asked)
        assert found.equals(wanted)
    source = OpenedSource.open(f"{marquez.url}/api/v1/lineage", name)
    assert source.name == f"{name} at {marquez.url}"
    assert len(source.all_run_events()) == len(hl.emitter().captured_events)
    assert hl.explore(marquez.url, run=name).graph.equals(wanted)


@pytest.mark.parametrize("mapping", MAPPINGS)
def test_events_that_were_posted_twice_are_read_once(
    marquez: Backend, name: str, mapping: str
) -> None:
    """At-least-once delivery leaves copies in the backend, and none in the graph."""
    emit_to(marquez, name, mapping)
    with hl.run(name) as run:
        log(run, 0, 6)
    assert hl.emitter().flush(60)
    for event in hl.emitter().captured_events:
        post(marquez.url, event)
    source = OpenedSource.open(marquez.url, name)
    assert len(source.all_run_events()) == len(hl.emitter().captured_events)
    assert source.graph.equals(captured_graph())


@pytest.mark.parametrize("mapping", MAPPINGS)
def test_a_run_is_followed_until_it_ends(marquez: Backend, name: str, mapping: str) -> None:
    """What a first researcher posts, a second one sees grow; with the run the following ends."""
    emit_to(marquez, name, mapping)
    with hl.run(name) as run:
        log(run, 0, 10)
        assert hl.emitter().flush(60)
        explorer = hl.explore(marquez.url, run=name, follow=True)
        source = explorer._source
        news = threading.Event()
        end = source.watch(news.set)
        assert len(explorer.graph) == len(captured_graph()) > 10
        log(run, 10, 20)
        assert hl.emitter().flush(60)
        assert news.wait(30)
        wait_until(lambda: len(explorer.graph) == len(captured_graph()), 30)
        assert not source.over
    assert hl.emitter().flush(60)
    wait_until(lambda: source.over, 30)
    assert explorer.graph.equals(captured_graph())
    end()
    explorer.close()


@pytest.mark.parametrize("mapping", MAPPINGS)
def test_runs_that_share_their_ids_are_kept_apart(
    marquez: Backend, name: str, mapping: str
) -> None:
    """Each of three runs with the same ids opens with its own edges alone."""
    runs = [made(f"{name}-{letter}", name, 8 + 4 * k) for k, letter in enumerate("abc")]
    bring(marquez, [event for run in runs for event in run], mapping, name)
    for run in runs:
        graph = hl.load(marquez.url, run=run[0].run_id)
        assert {key.run_id for key in graph.nx} == {run[0].run_id}
        if mapping == "marquez":
            assert set(graph.nx.edges) == truth_of(run)


def test_a_restart_is_told_and_followed_over(marquez: Backend, name: str) -> None:
    """While the backend is away the status says so; what was posted meanwhile comes later."""
    emit_to(marquez, name, "marquez")
    with hl.run(name) as run:
        log(run, 0, 5)
        assert hl.emitter().flush(60)
        source = GrowingSource.follow(marquez.url, name)
        marquez.stop()
        wait_until(lambda: source.status()["state"] == "failing", 30)
        assert "is a Marquez running there?" in str(source.status()["last_error"])
        log(run, 5, 10)
        marquez.start()
    assert hl.emitter().flush(120)
    wait_until(lambda: source.over, 60)
    source.sync()
    assert source.status()["state"] == "memory"
    assert source.graph.equals(captured_graph())


def test_who_is_meant_has_to_be_clear(marquez: Backend, name: str) -> None:
    """No such run: the close ones are named. Two of one name: their ids are."""
    emit_to(marquez, name, "marquez")
    ids = []
    for _ in range(2):
        with hl.run(name) as run:
            log(run, 0, 2)
            ids.append(run.id)
    assert hl.emitter().flush(60)
    with pytest.raises(ReadError, match="did you mean.*" + name):
        hl.load(marquez.url, run=f"{name}x")
    with pytest.raises(ReadError, match="has several runs") as caught:
        hl.load(marquez.url, run=name)
    assert all(each in str(caught.value) for each in ids)
    assert len(hl.load(marquez.url, run=ids[1]).runs) == 1
    with pytest.raises(ReadError, match="name one with run="):
        hl.load(marquez.url)


@pytest.mark.parametrize("mapping", MAPPINGS)
def test_an_old_run_is_found_behind_many_others(
    marquez: Backend, name: str, mapping: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the newest events do not tell of is found by the run's name or id, spaces or not."""
    monkeypatch.setattr("hutch_lineage.readers.formats.marquez_feed.LOOK_BACK", 0)
    say(marquez, made(f"id {name}", f"the run {name}, é.1", 8), mapping, name)
    assert len(hl.load(marquez.url, run=f"the run {name}, é.1")) == 10
    assert len(hl.load(marquez.url, run=f"id {name}")) == 10


@pytest.mark.parametrize("mapping", MAPPINGS)
def test_the_id_of_a_run_may_be_the_name_of_another(
    marquez: Backend, name: str, mapping: str
) -> None:
    """An id is the surer one; the other run opens by its own id."""
    say(marquez, made(name, f"not-{name}", 6), mapping, name)
    say(marquez, made(f"{name}-2", name, 9), mapping, name)
    assert len(hl.load(marquez.url, run=name)) == 8
    assert len(hl.load(marquez.url, run=f"{name}-2")) == 11


def test_one_id_in_two_namespaces_is_told_apart(marquez: Backend, name: str) -> None:
    """Where the ids are equal, the error lists Marquez's own, and each opens its run."""
    for space, steps in ((name, 6), (f"{name}-2", 9)):
        say(marquez, made(name, name, steps), "marquez", space)
    with pytest.raises(ReadError, match="has several runs") as caught:
        hl.load(marquez.url, run=name)
    uuids = re.findall(r"run_id ([0-9a-f-]{36})", str(caught.value))
    assert sorted(len(hl.load(marquez.url, run=uuid)) for uuid in uuids) == [8, 11]


@pytest.mark.parametrize(
    ("mapping", "rows"), [("marquez", {"facets": []}), ("generic", {"granularity": "operator"})]
)
def test_operators_without_a_parent_facet_belong_to_their_run(
    marquez: Backend, name: str, mapping: str, rows: dict[str, object]
) -> None:
    """Where a preset was changed so that none is written, the run they name is theirs."""
    events = made(name, name, 12)
    say(marquez, events, mapping, name, **rows)
    assert set(hl.load(marquez.url, run=name).nx.edges) == truth_of(events)


def test_a_run_that_was_posted_anew_under_a_preset_is_one_run(marquez: Backend, name: str) -> None:
    """Posted as specified first, and then so that edges show, it opens by its name and its id."""
    events = made(f"id-{name}", name, 12)
    say(marquez, events[:9], "generic", name)
    say(marquez, events, "marquez", name)
    for asked in (name, f"id-{name}"):
        assert set(hl.load(marquez.url, run=asked).nx.edges) == truth_of(events)


@pytest.mark.parametrize("mapping", MAPPINGS)
def test_a_clock_that_was_set_back_hides_nothing(marquez: Backend, name: str, mapping: str) -> None:
    """Events whose times are before the run's start are read, and followed to the end."""
    events = [start(name, name), *(operator(k, run_id=name) for k in range(5)), end(name)]
    moved = [events[0], *(shifted(each, -60 + k) for k, each in enumerate(events[1:]))]
    documents = said(moved, mapping, name)
    for document in documents[:2]:
        post(marquez.url, document)
    feed = read(marquez.url, run=name).follow(ReadReport())
    assert len(feed.poll()) == 2
    for document in documents[2:]:
        post(marquez.url, document)
    found: list[object] = []
    for _ in range(4):
        found += feed.poll()
    assert (len(found), feed.ended) == (len(documents) - 2, True)
    feed.close()
    assert set(hl.load(marquez.url, run=name).nx.edges) == truth_of(events)


@pytest.mark.parametrize("mapping", MAPPINGS)
def test_a_run_that_was_begun_again_comes_whole(
    marquez: Backend, name: str, mapping: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A day after its end it goes on: what it says then is read, too, and is not the end."""
    monkeypatch.setattr("hutch_lineage.readers.formats.marquez.PAGE", 4)
    first = [start(name, name), operator(1, run_id=name), end(name, status="failed")]
    others = [operator(k, run_id=f"{name}-x") for k in range(12)]
    again = [start(name, name), operator(2, run_id=name), end(name)]
    posted = [
        *first,
        *(shifted(each, 600 + 60 * k) for k, each in enumerate(others)),
        *(shifted(each, 86_400) for each in again),
    ]
    *documents, last = said(posted, mapping, name)
    for document in documents:
        post(marquez.url, document)
    feed = read(marquez.url, run=name).follow(ReadReport())
    found = [*feed.poll(), *feed.poll(), *feed.poll()]
    assert (len(found), feed.ended) == (5, False)
    post(marquez.url, last)
    found += [*feed.poll(), *feed.poll()]
    assert (len(found), feed.ended) == (6, True)
    feed.close()
    assert set(hl.load(marquez.url, run=name).nx.edges) == truth_of(first + again)


def test_pages_are_put_together(
    marquez: Backend, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run of many pages comes whole, also where many events have one and the same time."""
    monkeypatch.setattr("hutch_lineage.readers.formats.marquez.PAGE", 4)
    emit_to(marquez, name)
    with hl.run(name) as run:
        log(run, 0, 12)
    for number, event in enumerate(hl.emitter().captured_events[1:-1]):
        at = "2026-05-05T12:00:00Z" if number < 11 else event["eventTime"]
        post(marquez.url, {**event, "eventTime": at, "run": {**event["run"], "runId": f"x{name}"}})
    assert hl.emitter().flush(60)
    feed = read(marquez.url, run=f"x{name}").follow(ReadReport())
    assert len(feed.poll()) == len(hl.emitter().captured_events) - 2
    feed.close()


def test_nobody_looks_nobody_asks(marquez: Backend, name: str) -> None:
    """The thread that follows a run ends with the source."""
    emit_to(marquez, name)
    run = hl.start_run(name=name)
    log(run, 0, 3)
    assert hl.emitter().flush(60)
    source = GrowingSource.follow(marquez.url, name)
    thread = next(each for each in threading.enumerate() if each.name == "hutch-lineage-follow")
    del source
    gc.collect()
    thread.join(10)
    assert not thread.is_alive()
    hl.end_run()


# -- what answers otherwise ------------------------------------------------------------------------


def test_nothing_there() -> None:
    """A refused connection is one clear line."""
    with pytest.raises(ReadError, match=r"cannot be read: Connection refused; is a Marquez"):
        hl.load(f"http://127.0.0.1:{unused_port()}")


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (Answer(404), "gives no events back"),
        (Answer(200, body=b"<html>"), "not JSON"),
        (Answer(200, body=b'{"events": 3}'), "gives no events back"),
        (Answer(200, body=b'{"events": []}'), "has no runs yet"),
        (Answer(200, body=b'{"events": [', withheld=40), "breaks off"),
        (Answer(401, body=b"who?"), r"wants to know who asks \(401: who\?\)"),
        (Answer(500, body=b"oops"), r"does not give its events \(500: oops\)"),
        (Answer("close"), "closed without an answer"),
        (Answer("hang"), "no answer within 0.5 s"),
    ],
)
def test_odd_answers(answer: Answer, message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each is an error that says where and what; secrets of the URL are not in it."""
    from hutch_lineage.readers.formats.marquez import Marquez

    monkeypatch.setattr(Marquez.__init__, "__defaults__", (None, 0.5))
    with Receiver(then=answer) as receiver:
        url = receiver.url.replace("http://", "marquez://me:pass-word@") + "/?token=t0ken"
        with pytest.raises(ReadError, match=message) as caught:
            hl.load(url, run="x" if answer.status == 404 else None)
        told = f"{caught.value} {caught.value.source}"
        assert receiver.url in told
        assert "pass-word" not in told
        assert "t0ken" not in told
        asked = receiver.requests[0]
        assert asked.headers["Authorization"] == "Basic bWU6cGFzcy13b3Jk"
        assert asked.path.endswith("&token=t0ken")


def test_a_key_goes_to_its_own_host_only() -> None:
    """The configured key serves for the configured host; another one gets it when told."""
    hl.configure(
        hl.SDKConfig(openlineage_endpoint="http://127.0.0.1:9", openlineage_api_key="k3y-1234")
    )
    with Receiver(then=Answer(401)) as receiver:
        with pytest.raises(ReadError):
            hl.load(receiver.url)
        with pytest.raises(ReadError) as caught:
            hl.load(receiver.url, api_key="an0ther-key")
        sent = [request.headers.get("Authorization") for request in receiver.requests]
        assert sent == [None] * 2 + ["Bearer an0ther-key"] * 2  # each asks who is there first
        assert "an0ther" not in str(caught.value)


def test_only_a_backend_has_runs_to_choose(tmp_path) -> None:
    """A file is opened whole."""
    path = tmp_path / "events.ndjson"
    path.write_text("{}")
    with pytest.raises(ReadError, match="run= chooses among the runs of a backend"):
        hl.load(path, run="x")


def test_large_events_are_asked_for_few_at_a_time() -> None:
    """Where a page is cut off or takes too long, the next one is shorter; an end is an end."""
    from hutch_lineage.readers.formats.marquez import Marquez

    cut = Answer(200, body=b'{"events": [', withheld=40)
    whole = Answer(200, body=b'{"events": [{"eventTime": "2026-05-05T12:00:00Z"}]}')
    with Receiver(cut, Answer("hang"), whole, then=cut) as receiver:
        marquez = Marquez(receiver.url, timeout_s=0.5)
        assert sum(map(len, marquez.events())) == 1
        with pytest.raises(ReadError, match="breaks off"):
            next(marquez.events())
        limits = [re.findall(r"limit=(\d+)", each.path)[0] for each in receiver.requests]
        assert limits == ["500", "31", "2", "500", "31", "2"]


def test_a_dripping_body_is_cut_off() -> None:
    """A body that never ends holds nobody for longer than the time limit."""
    from hutch_lineage.readers.formats.marquez import Marquez

    head = b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n"
    with Receiver(then=Answer(200, raw=head + b" " * 900, drip_s=0.02)) as receiver:
        marquez = Marquez(receiver.url, timeout_s=1.5)
        began = time.monotonic()
        with pytest.raises(ReadError, match=r"breaks off|no answer within 1.5 s"):
            marquez.ask("/namespaces")
        assert time.monotonic() - began < 6
