"""A name server that never answers holds up nobody but the thread that asks it."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest

PRODUCER = """
import socket, sys, time

def hung(*_, **__):
    time.sleep(60)  # as in the system's resolver: outside of the interpreter

socket.getaddrinfo = hung
from hutch_lineage.openlineage import OpenLineageEmitter
from tests.openlineage.events import operator

emitter = OpenLineageEmitter(endpoint="http://backend.invalid:5000")
start = time.monotonic()
for number in range(100):
    emitter.emit(operator(number))
emitted = time.monotonic()
whole = emitter.flush(0.2)
flushed = time.monotonic()
if sys.argv[1] == "close":
    emitter.close(0.2)
print(emitted - start, flushed - emitted, time.monotonic() - flushed, whole)
"""


@pytest.mark.parametrize("end", ["close", "exit"])
def test_a_resolver_that_hangs_holds_up_neither_the_loop_nor_the_end(end, project_root):
    """Emitting takes no notice, flush and close keep their time, and the process ends."""
    began = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-c", PRODUCER, end],
        cwd=project_root, capture_output=True, text=True, check=True, timeout=50,
    )  # fmt: skip
    *took, whole = done.stdout.split()
    assert whole == "False"
    assert all(float(each) < 10 for each in took)
    assert time.monotonic() - began < 40
    assert "100 OpenLineage events were not sent" in done.stderr
