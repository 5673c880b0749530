"""What Hutch had captured before anybody listened: taken over, or told of."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest

import hutch_lineage as hl
from hutch_lineage.sdk import runtime
from tests.hutch_server import HutchServer
from tests.receivers import unused_port
from tests.session.hutch_alone import embedded, ids, pair


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
