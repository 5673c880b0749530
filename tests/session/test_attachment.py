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
from hutch_lineage.errors import AttachError
from hutch_lineage.openlineage import OpenLineageEmitter
from hutch_lineage.sdk import runtime
from tests.receivers import Receiver, unused_port
from tests.session.hutch_alone import edges_logged, edges_of, embedded, ids, pair


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
