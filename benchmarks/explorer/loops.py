"""What runs in the kernel of the measured notebook."""

from __future__ import annotations

import json
import time
from dataclasses import asdict, dataclass
from pathlib import Path

import hutch_lineage as hl

EVENTS_EACH = 3
WARM = 200


@dataclass
class Ran:
    """A loop's times: each individual's, the whole, and what its own and all threads worked."""

    logged_ms: list[float]
    wall_s: float
    own_s: float
    all_s: float

    def save(self, path: str) -> None:
        """Write the times for the driver."""
        Path(path).write_text(json.dumps(asdict(self)))


class Loop:
    """A search that logs an individual, its operator and its fitness, and works in between.

    Parameters
    ----------
    events_per_s : float
        The work is measured out so that the loop alone logs about so many.
    """

    def __init__(self, events_per_s: float = 1000) -> None:
        hl.reset()
        self._turns = 0
        each = self.run(WARM).wall_s / WARM
        began = time.perf_counter()
        _work(100_000)
        turn = (time.perf_counter() - began) / 100_000
        self._turns = max(0, int((EVENTS_EACH / events_per_s - each) / turn))
        hl.reset()

    def run(self, individuals: int) -> Ran:
        """Log so many individuals in a run of their own."""
        logged, ids = [], ["ind-0"]
        starts = time.perf_counter(), time.thread_time(), time.process_time()
        with hl.run("loop", score_directions={"score": "higher"}) as run:
            for number in range(individuals):
                parents = [ids[number * 7 // 11]] if number else []
                name = f"ind-{number}"
                logged.append(time.time() * 1000)
                run.log_individual(kind="program", individual_id=name, parent_ids=parents)
                run.log_operator(kind="refine", parent_ids=parents, child_id=name, cost_usd=0.01)
                run.log_fitness(individual=name, scores={"score": number % 37 + number / 1000})
                ids.append(name)
                _work(self._turns)
        ends = time.perf_counter(), time.thread_time(), time.process_time()
        return Ran(logged, *(end - start for start, end in zip(starts, ends, strict=True)))


def _work(turns: int) -> int:
    """Keep the interpreter busy, as a search in Python does."""
    total = 0
    for turn in range(turns):
        total ^= turn
    return total
