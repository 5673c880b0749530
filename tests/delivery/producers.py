"""Processes that emit and die, for the fault campaign: a nursery that forks one for each order.

An order is a line of JSON on standard input; the answer is a line with the exit status. What a
producer was told to emit it says before, and what `emit` returned for it says after, each with one
write to its log, so the log is true however the producer ends.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import random
import resource
import signal
import sys
import time
from typing import Any

from hutch_lineage.delivery import Backoff, DeliveryOptions, HttpOptions, Limits, lanes
from hutch_lineage.openlineage import OpenLineageEmitter
from tests.openlineage.events import event

QUICK = Backoff(base_s=0.005, cap_s=0.03)


MIB = 1024 * 1024


def options(journal: str, batch: int = 1, segment_bytes: int = 32 * MIB) -> DeliveryOptions:
    """Return settings with the clock scaled down."""
    return DeliveryOptions(
        journal=journal,
        exit_timeout_s=0.05,
        backoff=QUICK,
        http=HttpOptions(batch=batch),
        limits=Limits(segment_bytes=segment_bytes),
    )


class Producer:
    """Emits the events of one order."""

    def __init__(self, order: dict[str, Any]) -> None:
        self._order = order
        self._random = random.Random(order["seed"])
        lanes.SLOW_S = order["slow_s"]  # at 0 every run that can has a connection
        self._log = os.open(order["log"], os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        self._emitter = OpenLineageEmitter(
            endpoint=order["url"],
            timeout_s=0.3,
            options=options(order["journal"], order["batch"], order["segment_bytes"]),
        )

    def run(self) -> None:
        """Emit, with whatever else the order says, and end as it says."""
        order = self._order
        for number in range(order["first"], order["first"] + order["count"]):
            if number == order["first"] + order["fork_after"]:
                self._fork()
            if number == order["first"] + order["full_from"]:
                _limit_files(8192)
            if number == order["first"] + order["full_to"]:
                _limit_files(resource.RLIM_INFINITY)
            self._emit(f"{order['run']}.{self._random.randrange(order['runs'])}", number)
        _limit_files(resource.RLIM_INFINITY)
        if order["end"] == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        if order["end"] == "abandon":
            os._exit(0)
        if order["end"] == "close":
            self._emitter.close(0.1)

    def _emit(self, run: str, number: int) -> None:
        # the clock of this process jumps, half of the time backwards, and by up to two days
        now_s = 1_700_000_000 + self._random.choice((1, -1)) * self._random.random() * 172_800
        time.time = lambda: now_s
        stamp = int(now_s * 1e9)
        made = event(
            "operator", run, id=f"{run}-{number}", kind="refine", parent_ids=["a"], child_id="b"
        ).model_copy(update={"timestamp_ns": stamp})
        self._say("about", run, number)
        self._emitter.emit(made)
        self._say("done", run, number)
        if self._random.random() < 0.2:
            time.sleep(self._random.random() * 0.005)

    def _say(self, what: str, run: str, number: int) -> None:
        os.write(self._log, f"{what} {run} {number}\n".encode())

    def _fork(self) -> None:
        """Have a child emit a run of its own, and die without a word."""
        child = os.fork()
        if child:
            os.waitpid(child, 0)
            return
        for number in range(5):
            self._emit(f"{self._order['run']}-child-{self._order['first']}", number)
        os.kill(os.getpid(), signal.SIGKILL)


def _limit_files(size: int) -> None:
    """Let files grow no further than `size`: to a program this is a disk that is full."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))


def main() -> None:
    """Fork a producer for each order."""
    logging.disable(logging.CRITICAL)
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            with contextlib.redirect_stdout(sys.stderr):
                Producer(json.loads(line)).run()
            sys.exit(0)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)


if __name__ == "__main__":
    main()
