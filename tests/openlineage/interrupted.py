"""A process that emits while it is interrupted again and again, for `test_interrupts`.

What it is told to emit it says before, and what `emit` returned for it says after, each with one
write to its log, so the log is true wherever the interrupt comes.
"""

from __future__ import annotations

import itertools
import os
import random
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

from hutch_lineage.delivery import Backoff, DeliveryOptions
from hutch_lineage.openlineage import OpenLineageEmitter
from tests.openlineage.events import operator


class Interrupted:
    """Does what an emitter can do, at random, and never minds an interrupt."""

    def __init__(self, url: str, folder: Path, seed: int, backend: str) -> None:
        self._url = url
        self._backend = backend
        self._log = os.open(folder / "log", os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        self._dice = random.Random(seed)
        self._numbers = itertools.count()
        self._armed = False
        self._felt = 0
        self._emitter = OpenLineageEmitter(
            endpoint="in-memory",
            options=DeliveryOptions(journal=folder / "journal", backoff=Backoff(0.005, 0.02)),
        )

    def run(self, seconds: float) -> None:
        """Go on for so long, then send the rest undisturbed."""
        signal.signal(signal.SIGINT, self._interrupt)
        deadline = time.monotonic() + seconds
        print("begun", flush=True)
        while time.monotonic() < deadline:
            step = self._step()
            try:
                self._armed = True
                step()
                self._armed = False
            except KeyboardInterrupt:
                self._felt += 1
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        self._go_live()
        sent = self._emitter.flush(20)
        stats = self._emitter.stats()
        captured = [event["run"]["facets"]["hutchOperator"]["operator_id"]
                    for event in self._emitter.captured_events]  # fmt: skip
        os.write(self._log, b"".join(b"captured %s\n" % each.encode() for each in captured))
        print(
            self._felt, sent, stats["queued"], stats["rejected"], self._emitter.close(5), flush=True
        )

    def _interrupt(self, number: int, frame: object) -> None:
        """Raise once in each step, and never in what is only this script's."""
        if self._armed:
            self._armed = False
            raise KeyboardInterrupt

    def _step(self) -> Callable[[], object]:
        emitter, dice = self._emitter, self._dice
        rare: tuple[Callable[[], object], ...] = (
            lambda: emitter.flush(0.02),
            lambda: emitter.close(0.02),
            emitter.go_memory,
            self._go_live,
            self._go_live,
            emitter.stats,
            lambda: emitter.deliveries(-5),
            emitter.send_rejected,
        )
        return dice.choice(rare) if dice.random() < 0.15 else self._emit

    def _go_live(self) -> None:
        self._emitter.go_live(self._url, backend=self._backend)

    def _emit(self) -> None:
        number = next(self._numbers)
        made = operator(number)
        os.write(self._log, b"about op-%d\n" % number)
        self._emitter.emit(made)
        os.write(self._log, b"done op-%d\n" % number)


if __name__ == "__main__":
    url, folder, seed, seconds, backend = sys.argv[1:]
    Interrupted(url, Path(folder), int(seed), backend).run(float(seconds))
