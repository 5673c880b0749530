"""Faults that were shown in the reference emitter, each by name: here they do not happen.

The labels are those of the list of these faults. Some are kept elsewhere, under their label: the
mapping that the specification fixes (D11 to D14) here and in `test_specification`, how the presets
cure it in `tests/mapping/test_preset_operators`, `_seeds` and `_names`, redirects (D17) in
`tests/delivery/test_http_sender`, the DuckDB file (D7b, D7c) in `tests/transports/test_embedded`.
What another program does with its events (D24), and how many a server lists (D27), is not the
emitter's.
"""

from __future__ import annotations

import asyncio
import gzip
import math
import os
import re
import signal
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from uuid import UUID

import numpy as np
import pytest
from openlineage.client.event_v2 import Run

import hutch_lineage as hl
from hutch_lineage.errors import DeliveryError, EndpointError
from hutch_lineage.openlineage import OpenLineageEmitter
from tests.openlineage.events import (
    end,
    event,
    operator,
    operator_ids,
    start,
    warnings_of,
    with_payload,
)
from tests.receivers import Receiver, statuses, unused_port
from tests.support.waiting import wait_until


def test_a_hung_backend_does_not_hold_up_the_caller(emitter):
    """D1, O2: 200 events on a backend that accepts and says nothing return at once, all kept."""
    with Receiver(then="hang") as receiver:
        live = emitter(receiver.url)
        for number in range(200):
            live.emit(operator(number))
        receiver.wait_for_requests(1)
        assert len(receiver.requests) < 10  # one at a time, and none of them was waited for
        assert live.stats()["queued"] == 200


def test_captured_events_are_complete_in_live_mode(emitter):
    """D2: what was posted stays readable, as documented."""
    with Receiver() as receiver:
        live = emitter(receiver.url)
        for number in range(3):
            live.emit(operator(number))
        assert live.flush(20)
        assert live.captured_events == receiver.events
    assert "Every RunEvent is kept" in (OpenLineageEmitter.__doc__ or "")


OUTAGE = """
import os, sys, time
import logging; logging.disable(logging.CRITICAL)
from hutch_lineage.delivery import Backoff, DeliveryOptions, HttpOptions
from hutch_lineage.openlineage import OpenLineageEmitter
from tests.openlineage.events import operator

def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")

options = DeliveryOptions(http=HttpOptions(batch=500), backoff=Backoff(0.05, 0.5))
emitter = OpenLineageEmitter(endpoint=sys.argv[1], options=options)
emitter.emit(operator(0))
before, costs = resident(), []
for number in range(1, 100_000):
    event = operator(number)
    begin = time.perf_counter()
    emitter.emit(event)
    costs.append(time.perf_counter() - begin)
stats = emitter.stats()
print(resident() - before, sorted(costs)[50_000], stats["queued"], stats["state"], flush=True)
sent = emitter.flush(60)
print(resident() - before, sent, emitter.stats()["sent"], emitter.close())
"""


