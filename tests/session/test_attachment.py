"""Attached to the real Hutch SDK: all that it logs is seen, and it is none the worse for it."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import hutch_lineage as hl
from hutch_lineage.errors import AttachError, CaptureError, InvalidEventError
from hutch_lineage.openlineage import OpenLineageEmitter
from hutch_lineage.sdk import hear, runtime
from tests.hutch_server import HutchServer
from tests.receivers import Receiver, unused_port
from tests.session.hutch_alone import edges_logged, edges_of, embedded, fresh_hutch


@pytest.fixture
def hutch(tmp_path: Path) -> Iterator[Any]:
    """The real SDK; it stores to a file of this test."""
    with fresh_hutch() as sdk:
        sdk.configure(embedded(tmp_path / "hutch.duckdb"))
        yield sdk
        hl.detach()


def ids() -> list[str]:
    """The individuals that the session knows."""
    return sorted(key.id for key in hl.lineage())


def pair(hutch: Any, parent: str, child: str) -> None:
    """Log a seed and its child to a run of their own, which stays open."""
    hutch.start_run(name=parent)
    hutch.log_individual(kind="program", individual_id=parent)
    hutch.log_individual(kind="program", individual_id=child, parent_ids=[parent])
    hutch.log_operator(kind="mutate", parent_ids=[parent], child_id=child, cost_usd=0.5)


def test_what_hutch_logs_is_in_the_graph_and_in_the_emitter(hutch: Any) -> None:
    """Nodes, edges, scores, costs, and RunEvents that can be sent."""
    hl.attach()
    pair(hutch, "a", "b")
    hutch.log_fitness(individual="b", scores={"score": 2.0})
    hutch.end_run()
    graph = hl.lineage()
    assert (ids(), graph.best("score").id, graph.cost("b").cost_usd) == (["a", "b"], "b", 0.5)
    kinds = [event["eventType"] for event in hl.emitter().captured_events]
    assert kinds == ["START", "RUNNING", "COMPLETE"]


def test_hutch_stores_what_it_would_have_stored(hutch: Any, tmp_path: Path) -> None:
    """Its own file has every event; this package has opened none."""
    hl.attach()
    pair(hutch, "a", "b")
    hutch.reset()
    assert edges_logged(tmp_path / "hutch.duckdb") == edges_of(hl.lineage())
    assert runtime().transport is runtime()._memory


def test_detach_restores_hutch_exactly(hutch: Any) -> None:
    """The same objects, with the same attributes, as if nobody had ever listened."""
    from hutch.sdk import _state

    transport, build = _state.state().transport, _state.build_transport
    before = dict(vars(transport))
    attachment = hl.attach()
    assert _state.state().transport is transport
    assert hl.attach() is attachment
    assert str(attachment).startswith("attached to Hutch 0.1.1")
    hl.detach()
    hl.detach()
    assert str(attachment) == "detached from Hutch 0.1.1"
    assert vars(transport) == before
    assert transport.send.__func__ is type(transport).send
    assert _state.build_transport is build
    hutch.start_run(name="unheard")
    assert ids() == []


def test_attached_twice_each_event_is_seen_once(hutch: Any) -> None:
    """A cell may be run again."""
    hl.attach()
    hl.attach()
    hutch.start_run(name="once")
    assert [event.event_kind for event in runtime().events] == ["run_start"]


def test_settings_that_come_later_are_followed(hutch: Any, tmp_path: Path) -> None:
    """`configure`, `reset` and the environment make other transports; all of them are heard."""
    hl.attach()
    pair(hutch, "a", "b")
    hutch.configure(embedded(tmp_path / "other.duckdb"))
    pair(hutch, "c", "d")
    hutch.reset()
    os.environ["HUTCH_DB_PATH"] = str(tmp_path / "third.duckdb")
    try:
        pair(hutch, "e", "f")
    finally:
        del os.environ["HUTCH_DB_PATH"]
    assert ids() == ["a", "b", "c", "d", "e", "f"]
    hl.detach()
    from hutch.sdk import _state

    assert "send" not in vars(_state.state().transport)


def test_a_transport_that_somebody_holds_is_heard(hutch: Any) -> None:
    """Importers take the transport once and send to it; detaching ends that, too."""
    from hutch.schema import IndividualEvent, IndividualPayload
    from hutch.sdk._state import state

    held = state().transport
    hl.attach()
    payload = IndividualPayload(id="a", kind="program", is_seed=True)
    held.send(IndividualEvent(run_id="r", payload=payload))
    hl.detach()
    held.send(IndividualEvent(run_id="r", payload=payload.model_copy(update={"id": "b"})))
    assert ids() == ["a"]


def test_the_tee_of_hutch_goes_on(hutch: Any, tmp_path: Path) -> None:
    """Its own emitters get each event, and are found where they were."""
    from hutch.sdk._state import state

    config = embedded(tmp_path / "tee.duckdb")
    config.openlineage_endpoint = "in-memory"
    hutch.configure(config)
    emitters = state().transport.emitters
    hl.attach()
    pair(hutch, "a", "b")
    assert state().transport.emitters is emitters
    assert len(emitters[0].captured_events) == 2
    assert ids() == ["a", "b"]


def test_what_was_captured_before_is_taken_over(hutch: Any) -> None:
    """The open run and those that this process has ended, before whatever comes then."""
    pair(hutch, "a", "b")
    hutch.end_run()
    pair(hutch, "c", "d")
    attachment = hl.attach()
    hutch.log_individual(kind="program", individual_id="e", parent_ids=["d"])
    assert (attachment.taken_over, attachment.missing) == (9, "")
    assert ids() == ["a", "b", "c", "d", "e"]
    assert [key.id for key in hl.lineage().ancestors("e")] == ["c", "d"]
    hl.detach()
    hutch.log_individual(kind="program", individual_id="f", parent_ids=["e"])
    assert hl.attach().taken_over == 1
    assert len(runtime().events) == 11


def test_what_is_logged_meanwhile_comes_afterwards(
    hutch: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A thread that logs during the taking over waits; its event is there once."""
    from hutch_lineage.session import attachment

    kept_by, waiting = attachment.kept_by, threading.Event()
    pair(hutch, "a", "b")
    late = threading.Thread(
        target=lambda: hutch.log_individual(kind="program", individual_id="c", parent_ids=["b"])
    )

    def slowly(state: Any) -> Any:
        send = attachment.Attachment.hear

        def hear(self: Any, event: Any) -> None:
            waiting.set()
            send(self, event)

        monkeypatch.setattr(attachment.Attachment, "hear", hear)
        late.start()
        assert waiting.wait(20)
        return kept_by(state)

    monkeypatch.setattr(attachment, "kept_by", slowly)
    hl.attach()
    late.join()
    logged = [getattr(event.payload, "id", "") for event in runtime().events]
    assert logged.count("c") == 1
    assert ids() == ["a", "b", "c"]
    assert runtime().events[0].event_kind == "run_start"


