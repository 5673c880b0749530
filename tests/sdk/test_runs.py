"""Runs start once, end once, and tell how they ended."""

from __future__ import annotations

import asyncio
import copy
import itertools
import pickle
import signal
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any
from uuid import UUID

import pytest

import hutch_lineage as hl
from hutch_lineage.errors import CaptureError, RunError
from hutch_lineage.model import Event
from hutch_lineage.sdk import SDKConfig, StopRun, runtime


def _kinds() -> list[str]:
    return [event.event_kind for event in runtime().events]


def test_block() -> None:
    """A block starts the run, logs into it and ends it as finished."""
    with hl.run("packing", project="p", score_directions={"sum": "higher"}) as run:
        hl.log_stream_event(label="a")
        assert (run.status, run.ended) == ("running", False)
    start, _, end = runtime().events
    assert _kinds() == ["run_start", "stream_event", "run_end"]
    assert (start.payload.name, start.payload.project) == ("packing", "p")
    assert start.payload.score_directions == {"sum": "higher"}
    assert (end.payload.status, end.payload.summary) == ("finished", None)
    assert (run.status, run.ended) == ("finished", True)


def test_id_is_a_uuid() -> None:
    """Run ids made here are UUIDs; a chosen one is kept as it is."""
    with hl.run("r") as made, hl.run("r", run_id="mine") as chosen:
        pass
    assert str(UUID(made.id)) == made.id
    assert chosen.id == "mine"


@pytest.mark.parametrize(
    ("error", "status", "summary"),
    [
        (ValueError("no room"), "failed", "ValueError: no room"),
        (AssertionError(), "failed", "AssertionError"),
        (ValueError("a\ud800"), "failed", "ValueError: a\ufffd"),
        (ExceptionGroup("many", [OSError()]), "failed", "ExceptionGroup: many (1 sub-exception)"),
        (SystemExit(3), "failed", "SystemExit: 3"),
        (SystemExit(0), "finished", None),
        (KeyboardInterrupt(), "cancelled", "KeyboardInterrupt"),
        (StopRun("stop"), "cancelled", "StopRun: stop"),
        (asyncio.CancelledError(), "cancelled", "CancelledError"),
    ],
)
def test_exception(error: BaseException, status: str, summary: str | None) -> None:
    """An exception in the block is told in run_end and goes on."""
    with pytest.raises(type(error)) as caught, hl.run("r"):
        raise error
    assert caught.value is error
    end = runtime().events[-1].payload
    assert (end.status, end.summary) == (status, summary)


def test_broken_exception() -> None:
    """An exception without text, or with a very long one, ends the run like any other."""

    class BrokenError(Exception):
        def __str__(self) -> str:
            raise RuntimeError

    for error in (BrokenError(), ValueError("x" * 10_000)):
        with pytest.raises(type(error)), hl.run("r"):
            raise error
    summaries = [e.payload.summary for e in runtime().events if e.event_kind == "run_end"]
    assert summaries[0] == "BrokenError"
    assert len(summaries[1]) == 4001


def test_ended_inside() -> None:
    """A run that was ended inside its block is not ended again."""
    with hl.run("r"):
        hl.end_run(status="cancelled", summary="enough")
    assert _kinds() == ["run_start", "run_end"]
    assert runtime().events[-1].payload.status == "cancelled"


def test_double_end(caplog: pytest.LogCaptureFixture) -> None:
    """Ending a run twice logs one event and one WARNING."""
    run = hl.start_run(name="r")
    run.end()
    run.end_run(status="failed")
    assert _kinds() == ["run_start", "run_end"]
    assert run.status == "finished"
    assert caplog.messages == ["run r has ended already: nothing logged"]


def test_verb_after_end(caplog: pytest.LogCaptureFixture) -> None:
    """Late events of a handle are kept, with one WARNING."""
    with hl.run("r") as run:
        pass
    for _ in range(3):
        run.log_stream_event(label="late")
    assert _kinds()[2:] == ["stream_event"] * 3
    assert caplog.messages == ["log_stream_event on run r after its end: the event is kept"]


