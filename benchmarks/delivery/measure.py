"""One run: ours, the peers and the floor in turn, so that a busy machine slows all alike."""

from __future__ import annotations

import logging
import os
from dataclasses import dataclass
from statistics import median

from benchmarks.backend import Backend, backend
from benchmarks.explorer.results import OURS, Figure, Results
from tests.receivers import unused_port

from . import callers, official, rates

THEIRS = "thehutch"
OFFICIAL = "openlineage async"
FLOOR = "http.client"
WRITE = "os.write"
LATENCY_S = 0.05
RUNS = 16
BATCH = 100


@dataclass(frozen=True)
class Plan:
    """How much to measure."""

    rounds: int = 5
    events: int = 2_000
    few: int = 400  # where a peer takes its time
    slow: int = 40  # posts one after the other that take 50 ms each
    peers: bool = True


def run(plan: Plan) -> Results:
    """Measure."""
    logging.disable(logging.CRITICAL)
    results = Results(floors=(FLOOR, WRITE))
    try:
        with backend("ok") as healthy, backend("hang") as hung, backend(str(LATENCY_S)) as slow:
            best = Best(results)
            for number in range(plan.rounds):
                _callers(results, plan, healthy.url, hung.url, first=number == 0)
                _rates(best, plan, healthy)
                _slow(best, plan, slow)
            best.tell()
    finally:
        logging.disable(logging.NOTSET)
    return results


class Best:
    """The best rate of each contender: whatever else a machine does can only slow one."""

    def __init__(self, results: Results) -> None:
        self._results = results
        self._found: dict[Figure, dict[str, float]] = {}
        self._goals: dict[Figure, float] = {}

    def add(self, figure: Figure, name: str, rate: float, goal: float | None = None) -> None:
        """Note a rate; with a goal for ours as a share of this one."""
        found = self._found.setdefault(figure, {})
        found[name] = max(rate, found.get(name, 0.0))
        self._results.loads.append(os.getloadavg()[0])
        if goal is not None:
            self._goals[figure] = goal

    def tell(self) -> None:
        """Put them into the results."""
        for figure, found in self._found.items():
            for name, rate in found.items():
                self._results.add(figure, name, rate)
            if figure in self._goals:
                share = Figure(f"{figure.title}, share of {FLOOR}", "of it", self._goals[figure])
                self._results.add(share, OURS, found[OURS] / found[FLOOR])


def _cost(state: str, percent: int, goal: float | None) -> Figure:
    share = "median" if percent == 50 else f"p{percent}"
    return Figure(f"log_operator, {state}, {share}", "us", goal)


def _note(results: Results, state: str, name: str, took: list[float]) -> None:
    ordered = sorted(took)
    live = state != "in memory"
    middle = _cost(state, 50, 15.0 if live else 12.0)
    results.add(middle, name, median(ordered) * 1e6)
    if len(ordered) >= 100:
        late = _cost(state, 99, 150.0 if live else None)
        results.add(late, name, ordered[len(ordered) * 99 // 100] * 1e6)


def _callers(results: Results, plan: Plan, healthy: str, hung: str, *, first: bool) -> None:
    down = f"http://127.0.0.1:{unused_port()}"
    ours = callers.through_our_sdk("in-memory", plan.events)
    theirs = callers.by_their_emitter("in-memory", plan.events)
    _note(results, "in memory", OURS, ours)
    _note(results, "in memory", THEIRS, theirs)
    ratio = Figure("log_operator, in memory, against thehutch's emitter alone", "x", 1.2)
    results.add(ratio, OURS, median(ours) / median(theirs))
    for state, url in (("healthy", healthy), ("hung", hung), ("down", down)):
        state = f"live, backend {state}"
        _note(results, state, OURS, callers.through_our_sdk(url, plan.events))
        _note(results, state, WRITE, callers.one_write(plan.events))
        if not plan.peers:
            continue
        _note(results, state, OFFICIAL, official.costs(url, plan.few))
        if url != hung:
            _note(results, state, THEIRS, callers.by_their_emitter(url, plan.few))
        elif first:  # it waits five seconds for each
            _note(results, state, THEIRS, callers.by_their_emitter(url, 1))


def _rates(best: Best, plan: Plan, healthy: Backend) -> None:
    figure = Figure("delivered, one event a post", "events/s")
    best.add(figure, OURS, rates.ours(healthy.url, plan.events))
    best.add(figure, FLOOR, rates.floor(healthy.port, plan.events), goal=0.5)
    if plan.peers:
        best.add(figure, THEIRS, rates.theirs(healthy.url, plan.few))
        best.add(figure, OFFICIAL, official.rate(healthy.url, plan.few))
    many = 10 * plan.events
    figure = Figure(f"delivered, batches of {BATCH}", "events/s")
    best.add(figure, OURS, rates.ours(healthy.url, many, batch=BATCH))
    best.add(figure, FLOOR, rates.floor(healthy.port, many, batch=BATCH), goal=0.3)


def _slow(best: Best, plan: Plan, slow: Backend) -> None:
    after = f"{LATENCY_S * 1000:g} ms for an answer"
    figure = Figure(f"{after}, batches of {BATCH}", "events/s", 1_500)
    best.add(figure, OURS, rates.ours(slow.url, plan.slow * BATCH // 2, batch=BATCH))
    best.add(figure, FLOOR, rates.floor(slow.port, plan.slow * BATCH // 2, batch=BATCH))
    figure = Figure(f"{after}, one event a post, {RUNS} runs", "events/s", 250)
    best.add(figure, OURS, rates.ours(slow.url, plan.slow * RUNS, runs=RUNS))
    if plan.peers:
        best.add(figure, OFFICIAL, official.rate(slow.url, plan.slow * RUNS, runs=RUNS))
    figure = Figure(f"{after}, one event a post, one run", "events/s")
    best.add(figure, OURS, rates.ours(slow.url, plan.slow))
    best.add(figure, FLOOR, rates.floor(slow.port, plan.slow), goal=0.9)
    if plan.peers:
        best.add(figure, THEIRS, rates.theirs(slow.url, max(1, plan.slow // 2)))