def test_nothing_of_former_processes_is_taken_over(hutch: Any, tmp_path: Path) -> None:
    """A file with old runs gives the open run alone; one that is resumed comes whole."""
    from hutch.schema import IndividualEvent, IndividualPayload
    from hutch.sdk._state import state

    for run_id in ("old", "resumed"):
        payload = IndividualPayload(id=run_id, kind="program", is_seed=True)
        event = IndividualEvent(run_id=run_id, payload=payload, timestamp_ns=10**18)
        state().transport.send(event)
    hutch.start_run(run_id="resumed")
    hl.attach()
    assert ids() == ["resumed"]


def test_a_store_in_memory_is_taken_over(hutch: Any) -> None:
    """Hutch's database without a file is read over its own connection."""
    hutch.configure(embedded(None))
    pair(hutch, "a", "b")
    assert hl.attach().taken_over == 4


def test_an_open_run_of_a_server_is_taken_over(hutch: Any, tmp_path: Path) -> None:
    """Those that the server has, then those that wait in Hutch's queue, each once."""
    from hutch.schema import IndividualEvent, IndividualPayload
    from hutch.sdk import _state, fallback

    queue = tmp_path / "queue.jsonl"
    with HutchServer(tmp_path / "server.duckdb", token="hush") as server:
        hutch.configure(
            hutch.SDKConfig(daemon_url=server.url, auth_token="hush", fallback_path=queue)
        )
        pair(hutch, "a", "b")
        waiting = IndividualPayload(id="c", kind="program", parent_ids=["b"])
        run_id = _state.active_run().id
        for each in (run_id, "another"):
            fallback.append_event(queue, IndividualEvent(run_id=each, payload=waiting))
        with queue.open("a") as file:
            file.write('{"event_id": "torn')
        attachment = hl.attach()
    assert (attachment.taken_over, attachment.missing) == (5, "")
    assert ids() == ["a", "b", "c"]


