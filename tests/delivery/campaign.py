"""The fault campaign: random schedules of what can happen to a backend and to its producers.

``python -m tests.delivery.campaign 2000`` runs schedules 0 to 1999; with a second number, that one
only. A schedule follows from its number, so one that fails can be run again.
"""

from __future__ import annotations

import contextlib
import json
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any, Self

from hutch_lineage.openlineage import OpenLineageEmitter
from tests.delivery.producers import MIB, options
from tests.receivers import Answer, Receiver, unused_port

ROOT = Path(__file__).resolve().parents[2]
MODES: tuple[int | str | Answer, ...] = (
    201,
    201,
    Answer(201, delay_s=0.01),
    Answer(201, delay_s=0.04),
    503,
    500,
    Answer(429, {"Retry-After": "0"}),
    422,
    "reset",
    "close",
    Answer(201, withheld=5),
    Answer(201, raw=b"nonsense\r\n\r\n"),
    "hang",
)
ENDS = ("kill", "kill", "exit", "close", "abandon")
"""How a producer ends: ``exit`` is an interpreter's end without close, ``abandon`` one without
that. What had no room on disk is in memory only, which saves nothing from those two."""


class Backend:
    """A backend that changes its mind, goes away and comes back, and remembers all it accepted."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self.port = unused_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._receiver: Receiver | None = None
        self._past: list[dict[str, Any]] = []
        self._refused: list[dict[str, Any]] = []
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._live, daemon=True)
        self._thread.start()

    def events(self) -> list[dict[str, Any]]:
        """Return what was accepted, by every incarnation, in order."""
        return [*self._past, *(_accepted_by(self._receiver) if self._receiver else ())]

    def refused(self) -> set[str]:
        """Return the ids of the events that were ever answered with 422."""
        now = _refused_by(self._receiver) if self._receiver else []
        return {_id_of(event) for event in [*self._refused, *now]}

    def recover(self) -> None:
        """Be up, and stay so."""
        self._stop.set()
        self._thread.join()
        if self._receiver is None:
            self._receiver = Receiver(port=self.port)
        self._receiver.script(then=201)

    def stop(self) -> None:
        """End."""
        self._stop.set()
        self._thread.join()
        self._go()

    def _live(self) -> None:
        while not self._stop.is_set():
            if self._receiver is not None and self._random.random() < 0.25:
                self._go()
            elif self._receiver is None and self._random.random() < 0.6:
                with contextlib.suppress(OSError):  # for a moment somebody else has the port
                    self._receiver = Receiver(port=self.port)
            if self._receiver is not None:
                self._receiver.script(then=self._random.choice(MODES))
            self._stop.wait(self._random.random() * 0.06)

    def _go(self) -> None:
        receiver, self._receiver = self._receiver, None
        if receiver is not None:
            receiver.stop()
            time.sleep(0.005)  # a post that was under way is answered, or not
            self._past += _accepted_by(receiver)
            self._refused += _refused_by(receiver)


def _accepted_by(receiver: Receiver) -> list[dict[str, Any]]:
    return [event for body in receiver.events for event in _events_of(body)]


def _refused_by(receiver: Receiver) -> list[dict[str, Any]]:
    refused = [request.json for request in list(receiver.requests) if request.answered == 422]
    return [event for body in refused for event in _events_of(body)]


def _events_of(body: Any) -> list[dict[str, Any]]:
    """Return the events of a request: one, or a batch of them."""
    return body if isinstance(body, list) else [body]


def _id_of(event: dict[str, Any]) -> str:
    return str(event["run"]["facets"]["hutchOperator"]["operator_id"])


class Nursery:
    """The process that forks producers; a context manager."""

    def __enter__(self) -> Self:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.delivery.producers"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        return self

    def raise_one(self, order: dict[str, Any]) -> int:
        """Have a producer live and die; return its exit status."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        return int(self._process.stdout.readline())

    def __exit__(self, *_: object) -> None:
        self._process.communicate()


def orders(seed: int, url: str, journal: Path, log: Path) -> list[dict[str, Any]]:
    """Return what the producers of a schedule do: one after the other, going on with its runs."""
    dice = random.Random(seed * 7919 + 1)
    made, first = [], 0
    for number in range(dice.choice((1, 1, 2, 3))):
        count = dice.randint(5, 40)
        full = dice.randint(0, count // 2) if dice.random() < 0.2 else -1
        end = dice.choice(("exit", "close") if full >= 0 else ENDS)
        made.append(
            {
                "seed": seed * 31 + number,
                "url": url,
                "journal": str(journal),
                "log": str(log),
                "run": f"run-{seed}",
                "runs": dice.choice((1, 2, 5)),
                "slow_s": dice.choice((0.0, 0.01)),
                "first": first,
                "count": count,
                "end": end,
                "fork_after": dice.randint(0, count) if dice.random() < 0.3 else -1,
                "full_from": full,
                "full_to": full + dice.randint(1, 10) if full >= 0 else -1,
                "batch": dice.choice((1, 1, 7)),
                "segment_bytes": dice.choice((32 * MIB, 5_000)),
            }
        )
        first += count
    return made


def run_schedule(seed: int, nursery: Nursery) -> None:
    """Play a schedule, let the backend recover, and check what it holds.

    Raises
    ------
    AssertionError
        An event was lost, invented, or out of the order of its run.
    """
    folder = Path(tempfile.mkdtemp(prefix="hutch-lineage-campaign-"))
    backend = Backend(seed)
    try:
        journal, log = folder / "journal", folder / "log"
        for order in orders(seed, backend.url, journal, log):
            status = nursery.raise_one(order)
            assert status == (-9 if order["end"] == "kill" else 0), f"it ended with {status}"
        backend.recover()
        last = OpenLineageEmitter(endpoint=backend.url, options=options(str(journal)))
        assert last.flush(30), f"not all was sent: {last.stats()}"
        last.close(1)
        check(log, journal, backend.events(), backend.refused())
    except Exception as error:
        error.add_note(f"schedule {seed}")
        raise
    finally:
        backend.stop()
        shutil.rmtree(folder, ignore_errors=True)


def check(log: Path, journal: Path, arrived: list[dict[str, Any]], once_refused: set[str]) -> None:
    """Compare what the producers say with what the backend has.

    An event that was refused for good and yet arrived (the disk was full, so nobody could note
    the refusal) has left its place in the order.
    """
    said: dict[str, list[str]] = {"about": [], "done": []}
    for line in log.read_text().splitlines():
        what, run, number = line.split()
        said[what].append(f"{run}-{number}")
    got = [_id_of(event) for event in arrived]
    refused = [
        _id_of(json.loads(line)["event"])
        for path in journal.glob("*/*/rejected.ndjson")
        for line in path.read_text().splitlines()
    ]
    lost = set(said["done"]) - set(got) - set(refused)
    assert not lost, f"lost: {sorted(lost)}"
    invented = set(got) - set(said["about"])
    assert not invented, f"invented: {sorted(invented)}"
    first_seen = [each for each in dict.fromkeys(got) if each not in once_refused]
    for run in {each.rpartition("-")[0] for each in first_seen}:
        numbers = [int(e.rpartition("-")[2]) for e in first_seen if e.rpartition("-")[0] == run]
        assert numbers == sorted(numbers), f"order of {run}: {numbers}"


def main(count: int, only: int | None = None) -> None:
    """Run schedules and say how far it is."""
    seeds = range(count) if only is None else [only]
    with Nursery() as nursery:
        for seed in seeds:
            run_schedule(seed, nursery)
            if seed % 100 == 99:
                print(f"{seed + 1:,} schedules", flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
