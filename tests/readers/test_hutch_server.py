"""A running ``hutch serve``: found by asking, read whole, followed, and its refusals."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import hutch_lineage as hl
from hutch_lineage.errors import ReadError
from hutch_lineage.graph import LineageGraph
from hutch_lineage.model import parse_event
from hutch_lineage.plumbing import Wire
from hutch_lineage.readers import ReadReport, read
from hutch_lineage.readers.formats import hutch_server
from tests.hutch_server import HutchServer
from tests.readers.samples.events import hutch
from tests.receivers import Answer, Receiver, unused_port

SEED = {"kind": "program", "is_seed": True}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HutchServer]:
    """A real server with a token, for all tests of this file."""
    with HutchServer(tmp_path_factory.mktemp("hutch") / "log.duckdb", token="secret") as running:
        yield running


def post(server: HutchServer, run_id: str, *events: dict[str, object]) -> LineageGraph:
    """Post events of a run; return the graph of them."""
    said = [parse_event({**event, "run_id": run_id}) for event in events]
    wire = Wire(server.url, 20)
    headers = {"Authorization": "Bearer secret", "Content-Type": "application/json"}
    body = "[" + ",".join(event.model_dump_json() for event in said) + "]"
    assert wire.post("/events", headers, body.encode(), 4096).status == 200
    wire.close()
    graph = LineageGraph()
    graph.apply(said)
    return graph


def individuals(start: int, stop: int, base: int) -> list[dict[str, object]]:
    """Individuals whose event ids are counted from `base`; each descends from ``i0``."""
    return [
        hutch(base + n, "individual", id=f"i{n}", **(SEED if n == 0 else child()))
        for n in range(start, stop)
    ]


def child() -> dict[str, object]:
    """What makes an individual a child of the first one."""
    return {"kind": "program", "parent_ids": ["i0"]}


def test_a_run_is_read_by_name_and_id(server: HutchServer) -> None:
    """The graph of what was posted; without a name, or with a wrong one, the runs are listed."""
    start = hutch(1000, "run_start", name="first")
    wanted = post(server, "run-first", start, *individuals(0, 5, 1001))
    post(server, "run-second", hutch(1100, "run_start", name="second"))
    for name in ("first", "run-first"):
        assert hl.load(server.url, run=name, api_key="secret").equals(wanted)
    with pytest.raises(ReadError, match=r"has several runs: name one with run=: .*run-second"):
        hl.load(server.url, api_key="secret")
    with pytest.raises(ReadError, match="has no run 'frist'; did you mean: first"):
        hl.load(server.url, run="frist", api_key="secret")
    assert read(server.url, run="first", api_key="secret").kind == "hutch-server"
    assert "individuals" in repr(hl.explore(server.url, run="first", api_key="secret"))


def test_pages_lose_nothing(server: HutchServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page may end among events of one moment."""
    monkeypatch.setattr(hutch_server, "PAGE", 3)
    events = individuals(0, 10, 2000)
    for event in events[1:8]:
        event["timestamp_ns"] = 5_000
    wanted = post(server, "run-pages", *events)
    assert hl.load(server.url, run="run-pages", api_key="secret").equals(wanted)


def test_a_run_is_followed_until_it_ends(server: HutchServer) -> None:
    """What is new comes, also what is late, and with the end of the run nothing more."""
    graph = LineageGraph()
    post(server, "run-grows", *individuals(0, 3, 3000))
    reading = read(server.url, run="run-grows", api_key="secret")
    feed = reading.follow(ReadReport())
    graph.apply(feed.poll())
    assert (len(graph), list(feed.poll()), feed.ended) == (3, [], False)
    late = [{**event, "timestamp_ns": 1} for event in individuals(3, 4, 3000)]
    post(server, "run-grows", *late, *individuals(4, 6, 3000))
    items = feed.poll()
    assert len(items) == 3
    graph.apply(items)
    post(server, "run-grows", hutch(3100, "run_end", status="finished"))
    graph.apply(feed.poll(), feed.poll())
    assert feed.ended
    assert graph.equals(hl.load(server.url, run="run-grows", api_key="secret"))
    feed.close()


def test_the_token(server: HutchServer) -> None:
    """Without it the message says what is missing; the configured one goes to its own server."""
    post(server, "run-token", *individuals(0, 1, 4000))
    with pytest.raises(ReadError, match=r"wants to know who asks \(401.*HUTCH_TOKEN"):
        hl.load(server.url, run="run-token")
    hl.configure(hl.SDKConfig(auth_token="secret", daemon_url=server.url))
    assert len(hl.load(server.url, run="run-token")) == 1


def test_what_is_no_hutch_server_is_taken_for_a_marquez() -> None:
    """Nobody, or a page that says yes to everything, is not one."""
    with pytest.raises(ReadError, match="is a Marquez running there"):
        hl.load(f"http://127.0.0.1:{unused_port()}")
    with pytest.raises(ReadError, match="is `hutch serve` running there"):
        hl.load(f"http://127.0.0.1:{unused_port()}", kind="hutch-server")
    with Receiver(then=Answer(200, body=b"<html>hello")) as page:
        assert read(page.url).kind == "marquez"
