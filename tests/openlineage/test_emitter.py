"""The emitter: modes, positions, oddities of events, and the faults of the reference."""

from __future__ import annotations

import asyncio
import math
import signal
import subprocess
import sys
import threading
import tracemalloc

import numpy as np
import orjson
import pytest

from hutch_lineage.delivery import DeliveryOptions
from hutch_lineage.errors import CaptureError, ConfigurationError, EndpointError
from hutch_lineage.openlineage import OpenLineageEmitter
from tests.openlineage.events import (
    RUN_ID,
    end,
    event,
    operator,
    operator_ids,
    start,
    warnings_of,
)
from tests.receivers import Receiver, statuses, unused_port
from tests.support.waiting import wait_until

STATS_KEYS = [
    "mode", "endpoint", "backend", "captured", "sent", "queued", "failed", "rejected",
    "last_error", "state", "journal", "journal_error", "adopted",
]  # fmt: skip


def with_payload(hutch_event, **fields):
    """Return a copy of an event whose payload was not checked."""
    payload = hutch_event.payload.model_copy(update=fields)
    return hutch_event.model_copy(update={"payload": payload})


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


# -- the faults of the reference, by their numbers -----------------------------------------------


def test_d1_a_hung_backend_does_not_hold_up_the_caller(emitter):
    """200 events on a backend that accepts and says nothing return at once, all kept."""
    with Receiver(then="hang") as receiver:
        live = emitter(receiver.url)
        for number in range(200):
            live.emit(operator(number))
        receiver.wait_for_requests(1)
        assert len(receiver.requests) < 10  # one at a time, and none of them was waited for
        assert live.stats()["queued"] == 200


def test_d2_captured_events_are_complete_in_live_mode(emitter):
    """What was posted stays readable, as documented."""
    with Receiver() as receiver:
        live = emitter(receiver.url)
        for number in range(3):
            live.emit(operator(number))
        assert live.flush(20)
        assert live.captured_events == receiver.events
    assert "Every RunEvent is kept" in (OpenLineageEmitter.__doc__ or "")


@pytest.mark.parametrize("score", [math.nan, math.inf, np.float32("nan")])
def test_d5_a_score_that_is_no_number_does_not_lose_the_event(emitter, caplog, score):
    """NaN and infinity become null with one WARNING, however often they come."""
    memory = emitter()
    for _ in range(2):
        mod = event("self_mod", parent_agent_id="a", child_agent_id="b")
        memory.emit(with_payload(mod, score_after=score))
    facets = [each["run"]["facets"]["hutchSelfMod"] for each in memory.captured_events]
    assert [facet["score_after"] for facet in facets] == [None, None]
    assert len(warnings_of(caplog)) == 1


def test_d8_one_503_loses_nothing(emitter):
    """An event answered with 503 arrives later, before those that came after it."""
    with Receiver(503, then=201) as receiver:
        live = emitter(receiver.url)
        for number in range(3):
            live.emit(operator(number))
        assert operator_ids(receiver.wait_for(3)) == ["op-0", "op-1", "op-2"]
        assert statuses(receiver.requests) == [503, 201, 201, 201]


@pytest.mark.parametrize("url", ["not a url", "ftp://x", "localhost:5000"])
def test_d10_a_bad_url_is_refused_at_once(url):
    """An emitter for a URL that cannot work is not made."""
    with pytest.raises(EndpointError):
        OpenLineageEmitter(endpoint=url)


def test_d15_events_after_the_end_keep_their_job(emitter):
    """The job name outlives run_end; a second start of an open run is not emitted."""
    memory = emitter()
    for each in [start("packing"), start("packing"), end(), operator(1)]:
        memory.emit(each)
    assert [each["eventType"] for each in memory.captured_events] == [
        "START",
        "COMPLETE",
        "RUNNING",
    ]
    assert {each["job"]["name"] for each in memory.captured_events} == {"packing"}


def test_d15_a_run_that_ended_may_start_again(emitter):
    """A resumed run is started again, under its first name."""
    memory = emitter()
    for each in [start("packing"), end(), start(None)]:
        memory.emit(each)
    assert [each["job"]["name"] for each in memory.captured_events] == ["packing"] * 3


def test_d16_after_close_events_are_kept_and_it_is_said(emitter, caplog):
    """Emitting after close logs one WARNING, keeps the events, and live sends them."""
    with Receiver() as receiver:
        live = emitter(receiver.url)
        live.emit(operator(1))
        assert live.close(20)
        live.emit(operator(2))
        live.emit(operator(3))
        assert (len(warnings_of(caplog)), len(receiver.events)) == (1, 1)
        live.go_live(receiver.url)
        assert live.flush(20)
        assert operator_ids(receiver.events) == ["op-1", "op-2", "op-3"]