@pytest.mark.timeout(120)
@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="no /proc here")  # noqa: PTH110
def test_memory_is_flat_in_an_outage_of_100_000_events(project_root):
    """D2, O3, O4: what waits is on disk: under 50 MB, the caller unaffected, all arrives after."""
    port = unused_port()
    with subprocess.Popen(
        [sys.executable, "-c", OUTAGE, f"http://127.0.0.1:{port}"],
        cwd=project_root, stdout=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        grown, median_s, queued, state = process.stdout.readline().split()
        assert (queued, state) == ("100000", "failing")
        assert int(grown) < 50_000_000
        assert float(median_s) < 0.001
        with Receiver(port=port) as receiver:
            grown, *rest = process.communicate(timeout=90)[0].split()
            assert rest == ["True", "100000", "True"]
            bodies = b"".join(request.body for request in receiver.requests)
    assert int(grown) < 50_000_000
    numbers = [int(found) for found in re.findall(rb'"operator_id":"op-(\d+)"', bodies)]
    assert numbers == list(range(100_000))


@pytest.mark.parametrize("fault", [503, 422, "hang", "reset"])
def test_strict_raises_what_the_backend_answered(emitter, fault):
    """D3: with strict the failure is the caller's, at once."""
    with Receiver(then=fault) as receiver:
        live = emitter(receiver.url, strict=True, timeout_s=0.2)
        with pytest.raises(DeliveryError) as caught:
            live.emit(operator(1))
    assert caught.value.status == (fault if isinstance(fault, int) else None)


def test_a_run_has_a_uuid_that_openlineage_takes():
    """D4: the official class for runs, which checks it, accepts the id of a run made here."""
    hl.configure(hl.SDKConfig(openlineage_endpoint="in-memory"))
    with hl.run("packing") as run:
        pass
    document = hl.emitter().captured_events[0]
    assert Run(document["run"]["runId"]).runId == run.id == str(UUID(run.id))


@pytest.mark.parametrize("score", [math.nan, math.inf, np.float32("nan")])
def test_a_score_that_is_no_number_does_not_lose_the_event(emitter, caplog, score):
    """D5: NaN and infinity become null with one WARNING, however often they come."""
    memory = emitter()
    for _ in range(2):
        mod = event("self_mod", parent_agent_id="a", child_agent_id="b")
        memory.emit(with_payload(mod, score_after=score))
    facets = [each["run"]["facets"]["hutchSelfMod"] for each in memory.captured_events]
    assert [facet["score_after"] for facet in facets] == [None, None]
    assert len(warnings_of(caplog)) == 1


RESUMED = """
import sys
import hutch_lineage as hl
with hl.run("circle-packing", run_id="5f0c9a52-6d0f-4c39-9e0a-0d6a3f2b7c11"):
    hl.start_run(name="circle-packing", run_id="5f0c9a52-6d0f-4c39-9e0a-0d6a3f2b7c11")
    hl.log_operator(kind="mutate", parent_ids=["a"], child_id=sys.argv[1])
hl.emitter().close(20)
"""


def test_a_run_that_another_process_resumes_keeps_its_job(project_root):
    """D6: each posts under the run's name and says START once, also where it is told twice."""
    with Receiver() as receiver:
        for child in ("b", "c"):
            subprocess.run(
                [sys.executable, "-c", RESUMED, child],
                cwd=project_root, check=True, capture_output=True,
                env={**os.environ, "HUTCH_OPENLINEAGE_ENDPOINT": receiver.url},
            )  # fmt: skip
        events = receiver.events
    assert {each["job"]["name"] for each in events} == {"circle-packing"}
    assert [each["eventType"] for each in events] == ["START", "RUNNING", "COMPLETE"] * 2


def test_two_threads_with_two_runs_never_mix():
    """D7: runs of several threads arrive whole and apart."""

    def search(name):
        with hl.run(name):
            for number in range(20):
                hl.log_operator(kind="mutate", child_id=f"{name}-{number}")

    with Receiver() as backend:
        hl.configure(hl.SDKConfig(openlineage_endpoint=backend.url))
        with ThreadPoolExecutor(3) as pool:
            list(pool.map(search, "abc"))
        events = backend.wait_for(66)
    jobs = {"a", "b", "c"}
    assert Counter(event["job"]["name"] for event in events) == dict.fromkeys(jobs, 22)
    for job in jobs:
        mine = [event for event in events if event["job"]["name"] == job]
        assert [each["eventType"] for each in mine] == ["START", *["RUNNING"] * 20, "COMPLETE"]
        assert {each["outputs"][0]["name"] for each in mine[1:-1]} == {
            f"individual:{job}-{number}" for number in range(20)
        }


def test_one_503_loses_nothing(emitter):
    """D8: an event answered with 503 arrives later, before those that came after it."""
    with Receiver(503, then=201) as receiver:
        live = emitter(receiver.url)
        for number in range(3):
            live.emit(operator(number))
        assert operator_ids(receiver.wait_for(3)) == ["op-0", "op-1", "op-2"]
        assert statuses(receiver.requests) == [503, 201, 201, 201]


def test_key_headers_and_compression_can_be_set(monkeypatch):
    """D9: from the environment and from the settings; the key is a bearer token."""
    monkeypatch.setenv("HUTCH_OPENLINEAGE_API_KEY", "a-key")
    config = hl.SDKConfig.from_env()
    with Receiver() as receiver:
        config.openlineage_endpoint = receiver.url
        config.openlineage_headers = {"X-Team": "ours"}
        config.openlineage_gzip = True
        hl.configure(config)
        hl.start_run(name="packing")
        assert hl.emitter().flush(20)
        (request,) = receiver.requests
    assert request.headers["Authorization"] == "Bearer a-key"
    assert request.headers["X-Team"] == "ours"
    assert b'"packing"' in gzip.decompress(request.body)


@pytest.mark.parametrize("url", ["not a url", "ftp://x", "localhost:5000", "http://"])
def test_a_bad_url_is_refused_at_once(url):
    """D10: an emitter for a URL that cannot work is not made."""
    with pytest.raises(EndpointError):
        OpenLineageEmitter(endpoint=url)


@pytest.mark.parametrize("end_of_url", ["/lineage/", "/api/v1/lineage/", "?key=1", "/ "])
def test_the_path_ends_where_it_should(emitter, end_of_url):
    """D10: a trailing slash or a query string is not followed by the path once more."""
    with Receiver() as receiver:
        live = emitter(receiver.url + end_of_url)
        live.emit(operator(1))
        assert live.flush(20)
        path = receiver.requests[0].path
    assert path.count("/api/v1/lineage") == 1
    assert path.partition("?")[0].endswith("/api/v1/lineage")
    assert not path.endswith("/lineage/")


def test_one_run_stays_one_run_by_default(emitter):
    """D13: the specification has one OpenLineage run for a search: by default that is unchanged.

    The graph is not lost here: each event still says which parents made which child.
    """
    memory = emitter()
    memory.emit(start())
    for number in range(20):
        memory.emit(operator(number, parent_ids=[f"c{number - 1}"]))
    documents = memory.captured_events
    assert len({document["run"]["runId"] for document in documents}) == 1
    assert [
        document["run"]["facets"]["hutchOperator"]["operator_id"] for document in documents[1:]
    ] == [f"op-{number}" for number in range(20)]
    assert all(len(document["inputs"]) == 1 for document in documents[1:])


def test_dataset_names_stay_without_a_run_by_default(emitter):
    """D14: the specification names a dataset by its individual alone: by default unchanged."""
    memory = emitter()
    for run in ("run-1", "run-2"):
        memory.emit(operator(1, run_id=run, child_id="ind-1"))
    names = {each["outputs"][0]["name"] for each in memory.captured_events}
    assert names == {"individual:ind-1"}


def test_events_after_the_end_keep_their_job(emitter):
    """D15: the job name outlives run_end; a second start of an open run is not emitted."""
    memory = emitter()
    for each in [start("packing"), start("packing"), end(), operator(1)]:
        memory.emit(each)
    assert [each["eventType"] for each in memory.captured_events] == [
        "START",
        "COMPLETE",
        "RUNNING",
    ]
    assert {each["job"]["name"] for each in memory.captured_events} == {"packing"}


def test_a_run_that_ended_may_start_again(emitter):
    """D15: a resumed run is started again, under its first name."""
    memory = emitter()
    for each in [start("packing"), end(), start(None)]:
        memory.emit(each)
    assert [each["job"]["name"] for each in memory.captured_events] == ["packing"] * 3


def test_after_close_events_are_kept_and_it_is_said(emitter, caplog):
    """D16: emitting after close logs one WARNING, keeps the events, and live sends them."""
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


def test_an_event_loop_is_not_stalled(emitter):
    """D18: emitting from a coroutine on a hung backend leaves the loop to others."""
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


def test_a_dead_backend_is_one_warning(emitter, caplog):
    """D19: 200 events on a dead backend log one WARNING."""
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
def test_text_that_is_no_unicode_is_repaired(emitter, fields, expected):
    """D20: lone surrogates and numpy text in an event never raise out of emit."""
    memory = emitter()
    memory.emit(with_payload(operator(1), **fields))
    facet = memory.captured_events[0]["run"]["facets"]["hutchOperator"]
    assert facet["llm_id"] == expected


def test_numpy_numbers_are_plain(emitter, caplog):
    """D20: numpy numbers in a directly built event arrive as numbers, with a WARNING."""
    with Receiver() as receiver:
        live = emitter(receiver.url)
        live.emit(with_payload(operator(1), cost_usd=np.float64(0.5), tokens_in=np.int64(7)))
        assert live.flush(20)
        facet = receiver.events[0]["run"]["facets"]["hutchOperator"]
    assert (facet["cost_usd"], facet["tokens_in"]) == (0.5, 7)
    assert len(warnings_of(caplog)) == 1


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


def test_a_forked_child_sends_its_own_events_on_its_own_connection(project_root):
    """D21, O6: parent and child emit at once; every event arrives once, in its process's order."""
    done = subprocess.run(
        [sys.executable, "-c", FORK],
        cwd=project_root, capture_output=True, text=True, check=True,
    )  # fmt: skip
    ids, rest = done.stdout.splitlines()
    numbers = [int(each.removeprefix("op-")) for each in ids.split()]
    assert [number for number in numbers if number < 100] == list(range(20))
    assert [number for number in numbers if number >= 100] == list(range(100, 110))
    assert rest == "31 True"


KILLED = """
import os, signal, sys
from hutch_lineage.openlineage import OpenLineageEmitter
from tests.openlineage.events import operator, start

emitter = OpenLineageEmitter(endpoint=sys.argv[1])
emitter.emit(start())
for number in range(100):
    emitter.emit(operator(number))
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_kill_9_loses_nothing(project_root, emitter):
    """D25: what emit returned for is on disk; the next start sends it first, in order."""
    port = unused_port()
    url = f"http://127.0.0.1:{port}"
    killed = subprocess.run(
        [sys.executable, "-c", KILLED, url], cwd=project_root, capture_output=True, check=False
    )
    assert killed.returncode == -signal.SIGKILL
    with Receiver(port=port) as receiver:
        live = emitter(url)
        live.emit(operator(100))
        assert live.flush(20)
        assert [each["eventType"] for each in receiver.events[:2]] == ["START", "RUNNING"]
        assert operator_ids(receiver.events) == [f"op-{number}" for number in range(101)]
        assert (live.stats()["adopted"], live.stats()["sent"]) == (101, 1)


def test_an_event_id_is_emitted_once(emitter):
    """D26: the same event given twice is posted once."""
    memory = emitter()
    for each in [operator(1)] * 2 + [operator(1)]:
        memory.emit(each)
    assert operator_ids(memory.captured_events) == ["op-1", "op-1"]