def test_start_of_an_open_run(caplog: pytest.LogCaptureFixture) -> None:
    """Starting a run that is open gives its handle and a WARNING, and no second run_start."""
    run = hl.start_run(run_id="x")
    assert hl.start_run(run_id="x") is run
    assert _kinds() == ["run_start"]
    assert "run x is open already" in caplog.text


def test_resume(caplog: pytest.LogCaptureFixture) -> None:
    """Starting a run that has ended opens it again, and says that its events join the others."""
    with hl.run("r", run_id="x") as run:
        pass
    with hl.run("again", run_id="x") as resumed:
        assert (resumed is run, run.ended, run.name) == (True, False, "again")
    assert _kinds() == ["run_start", "run_end"] * 2
    assert ["run x was ended here before and goes on" in line for line in caplog.messages] == [True]


def test_update_sets_status() -> None:
    """A logged status is the handle's status; it does not end the run."""
    run = hl.start_run()
    hl.log_run_update(status="failed")
    assert (run.status, run.ended) == ("failed", False)


def test_start_is_captured_first() -> None:
    """No event of a run comes before its run_start: it is listed as open after that."""
    seen: list[int] = []

    class Sink:
        name = "watcher"

        def accept(self, event: Event) -> None:
            seen.append(len(runtime().open_runs()))

    runtime().tee.add(Sink())
    with hl.run("r"):
        pass
    assert seen == [0, 0]


def test_strict_end_does_not_hide_the_error() -> None:
    """In strict mode a failure at the end does not replace the exception of the block."""

    class Bad:
        name = "bad"

        def accept(self, event: Event) -> None:
            if event.event_kind == "run_end":
                raise OSError("gone")

    hl.configure(SDKConfig(strict=True))
    runtime().tee.add(Bad())
    with pytest.raises(ZeroDivisionError), hl.run("r"):
        raise ZeroDivisionError
    with pytest.raises(CaptureError, match="gone"), hl.run("r"):
        pass
    assert runtime().open_runs() == []


def test_repr() -> None:
    """A handle shows name, id and status."""
    with hl.run("packing", run_id="x") as run:
        assert repr(run) == "Run('packing', id='x', running)"


def test_pickle() -> None:
    """A handle that comes back to its process is the run itself."""
    with hl.run("packing") as run:
        assert pickle.loads(pickle.dumps(run)) is run  # noqa: S301
        assert copy.deepcopy({"run": run})["run"] is run


def test_no_pickle(monkeypatch: pytest.MonkeyPatch) -> None:
    """A handle that cannot be sent to another process says why."""
    monkeypatch.setenv("HUTCH_LINEAGE_SESSIONS", "off")
    with hl.run("packing") as run, pytest.raises(RunError, match="HUTCH_LINEAGE_SESSIONS is off"):
        pickle.dumps(run)


def test_an_interrupt_at_any_line_of_the_end() -> None:
    """Either the run is open still, and can be ended, or its end was logged: once."""

    def strike(number: int) -> Callable[[FrameType, str, Any], Any]:
        seen = 0

        def trace(frame: FrameType, what: str, _: Any) -> Any:
            nonlocal seen
            if what == "line" and seen < number:
                seen += 1
                if seen == number:
                    signal.raise_signal(signal.SIGINT)
            return trace if frame.f_code.co_name in {"_end", "_deactivate", "capture"} else None

        return trace

    former = sys.gettrace()
    for number in itertools.count(1):
        hl.reset()
        run = hl.start_run(name="r")
        sys.settrace(strike(number))
        try:
            run.end()
            interrupted = False
        except KeyboardInterrupt:
            interrupted = True
        finally:
            sys.settrace(former)
        if not run.ended:
            run.end()
        assert [event.event_kind for event in runtime().events] == ["run_start", "run_end"]
        if not interrupted:
            break
    assert number > 10
