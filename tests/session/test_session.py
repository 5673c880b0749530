"""The session: SDK, emitter and graph of one process, joined."""

from __future__ import annotations

import gc
import weakref
from pathlib import Path

import pytest

import hutch_lineage as hl
from hutch_lineage.errors import ConfigurationError
from hutch_lineage.sdk import SDKConfig, runtime
from hutch_lineage.session import current_session
from tests.receivers import Receiver
from tests.support.waiting import wait_until


def log_two() -> None:
    """Log a seed and its child."""
    with hl.run("packing") as run:
        seed = run.log_individual(kind="program", individual_id="a")
        run.log_operator(kind="mutate", parent_ids=[seed.id], child_id="b")


def keys_sent(receiver: Receiver) -> set[str | None]:
    """The Authorization headers that came with the posts."""
    return {request.headers.get("Authorization") for request in receiver.requests}


def test_the_graph_has_what_was_logged_before_and_after() -> None:
    """One graph, whenever the session came into being, and the same object throughout."""
    log_two()
    graph = hl.lineage()
    assert (len(graph), len(graph.runs)) == (2, 1)
    log_two()
    assert hl.lineage() is graph
    assert len(graph.runs) == 2


def test_reset_begins_a_new_session() -> None:
    """After a reset nothing of the former session is seen."""
    log_two()
    former = current_session()
    hl.reset()
    assert current_session() is not former
    assert len(hl.lineage()) == 0


def test_the_configured_key_stays_with_its_host() -> None:
    """Going live to another host sends it neither the key nor the headers of the configuration."""
    with Receiver() as ours, Receiver() as other:
        hl.configure(
            SDKConfig(
                openlineage_endpoint=ours.url,
                openlineage_api_key="hush",
                openlineage_headers={"X-Team": "hush"},
            )
        )
        log_two()
        current_session().go_live(other.url)
        other.wait_for(3)
        current_session().go_live(ours.url)
        ours.wait_for(3)
    assert (keys_sent(ours), keys_sent(other)) == ({"Bearer hush"}, {None})
    assert {request.headers.get("X-Team") for request in other.requests} == {None}


def test_a_key_without_a_host_serves_for_any() -> None:
    """A key that was configured alone goes to the endpoint that is named later."""
    with Receiver() as receiver:
        hl.configure(SDKConfig(openlineage_api_key="hush"))
        log_two()
        current_session().go_live(receiver.url)
        receiver.wait_for(3)
    assert keys_sent(receiver) == {"Bearer hush"}


def test_the_official_variables_complete_a_live_without_url(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """OPENLINEAGE_URL says where to, OPENLINEAGE_API_KEY with which key, once live is asked for."""
    with Receiver() as receiver:
        monkeypatch.setenv("OPENLINEAGE_URL", receiver.url)
        monkeypatch.setenv("OPENLINEAGE_API_KEY", "official")
        log_two()
        assert current_session().status()["mode"] == "memory"
        current_session().go_live()
        receiver.wait_for(3)
    assert keys_sent(receiver) == {"Bearer official"}


def test_the_official_path_stands_in_for_the_usual_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """OPENLINEAGE_ENDPOINT is a path, of OPENLINEAGE_URL alone."""
    with Receiver() as receiver:
        monkeypatch.setenv("OPENLINEAGE_URL", receiver.url)
        monkeypatch.setenv("OPENLINEAGE_ENDPOINT", "/lineage/of/ours")
        log_two()
        current_session().go_live()
        receiver.wait_for(3)
        assert {request.path for request in receiver.requests} == {"/lineage/of/ours"}
        hl.reset()
        log_two()
        current_session().go_live(receiver.url)
        receiver.wait_for(6)
        assert {request.path for request in receiver.requests[3:]} == {"/api/v1/lineage"}


@pytest.mark.parametrize("word", ["true", "1", "TRUE"])
def test_openlineage_disabled_forbids_posting(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, word: str
) -> None:
    """Whatever is configured: events are captured, one WARNING says so, going live is refused."""
    monkeypatch.setenv("OPENLINEAGE_DISABLED", word)
    with Receiver() as receiver:
        hl.configure(SDKConfig(openlineage_endpoint=receiver.url))
        log_two()
        with pytest.raises(ConfigurationError, match="OPENLINEAGE_DISABLED is set"):
            current_session().go_live(receiver.url)
        assert current_session().emitter.flush(1)
        assert receiver.requests == []
    assert len(current_session().emitter.captured_events) == 3
    assert caplog.text.count("OPENLINEAGE_DISABLED is set") == 1


def test_openlineage_disabled_false_disables_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in the official client."""
    monkeypatch.setenv("OPENLINEAGE_DISABLED", "false")
    with Receiver() as receiver:
        hl.configure(SDKConfig(openlineage_endpoint=receiver.url))
        log_two()
        receiver.wait_for(3)


def test_a_journal_that_cannot_be_written_is_told_in_the_explorer(tmp_path: Path) -> None:
    """Events go on; the status that each view has says why they wait in memory."""
    (tmp_path / "file").write_text("")
    with Receiver() as receiver:
        journal = str(tmp_path / "file" / "j")
        hl.configure(SDKConfig(openlineage_endpoint=receiver.url, openlineage_journal=journal))
        explorer = hl.explore()
        log_two()
        assert current_session().emitter.flush(20)
        wait_until(lambda: explorer.status["state"] == "ok")
        assert explorer.status["last_error"] == "the journal cannot be written: Not a directory"
        explorer.close()


def test_live_without_any_endpoint_says_how_to_name_one() -> None:
    """Nothing is guessed: the message shows what to type."""
    with pytest.raises(ConfigurationError, match=r"%hutch_lineage live http://localhost:5000"):
        current_session().go_live()


def test_reset_frees_what_was_logged() -> None:
    """After reset nothing holds the events and the graph of the former session."""
    log_two()
    hl.start_run(name="left open")
    traces = [weakref.ref(each) for each in (runtime(), hl.lineage(), current_session())]
    hl.reset()
    gc.collect()
    assert [trace() for trace in traces] == [None, None, None]
