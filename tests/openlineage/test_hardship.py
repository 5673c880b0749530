"""What a process, its disk and its users do to an emitter: nothing is lost, nothing goes wrong."""

from __future__ import annotations

import subprocess
import sys
import threading

import orjson
import pytest

from tests.openlineage.events import ids, operator, operator_ids
from tests.receivers import Receiver, unused_port

PRELUDE = """
import os, signal, sys, threading, time
from hutch_lineage.delivery import DeliveryOptions
from hutch_lineage.openlineage import OpenLineageEmitter
from tests.openlineage.events import operator

emitter = OpenLineageEmitter(endpoint=sys.argv[1], options=DeliveryOptions(exit_timeout_s=2.0))
"""


def journaled(root):
    """Return the operator ids in all journals below a root."""
    texts = [path.read_bytes() for path in sorted(root.glob("*/*/events-*.ndjson"))]
    return operator_ids(orjson.loads(line) for text in texts for line in text.splitlines())


@pytest.mark.parametrize(
    "odd",
    ["a\0b", "a\ud800b", "a\nb\r\n", '"}{"', "\u202e\u2028\x7f", "\U0001f9ec" * 3, "x" * 9_999, ""],
)  # fmt: skip
def test_odd_ids_arrive_as_they_are(emitter, root, odd):
    """NUL, half a surrogate, line breaks, quotes: one line in the journal, one event that is read.

    Only half a surrogate, which no JSON can hold, becomes U+FFFD.
    """
    with Receiver() as receiver:
        live = emitter(receiver.url)
        made = operator(1, run_id=odd or "r")
        payload = made.payload.model_copy(update={"id": odd, "child_id": odd, "parent_ids": [odd]})
        live.emit(made.model_copy(update={"payload": payload}))
        live.emit(operator(2))
        assert live.flush(20)
        first, second = receiver.events
    plain = odd.replace("\ud800", "\ufffd")
    assert first["outputs"][0]["name"] == f"individual:{plain}"
    assert first["run"]["runId"] == (plain or "r")
    assert operator_ids([first, second]) == journaled(root) == [plain, "op-2"]


def test_an_event_of_ten_megabytes(producer, emitter):
    """It is written, survives kill -9, and arrives whole, with its neighbours in order."""
    port = unused_port()
    code = (
        "for number in (0, 1): emitter.emit(operator(number))\n"
        "emitter.emit(operator(2, llm_id='x' * 10_000_000))\n"
        "emitter.emit(operator(3))\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    producer(PRELUDE + code, f"http://127.0.0.1:{port}")
    with Receiver(port=port) as receiver:
        assert emitter(receiver.url).flush(30)
        assert operator_ids(receiver.events) == ids(4)
        assert receiver.events[2]["run"]["facets"]["hutchOperator"]["llm_id"] == "x" * 10_000_000


def test_two_emitters_for_one_endpoint(emitter, root):
    """Each has a journal of its own; both deliver, neither takes the other's, nothing stays."""
    with Receiver() as receiver:
        one, other = emitter(receiver.url), emitter(receiver.url)
        for number in range(50):
            one.emit(operator(number, run_id="one"))
            other.emit(operator(number, run_id="other"))
        assert (one.flush(20), other.flush(20)) == (True, True)
        assert len(list(root.glob("*/*"))) == 2
        for run in ("one", "other"):
            mine = [each for each in receiver.events if each["run"]["runId"] == run]
            assert operator_ids(mine) == ids(50)
        assert (one.close(20), other.close(20)) == (True, True)
    assert list(root.glob("*")) == []


def test_a_folder_of_journals_may_be_a_link(emitter, root, tmp_path):
    """A home folder often is: events are written where it leads to, and nothing stays."""
    (tmp_path / "elsewhere").mkdir()
    root.symlink_to(tmp_path / "elsewhere")
    with Receiver() as receiver:
        live = emitter(receiver.url)
        live.emit(operator(0))
        assert live.flush(20)
        assert journaled(tmp_path / "elsewhere") == ids(1)
        assert live.close(20)
    assert list((tmp_path / "elsewhere").glob("**/*")) == []


def test_the_folder_is_moved_and_a_link_put_in_its_place(producer, emitter, root, tmp_path):
    """While a process writes and is killed: what it wrote is found, and sent."""
    port = unused_port()
    code = (
        "for number in range(3): emitter.emit(operator(number))\n"
        "root = os.environ['HUTCH_OPENLINEAGE_JOURNAL']\n"
        "os.rename(root, root + '-moved')\n"
        "os.symlink(root + '-moved', root)\n"
        "for number in range(3, 6): emitter.emit(operator(number))\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    producer(PRELUDE + code, f"http://127.0.0.1:{port}", look_s=0)
    with Receiver(port=port) as receiver:
        live = emitter(receiver.url)
        assert live.flush(20)
        assert operator_ids(receiver.events) == ids(6)
        live.close(5)


def test_a_link_in_a_journal_is_not_followed(emitter, root, tmp_path):
    """What a journal that was left behind links to is neither sent nor changed."""
    (tmp_path / "other").write_text('{"secret": 1}\nhalf')
    port = unused_port()
    dead = emitter(f"http://127.0.0.1:{port}")
    dead.emit(operator(0))
    dead.close(0)
    (folder,) = root.glob("*/*")
    (folder / "events-000000000001.ndjson").symlink_to(tmp_path / "other")
    with Receiver(port=port) as receiver:
        assert emitter(receiver.url).flush(20)
        assert operator_ids(receiver.events) == ids(1)
    assert (tmp_path / "other").read_text() == '{"secret": 1}\nhalf'


AT_THE_END = """
said = open(sys.argv[2], "ab", 0)
numbers = iter(range(1_000_000))
def work():
    while True:
        number = next(numbers)
        emitter.emit(operator(number))
        said.write(b"op-%d\\n" % number)
        time.sleep(0.001)
threading.Thread(target=work, daemon=True).start()
while said.tell() < 500:
    time.sleep(0.001)
"""


@pytest.mark.parametrize("backend", ["up", "hang", "down"])
def test_a_daemon_thread_that_emits_while_the_interpreter_ends(
    project_root, emitter, tmp_path, backend
):
    """The end is quick and quiet; what emit returned for arrives, now or with the next start."""
    said = tmp_path / "said"
    with Receiver(then="hang" if backend == "hang" else 201) as receiver:
        url = f"http://127.0.0.1:{unused_port()}" if backend == "down" else receiver.url
        done = subprocess.run(
            [sys.executable, "-c", PRELUDE + AT_THE_END, url, said],
            cwd=project_root, capture_output=True, text=True, check=False, timeout=30,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        assert "Traceback" not in done.stderr
        arrived = set(operator_ids(receiver.events))
    with Receiver(port=int(url.rpartition(":")[2])) as later:
        assert emitter(later.url).flush(40)
        arrived |= set(operator_ids(later.events))
    emitted = said.read_text().split()
    assert len(emitted) > 50
    assert set(emitted) - arrived == set()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_threads_that_end_by_system_exit(emitter):
    """A thread that leaves in the middle of its work takes nothing with it."""
    with Receiver() as receiver:
        live = emitter(receiver.url)

        def work(run):
            for number in range(20):
                live.emit(operator(number, run_id=run))
            raise SystemExit

        threads = [threading.Thread(target=work, args=(f"run-{n}",)) for n in range(5)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert live.flush(20)
        assert len(receiver.events) == 100
