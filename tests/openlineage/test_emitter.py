"""The emitter: modes, positions, oddities of events, forks, interrupts."""

from __future__ import annotations

import math
import re
import signal
import subprocess
import sys
import threading
import tracemalloc

import orjson
import pytest

from hutch_lineage.delivery import DeliveryOptions
from hutch_lineage.errors import CaptureError, ConfigurationError, EndpointError
from hutch_lineage.openlineage import OpenLineageEmitter
from tests.openlineage.events import (
    RUN_ID,
    event,
    operator,
    operator_ids,
    start,
    warnings_of,
    with_payload,
)
from tests.receivers import Receiver, unused_port
from tests.support.waiting import wait_until

STATS_KEYS = [
    "mode", "endpoint", "backend", "captured", "sent", "queued", "failed", "rejected",
    "last_error", "state", "journal", "journal_error", "adopted",
]  # fmt: skip


# -- modes ---------------------------------------------------------------------------------------


def test_going_live_sends_what_was_captured_first(emitter):
    """The toggle: captured events go first, in order, then the new ones; none twice."""
    with Receiver() as receiver:
        toggle = emitter()
        toggle.emit(operator(1))
        toggle.emit(operator(2))
        toggle.go_live(receiver.url)
        toggle.emit(operator(3))
        assert toggle.flush(20)
        assert operator_ids(receiver.events) == ["op-1", "op-2", "op-3"]


def test_back_to_memory_and_live_again_sends_what_came_between(emitter):
    """While in memory nothing is posted; the same endpoint, however spelt, then gets the rest."""
    with Receiver() as receiver:
        toggle = emitter(receiver.url)
        toggle.emit(operator(1))
        assert toggle.flush(20)
        toggle.go_memory()
        toggle.emit(operator(2))
        assert (toggle.mode, toggle.endpoint, len(receiver.events)) == ("memory", None, 1)
        toggle.go_live(receiver.url + "/api/v1/lineage/")
        assert toggle.flush(20)
        assert operator_ids(receiver.events) == ["op-1", "op-2"]


def test_each_endpoint_has_its_own_position(emitter):
    """A second endpoint gets everything; the first one keeps its place."""
    with Receiver() as first, Receiver() as second:
        toggle = emitter(first.url)
        toggle.emit(operator(1))
        assert toggle.flush(20)
        toggle.go_live(second.url)
        toggle.emit(operator(2))
        assert toggle.flush(20)
        toggle.go_live(first.url)
        assert toggle.flush(20)
        assert operator_ids(first.events) == operator_ids(second.events) == ["op-1", "op-2"]


def test_what_an_endpoint_is_owed_stays_owed(emitter):
    """Leaving a dead endpoint and coming back to it later loses nothing."""
    port = unused_port()
    dead = f"http://127.0.0.1:{port}"
    toggle = emitter(dead)
    toggle.emit(operator(1))
    assert not toggle.flush(0.2)
    toggle.go_memory()
    with Receiver(port=port) as receiver:
        toggle.go_live(dead)
        assert operator_ids(receiver.wait_for(1)) == ["op-1"]


def test_a_refused_toggle_changes_nothing(emitter):
    """A URL or a preset that cannot be used raises and leaves the mode as it was."""
    toggle = emitter()
    with pytest.raises(EndpointError):
        toggle.go_live("ftp://x")
    with pytest.raises(ConfigurationError, match="generic"):
        toggle.go_live("http://localhost", backend="nobody")
    assert (toggle.mode, toggle.stats()["state"]) == ("memory", "memory")


def test_the_key_goes_only_where_it_was_given_for(emitter):
    """The constructor's key is not sent to another host; going live without a host keeps it."""
    with Receiver() as mine, Receiver() as other:
        toggle = emitter(mine.url, api_key="hush")
        toggle.emit(operator(1))
        assert toggle.flush(20)
        toggle.go_live(other.url)
        assert toggle.flush(20)
        free = emitter("in-memory", api_key="hush")
        free.emit(operator(1))
        free.go_live(other.url)
        assert free.flush(20)
    assert mine.requests[0].headers["Authorization"] == "Bearer hush"
    assert [request.headers.get("Authorization") for request in other.requests] == [
        None,
        "Bearer hush",
    ]


