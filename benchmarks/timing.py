"""Timing contenders side by side, so that a busy machine slows all of them alike."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable

Contender = Callable[[], Callable[[], object]]


def best_times(contenders: dict[str, Contender], rounds: int = 7) -> dict[str, float]:
    """Return the best time of each in seconds; each round runs every contender once.

    A contender is called to prepare (not timed) and returns what is timed.
    """
    best = dict.fromkeys(contenders, float("inf"))
    for _ in range(rounds):
        for name, prepare in contenders.items():
            work = prepare()
            gc.collect()
            gc.disable()
            start = time.perf_counter()
            work()
            best[name] = min(best[name], time.perf_counter() - start)
            gc.enable()
    return best


def lines(best: dict[str, float], count: int, of: str) -> list[str]:
    """Return a line for each contender: time for one, number a second, ratio to the last one."""
    *_, reference = best.values()
    return [
        f"{name:36} {took / count * 1e6:8.2f} us {count / took:12,.0f} {of}/s "
        f"{took / reference:8.2f} x"
        for name, took in best.items()
    ]
