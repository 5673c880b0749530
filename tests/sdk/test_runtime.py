"""The runtime joins transport, emitter and sinks, and survives being set up anew."""

from __future__ import annotations

import contextlib
import logging
import math
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import hutch_lineage as hl
from hutch_lineage.errors import ConfigurationError, EndpointError
from hutch_lineage.model import Event
from hutch_lineage.sdk import SDKConfig, StopRun, before_verb, runtime


def _captured() -> list[str]:
    emitter = hl.emitter()
    assert emitter is not None
    return [event["eventType"] for event in emitter.captured_events]


class Sink:
    name = "sink"

    def __init__(self) -> None:
        self.kinds: list[str] = []

    def accept(self, event: Event) -> None:
        self.kinds.append(event.event_kind)


# -- the emitter -----------------------------------------------------------------------------


def test_off_by_default() -> None:
    """Without settings there is no emitter, and asking does not make one."""
    with hl.run("r"):
        assert hl.emitter() is None
    assert hl.emitter() is None


def test_in_memory_endpoint() -> None:
    """The endpoint "in-memory" records what would be posted."""
    hl.configure(SDKConfig(openlineage_endpoint="in-memory", openlineage_namespace="my-org"))
    with hl.run("r"):
        hl.log_operator(kind="mutate", child_id="c")
    assert _captured() == ["START", "RUNNING", "COMPLETE"]
    assert {event["job"]["namespace"] for event in hl.emitter().captured_events} == {"my-org"}


def test_environment_switches_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """HUTCH_OPENLINEAGE_ENDPOINT is read at the first verb; OPENLINEAGE_URL does nothing."""
    monkeypatch.setenv("OPENLINEAGE_URL", "http://127.0.0.1:9")
    with hl.run("r"):
        assert hl.emitter() is None
    hl.reset()
    monkeypatch.setenv("HUTCH_OPENLINEAGE_ENDPOINT", "in-memory")
    with hl.run("r"):
        pass
    assert _captured() == ["START", "COMPLETE"]