def test_d18_an_event_loop_is_not_stalled(emitter):
    """Emitting from a coroutine on a hung backend leaves the loop to others."""
    done = []

    async def tick():
        for _ in range(5):
            done.append("tick")
            await asyncio.sleep(0)

    async def work(live):
        for number in range(5):
            live.emit(operator(number))
            done.append("emit")
            await asyncio.sleep(0)

    async def both(live):
        await asyncio.gather(work(live), tick())

    with Receiver(then="hang") as receiver:
        asyncio.run(both(emitter(receiver.url)))
        assert done == ["emit", "tick"] * 5
        assert len(receiver.requests) < 5  # each would have to time out before the next


def test_d19_a_dead_backend_is_one_warning(emitter, caplog):
    """200 events on a dead backend log one WARNING."""
    live = emitter(f"http://127.0.0.1:{unused_port()}")
    for number in range(200):
        live.emit(operator(number))
    wait_until(lambda: warnings_of(caplog))
    live.flush(0.3)
    assert len(warnings_of(caplog)) == 1


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"llm_id": "a\ud800"}, "a\ufffd"),
        ({"llm_id": np.str_("a")}, "a"),
        ({"llm_id": "ä" * 3}, "äää"),
    ],
)
def test_d20_text_that_is_no_unicode_is_repaired(emitter, fields, expected):
    """Lone surrogates and numpy text in an event never raise out of emit."""
    memory = emitter()
    memory.emit(with_payload(operator(1), **fields))
    facet = memory.captured_events[0]["run"]["facets"]["hutchOperator"]
    assert facet["llm_id"] == expected


def test_d20_numpy_numbers_are_plain(emitter, caplog):
    """Numpy numbers in a directly built event arrive as numbers, with a WARNING."""
    with Receiver() as receiver:
        live = emitter(receiver.url)
        live.emit(with_payload(operator(1), cost_usd=np.float64(0.5), tokens_in=np.int64(7)))
        assert live.flush(20)
        facet = receiver.events[0]["run"]["facets"]["hutchOperator"]
    assert (facet["cost_usd"], facet["tokens_in"]) == (0.5, 7)
    assert len(warnings_of(caplog)) == 1


@pytest.mark.parametrize("bad", [None, object(), "text", {"event_kind": "operator"}])
def test_emit_never_raises_for_what_is_no_event(emitter, bad):
    """Whatever is handed to emit, the caller's loop goes on."""
    memory = emitter()
    memory.emit(bad)
    assert memory.captured_events == []


def test_an_event_that_cannot_be_written_is_set_aside(emitter, caplog):
    """A value without JSON form costs that event only; it is counted and named."""
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


FORK = """
import os, sys
from hutch_lineage.openlineage import OpenLineageEmitter
from tests.openlineage.events import operator
from tests.receivers import Receiver

with Receiver(503, then=201) as receiver:
    emitter = OpenLineageEmitter(endpoint=receiver.url)
    for number in range(10):
        emitter.emit(operator(number))
    child = os.fork()
    if child == 0:
        for number in range(100, 110):
            emitter.emit(operator(number))
        os._exit(0 if emitter.flush(20) else 1)
    for number in range(10, 20):
        emitter.emit(operator(number))
    assert os.waitpid(child, 0)[1] == 0
    assert emitter.flush(20)
    print(*(e["run"]["facets"]["hutchOperator"]["operator_id"] for e in receiver.events))
    print(len(receiver.requests), emitter.close())
"""


def test_d21_a_forked_child_sends_its_own_events_on_its_own_connection(project_root):
    """Parent and child emit at once; every event arrives once, in its process's order."""
    done = subprocess.run(
        [sys.executable, "-c", FORK],
        cwd=project_root, capture_output=True, text=True, check=True,
    )  # fmt: skip
    ids, rest = done.stdout.splitlines()
    numbers = [int(each.removeprefix("op-")) for each in ids.split()]
    assert [number for number in numbers if number < 100] == list(range(20))
    assert [number for number in numbers if number >= 100] == list(range(100, 110))
    assert rest == "31 True"


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


def test_d26_an_event_id_is_emitted_once(emitter):
    """The same event given twice is posted once."""
    memory = emitter()
    for each in [operator(1)] * 2 + [operator(1)]:
        memory.emit(each)
    assert operator_ids(memory.captured_events) == ["op-1", "op-1"]


def test_what_is_left_is_sent_when_the_interpreter_ends():
    """A script that ends without close still delivers, within a bounded time."""
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
