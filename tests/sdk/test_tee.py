"""The tee hands every event to everybody, and one failure stays where it is."""

from __future__ import annotations

import pytest

import hutch_lineage as hl
from hutch_lineage.errors import CaptureError, DeliveryError
from hutch_lineage.model import Event
from hutch_lineage.sdk import SDKConfig, Tee, runtime


class Sink:
    """Keeps the kinds of the events it gets; raises first, if asked to."""

    def __init__(self, name: str, error: BaseException | None = None) -> None:
        self.name = name
        self.error = error
        self.kinds: list[str] = []

    def accept(self, event: Event) -> None:
        self.kinds.append(event.event_kind)
        if self.error is not None:
            raise self.error


def _log_two(*sinks: Sink) -> None:
    for sink in sinks:
        runtime().tee.add(sink)
    with hl.run("r"):
        pass


def test_all_get_all() -> None:
    """Every sink gets every event, in order."""
    one, other = Sink("one"), Sink("other")
    _log_two(one, other)
    assert one.kinds == other.kinds == ["run_start", "run_end"]


def test_failure_is_isolated(caplog: pytest.LogCaptureFixture) -> None:
    """A sink that raises disturbs neither the loop nor others; one WARNING names it."""
    bad, good = Sink("bad sink", OSError("disk full")), Sink("good")
    _log_two(bad, good)
    assert bad.kinds == good.kinds == ["run_start", "run_end"]
    assert len(runtime().events) == 2
    [record] = [record for record in caplog.records if record.levelname == "WARNING"]
    assert "bad sink" in record.message
    assert "OSError: disk full" in record.message


def test_strict_raises_after_all(caplog: pytest.LogCaptureFixture) -> None:
    """In strict mode the failure is raised, after every sink got the event, and not logged too."""
    hl.configure(SDKConfig(strict=True))
    bad, good = Sink("bad", OSError("disk full")), Sink("good")
    runtime().tee.add(bad)
    runtime().tee.add(good)
    with pytest.raises(CaptureError, match=r"run_start event .* disk full") as caught:
        hl.start_run()
    assert isinstance(caught.value.__cause__, OSError)
    assert good.kinds == ["run_start"]
    assert runtime().open_runs() == []
    assert caplog.text == ""


def test_strict_keeps_the_kind_of_error() -> None:
    """In strict mode an error of delivery stays one."""
    hl.configure(SDKConfig(strict=True))
    runtime().tee.add(Sink("bad", DeliveryError("refused", "http://host", 503)))
    runtime().tee.add(Sink("worse", OSError("disk full")))
    with pytest.raises(DeliveryError, match="refused") as caught:
        hl.start_run()
    assert caught.value.__notes__ == ["Nor was it delivered elsewhere: OSError: disk full"]


def test_interrupt_passes() -> None:
    """A KeyboardInterrupt inside a sink reaches the loop."""
    runtime().tee.add(Sink("slow", KeyboardInterrupt()))
    with pytest.raises(KeyboardInterrupt):
        hl.start_run()


def test_add_twice_remove() -> None:
    """Adding twice is once; a removed sink gets nothing more; removing again is no error."""
    tee, sink = Tee(), Sink("s")
    tee.add(sink)
    tee.add(sink)
    assert tee.sinks == (sink,)
    tee.remove(sink)
    tee.remove(sink)
    assert tee.sinks == ()


def test_sink_may_leave_while_served() -> None:
    """A sink that removes itself while it takes an event does not disturb the others."""

    class Once(Sink):
        def accept(self, event: Event) -> None:
            super().accept(event)
            runtime().tee.remove(self)

    once, other = Once("once"), Sink("other")
    _log_two(once, other)
    assert (once.kinds, other.kinds) == (["run_start"], ["run_start", "run_end"])