def test_a_new_key_offers_again_what_was_refused(emitter):
    """After a 401, going live again with the right key delivers what was rejected."""
    with Receiver(401, then=201) as receiver:
        toggle = emitter(receiver.url, api_key="old")
        toggle.emit(operator(1))
        assert not toggle.flush(20)
        assert [each.status for each in toggle.rejected_events] == [401]
        toggle.go_live(receiver.url, api_key="new")
        assert toggle.flush(20)
        assert receiver.requests[1].headers["Authorization"] == "Bearer new"
        assert toggle.rejected_events == []


def test_memory_maps_when_somebody_reads(emitter, caplog):
    """In memory an event is only noted; what is wrong with it is told when it is first read."""
    memory = emitter()
    memory.emit(with_payload(operator(1), llm_id=object()))
    memory.emit(operator(2))
    told = len(warnings_of(caplog))
    assert operator_ids(memory.captured_events) == ["op-2"]
    assert (told, len(warnings_of(caplog))) == (0, 1)


def test_live_maps_at_once(emitter, caplog):
    """In live mode what is wrong with an event is told before emit returns."""
    with Receiver() as receiver:
        emitter(receiver.url).emit(with_payload(operator(1), llm_id=object()))
        assert len(warnings_of(caplog)) == 1


def test_going_live_while_threads_emit_misses_nothing(emitter):
    """Whatever is emitted while the toggle turns arrives, each thread's events in order."""
    with Receiver() as receiver:
        toggle = emitter()
        started = threading.Barrier(5)

        def work(run):
            started.wait(10)
            for number in range(100):
                toggle.emit(operator(number, run_id=f"run-{run}"))

        threads = [threading.Thread(target=work, args=(run,)) for run in range(4)]
        for thread in threads:
            thread.start()
        started.wait(10)
        for _ in range(5):
            toggle.go_live(receiver.url)
            toggle.go_memory()
        toggle.go_live(receiver.url)
        for thread in threads:
            thread.join()
        assert toggle.flush(30)
        for run in range(4):
            mine = [e for e in receiver.events if e["run"]["runId"] == f"run-{run}"]
            assert operator_ids(mine) == [f"op-{number}" for number in range(100)]


# -- figures -------------------------------------------------------------------------------------


def test_stats_tell_the_state(emitter):
    """The keys of stats are fixed; the state follows memory, ok, failing, closed."""
    toggle = emitter()
    states = [toggle.stats()["state"]]
    with Receiver() as receiver:
        toggle.emit(operator(1))
        toggle.go_live(receiver.url)
        toggle.flush(20)
        figures = toggle.stats()
        states.append(figures["state"])
    toggle.go_live(f"http://127.0.0.1:{unused_port()}")
    wait_until(lambda: toggle.stats()["state"] == "failing")
    states.append(toggle.stats()["state"])
    toggle.close(0)
    states.append(toggle.stats()["state"])
    assert states == ["memory", "ok", "failing", "closed"]
    assert list(figures) == STATS_KEYS
    assert (figures["captured"], figures["sent"], figures["queued"]) == (1, 1, 0)


def test_each_figure_is_documented(project_root):
    """The table of docs/send.md has every key, and no other."""
    page = (project_root / "docs" / "send.md").read_text(encoding="utf-8")
    table = page.partition("| key of `stats()` | says |")[2].partition("\n\n")[0]
    cells = [line.split("|")[1] for line in table.splitlines()[2:]]
    assert sorted(re.findall(r"`(\w+)`", " ".join(cells))) == sorted(STATS_KEYS)


def test_secrets_are_nowhere(emitter, caplog):
    """Key, headers, password and query values stand in no repr, figure or log."""
    with Receiver(then=401) as receiver:
        url = receiver.url.replace("//", "//me:hush-pw@") + "/?key=hush-query"
        live = emitter(url, api_key="hush-key", headers={"X-Secret": "hush-header"})
        live.emit(operator(1))
        live.flush(20)
    shown = repr(live) + str(live.stats()) + str(live.endpoint) + caplog.text
    assert "hush" not in shown
    assert "***" in shown


