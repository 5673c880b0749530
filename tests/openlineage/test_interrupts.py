"""An interrupt at any moment: nothing is lost, corrupt or locked up."""

from __future__ import annotations

import contextlib
import itertools
import json
import random
import signal
import subprocess
import sys
import time

import pytest

from hutch_lineage.delivery import DeliveryOptions
from hutch_lineage.openlineage import OpenLineageEmitter
from tests.openlineage.events import operator, operator_ids
from tests.receivers import Receiver

SECONDS = 2.0


@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="interrupts are POSIX signals here")
@pytest.mark.parametrize("backend", ["generic", "marquez"])
@pytest.mark.parametrize("seed", range(2))
def test_an_interrupt_at_any_moment_loses_nothing(project_root, tmp_path, seed, backend):
    """Ctrl-C a thousand times, in emit, flush, close, go_live and go_memory.

    What emit returned for arrives once and in order, nothing else does, and nothing hangs.
    """
    dice = random.Random(seed)
    with Receiver() as receiver:
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.openlineage.interrupted",
             receiver.url, tmp_path, str(seed), str(SECONDS), backend],
            cwd=project_root, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert process.stdout is not None
        assert process.stdout.readline() == "begun\n"
        end = time.monotonic() + SECONDS
        while time.monotonic() < end and process.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                process.send_signal(signal.SIGINT)
            time.sleep(dice.random() * 0.006)
        try:
            out, errors = process.communicate(timeout=40)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGABRT)
            raise
        arrived = operator_ids(receiver.events)
    assert process.returncode == 0, errors
    felt, *rest = out.split()
    assert (int(felt) > 100, rest) == (True, ["True", "0", "0", "True"])
    said = {"about": [], "done": [], "captured": []}
    for line in (tmp_path / "log").read_text().splitlines():
        what, each = line.split()
        said[what].append(each)
    assert len(said["done"]) > 100
    assert sorted(set(said["done"]) - set(arrived)) == []
    assert sorted(set(arrived) - set(said["about"])) == []
    assert arrived == said["captured"]
    assert arrived == sorted(set(arrived), key=lambda each: int(each[3:]))
    left = [path.read_text() for path in tmp_path.glob("journal/**/events-*.ndjson")]
    assert [json.loads(line) for text in left for line in text.splitlines()] == []


def interrupt_at(moment):
    """Return a profile that sends SIGINT at the `moment`-th call or return of this thread.

    These are the moments at which Python runs signal handlers. `reached` says whether it came.
    """
    left = moment

    def profile(frame, what, _):
        nonlocal left
        if what in ("call", "c_return"):
            left -= 1
            if left < 0:
                sys.setprofile(None)
                profile.reached = True
                signal.raise_signal(signal.SIGINT)

    profile.reached = False
    return profile


def interrupted_at(moment, step):
    """Do a step with an interrupt at that moment; return whether there was such a moment."""
    profile = interrupt_at(moment)
    sys.setprofile(profile)
    try:
        step()
    except KeyboardInterrupt:
        pass
    finally:
        sys.setprofile(None)
    return profile.reached


def settled(live):
    """Wait until the thread of delivery rests, and has to be woken."""
    live.flush(20)
    time.sleep(0.002)


STEPS = {
    "the first event of a live emitter": (
        lambda live, url: live.go_live(url),
        lambda live, _: live.emit(operator(90)),
    ),
    "an event after a rest": (
        lambda live, url: (live.go_live(url), live.emit(operator(80)), settled(live)),
        lambda live, _: live.emit(operator(90)),
    ),
    "going live": (
        lambda live, _: live.emit(operator(80)),
        lambda live, url: live.go_live(url),
    ),
    "going back to memory": (
        lambda live, url: (live.emit(operator(80)), live.go_live(url)),
        lambda live, _: live.go_memory(),
    ),
    "going live once more": (
        lambda live, url: (live.go_live(url), live.emit(operator(80)), live.go_memory()),
        lambda live, url: (live.emit(operator(81)), live.go_live(url, api_key="another")),
    ),
    "flush": (
        lambda live, url: (live.emit(operator(80)), live.go_live(url)),
        lambda live, _: live.flush(20),
    ),
    "close": (
        lambda live, url: (live.emit(operator(80)), live.go_live(url)),
        lambda live, _: live.close(20),
    ),
    "looking": (
        lambda live, url: (live.emit(operator(80)), live.go_live(url)),
        lambda live, _: (live.stats(), live.deliveries(), live.rejected_events),
    ),
}


@pytest.mark.timeout(120)
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # in a finalizer
@pytest.mark.parametrize("name", STEPS)
def test_an_interrupt_at_each_moment_of_a_step(tmp_path, name):
    """Wherever in a step it comes, everything captured arrives once, and nothing stays behind."""
    before, step = STEPS[name]
    options = DeliveryOptions(journal=tmp_path / "journal")
    with Receiver() as receiver:
        for moment in itertools.count():
            live = OpenLineageEmitter(endpoint="in-memory", options=options)
            receiver.requests.clear()
            before(live, receiver.url)
            reached = interrupted_at(moment, lambda live=live: step(live, receiver.url))
            live.go_live(receiver.url)
            live.emit(operator(99))
            assert live.flush(20), live.stats()
            arrived = operator_ids(receiver.events)
            assert arrived == operator_ids(live.captured_events), moment
            assert arrived[-1] == "op-99"
            assert live.close(20)
            assert list(tmp_path.glob("journal/*/*")) == [], moment
            if not reached:
                break
    assert moment > 3
