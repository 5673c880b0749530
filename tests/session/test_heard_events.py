"""Events that Hutch has sent: mended as in capture, and no trouble for who logged them."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import pytest

import hutch_lineage as hl
from hutch_lineage.errors import CaptureError, InvalidEventError
from hutch_lineage.sdk import hear, runtime
from tests.session.hutch_alone import embedded, ids, pair


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
