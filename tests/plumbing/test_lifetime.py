"""The end of the interpreter: it waits a while, and an interrupt ends that quietly."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.receivers import Receiver

SCRIPT = """
import logging, os
logging.basicConfig(format="%(message)s")
import hutch_lineage as hl
with hl.run("r") as run:
    run.log_operator(kind="refine", child_id="c")
print("ending", flush=True)
"""


@pytest.mark.skipif(os.name != "posix", reason="interrupts are POSIX signals here")
def test_interrupts_at_the_end_are_quiet(tmp_path: Path) -> None:
    """Each ends one wait; what is left is told in one line a destination, without a traceback."""
    with Receiver(then="hang") as lineage, Receiver(then="hang") as hutch:
        process = subprocess.Popen(
            [sys.executable, "-c", SCRIPT],
            env={
                **os.environ,
                "HUTCH_OPENLINEAGE_ENDPOINT": lineage.url,
                "HUTCH_DAEMON_URL": hutch.url,
                "HUTCH_FALLBACK_PATH": str(tmp_path / "queue.jsonl"),
                "HUTCH_OPENLINEAGE_EXIT_TIMEOUT_S": "30",
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert process.stdout is not None
        assert process.stdout.readline() == "ending\n"
        start = time.monotonic()
        while process.poll() is None and time.monotonic() - start < 20:
            time.sleep(0.7)
            process.send_signal(signal.SIGINT)
        _, told = process.communicate(timeout=30)
    assert "Traceback" not in told
    assert "KeyboardInterrupt" not in told
    assert told.count("not sent to") == 1
    assert told.count("not taken by the Hutch server") == 1