def test_subscribers_hear_of_changes_and_may_fail(emitter, caplog):
    """A subscriber is called after changes until it leaves; one that raises is dropped once."""
    heard = []
    toggle = emitter()
    leave = toggle.subscribe(lambda: heard.append(toggle.stats()["captured"]))
    toggle.subscribe(lambda: 1 / 0)
    toggle.emit(operator(1))
    toggle.emit(operator(2))
    leave()
    toggle.emit(operator(3))
    assert heard == [1, 2]
    assert len(warnings_of(caplog)) == 1


def test_the_list_of_captured_events_is_a_copy(emitter):
    """Changing the returned list changes nothing."""
    memory = emitter()
    memory.emit(operator(1))
    memory.captured_events.clear()
    assert operator_ids(memory.captured_events) == ["op-1"]


# -- what is no event, and what cannot be written ------------------------------------------------


@pytest.mark.parametrize("bad", [None, object(), "text", {"event_kind": "operator"}])
def test_emit_never_raises_for_what_is_no_event(emitter, bad):
    """Whatever is handed to emit, the caller's loop goes on."""
    memory = emitter()
    memory.emit(bad)
    assert memory.captured_events == []


def test_an_event_that_cannot_be_written_is_set_aside(emitter, caplog):
    """O10: a value without JSON form costs that event only; it is counted and named."""
    memory = emitter()
    memory.emit(with_payload(operator(1), llm_id=object()))
    memory.emit(operator(2))
    assert operator_ids(memory.captured_events) == ["op-2"]
    assert memory.stats()["rejected"] == 1
    assert "llm_id is a object" in warnings_of(caplog)[0]


def test_strict_raises_for_what_cannot_be_written(emitter):
    """Strict: a value that would have to be repaired is the caller's error; nothing is kept."""
    memory = emitter(strict=True)
    with pytest.raises(CaptureError, match="llm_id"):
        memory.emit(with_payload(operator(1), llm_id="\ud800"))
    assert memory.captured_events == []


FORK_IN_MEMORY = """
import os
from hutch_lineage.openlineage import OpenLineageEmitter
from tests.openlineage.events import operator
from tests.receivers import Receiver

with Receiver() as receiver:
    emitter = OpenLineageEmitter(endpoint=receiver.url)
    emitter.emit(operator(0))
    assert emitter.flush(20)
    emitter.go_memory()
    for number in range(1, 5):
        emitter.emit(operator(number))
    child = os.fork()
    if child == 0:
        emitter.emit(operator(100))
        emitter.go_live(receiver.url)
        os._exit(0 if emitter.flush(20) and len(emitter.captured_events) == 6 else 1)
    assert os.waitpid(child, 0)[1] == 0
    emitter.go_live(receiver.url)
    assert emitter.flush(20)
    print(*(e["run"]["facets"]["hutchOperator"]["operator_id"] for e in receiver.events))
"""