def test_what_is_not_to_be_had_is_said(
    hutch: Any, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A server that is away keeps what it had: where, and how it is opened. The rest is seen."""
    url = f"http://127.0.0.1:{unused_port()}"
    hutch.configure(hutch.SDKConfig(daemon_url=url, fallback_path=tmp_path / "queue.jsonl"))
    run = hutch.start_run(name="away")
    attachment = hl.attach()
    hutch.log_individual(kind="program", individual_id="a")
    assert attachment.taken_over == 1
    for part in (run.id, url, "does not answer (ConnectError)", "hutch_lineage.load("):
        assert part in attachment.missing
    assert attachment.missing in caplog.text
    assert ids() == ["a"]


def test_a_store_of_ones_own_is_heard_and_its_past_is_told_of(hutch: Any) -> None:
    """A transport that this package does not know is not guessed at."""
    from hutch.sdk import _state
    from hutch.sdk.transport import Transport

    class Elsewhere(Transport):
        def send(self, event: Any) -> None:
            """Keep nothing."""

        def close(self) -> None:
            """Nothing is open."""

    hutch.start_run(name="mine")
    _state.state().transport = Elsewhere()
    assert "Elsewhere keeps nothing" in hl.attach().missing
    hutch.log_individual(kind="program", individual_id="a")
    assert ids() == ["a"]


class Sealed:
    """A transport that nothing can be hung on."""

    __slots__ = ()

    def send(self, event: Any) -> None:
        """Keep nothing."""

    def close(self) -> None:
        """Nothing is open."""


@pytest.fixture
def built(hutch: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Any], None]]:
    """What makes Hutch's next transport be a given one."""
    from hutch.sdk import _state

    with monkeypatch.context() as patched:
        yield lambda transport: patched.setattr(_state, "build_transport", lambda _: transport)
        hl.detach()


def test_a_transport_that_cannot_be_listened_to(
    hutch: Any, built: Callable[[Any], None], caplog: pytest.LogCaptureFixture
) -> None:
    """Hutch is configured all the same, with a warning; attaching to it is one clear error."""
    built(Sealed())
    hl.attach()
    hutch.configure(embedded(None))
    hutch.start_run(name="sealed")
    assert "is not heard any more" in caplog.text
    hl.detach()
    with pytest.raises(AttachError, match="its Sealed cannot be listened to"):
        hl.attach()


def test_a_transport_that_is_given_out_twice_is_heard_once(
    hutch: Any, built: Callable[[Any], None]
) -> None:
    """Each event comes once."""
    from hutch.sdk import _state

    built(_state.state().transport)
    hl.attach()
    _state._state = None
    hutch.start_run(name="again")
    assert [event.event_kind for event in runtime().events] == ["run_start"]


def test_numbers_and_objects_are_mended_as_in_capture(
    hutch: Any, caplog: pytest.LogCaptureFixture
) -> None:
    """A NaN score is kept as text, objects become JSON, one warning per kind; the loop goes on."""
    hl.attach()
    hutch.configure(embedded(None))
    hutch.start_run(name="odd")
    hutch.log_individual(kind="program", individual_id="a", metadata={"path": Path("x")})
    hutch.log_fitness(individual="a", scores={"loss": float("nan"), "score": 1.0})
    assert hl.lineage().node("a")["scores"] == {"score": 1.0}
    assert hl.lineage().node("a")["metadata"] == {"path": "x"}
    assert "scores.loss (nan) is not a finite number" in caplog.text
    event = runtime().events[-1]
    assert event.payload.metadata == {"non_finite_scores": {"loss": "nan"}}


def test_what_the_caller_changes_later_is_not_seen(hutch: Any) -> None:
    """Hutch hands out its payloads; what was heard is a copy."""
    hl.attach()
    hutch.start_run(name="copy")
    told = {"note": ["first"]}
    made = hutch.log_individual(kind="program", individual_id="a", metadata=told)
    made.metadata["note"].append("second")
    made.parent_ids.append("x")
    assert ids() == ["a"]
    assert hl.lineage().node("a")["metadata"] == {"note": ["first"]}


class Broken:
    """A sink that fails."""

    name = "broken sink"

    def accept(self, event: object) -> None:
        """Fail."""
        raise ZeroDivisionError("as planned")


def test_what_fails_here_never_reaches_the_loop(
    hutch: Any, caplog: pytest.LogCaptureFixture
) -> None:
    """One warning; Hutch's event is stored, and whatever else listens has it."""
    hl.attach()
    runtime().tee.add(Broken())
    pair(hutch, "a", "b")
    assert ids() == ["a", "b"]
    assert [r.levelname for r in caplog.records if "as planned" in r.message] == ["WARNING"] + [
        "DEBUG"
    ] * (len(caplog.records) - 1)


def test_an_event_that_is_not_understood_is_told_of_once(
    hutch: Any, caplog: pytest.LogCaptureFixture
) -> None:
    """Of a newer Hutch there may be other kinds; the loop goes on."""

    class Other:
        event_kind, event_id = "dream", None

    attachment = hl.attach()
    with caplog.at_level(logging.WARNING):
        attachment.hear(Other())
        attachment.hear(Other())
    assert caplog.text.count("'dream' are not known here") == 1


def test_in_strict_mode_it_does(hutch: Any) -> None:
    """Who asks for strictness hears of a failure from the verb; Hutch has stored the event."""
    hl.configure(hl.SDKConfig(strict=True))
    hl.attach()
    runtime().tee.add(Broken())
    with pytest.raises(CaptureError, match="as planned"):
        hutch.start_run(name="strict")
    assert runtime().events[-1].event_kind == "run_start"


def test_a_lost_number_raises_in_strict_mode(hutch: Any) -> None:
    """As it does from a verb of this package."""
    hl.configure(hl.SDKConfig(strict=True))
    hl.attach()
    hutch.start_run(name="strict")
    with pytest.raises(CaptureError, match="strict"):
        hutch.log_fitness(individual="a", scores={"loss": float("inf")})


def test_events_that_break_the_schema_are_refused() -> None:
    """Heard from a caller that checks nothing."""

    class Event:
        event_kind, run_id, payload = "individual", "r", {"id": "a", "kind": "nonsense"}

    with pytest.raises(InvalidEventError, match="hutch, individual: kind"):
        hear(runtime(), Event())


def test_many_threads(hutch: Any) -> None:
    """Each event of each thread once, while others attach; Hutch's order within a thread."""
    hutch.configure(hutch.SDKConfig(daemon_url="http://127.0.0.1:1", auto_fallback=False))
    hutch.start_run(name="threads")
    logging.getLogger("hutch.sdk.transport").setLevel(logging.ERROR)
    hl.attach()

    def work(name: str) -> None:
        for number in range(40):
            hutch.log_individual(kind="program", individual_id=f"{name}-{number}")

    threads = [threading.Thread(target=work, args=(name,)) for name in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    logging.getLogger("hutch.sdk.transport").setLevel(logging.NOTSET)
    heard = [event.payload.id for event in runtime().events if event.event_kind == "individual"]
    assert len(heard) == len(set(heard)) == 160
    of_a = [int(each[2:]) for each in heard if each.startswith("a-")]
    assert of_a == list(range(40))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_a_forked_process_stays_attached(hutch: Any, tmp_path: Path) -> None:
    """What it logs is in the graph of the session that it was forked from."""
    url = f"http://127.0.0.1:{unused_port()}"
    hutch.configure(hutch.SDKConfig(daemon_url=url, fallback_path=tmp_path / "queue.jsonl"))
    hl.attach()
    hutch.start_run(name="forks")
    pid = os.fork()
    if pid == 0:
        try:
            hutch.log_individual(kind="program", individual_id="of the child")
        finally:
            os._exit(0)
    os.waitpid(pid, 0)
    assert ids() == ["of the child"]


ORDERS = {
    "hutch first": "import hutch\nimport hutch_lineage as hl\nhl.attach()",
    "hutch last": "import hutch_lineage as hl\nhl.attach()\nimport hutch",
    "before any setting": "import hutch_lineage as hl\nhl.attach()\nimport hutch\nhutch.reset()",
}


@pytest.mark.parametrize("order", ORDERS.values(), ids=ORDERS)
def test_in_any_order_of_import(order: str, tmp_path: Path) -> None:
    """A process that has only its environment, as scripts do; each stores to the one file."""
    script = f"""
{order}
hutch.start_run(name="script")
hutch.log_individual(kind="program", individual_id="a")
print(hl.emitter().stats()["captured"])
"""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", script],
        env={**os.environ, "HUTCH_DB_PATH": str(tmp_path / "script.duckdb")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout, done.stderr) == ("1\n", "")


def test_without_hutch_it_says_what_next(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is imported, and the message names the package and the other way."""
    import importlib.util

    monkeypatch.delitem(sys.modules, "hutch")
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(AttachError, match=r"pip install thehutch.*hutch_lineage\.load"):
        hl.attach()
    assert "hutch" not in sys.modules


def test_another_package_of_that_name_is_no_hutch(monkeypatch: pytest.MonkeyPatch) -> None:
    """PyPI's `hutch` is something else."""
    import types

    monkeypatch.setitem(sys.modules, "hutch", types.ModuleType("hutch"))
    monkeypatch.setitem(sys.modules, "hutch.sdk", None)
    monkeypatch.delitem(sys.modules, "hutch.sdk._state", raising=False)
    with pytest.raises(AttachError, match="not the Hutch SDK"):
        hl.attach()


def test_a_hutch_of_another_make_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is not there is named, and nothing was changed."""
    from hutch.sdk import _state

    monkeypatch.delattr(_state, "build_transport")
    with pytest.raises(AttachError, match="has no build_transport"):
        hl.attach()
    monkeypatch.undo()


def test_two_emitters_for_one_backend_are_told_of(
    hutch: Any, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Hutch's own would post each run a second time."""
    with Receiver() as receiver:
        hl.configure(hl.SDKConfig(openlineage_endpoint=receiver.url))
        config = embedded(tmp_path / "two.duckdb")
        config.openlineage_endpoint = receiver.url
        hutch.configure(config)
        hl.attach()
        assert isinstance(hl.emitter(), OpenLineageEmitter)
        assert caplog.text.count("appears twice") == 1


def test_reset_detaches(hutch: Any) -> None:
    """After it nothing of this package is in Hutch."""
    from hutch.sdk import _state

    attachment = hl.attach()
    hl.reset()
    assert not attachment.active
    assert "send" not in vars(_state.state().transport)


def test_somebody_else_who_wraps_later_is_left_alone(hutch: Any) -> None:
    """Their wrapper stays; ours inside it does nothing more."""
    from hutch.sdk._state import state

    transport = state().transport
    hl.attach()
    ours, seen = transport.send, []

    def theirs(event: Any) -> None:
        seen.append(event)
        ours(event)

    transport.send = theirs
    hl.detach()
    assert transport.send is theirs
    hutch.start_run(name="theirs")
    assert (len(seen), runtime().events) == (1, [])
    hl.attach()
    hl.detach()
    assert transport.send is theirs