def test_bad_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bad variable is told at the first verb, by name."""
    monkeypatch.setenv("HUTCH_TIMEOUT_S", "soon")
    with pytest.raises(ConfigurationError, match="HUTCH_TIMEOUT_S"):
        hl.start_run()


def test_ensure_emitter_has_the_past() -> None:
    """An emitter asked for late has every event of the session, once and in order."""
    with hl.run("r"):
        hl.log_operator(kind="mutate", child_id="c")
        emitter = runtime().ensure_emitter()
        assert runtime().ensure_emitter() is emitter
    assert _captured() == ["START", "RUNNING", "COMPLETE"]


def test_ensure_emitter_while_threads_log() -> None:
    """No event is lost or doubled when the emitter comes while threads log."""
    with hl.run("r") as run, ThreadPoolExecutor(4) as pool:
        started = threading.Event()

        def work(_: int) -> None:
            for _ in range(100):
                run.log_operator(kind="mutate", child_id="c")
                started.set()

        done = [pool.submit(work, number) for number in range(4)]
        started.wait(10)
        runtime().ensure_emitter()
        for each in done:
            each.result()
    assert _captured() == ["START", *["RUNNING"] * 400, "COMPLETE"]


def test_event_is_one_object() -> None:
    """Transport, sinks and emitter get the very same event."""
    sink = Sink()
    runtime().tee.add(sink)
    hl.start_run()
    assert len(runtime().events) == 1
    assert runtime().events is runtime().transport.events


# -- settings --------------------------------------------------------------------------------


def test_configure_starts_an_empty_emitter() -> None:
    """configure closes the former emitter and starts another, which is empty."""
    hl.configure(SDKConfig(openlineage_endpoint="in-memory"))
    hl.start_run()
    former = hl.emitter()
    hl.configure(SDKConfig(openlineage_endpoint="in-memory"))
    assert hl.emitter() is not former
    assert former.stats()["state"] == "closed"
    assert _captured() == []


def test_configure_keeps_the_session() -> None:
    """Events, open runs and sinks outlive a change of settings."""
    sink = Sink()
    run = hl.start_run()
    runtime().tee.add(sink)
    hl.configure(SDKConfig(openlineage_namespace="other"))
    hl.end_run()
    assert [event.run_id for event in runtime().events] == [run.id] * 2
    assert sink.kinds == ["run_end"]


def test_configure_keeps_an_emitter_that_is_watched() -> None:
    """An emitter that an explorer asked for is kept, with all it has."""
    emitter = runtime().ensure_emitter()
    with hl.run("r"):
        pass
    hl.configure(SDKConfig(openlineage_endpoint="in-memory"))
    assert hl.emitter() is emitter
    assert _captured() == ["START", "COMPLETE"]


def test_configure_rebuilds_a_watched_emitter() -> None:
    """Under another namespace it is made anew, from all events of the session."""
    emitter = runtime().ensure_emitter()
    with hl.run("r"):
        pass
    hl.configure(SDKConfig(openlineage_namespace="other"))
    assert hl.emitter() is not emitter
    assert [event["job"]["namespace"] for event in hl.emitter().captured_events] == ["other"] * 2


def test_bad_settings_change_nothing() -> None:
    """Settings that cannot be used leave the former ones in force."""
    hl.configure(SDKConfig(openlineage_endpoint="in-memory"))
    before = (hl.emitter(), runtime().config)
    bad = SDKConfig()
    bad.openlineage_endpoint = "nowhere"
    with pytest.raises(EndpointError):
        hl.configure(bad)
    assert (hl.emitter(), runtime().config) == before


def test_settings_are_copied() -> None:
    """Changing the object afterwards changes nothing."""
    config = SDKConfig()
    hl.configure(config)
    config.strict = True
    assert runtime().config.strict is False


def test_a_refused_setting_leaves_the_former_transport_in_force(tmp_path: Path) -> None:
    """Where one setting cannot be used, none is: the store that was opened for it is closed."""
    before = runtime().transport
    with pytest.raises(EndpointError):
        hl.configure(
            SDKConfig(
                mode="embedded",
                db_path=tmp_path / "runs.duckdb",
                openlineage_endpoint="http://host/a b",
            )
        )
    assert runtime().transport is before


def test_reset() -> None:
    """reset forgets events, runs, sinks and settings, and closes the emitter."""
    hl.configure(SDKConfig(openlineage_endpoint="in-memory"))
    hl.start_run()
    former, emitter = runtime(), hl.emitter()
    hl.reset()
    assert runtime() is not former
    assert (runtime().events, runtime().open_runs(), hl.emitter()) == ([], [], None)
    assert emitter.stats()["state"] == "closed"


def test_handle_after_reset(caplog: pytest.LogCaptureFixture) -> None:
    """A handle of a session that was reset still works, and one WARNING says where events go."""
    run = hl.start_run()
    hl.reset()
    run.log_stream_event(label="x")
    run.end()
    assert runtime().events == []
    assert caplog.messages == ["reset() has ended this session: its events are seen nowhere"]


def test_warnings_come_back_after_configure(caplog: pytest.LogCaptureFixture) -> None:
    """What is said once is said once per configuration."""
    for _ in range(2):
        hl.configure(SDKConfig())
        with hl.run("r"):
            hl.log_fitness(individual="a", scores={"loss": math.nan})
    assert [record.levelno for record in caplog.records] == [logging.WARNING] * 2


# -- hooks and stop --------------------------------------------------------------------------


@pytest.fixture
def hook_calls() -> list[int]:
    """Count the calls of a hook that is there for one test."""
    calls: list[int] = []

    def hook() -> None:
        calls.append(1)

    before_verb.append(hook)
    yield calls
    before_verb.remove(hook)


def test_hooks(hook_calls: list[int]) -> None:
    """Hooks are called at the start of every verb and outlive a reset."""
    with hl.run("r"):
        hl.log_stream_event(label="x")
    hl.reset()
    hl.start_run()
    assert len(hook_calls) == 4


def test_bad_hook(hook_calls: list[int], caplog: pytest.LogCaptureFixture) -> None:
    """A hook that raises does not disturb the loop; it is told once."""

    def bad() -> None:
        raise OSError("no kernel")

    before_verb.insert(0, bad)
    with hl.run("r"):
        pass
    before_verb.remove(bad)
    assert len(hook_calls) == len(runtime().events) == 2
    assert caplog.messages == ["a hook of before_verb failed (OSError: no kernel)"]


def test_stop() -> None:
    """A requested stop unwinds the loop at its next verb and cancels the run."""

    def loop() -> None:
        with hl.run("loop"):
            runtime().request_stop()
            assert runtime().stop_requested
            with contextlib.suppress(Exception):
                hl.log_stream_event(label="x")

    with pytest.raises(StopRun):
        loop()
    assert not runtime().stop_requested
    assert runtime().events[-1].payload.status == "cancelled"
    with hl.run("next"):
        hl.log_stream_event(label="x")


def test_stop_reaches_nested_starts() -> None:
    """A loop of short runs inside a run stops at the start of the next."""
    started = []

    def loop() -> None:
        with hl.run("outer"):
            for number in range(5):
                with hl.run(f"inner {number}"):
                    started.append(number)
                if number == 1:
                    runtime().request_stop()

    with pytest.raises(StopRun):
        loop()
    assert started == [0, 1]


def test_stop_leaves_other_runs() -> None:
    """A run that no block holds, such as one forgotten in an earlier cell, goes on."""
    forgotten = hl.start_run(name="forgotten")

    def loop() -> None:
        with hl.run("loop"):
            runtime().request_stop()
            hl.log_stream_event(label="x")

    with pytest.raises(StopRun):
        loop()
    forgotten.log_stream_event(label="y")
    assert not runtime().stop_requested


def test_stop_without_block() -> None:
    """Where no block is open, every open run is asked; ending it is still possible."""
    run = hl.start_run()
    runtime().request_stop()
    with pytest.raises(StopRun):
        run.log_stream_event(label="x")
    hl.end_run(status="cancelled")
    assert run.ended


def test_stop_with_nothing_running() -> None:
    """A stop asked for while nothing runs stops nothing later."""
    runtime().request_stop()
    with hl.run("r"):
        hl.log_stream_event(label="x")
    assert len(runtime().events) == 3