def test_a_forked_child_leaves_the_parent_what_it_captured_in_memory(project_root):
    """What the parent had only noted when it forked is the parent's to send, not the child's."""
    done = subprocess.run(
        [sys.executable, "-c", FORK_IN_MEMORY],
        cwd=project_root, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.split() == ["op-0", "op-100", "op-1", "op-2", "op-3", "op-4"]


def test_what_is_left_is_sent_when_the_interpreter_ends():
    """O1: a script that ends without close still delivers, within a bounded time."""
    code = (
        "from hutch_lineage.openlineage import OpenLineageEmitter\n"
        "from hutch_lineage.model import parse_event\n"
        "import sys\n"
        "emitter = OpenLineageEmitter(endpoint=sys.argv[1])\n"
        "for _ in range(20):\n"
        "    emitter.emit(parse_event("
        "{'event_kind': 'run_end', 'run_id': 'r', 'payload': {}}))\n"
    )
    with Receiver() as receiver:
        subprocess.run([sys.executable, "-c", code, receiver.url], check=True)
        assert len(receiver.events) == 20


def test_threads_keep_their_order(emitter):
    """Events of ten threads arrive all, each thread's in its order."""
    with Receiver() as receiver:
        live = emitter(receiver.url)

        def work(run):
            for number in range(20):
                live.emit(operator(number, run_id=f"run-{run}"))

        threads = [threading.Thread(target=work, args=(run,)) for run in range(10)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert live.flush(30)
        expected = [f"op-{number}" for number in range(20)]
        for run in range(10):
            mine = [e for e in receiver.events if e["run"]["runId"] == f"run-{run}"]
            assert operator_ids(mine) == expected


def test_the_events_behind_the_lineage_are_kept(emitter):
    """What a mapping that says more would need is kept: individuals and edges as well."""
    memory = emitter()
    seed = event("individual", id="a", kind="program", is_seed=True)
    edge = event("lineage_edge", parent_id="a", child_id="b")
    claim = event("claim", id="c", text="t")
    for each in [start(), seed, edge, claim]:
        memory.emit(each)
    assert memory.kept_events[1:] == [seed, edge]
    assert len(memory.captured_events) == 1


@pytest.mark.parametrize("timeout_s", [0, -1, math.nan, math.inf])
def test_a_time_out_has_to_be_a_time(timeout_s):
    """A time-out that would block for ever or never wait is refused."""
    with pytest.raises(ConfigurationError, match="timeout_s"):
        OpenLineageEmitter(endpoint="in-memory", timeout_s=timeout_s)


def test_run_ids_and_facets_stand_for_themselves(emitter):
    """The OpenLineage run is the Hutch run, verbatim."""
    memory = emitter()
    memory.emit(start())
    assert memory.captured_events[0]["run"]["runId"] == RUN_ID


def test_an_interrupt_while_events_are_mapped_loses_none():
    """Ctrl-C in the middle of reading comes after what is mapped at once; the rest waits."""
    emitter = OpenLineageEmitter(endpoint="in-memory")
    taken, interrupted = 0, 0
    for _ in range(4):
        for _ in range(2_500):
            emitter.emit(operator(taken))
            taken += 1
        timer = threading.Timer(0.005, signal.raise_signal, [signal.SIGINT])
        try:
            timer.start()
            assert len(emitter.captured_events) == taken
            timer.join()
        except KeyboardInterrupt:
            interrupted += 1
        timer.join()
    assert operator_ids(emitter.captured_events) == [f"op-{number}" for number in range(taken)]
    assert interrupted == 4


def interrupt_at(step):
    """Return a profile that interrupts at the `step`-th call of this package, where signals do."""
    left = step

    def profile(frame, what, _):
        nonlocal left
        if "hutch_lineage" in frame.f_code.co_filename and what in ("call", "c_return"):
            left -= 1
            if left < 0:
                sys.setprofile(None)
                raise KeyboardInterrupt

    return profile


def test_an_interrupt_while_an_event_is_written_leaves_the_journal_in_step(tmp_path):
    """Wherever it comes, what was told before and after is captured, once, and can be read."""
    options = DeliveryOptions(journal=str(tmp_path))
    endpoint = f"http://127.0.0.1:{unused_port()}"
    emitter = OpenLineageEmitter(endpoint=endpoint, options=options)
    emitter.emit(operator(0))
    told, interrupted = [0], 0
    for step in range(100):
        number = 2 * step + 1
        hutch_event = operator(number)
        sys.setprofile(interrupt_at(step))
        try:
            emitter.emit(hutch_event)
            told.append(number)
        except KeyboardInterrupt:
            interrupted += 1
        finally:
            sys.setprofile(None)
        emitter.emit(operator(number + 1))
        told.append(number + 1)
    found = operator_ids(emitter.captured_events)
    assert interrupted > 20
    assert len(found) == len(set(found))
    assert {f"op-{number}" for number in told} <= set(found)
    journal = next(tmp_path.rglob("events-*.ndjson"))
    assert operator_ids(map(orjson.loads, journal.read_bytes().splitlines())) == found
    emitter.close(0)


def test_an_event_in_memory_takes_the_room_of_its_json():
    """Not that of the buffer in which it was written."""
    emitter = OpenLineageEmitter(endpoint="in-memory")
    for number in range(1_000):
        emitter.emit(operator(number))
    tracemalloc.start()
    try:
        assert emitter.stats()["captured"] == 1_000
        assert tracemalloc.get_traced_memory()[0] < 1_500 * 1_000
    finally:
        tracemalloc.stop()
