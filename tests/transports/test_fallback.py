"""Hutch's queue, shared by processes: nothing lost, nothing cut, whoever appends and takes."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import pytest

from hutch_lineage.transports.fallback import FallbackQueue


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The file."""
    return tmp_path / "queue.jsonl"


APPEND = """
import sys
from pathlib import Path
from hutch_lineage.transports.fallback import FallbackQueue
queue = FallbackQueue(Path(sys.argv[1]))
for number in range(400):
    queue.append([f'{{"who":"{sys.argv[2]}","n":{number}}}'.encode()])
"""


def test_processes_append_while_another_takes(path: Path) -> None:
    """Two processes append while this one takes: each line comes once, whole and in order."""
    processes = [
        subprocess.Popen([sys.executable, "-c", APPEND, str(path), who]) for who in ("a", "b")
    ]
    queue = FallbackQueue(path)
    found: list[bytes] = []
    while True:
        ended = all(process.poll() is not None for process in processes)
        lines = queue.take()
        found += lines
        queue.done()
        if ended and not lines:
            break
    queue.close()
    assert [process.wait() for process in processes] == [0, 0]
    for who in ("a", "b"):
        own = [line for line in found if f'"{who}"'.encode() in line]
        assert own == [f'{{"who":"{who}","n":{n}}}'.encode() for n in range(400)]
    assert len(found) == 800


def test_what_was_not_done_is_taken_again(path: Path) -> None:
    """After a release, as after a crash, the same lines come, and those that came meanwhile."""
    queue = FallbackQueue(path)
    queue.append([b"1", b"2"])
    assert queue.take() == [b"1", b"2"]
    queue.append([b"3"])
    queue.release()
    other = FallbackQueue(path)
    assert other.take() == [b"1", b"2"]
    other.done()
    assert other.take() == [b"3"]
    other.done()
    assert other.take() == []
    assert other.is_empty
    other.close()
    queue.close()


def test_what_is_done_stands_in_no_file_any_more(path: Path) -> None:
    """After a release only the rest is found, and no file where nothing is left."""
    queue = FallbackQueue(path)
    replay = path.with_name(f"{path.name}.replay")
    queue.append([b"1", b"2", b"3"])
    assert queue.take(1) == [b"1"]
    queue.done()
    assert queue.left() == {replay: 2}
    queue.append([b"4"])
    queue.release()
    assert queue.left() == {replay: 2, path: 1}
    assert replay.read_bytes() == b"2\n3\n"
    assert queue.take(9) == [b"2", b"3"]
    queue.done()
    queue.release()
    assert not replay.exists()
    assert queue.left() == {path: 1}
    queue.close()


def test_one_at_a_time_takes(path: Path) -> None:
    """Whoever comes second is told; appending goes on."""
    one, other = FallbackQueue(path), FallbackQueue(path)
    one.append([b"1"])
    assert one.take() == [b"1"]
    with pytest.raises(BlockingIOError):
        other.take()
    thread = threading.Thread(target=other.append, args=([b"2"],))
    thread.start()
    thread.join(5)
    assert not thread.is_alive()
    one.done()
    assert one.take() == [b"2"]
    one.close()
    other.close()


def test_a_look_changes_nothing(path: Path) -> None:
    """peek leaves the file where it is."""
    queue = FallbackQueue(path)
    assert queue.peek() == b""
    queue.append([b"1", b"2"])
    assert queue.peek() == b"1"
    assert path.read_bytes() == b"1\n2\n"
    queue.close()


def test_blank_lines_and_long_ones_hide_nothing(path: Path) -> None:
    """Neither megabytes of blank lines nor a line of megabytes end the queue early."""
    long = b"x" * 3_000_000
    path.write_bytes(b"\n" * 2_500_000 + b"1\n\n2\n" + long + b"\n3\nhalf")
    queue = FallbackQueue(path)
    found: list[bytes] = []
    while lines := queue.take(2):
        assert len(lines) <= 2
        found += lines
        queue.done()
    queue.close()
    assert found == [b"1", b"2", long, b"3"]


def test_half_a_line_spoils_no_other(path: Path) -> None:
    """What a process that was killed had begun is a line of its own, not the head of the next."""
    path.write_bytes(b'{"a":1}\n{"half')
    queue = FallbackQueue(path)
    queue.append([b'{"a":2}'])
    queue.append([b'{"a":3}'])
    queue.close()
    assert queue.take() == [b'{"a":1}', b'{"half', b'{"a":2}', b'{"a":3}']
    queue.close()
