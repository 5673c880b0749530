"""The command line as a person sees it: events that appear, a bar that grows."""

from __future__ import annotations

import contextlib
import os
import pty
import signal
import subprocess
import sys
import threading

import pytest

from hutch_lineage.openlineage import OpenLineageEmitter
from tests.openlineage.events import operator
from tests.receivers import Answer, Receiver, unused_port
from tests.support.waiting import wait_until

COMMAND = (sys.executable, "-c", "from hutch_lineage.cli import main; main()")


def test_tail_shows_events_as_they_are_written() -> None:
    """`tail -f`: first the newest, then each that a living process adds, once, until Ctrl-C."""
    emitter = OpenLineageEmitter(endpoint=f"http://127.0.0.1:{unused_port()}")
    emitter.emit(operator(0))
    shown: list[str] = []
    with subprocess.Popen(
        [*COMMAND, "tail", "-f"],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    ) as process:
        assert process.stdout is not None
        lines = iter(process.stdout.readline, "")
        reader = threading.Thread(target=lambda: shown.extend(lines))
        reader.start()
        try:
            for number in (1, 2):
                wait_until(lambda seen=number: len(shown) == seen, 30)
                emitter.emit(operator(number))
            wait_until(lambda: len(shown) == 3, 30)
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(20)
            reader.join(20)
    emitter.close(0)
    assert [line.rpartition(":")[2] for line in shown] == ["c0\n", "c1\n", "c2\n"]


@pytest.mark.skipif(os.name != "posix", reason="a terminal of its own is made by POSIX")
def test_flush_has_a_bar_in_a_terminal() -> None:
    """It grows from 0 to 100 % while a backlog is sent."""
    with Receiver() as away:
        url = away.url
    emitter = OpenLineageEmitter(endpoint=url)
    for number in range(40):
        emitter.emit(operator(number))
    wait_until(lambda: emitter.stats()["state"] == "failing")
    emitter.close(0)
    with Receiver(then=Answer(201, delay_s=0.05), port=away.port):
        ours, theirs = pty.openpty()
        process = subprocess.Popen([*COMMAND, "flush"], stdout=theirs, stderr=theirs)
        os.close(theirs)
        told = b""
        with contextlib.suppress(OSError):  # the terminal is gone with the process
            while chunk := os.read(ours, 4096):
                told += chunk
        assert process.wait(20) == 0
        os.close(ours)
    shares = [int(part.split()[-1]) for part in told.decode().split("%")[:-1]]
    assert (shares[-1], shares == sorted(shares)) == (100, True)
    assert any(0 < share < 100 for share in shares)
    assert "sent 40 events to" in told.decode()
