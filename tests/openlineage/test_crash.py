"""Nothing is lost: crashes, forks, exits and restarts, with the journal of real processes."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from hutch_lineage.delivery import DeliveryOptions, Limits
from hutch_lineage.errors import DeliveryError
from tests.openlineage.events import end, ids, operator, operator_ids, start, warnings_of
from tests.receivers import Receiver, unused_port

PRELUDE = """
import os, signal, sys
from hutch_lineage.openlineage import OpenLineageEmitter
from tests.openlineage.events import end, operator, start

emitter = OpenLineageEmitter(endpoint=sys.argv[1])
"""


def journals(root):
    """Return the lines of all journals below a root."""
    return [
        json.loads(line)
        for path in sorted(root.glob("*/*/events-*.ndjson"))
        for line in path.read_bytes().splitlines()
    ]


def test_a_process_that_ends_without_close_leaves_the_rest(producer, emitter, root):
    """Exit during an outage is quick, says where the events are, and loses none."""
    port = unused_port()
    url = f"http://127.0.0.1:{port}"
    done = producer(PRELUDE + "for number in range(5): emitter.emit(operator(number))\n", url)
    assert done.returncode == 0
    assert "5 OpenLineage events were not sent" in done.stderr
    assert operator_ids(journals(root)) == ids(5)
    with Receiver(port=port) as receiver:
        live = emitter(url)
        assert live.flush(20)
        assert operator_ids(receiver.events) == ids(5)
    live.close()
    assert list(root.glob("**/*")) == []


def test_what_close_could_not_send_the_next_emitter_sends(emitter):
    """Within one process too: a closed emitter gives its journal free."""
    port = unused_port()
    url = f"http://127.0.0.1:{port}"
    first = emitter(url)
    first.emit(operator(0))
    assert not first.close(0.2)
    with Receiver(port=port) as receiver:
        second = emitter(url)
        assert second.flush(20)
        assert operator_ids(receiver.events) == ids(1)


def test_going_live_again_after_close_sends_nothing_twice(emitter):
    """An emitter that was closed with events left goes on with its own journal."""
    port = unused_port()
    url = f"http://127.0.0.1:{port}"
    live = emitter(url)
    live.emit(operator(0))
    assert not live.close(0.2)
    live.emit(operator(1))
    with Receiver(port=port) as receiver:
        live.go_live(url)
        assert live.flush(20)
        assert operator_ids(receiver.events) == ids(2)


def test_a_forked_child_has_a_journal_of_its_own(producer, emitter):
    """Parent and child are both killed during an outage; all that both emitted arrives."""
    port = unused_port()
    url = f"http://127.0.0.1:{port}"
    code = (
        "for number in range(5): emitter.emit(operator(number))\n"
        "child = os.fork()\n"
        "first = 100 if child == 0 else 5\n"
        "for number in range(first, first + 5): emitter.emit(operator(number))\n"
        "if child: os.waitpid(child, 0)\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    producer(PRELUDE + code, url)
    with Receiver(port=port) as receiver:
        assert emitter(url).flush(20)
        assert sorted(operator_ids(receiver.events)) == sorted(ids(10) + ids(5, 100))


def test_a_journal_that_is_removed_is_begun_anew(producer, emitter):
    """Somebody clears the folder while a process runs: what was not sent is written once more."""
    port = unused_port()
    url = f"http://127.0.0.1:{port}"
    code = (
        "import shutil\n"
        "for number in range(5): emitter.emit(operator(number))\n"
        "shutil.rmtree(os.environ['HUTCH_OPENLINEAGE_JOURNAL'])\n"
        "for number in range(5, 8): emitter.emit(operator(number))\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    assert "another one is begun" in producer(PRELUDE + code, url, look_s=0).stderr
    with Receiver(port=port) as receiver:
        assert emitter(url).flush(20)
        assert operator_ids(receiver.events) == ids(8)


def test_secrets_are_not_in_the_journal(emitter, root):
    """Neither key, header, password nor the query of the URL is on disk."""
    with Receiver(then=401) as receiver:
        url = receiver.url.replace("//", "//me:hush-pw@") + "/?key=hush-query"
        live = emitter(url, api_key="hush-key", headers={"X-Secret": "hush-header"})
        live.emit(operator(1))
        live.flush(20)
    live.close(0)
    files = [path for path in root.glob("**/*") if path.is_file()]
    assert files
    assert not any(b"hush" in path.read_bytes() for path in files)
    assert not any("hush" in str(path) for path in root.glob("**/*"))


def test_memory_writes_no_journal(emitter, root):
    """In memory, and in strict mode, nothing is on disk."""
    emitter().emit(operator(1))
    with Receiver() as receiver:
        emitter(receiver.url, strict=True).emit(operator(1))
        off = emitter(receiver.url, options=DeliveryOptions(journal="off"))
        off.emit(operator(2))
        assert off.flush(20)
    assert list(root.glob("**/*")) == []


def test_a_session_reads_on_from_its_journal(emitter):
    """Captured events and the log of deliveries are complete in live mode, across the toggle."""
    with Receiver() as first, Receiver() as second:
        live = emitter()
        live.emit(operator(0))
        live.go_live(first.url)
        live.emit(operator(1))
        live.go_live(second.url)
        live.emit(operator(2))
        live.go_memory()
        live.emit(operator(3))
        live.go_live(first.url)
        assert live.flush(20)
        assert operator_ids(first.events) == operator_ids(live.captured_events) == ids(4)
        log = live.deliveries(query="op-2")
        assert [(each.position, each.state) for each in log.events] == [(2, "sent")]


def test_where_the_journal_cannot_be_written_it_is_told(emitter, tmp_path, caplog):
    """A journal folder that cannot be made is one WARNING and stands in the figures."""
    (tmp_path / "file").write_text("")
    with Receiver() as receiver:
        live = emitter(receiver.url, options=DeliveryOptions(journal=tmp_path / "file" / "j"))
        for number in range(3):
            live.emit(operator(number))
        assert live.flush(20)
        assert operator_ids(receiver.events) == ids(3)
        stats = live.stats()
    assert (stats["journal"], stats["journal_error"]) == (None, "Not a directory")
    assert "the journal cannot be written" in stats["last_error"]
    assert len(warnings_of(caplog)) == 1


def test_what_was_delivered_long_ago_makes_room(emitter):
    """At the limit the oldest delivered events leave the window; the rest stays readable."""
    limits = Limits(max_bytes=20_000, segment_bytes=4_000)
    with Receiver() as receiver:
        live = emitter(receiver.url, options=DeliveryOptions(limits=limits))
        for number in range(60):
            live.emit(operator(number))
            assert live.flush(20)
        kept = operator_ids(live.captured_events)
        assert 10 < len(kept) < 40
        assert kept == ids(60)[-len(kept) :]
        assert live.deliveries(0, 1).events[0].state == "sent"
        assert live.stats()["captured"] == 60


def test_a_run_id_that_is_no_uuid_is_told_once(emitter, caplog):
    """Some backends refuse such a run; in memory, where nothing is posted, it is no matter."""
    with Receiver() as receiver:
        live = emitter()
        live.emit(start(run_id="run-1"))
        before = len(warnings_of(caplog))
        live.go_live(receiver.url)
        for run in ("run-1", "run-2"):
            live.emit(operator(1, run_id=run))
        assert live.flush(20)
    assert (before, len(warnings_of(caplog))) == (0, 1)
    assert "'run-1' is no UUID" in warnings_of(caplog)[0]


def test_a_start_that_failed_is_owed_once(emitter):
    """Strict: starting the run once more after a failure does not send START twice."""
    with Receiver(503, then=201) as receiver:
        live = emitter(receiver.url, strict=True)
        with pytest.raises(DeliveryError):
            live.emit(start())
        live.emit(start())
        live.emit(end())
        assert [each["eventType"] for each in receiver.events] == ["START", "COMPLETE"]


def test_batches_on_request(emitter):
    """With batches on, a backlog goes in few requests, in order, each event once."""
    options = DeliveryOptions()
    options = type(options)(http=type(options.http)(batch=50))
    with Receiver(then=204) as receiver:
        live = emitter(options=options)
        for number in range(120):
            live.emit(operator(number))
        live.go_live(receiver.url)
        assert live.flush(20)
        posted = [each for request in receiver.requests for each in request.json]
    assert operator_ids(posted) == ids(120)
    assert len(receiver.requests) == 3


TWO = """
import threading
def work(run):
    for number in range(40):
        emitter.emit(operator(number, run_id=run))
threads = [
    threading.Thread(target=work, args=(f"{os.getpid()}-{number}",)) for number in range(10)
]
for thread in threads: thread.start()
for thread in threads: thread.join()
sys.exit(0 if emitter.close(30) else 1)
"""


def test_two_processes_of_ten_threads(project_root):
    """One backend, two processes with ten threads each: nothing lost, each run in its order."""
    with Receiver() as receiver:
        both = [
            subprocess.Popen(
                [sys.executable, "-c", PRELUDE + TWO, receiver.url],
                cwd=project_root, stderr=subprocess.PIPE,
            )
            for _ in range(2)
        ]  # fmt: skip
        assert [each.communicate(timeout=60) and each.returncode for each in both] == [0, 0]
        events = receiver.events
    runs = {each["run"]["runId"] for each in events}
    assert len(runs) == 20
    for run in runs:
        assert operator_ids([e for e in events if e["run"]["runId"] == run]) == ids(40)
